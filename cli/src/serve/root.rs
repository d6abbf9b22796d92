//! The folder that `--root` names: its files as `file:///` URIs, and no way out of it.
//!
//! The folder is the root of the URIs: `file:///notes/a.txt` is `notes/a.txt` in it, wherever it
//! is on the machine. A path is taken apart after its percent escapes are decoded, once, and is
//! refused if a part is empty, `.` or `..`. What is left is opened by `cap-std`, which follows no
//! link out of the folder. Only regular files are read.

use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};

pub(super) const SCHEME: &str = "file:///";
pub(super) const TEMPLATE: &str = "file:///{path}";

/// The longest file that is read whole, in bytes: as base64 it fits the usual ceilings.
const LONGEST: u64 = 8 << 20;

/// How many files are looked at for one list, and how deep.
const MOST: usize = 20_000;
const DEEPEST: usize = 32;

pub(super) struct Root(Dir);

/// A file as it was listed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    /// With `/` between its parts.
    pub(super) path: String,
    pub(super) size: u64,
}

/// Why a file could not be read.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// There is none, or it is outside, or no file: which of these is not told.
    NotFound,
    TooLong,
    Io(io::Error),
}

/// What a change of a file shows in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
}

impl Root {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Dir::open_ambient_dir(path, ambient_authority()).map(Self)
    }

    pub(super) fn read(&self, uri: &str) -> Result<Vec<u8>, Unreadable> {
        let path = path_of(uri).ok_or(Unreadable::NotFound)?;
        // Looked at first: opening a device may do something.
        let meta = self.0.metadata(&path).map_err(unreadable)?;
        if !meta.is_file() {
            return Err(Unreadable::NotFound);
        }
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            use cap_std::fs::OpenOptionsExt;
            // A pipe that took the file's place meanwhile must not be waited for.
            options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
        }
        let file = self.0.open_with(&path, &options).map_err(unreadable)?;
        let meta = file.metadata().map_err(unreadable)?;
        if !meta.is_file() {
            return Err(Unreadable::NotFound);
        }
        if meta.len() > LONGEST {
            return Err(Unreadable::TooLong);
        }
        let mut bytes = Vec::new();
        // It may grow meanwhile.
        file.take(LONGEST + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
        if bytes.len() as u64 > LONGEST {
            return Err(Unreadable::TooLong);
        }
        Ok(bytes)
    }

    /// What of a file changes when its contents do; `None` if there is no such file.
    pub(super) fn stamp(&self, uri: &str) -> Option<Stamp> {
        let meta = self.0.metadata(path_of(uri)?).ok()?;
        meta.is_file().then(|| Stamp {
            size: meta.len(),
            modified: meta.modified().ok().map(|time| time.into_std()),
        })
    }

    /// All regular files, sorted. Links are not followed.
    pub(super) fn list(&self) -> Vec<Entry> {
        let mut found = Vec::new();
        walk(&self.0, "", 0, &mut found);
        found.sort_unstable();
        found
    }
}

fn walk(dir: &Dir, prefix: &str, depth: usize, found: &mut Vec<Entry>) {
    // A folder that cannot be read, and a name that is no Unicode text, are left out.
    let Ok(entries) = dir.entries() else { return };
    for entry in entries.flatten() {
        if found.len() >= MOST {
            return;
        }
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else {
            continue;
        };
        let path = format!("{prefix}{name}");
        if kind.is_dir() && depth < DEEPEST {
            if let Ok(dir) = entry.open_dir() {
                walk(&dir, &format!("{path}/"), depth + 1, found);
            }
        } else if kind.is_file() {
            let size = entry.metadata().map_or(0, |meta| meta.len());
            found.push(Entry { path, size });
        }
    }
}

fn unreadable(error: io::Error) -> Unreadable {
    // Links that lead in a circle.
    #[cfg(unix)]
    if rustix::io::Errno::from_io_error(&error) == Some(rustix::io::Errno::LOOP) {
        return Unreadable::NotFound;
    }
    match error.kind() {
        // What lies outside is told of as what is not there.
        io::ErrorKind::NotFound
        | io::ErrorKind::PermissionDenied
        | io::ErrorKind::NotADirectory
        | io::ErrorKind::InvalidInput
        | io::ErrorKind::InvalidFilename => Unreadable::NotFound,
        _ => Unreadable::Io(error),
    }
}

/// The URI of a file of the list.
pub(super) fn uri_of(path: &str) -> String {
    let mut uri = String::from(SCHEME);
    for &byte in path.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

/// The path that a URI names, if it is one that can lie in a folder.
fn path_of(uri: &str) -> Option<String> {
    let path = decoded(uri.strip_prefix(SCHEME)?)?;
    let good = |part: &str| {
        // Windows has further separators, and streams and devices behind a colon.
        let foreign = cfg!(windows) && part.contains(['\\', ':']);
        !part.is_empty() && part != "." && part != ".." && !part.contains('\0') && !foreign
    };
    path.split('/').all(good).then_some(path)
}

/// Text without its percent escapes.
fn decoded(text: &str) -> Option<String> {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if matches!(byte, b'?' | b'#') {
            return None;
        }
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut digit = || char::from(bytes.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        out.push(u8::try_from(high << 4 | low).ok()?);
    }
    String::from_utf8(out).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (uri, path) in [
            ("file:///a", "a"),
            ("file:///a/b.txt", "a/b.txt"),
            ("file:///a%2Fb%20c", "a/b c"),
            ("file:///%E2%82%AC", "€"),
            ("file:///..a", "..a"),
            ("file:///%252e%252e/a", "%2e%2e/a"),
        ] {
            assert_eq!(path_of(uri).as_deref(), Some(path), "{uri}");
        }
        for bad in [
            "file:///",
            "file:////etc/passwd",
            "file:///../a",
            "file:///a/../../b",
            "file:///a/..",
            "file:///.",
            "file:///a//b",
            "file:///%2e%2e/a",
            "file:///..%2Fa",
            "file:///%2Fetc%2Fpasswd",
            "file:///a%00b",
            "file:///a%",
            "file:///a%g0",
            "file:///a%ff",
            "file:///a?b",
            "file:///a#b",
            "file://localhost/a",
            "file:/a",
            "/a",
            "http:///a",
        ] {
            assert_eq!(path_of(bad), None, "{bad}");
        }
    }

    #[test]
    fn uris_name_what_they_were_made_of() {
        for path in ["a", "a b/c%d", "é/\u{202e}", "x:y", "q?r#s"] {
            assert_eq!(path_of(&uri_of(path)).as_deref(), Some(path));
        }
        assert_eq!(uri_of("a b/é"), "file:///a%20b/%C3%A9");
    }

    #[test]
    fn files_are_listed_and_read() {
        let directory = tempfile::tempdir().expect("a folder");
        let at = directory.path();
        std::fs::create_dir(at.join("sub")).expect("made");
        std::fs::write(at.join("sub/b"), b"two").expect("written");
        std::fs::write(at.join("a"), b"one").expect("written");
        let root = Root::open(at).expect("opens");
        let listed: Vec<_> = root
            .list()
            .into_iter()
            .map(|it| (it.path, it.size))
            .collect();
        assert_eq!(listed, [("a".to_string(), 3), ("sub/b".to_string(), 3)]);
        assert_eq!(root.read("file:///sub/b").expect("there"), b"two");
        assert!(matches!(
            root.read("file:///sub"),
            Err(Unreadable::NotFound)
        ));
        assert!(matches!(root.read("file:///c"), Err(Unreadable::NotFound)));
    }
}
