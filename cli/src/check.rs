//! `wireline check`: a recorded stream, read from end to end.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Cursor, IsTerminal, Read, Seek, Write};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use crate::args::{Check, Format};
use crate::failure::Failure;
use crate::inspect::Inspector;
use crate::patient::Patient;
use crate::progress::Progress;
use crate::recording::{HEAD, Magic, Reader, Record};
use crate::report::{Contents, Reporter, Style};
use crate::stream::Direction;

const CHUNK: usize = 64 * 1024;

/// Why reading stopped early.
enum Stop {
    Failed(Failure),
    /// Whoever read the report has gone: nothing is left to do.
    NobodyReads,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// An error in writing the report.
impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::NobodyReads
        } else {
            Self::Failed(Failure::io("write", "standard output", &error))
        }
    }
}

pub(crate) fn run(args: &Check) -> Result<ExitCode, Failure> {
    let contents = contents(args);
    let mut source = Source::open(&args.file)?;
    let recorded = match args.format {
        Format::Plain => false,
        Format::Recording => true,
        Format::Auto => source.is_recording()?,
    };
    let stdout = io::stdout();
    let style = Style {
        json: args.json,
        colour: args.color.on(stdout.is_terminal()),
    };
    let out = BufWriter::with_capacity(CHUNK, Patient(stdout.lock()));
    let mut inspector = Inspector::new(
        args.ceilings.limits(recorded),
        !recorded,
        Reporter::new(out, style, contents),
    );
    let silent = !(contents.messages || contents.faults);
    let mut progress = Progress::new(source.size, silent);
    let read = if recorded {
        read_recording(source, &mut progress, &mut inspector)
    } else {
        read_plain(source, &mut progress, &mut inspector)
    };
    progress.clear();
    // What was read before a failure is still reported.
    let mut clean = inspector.summary().clean(args.strict);
    let reported = match &read {
        Err(Stop::NobodyReads) => return Ok(status(clean)),
        Ok(()) | Err(Stop::Failed(_)) => report(inspector, args.strict, &mut clean),
    };
    match read.and(reported) {
        Ok(()) | Err(Stop::NobodyReads) => Ok(status(clean)),
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

fn report<W: Write>(inspector: Inspector<W>, strict: bool, clean: &mut bool) -> Result<(), Stop> {
    let reporter = inspector.finish()?;
    *clean = reporter.summary.clean(strict);
    reporter.finish()?;
    Ok(())
}

fn status(clean: bool) -> ExitCode {
    ExitCode::from(u8::from(!clean))
}

fn contents(args: &Check) -> Contents {
    let all = !args.quiet && !args.faults && !args.summary;
    Contents {
        messages: all,
        faults: all || args.faults,
        summary: all || args.summary,
    }
}

fn read_plain<W: Write>(
    mut source: Source,
    progress: &mut Progress,
    inspector: &mut Inspector<W>,
) -> Result<(), Stop> {
    let mut chunk = vec![0; CHUNK];
    let waits = source.waits();
    loop {
        if waits {
            inspector.flush()?;
        }
        let taken = match source.input.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(taken) => taken,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failure::io("read", source.name, &error).into()),
        };
        inspector.bytes(Direction::ToServer, None, &chunk[..taken])?;
        progress.at(source.taken.get());
    }
}

fn read_recording<W: Write>(
    source: Source,
    progress: &mut Progress,
    inspector: &mut Inspector<W>,
) -> Result<(), Stop> {
    let waits = source.waits();
    let taken = source.taken;
    let mut reader = Reader::new(BufReader::with_capacity(CHUNK, source.input), source.name);
    loop {
        if waits && !reader.is_ready() {
            inspector.flush()?;
        }
        let Some(record) = reader.next()? else {
            return Ok(());
        };
        match record {
            Record::Start => inspector.restart()?,
            Record::Bytes {
                at,
                direction,
                bytes,
                ..
            } => inspector.bytes(direction, at, bytes)?,
            Record::Event { at, event } => inspector.event(at, event)?,
            Record::Unknown => {}
        }
        progress.at(taken.get());
    }
}

struct Source {
    input: Box<dyn Read>,
    name: String,
    /// Of a regular file.
    size: Option<u64>,
    taken: Rc<Cell<u64>>,
}

impl Source {
    fn open(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            let name = "standard input".to_string();
            // Not `io::stdin()`: its own buffer is small.
            return match crate::stdio::input() {
                Ok(stdin) => Self::over(stdin, name),
                Err(error) => Err(Failure::io("read", name, &error)),
            };
        }
        let name = path.display().to_string();
        match File::open(path) {
            Ok(file) => Self::over(file, name),
            Err(error) => Err(Failure::io("open", name, &error)),
        }
    }

    fn over(mut file: File, name: String) -> Result<Self, Failure> {
        let meta = file
            .metadata()
            .map_err(|error| Failure::io("open", &name, &error))?;
        if meta.is_dir() {
            let error = io::ErrorKind::IsADirectory.into();
            return Err(Failure::io("read", name, &error));
        }
        let size = meta.is_file().then(|| {
            // What a shell has redirected may be partly read.
            let read = file.stream_position().unwrap_or(0);
            meta.len().saturating_sub(read)
        });
        let taken = Rc::new(Cell::new(0));
        Ok(Self {
            input: Box::new(Counted {
                input: Box::new(Patient(file)),
                taken: taken.clone(),
            }),
            name,
            size,
            taken,
        })
    }

    /// Whether the next bytes may be long in coming: what is known is then told before.
    fn waits(&self) -> bool {
        self.size.is_none()
    }

    /// Judges by the first bytes, and puts them back.
    fn is_recording(&mut self) -> Result<bool, Failure> {
        let mut head = vec![0; HEAD];
        let mut filled = 0;
        let mut magic = Magic::default();
        // The head has room as long as it has not told.
        let answer = loop {
            match self.input.read(&mut head[filled..]) {
                Ok(0) => break false,
                Ok(taken) => {
                    let piece = filled..filled + taken;
                    filled = piece.end;
                    if let Some(answer) = magic.feed(&head[piece]) {
                        break answer;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::io("read", &self.name, &error)),
            }
        };
        head.truncate(filled);
        let rest = std::mem::replace(&mut self.input, Box::new(io::empty()));
        self.input = Box::new(Cursor::new(head).chain(rest));
        Ok(answer)
    }
}

struct Counted {
    input: Box<dyn Read>,
    taken: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = self.input.read(buffer)?;
        self.taken.set(self.taken.get() + taken as u64);
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_told_by_a_bounded_head() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("blank");
        let blank = vec![b' '; 256 * 1024];
        std::fs::write(&path, &blank).unwrap();
        let mut source = Source::open(&path).unwrap();
        assert!(!source.is_recording().unwrap());
        assert!(source.taken.get() <= HEAD as u64, "{}", source.taken.get());
        // And nothing is lost.
        let mut read = Vec::new();
        source.input.read_to_end(&mut read).unwrap();
        assert_eq!(read.len(), blank.len());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_does_not_wait_whoever_opened_it_and_a_pipe_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        std::fs::write(&path, "0123456789").unwrap();
        // As a shell hands it over, partly read.
        let mut file = File::open(&path).unwrap();
        file.read_exact(&mut [0; 4]).unwrap();
        let source = Source::over(file, String::new()).unwrap();
        assert_eq!((source.waits(), source.size), (false, Some(6)));
        let (reader, _writer) = io::pipe().unwrap();
        let reader = File::from(std::os::fd::OwnedFd::from(reader));
        assert!(Source::over(reader, String::new()).unwrap().waits());
    }
}
