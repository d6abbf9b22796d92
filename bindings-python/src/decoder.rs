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

/// A decoder of newline-framed messages; see the stub for its documentation.
///
/// While its lock is held no Python code runs: only objects that the garbage collector does not
/// track are made, and no hook is called. So the lock is never asked for by its own holder.
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

    fn reset(&self, py: Python<'_>) {
        self.lock(py).reset();
    }

    #[getter]
    fn pending(&self, py: Python<'_>) -> u64 {
        self.lock(py).pending().bytes
    }

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

/// One message that something else has framed.
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
