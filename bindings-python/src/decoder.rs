//! Lines in, messages and faults out.

use std::sync::{Mutex, MutexGuard};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyList};
use wireline::{Item, LineDecoder};

use crate::errors;
use crate::fault::Fault;
use crate::limits::Given;
use crate::message::{self, Held, Origin};
use crate::value;

// While its lock is held no Python code runs: only objects that the garbage collector does not
// track are made, and no hook is called. So the lock is never asked for by its own holder.
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

    fn fault<'py>(
        py: Python<'py>,
        rejected: &wireline::Rejected<'_>,
        place: (u64, u64),
    ) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, Fault::new(py, rejected, place.0, place.1)?)?.into_any())
    }
}

fn closed(py: Python<'_>) -> PyErr {
    let text = "the decoder is closed: a line without an end passed max_discard; reset() opens it";
    errors::local(py, "closed", text.to_owned(), None)
}

#[pymethods]
impl Decoder {
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
        let list = PyList::empty(py);
        let mut decoder = self.lock(py);
        if decoder.is_closed() {
            return Err(closed(py));
        }
        let mut rest = chunk.as_bytes();
        let loads = self.loads.as_ref();
        while let Some(item) = decoder.next_in(&mut rest) {
            let object = match item {
                Item::InChunk(Ok(message)) => {
                    let held = Held::new(&chunk, message);
                    let (position, line) = (decoder.position(), decoder.line());
                    message::object(
                        py,
                        held,
                        Origin {
                            position,
                            line,
                            loads,
                        },
                    )?
                }
                Item::InBuffer(Ok(message)) => {
                    let held = Held::copy(py, &message)?;
                    let (position, line) = (decoder.position(), decoder.line());
                    message::object(
                        py,
                        held,
                        Origin {
                            position,
                            line,
                            loads,
                        },
                    )?
                }
                Item::InChunk(Err(rejected)) => {
                    let place = (decoder.position(), decoder.line());
                    Decoder::fault(py, &rejected, place)?
                }
                Item::InBuffer(Err(rejected)) => {
                    let fault = Fault::new(py, &rejected, 0, 0)?;
                    let fault = fault.at(decoder.position(), decoder.line());
                    Bound::new(py, fault)?.into_any()
                }
            };
            list.append(object)?;
        }
        Ok(list)
    }

    /// The end of the input: returns what is left, a line that was cut off (`truncated`) or, with
    /// `eof_completes_line`, a whole one. Then the decoder is as new.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let mut decoder = self.lock(py);
        let loads = self.loads.as_ref();
        loop {
            let found = match decoder.finish() {
                Some(Ok(message)) => Ok(Held::copy(py, &message)?),
                Some(Err(rejected)) => Err(Fault::new(py, &rejected, 0, 0)?),
                None => return Ok(list),
            };
            let (position, line) = (decoder.position(), decoder.line());
            list.append(match found {
                Ok(held) => message::object(
                    py,
                    held,
                    Origin {
                        position,
                        line,
                        loads,
                    },
                )?,
                Err(fault) => Bound::new(py, fault.at(position, line))?.into_any(),
            })?;
        }
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
        Err(rejected) => Err(errors::remote(py, &Decoder::fault(py, &rejected, (0, 1))?)),
    }
}
