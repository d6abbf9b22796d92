//! What is to be sent, until it is taken.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wireline::encode::WriteError;
use wireline::mcp::Capabilities;
use wireline::session::{Send, SessionError};

use super::Refused;

/// Room that most lines fit in, beside their payload.
const LINE: usize = 512;
/// What is kept of the buffer once it has been emptied.
const KEPT: usize = 256 * 1024;

/// Lines to be sent.
pub(super) struct Out {
    bytes: Vec<u8>,
    /// Bytes of `bytes` that are written.
    len: usize,
}

impl Out {
    pub(super) fn new() -> Out {
        Out {
            bytes: Vec::new(),
            len: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Puts lines behind those that are there. `hint` is the length of what they carry.
    pub(super) fn put(&mut self, send: &Send<'_>, hint: usize) -> Result<(), Refused> {
        if send.is_empty() {
            return Ok(());
        }
        let mut room = LINE.saturating_add(hint);
        loop {
            let end = self.len.saturating_add(room);
            if self.bytes.len() < end {
                self.bytes
                    .resize(end.max(self.bytes.len().saturating_mul(2)), 0);
            }
            match send.write(self.bytes.get_mut(self.len..).unwrap_or(&mut [])) {
                Ok(n) => {
                    self.len = self.len.saturating_add(n);
                    return Ok(());
                }
                Err(WriteError::TooSmall { needed }) => room = needed,
                Err(error) => return Err(SessionError::from(error).into()),
            }
        }
    }

    /// Puts a line that is whole.
    pub(super) fn put_line(&mut self, line: &[u8]) {
        self.bytes.truncate(self.len);
        self.bytes.extend_from_slice(line);
        self.len = self.bytes.len();
    }

    /// Takes all that is there.
    pub(super) fn take<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let taken = PyBytes::new(py, self.bytes.get(..self.len).unwrap_or(&[]));
        self.len = 0;
        if self.bytes.len() > KEPT {
            self.bytes = Vec::new();
        }
        taken
    }
}

/// A set of capabilities as the object that declares it.
pub(super) fn capabilities(py: Python<'_>, set: Capabilities) -> PyResult<Bound<'_, PyAny>> {
    let mut buffer = [0; 1024];
    let text = wireline::json::write(&set, &mut buffer).unwrap_or(b"{}");
    crate::value::default_loads(py)?.call1((PyBytes::new(py, text),))
}

/// A JSON string's token for some text.
pub(super) fn quoted(text: &str) -> Vec<u8> {
    let mut buffer = vec![0; text.len().saturating_mul(6).saturating_add(2)];
    let n = wireline::json::write(&text, &mut buffer).map_or(0, <[u8]>::len);
    buffer.truncate(n);
    buffer
}
