//! Lines in, messages and faults out.

use std::sync::{Mutex, MutexGuard};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyList};
use wireline::{Item, LineDecoder};

use crate::errors;
use crate::fault::Fault;
use crate::limits::Given;
use crate::message::{self, Held, Line, Origin};
use crate::value;

// While its lock is held no Python code runs, since that could ask for the lock again: a hook, a
// class's `__init__`, a signal's handler, or a finaliser, which runs wherever the garbage collector
// does. So nothing that the collector tracks is made or let go meanwhile: `bytes` and `str` alone.
/// A decoder of newline-framed messages: bytes in, messages and faults out. It does no I/O, and a bad
/// line never harms the next. Threads may share it.
///
/// >>> import wireline
/// >>> decoder = wireline.Decoder()
/// >>> decoder.feed(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc"')
/// [Request(method="ping", id=1)]
/// >>> decoder.feed(b':"2.0","method":"notifications/initialized"}\nhello\n')
/// [Notification(method="notifications/initialized"), Fault(kind='not-json', offset=0, length=5, id=None, line=3)]
/// >>> decoder.finish()
/// []
///
/// `max_message`, `max_id` and `max_method` are ceilings in bytes, `max_depth` in open containers;
/// what is over one is a fault, with its id wherever in the line that stands. A line that passes
/// `max_discard` without an end closes the decoder. `profile` "json-rpc" takes whatever JSON-RPC 2.0
/// allows, and not objects alone. `batches` takes the batches of 2025-03-26 apart. With
/// `eof_completes_line` the end of the input ends a line. `loads` reads JSON: it is given `bytes`, when
/// an attribute is asked for that needs it; without it `json.loads` does.
#[pyclass(frozen, module = "wireline")]
pub(crate) struct Decoder {
    inner: Mutex<LineDecoder<Vec<u8>>>,
    loads: Option<Py<PyAny>>,
}

impl Decoder {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, LineDecoder<Vec<u8>>> {
        self.inner
            .lock_py_attached(py)
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The lines that are whole with these bytes; `None` if the decoder is closed.
    fn read(&self, py: Python<'_>, chunk: &Bound<'_, PyBytes>) -> Option<Vec<Line>> {
        let mut decoder = self.lock(py);
        if decoder.is_closed() {
            return None;
        }
        let mut found = Vec::new();
        let mut rest = chunk.as_bytes();
        while let Some(item) = decoder.next_in(&mut rest) {
            let what = match item {
                Item::InChunk(Ok(message)) => Ok(Held::new(chunk, message)),
                Item::InBuffer(Ok(message)) => Ok(Held::copy(py, &message)),
                Item::InChunk(Err(rejected)) | Item::InBuffer(Err(rejected)) => {
                    Err(Fault::new(py, &rejected, 0, 0))
                }
            };
            let (position, line) = (decoder.position(), decoder.line());
            found.push(Line {
                what,
                position,
                line,
            });
        }
        Some(found)
    }

    /// What is left at the end.
    fn read_end(&self, py: Python<'_>) -> Vec<Line> {
        let mut decoder = self.lock(py);
        let mut found = Vec::new();
        while let Some(item) = decoder.finish() {
            let what = match item {
                Ok(message) => Ok(Held::copy(py, &message)),
                Err(rejected) => Err(Fault::new(py, &rejected, 0, 0)),
            };
            let (position, line) = (decoder.position(), decoder.line());
            found.push(Line {
                what,
                position,
                line,
            });
        }
        found
    }

    fn objects<'py>(&self, py: Python<'py>, found: Vec<Line>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for line in found {
            list.append(line.object(py, self.loads.as_ref())?)?;
        }
        Ok(list)
    }
}

fn closed(py: Python<'_>) -> PyErr {
    let text = "the decoder is closed: a line without an end passed max_discard; reset() opens it";
    errors::local(py, "closed", text.to_owned(), None)
}

