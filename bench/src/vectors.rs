//! The bad lines of the text vectors (`vectors/README.md`).
//!
//! Only faults of the text itself are taken: what RFC 8259 and UTF-8 refuse, every
//! validating reader refuses. Ceilings and the finer rules of the envelope are this
//! project's own, and no reason to say that a peer does not validate.

use crate::rejects::Vector;

const TEXT_FAULTS: &[&str] = &["not-json", "syntax", "utf8", "cut", "trailing"];

/// The bad lines of one file. Vectors that change a limit or a rule are left out,
/// as are those whose lines and items do not go one to one.
pub fn bad_lines(file: &str, text: &[u8]) -> Result<Vec<Vector>, String> {
    let text = std::str::from_utf8(text).map_err(|e| format!("{file}: {e}"))?;
    let topic = file
        .rsplit('/')
        .next()
        .unwrap_or(file)
        .trim_end_matches(".txt");
    let mut all = Vec::new();
    for block in text.split("\n== ").skip(1) {
        let (name, body) = block.split_once('\n').unwrap_or((block, ""));
        let Some((stream, items)) = read(body).map_err(|line| format!("{file}: {name}: {line}"))?
        else {
            continue;
        };
        let lines: Vec<&[u8]> = stream
            .split(|b| *b == b'\n')
            .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
            .filter(|line| line.iter().any(|b| !matches!(b, b' ' | b'\t' | b'\r')))
            .collect();
        if lines.len() != items.len() {
            continue;
        }
        for (at, (line, item)) in lines.iter().zip(&items).enumerate() {
            if TEXT_FAULTS.contains(item) {
                all.push(Vector {
                    name: format!("{topic}/{name} line {}", at + 1),
                    line: line.to_vec(),
                    good: false,
                });
            }
        }
    }
    Ok(all)
}

/// A stream and its items.
type Case<'t> = (Vec<u8>, Vec<&'t str>);

/// The stream and the items (a fault's name, or nothing for a message) of one vector;
/// `None` if it has settings.
fn read(body: &str) -> Result<Option<Case<'_>>, String> {
    let (mut stream, mut items) = (Vec::new(), Vec::new());
    for row in body.lines() {
        if row.is_empty() || row.starts_with('#') || row.starts_with("  ") {
            continue;
        }
        if let Some(rest) = row.strip_prefix("fault ") {
            items.push(rest.split(' ').next().unwrap_or(rest));
            continue;
        }
        if row.starts_with("message ") {
            items.push("");
            continue;
        }
        let end = row.find([':', '=']).ok_or_else(|| row.to_owned())?;
        let (key, rest) = row.split_at(end);
        let (key, times) = match key.split_once('*') {
            Some((key, n)) => (key, n.parse().map_err(|_| row.to_owned())?),
            None => (key, 1),
        };
        match key {
            "doc" => continue,
            "line" | "in" => {}
            _ => return Ok(None),
        }
        let piece = match rest.strip_prefix(": ") {
            Some(raw) => raw.as_bytes().to_vec(),
            None => escaped(rest).ok_or_else(|| row.to_owned())?,
        };
        for _ in 0..times {
            stream.extend_from_slice(&piece);
        }
        if key == "line" {
            stream.push(b'\n');
        }
    }
    Ok(Some((stream, items)))
}

fn escaped(text: &str) -> Option<Vec<u8>> {
    let open = text.find('\'')?;
    let close = text.rfind('\'')?;
    let mut rest = text.get(open + 1..close)?;
    let mut out = Vec::new();
    while let Some((plain, after)) = rest.split_once('\\') {
        out.extend_from_slice(plain.as_bytes());
        let mut chars = after.chars();
        match chars.next()? {
            'n' => out.push(b'\n'),
            'r' => out.push(b'\r'),
            't' => out.push(b'\t'),
            '\\' => out.push(b'\\'),
            'x' => {
                out.push(u8::from_str_radix(after.get(1..3)?, 16).ok()?);
                chars = after.get(3..)?.chars();
            }
            'u' => {
                let (digits, tail) = after.strip_prefix("u{")?.split_once('}')?;
                let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                chars = tail.chars();
            }
            _ => return None,
        }
        rest = chars.as_str();
    }
    out.extend_from_slice(rest.as_bytes());
    Some(out)
}
