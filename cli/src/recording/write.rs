use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::VERSION;
use crate::escape;
use crate::stream::{Direction, Event, Exit, Micros};

// More bad sequences than this in one line, and it is no text: one base64 record holds it.
const TEXT_WITH_FLAWS: usize = 4;

pub(crate) struct Writer<W> {
    out: W,
    line: Vec<u8>,
}

impl<W: Write> Writer<W> {
    pub(crate) fn new(out: W) -> Self {
        Self {
            out,
            line: Vec::new(),
        }
    }

    #[cfg(test)]
    pub(crate) fn into_inner(self) -> W {
        self.out
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// The first line. Of the command only the program's name is kept: arguments often hold tokens.
    pub(crate) fn start(&mut self, unix_ms: u128, program: &str) -> io::Result<()> {
        self.line.clear();
        write!(
            self.line,
            "{{\"wireline\":\"recording\",\"version\":{VERSION},\"started_unix_ms\":{unix_ms},\"by\":\"wireline {}\",\"program\":",
            env!("CARGO_PKG_VERSION")
        )?;
        escape::push_json(&mut self.line, program);
        self.end_record()
    }

    /// The bytes of one read: one record for each line in them, or part of a line.
    pub(crate) fn bytes(
        &mut self,
        at: Micros,
        direction: Direction,
        bytes: &[u8],
    ) -> io::Result<()> {
        let mut continued = false;
        for piece in bytes.split_inclusive(|&b| b == b'\n') {
            if let Ok(text) = std::str::from_utf8(piece) {
                self.text(at, direction, text, &mut continued)?;
            } else if piece
                .utf8_chunks()
                .filter(|chunk| !chunk.invalid().is_empty())
                .count()
                <= TEXT_WITH_FLAWS
            {
                for chunk in piece.utf8_chunks() {
                    if !chunk.valid().is_empty() {
                        self.text(at, direction, chunk.valid(), &mut continued)?;
                    }
                    if !chunk.invalid().is_empty() {
                        self.raw(at, direction, chunk.invalid(), &mut continued)?;
                    }
                }
            } else {
                self.raw(at, direction, piece, &mut continued)?;
            }
        }
        Ok(())
    }

    pub(crate) fn event(&mut self, at: Micros, event: Event) -> io::Result<()> {
        self.open(at);
        match event {
            Event::Eof(direction) => write!(
                self.line,
                ",\"dir\":\"{}\",\"event\":\"eof\"",
                direction.name()
            ),
            Event::Closed(direction) => {
                write!(
                    self.line,
                    ",\"dir\":\"{}\",\"event\":\"closed\"",
                    direction.name()
                )
            }
            Event::Lost(direction, bytes) => {
                write!(
                    self.line,
                    ",\"dir\":\"{}\",\"event\":\"lost\",\"bytes\":{bytes}",
                    direction.name()
                )
            }
            Event::Exit(Exit::Code(code)) => {
                write!(self.line, ",\"event\":\"exit\",\"code\":{code}")
            }
            Event::Exit(Exit::Signal(signal)) => {
                write!(self.line, ",\"event\":\"exit\",\"signal\":{signal}")
            }
        }?;
        self.end_record()
    }

    fn text(
        &mut self,
        at: Micros,
        direction: Direction,
        text: &str,
        continued: &mut bool,
    ) -> io::Result<()> {
        self.open_bytes(at, direction, "raw")?;
        escape::push_json(&mut self.line, text);
        self.end_piece(continued)
    }

    fn raw(
        &mut self,
        at: Micros,
        direction: Direction,
        bytes: &[u8],
        continued: &mut bool,
    ) -> io::Result<()> {
        self.open_bytes(at, direction, "b64")?;
        self.line.push(b'"');
        self.line
            .extend_from_slice(STANDARD.encode(bytes).as_bytes());
        self.line.push(b'"');
        self.end_piece(continued)
    }

    fn open(&mut self, Micros(us): Micros) {
        self.line.clear();
        let _ = write!(self.line, "{{\"t\":{}.{:03}", us / 1000, us % 1000);
    }

    fn open_bytes(&mut self, at: Micros, direction: Direction, member: &str) -> io::Result<()> {
        self.open(at);
        write!(self.line, ",\"dir\":\"{}\",\"{member}\":", direction.name())
    }

    fn end_piece(&mut self, continued: &mut bool) -> io::Result<()> {
        if *continued {
            self.line.extend_from_slice(b",\"cont\":true");
        }
        *continued = true;
        self.end_record()
    }

    fn end_record(&mut self) -> io::Result<()> {
        self.line.extend_from_slice(b"}\n");
        self.out.write_all(&self.line)
    }
}