#[pymethods]
impl Decoder {
    // There is no `__clear__`: see `Message`.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.loads)
    }

    #[new]
    #[pyo3(signature = (*, max_message=16777216, max_depth=127, max_id=128, max_method=128,
        max_discard=None, profile="mcp", batches=false, eof_completes_line=false, loads=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python's")]
    fn new(
        max_message: u64,
        max_depth: u64,
        max_id: u64,
        max_method: u64,
        max_discard: Option<u64>,
        profile: &str,
        batches: bool,
        eof_completes_line: bool,
        loads: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let max_message = Some(max_message);
        let given = Given {
            max_message,
            max_depth,
            max_id,
            max_method,
            max_discard,
            profile,
        };
        let limits = given
            .limits()?
            .with_batches(batches)
            .with_eof_completes_line(eof_completes_line);
        let loads = value::hook("loads", loads)?;
        Ok(Decoder {
            inner: Mutex::new(LineDecoder::new(Vec::new(), limits)),
            loads,
        })
    }

    /// Takes bytes as they came, cut anywhere, and returns the messages and faults of the lines that
    /// are complete now, in their order. Lines that lie whole in a `bytes` are not copied; what is
    /// left at the end is kept for the next call. Any other buffer is copied once.
    ///
    /// `TypeError` for what is no buffer; `LocalProtocolError` if the decoder is closed.
    fn feed<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = data.py();
        let chunk = value::bytes(data, "feed()")?;
        let found = self.read(py, &chunk).ok_or_else(|| closed(py))?;
        self.objects(py, found)
    }

    /// The end of the input: returns what is left. That is a line without an end, and a fault
    /// (`truncated`), whole or not: only a line feed ends a line, unless `eof_completes_line` says that
    /// the end of the input does. Then the decoder is as new, unless it is closed.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found = self.read_end(py);
        self.objects(py, found)
    }

    /// Makes the decoder as new, closed or not.
    fn reset(&self, py: Python<'_>) {
        self.lock(py).reset();
    }

    /// Bytes of the unfinished line.
    #[getter]
    fn pending(&self, py: Python<'_>) -> u64 {
        self.lock(py).pending().bytes
    }

    /// Whether a line without an end passed `max_discard`; see `reset`.
    #[getter]
    fn closed(&self, py: Python<'_>) -> bool {
        self.lock(py).is_closed()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let mut decoder = self.lock(py);
        let closed = if decoder.is_closed() { ", closed" } else { "" };
        format!(
            "<wireline.Decoder: {} bytes of a line pending{closed}>",
            decoder.pending().bytes
        )
    }
}

/// Reads one message that something else has framed, such as the body of an HTTP request.
///
/// >>> import wireline
/// >>> wireline.parse(b'{"jsonrpc":"2.0","id":1,"result":{}}')
/// Result(id=1, result={})
///
/// `RemoteProtocolError` with the fault, if it is none.
#[pyfunction]
#[pyo3(signature = (data, *, max_message=16777216, max_depth=127, max_id=128,
    max_method=128, profile="mcp", loads=None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python's")]
pub(crate) fn parse<'py>(
    data: &Bound<'py, PyAny>,
    max_message: u64,
    max_depth: u64,
    max_id: u64,
    max_method: u64,
    profile: &str,
    loads: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let (max_message, max_discard) = (Some(max_message), None);
    let given = Given {
        max_message,
        max_depth,
        max_id,
        max_method,
        max_discard,
        profile,
    };
    let limits = given.limits()?;
    let loads = value::hook("loads", loads)?;
    let owner: Bound<'py, PyBytes> = value::bytes(data, "parse()")?;
    match wireline::parse(owner.as_bytes(), &limits) {
        Ok(message) => {
            let origin = Origin {
                position: 0,
                line: 1,
                loads: loads.as_ref(),
            };
            message::object(py, Held::new(&owner, message), origin)
        }
        Err(rejected) => {
            let fault = Bound::new(py, Fault::new(py, &rejected, 0, 1))?;
            Err(errors::remote(py, fault.as_any()))
        }
    }
}
