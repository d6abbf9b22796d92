//! Bodies in pieces, through a small memory.

use std::sync::{Mutex, MutexGuard};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use wireline::{Id, Kind, Part, StreamEvent};

use crate::errors;
use crate::fault::Fault;
use crate::limits::Given;
use crate::message;
use crate::value;

/// What is known of a message whose text is not kept: at the start of a body, when more may still
/// come, and at the end of the message, when it is `final`.
#[pyclass(frozen, module = "wireline")]
pub(crate) struct Head {
    kind: Option<Kind>,
    id: Option<Vec<u8>>,
    /// The method, if it has come.
    #[pyo3(get)]
    method: Option<Py<PyString>>,
    raw_method: Option<Vec<u8>>,
    token: Option<Vec<u8>>,
    /// Bytes of the message so far.
    #[pyo3(get)]
    length: u64,
    /// Whether a byte order mark stood before it, at the start of the stream.
    #[pyo3(get)]
    bom: bool,
    /// Whether `params` was null, and counts as absent.
    #[pyo3(get)]
    null_params: bool,
}

impl Head {
    fn new(py: Python<'_>, head: &wireline::Head<'_>) -> Head {
        let kept = |id: Id<'_>| id.as_bytes().to_vec();
        let method = head.method();
        Head {
            kind: head.kind(),
            id: head.id().map(kept),
            method: method.and_then(|method| {
                let mut buffer = vec![0; method.raw_bytes().len()];
                let text = method.unescape_into(&mut buffer).ok()?;
                Some(PyString::new(py, text).unbind())
            }),
            raw_method: method.map(|method| format!("\"{}\"", method.raw()).into_bytes()),
            token: head.meta().progress_token().map(kept),
            length: head.length(),
            bom: head.flags().bom,
            null_params: head.flags().null_params,
        }
    }

    fn parsed<'py>(
        py: Python<'py>,
        token: Option<&Vec<u8>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let id = token.and_then(|token| Id::parse(token));
        id.map(|id| value::id(py, id)).transpose()
    }
}

#[pymethods]
impl Head {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["kind", "method", "id"])
    }

    /// The kind; `None` while the message is not complete.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        self.kind.map(|kind| message::kind_name(py, kind).clone())
    }

    /// Whether the message is complete and valid.
    #[getter]
    #[pyo3(name = "final")]
    fn is_final(&self) -> bool {
        self.kind.is_some()
    }

    /// The id, if it has come.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Head::parsed(py, self.id.as_ref())
    }

    /// The id's token as it was written, if it has come.
    #[getter]
    fn raw_id<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.id.as_ref().map(|id| PyBytes::new(py, id))
    }

    /// The progress token, if it has come.
    #[getter]
    fn progress_token<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Head::parsed(py, self.token.as_ref())
    }

    /// The method's token as it was written, if it has come.
    #[getter]
    fn raw_method<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.raw_method
            .as_ref()
            .map(|method| PyBytes::new(py, method))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = |it: Option<&Vec<u8>>| match it {
            Some(token) => String::from_utf8_lossy(token).into_owned(),
            None => "None".to_owned(),
        };
        let kind = self
            .kind(py)
            .map_or_else(|| "None".to_owned(), |kind| format!("'{kind}'"));
        Ok(format!(
            "Head(kind={kind}, id={}, method={}, length={})",
            text(self.id.as_ref()),
            text(self.raw_method.as_ref()),
            self.length
        ))
    }
}

/// A piece of a body.
#[pyclass(frozen, module = "wireline")]
pub(crate) struct Body {
    part: Part,
    /// The piece.
    #[pyo3(get)]
    data: Py<PyBytes>,
}

#[pymethods]
impl Body {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["part", "data"])
    }

    /// The member whose value it is a piece of: `"params"`, `"result"` or `"error"`.
    #[getter]
    fn part(&self) -> &'static str {
        match self.part {
            Part::Params => "params",
            Part::Result => "result",
            Part::Error => "error",
        }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!(
            "Body(part='{}', {} bytes)",
            self.part(),
            self.data.as_bytes(py).len()
        )
    }
}

/// A decoder and the memory that it is lent.
struct Owned {
    decoder: wireline::StreamDecoder<'static>,
    memory: *mut [u8],
    position: u64,
    /// Bytes and lines of the stream that were taken.
    taken: u64,
    lines: u64,
}

// SAFETY: the memory is owned by `Owned` alone and is reached through `decoder` only, which is
// `Send` itself.
unsafe impl Send for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: `memory` came from `Box::into_raw` and is freed here only; `decoder`, which
        // borrows it, has no destructor and is not used again.
        drop(unsafe { Box::from_raw(self.memory) });
    }
}

impl Owned {
    fn new(limits: wireline::Limits) -> PyResult<Owned> {
        let needed = wireline::StreamDecoder::needed(&limits);
        let memory = Box::into_raw(vec![0; needed].into_boxed_slice());
        // SAFETY: just allocated, and freed in `drop`, after the last use of `decoder`.
        let lent: &'static mut [u8] = unsafe { &mut *memory };
        match wireline::StreamDecoder::new(lent, limits) {
            Ok(decoder) => Ok(Owned {
                decoder,
                memory,
                position: 0,
                taken: 0,
                lines: 1,
            }),
            Err(error) => {
                // SAFETY: as in `drop`; no decoder came of it.
                drop(unsafe { Box::from_raw(memory) });
                Err(pyo3::exceptions::PyValueError::new_err(error.to_string()))
            }
        }
    }
}

// As with `Decoder`, no Python code runs while the lock is held.
/// A decoder that hands bodies out in pieces, as they come, through a few hundred bytes of memory. What
/// it hands out is provisional until the message's end.
///
/// >>> import wireline
/// >>> decoder = wireline.StreamDecoder()
/// >>> decoder.feed(b'{"jsonrpc":"2.0","id":1,"result":{"blob":"AAAA')[1:]
/// [Body(part='result', 1 bytes), Body(part='result', 12 bytes)]
/// >>> decoder.feed(b'AAAA"}}\n')
/// [Body(part='result', 6 bytes), Head(kind='result', id=1, method=None, length=53)]
///
/// Its arguments are those of `Decoder`, but for two: there are no `batches`, each of which is a fault, and
/// no `loads`, since nothing is read as a whole. Without `max_message` a message may be of any length.
#[pyclass(frozen, module = "wireline")]
pub(crate) struct StreamDecoder {
    inner: Mutex<Owned>,
}

impl StreamDecoder {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Owned> {
        self.inner
            .lock_py_attached(py)
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// What these bytes come to; `None` if the decoder is closed.
    fn read(&self, py: Python<'_>, mut rest: &[u8]) -> Option<Vec<Found>> {
        let mut owned = self.lock(py);
        let owned = &mut *owned;
        if owned.decoder.is_closed() {
            return None;
        }
        let mut all = Vec::new();
        loop {
            let (used, event) = owned.decoder.step(rest);
            let (part, after) = rest.split_at(used.min(rest.len()));
            let found = Found::new(py, &event, (owned.position, owned.lines));
            // A line's last event comes with its line feed, or with none where it is given up.
            for at in memchr::memchr_iter(b'\n', part) {
                owned.lines += 1;
                owned.position = owned.taken + at as u64 + 1;
            }
            owned.taken += part.len() as u64;
            rest = after;
            match found {
                Some(found) => all.push(found),
                None => return Some(all),
            }
        }
    }

    /// What is left at the end.
    fn read_end(&self, py: Python<'_>) -> Option<Found> {
        let mut owned = self.lock(py);
        let place = (owned.position, owned.lines);
        let event = owned.decoder.finish();
        let found = event.and_then(|event| Found::new(py, &event, place));
        if !owned.decoder.is_closed() {
            (owned.position, owned.taken, owned.lines) = (0, 0, 1);
        }
        found
    }
}

/// What was found, before it is an object.
enum Found {
    Head(Head),
    Body(Body),
    Fault(Fault),
}

impl Found {
    fn new(py: Python<'_>, event: &StreamEvent<'_>, place: (u64, u64)) -> Option<Found> {
        Some(match event {
            StreamEvent::NeedInput => return None,
            StreamEvent::Head(head) | StreamEvent::End(head) => Found::Head(Head::new(py, head)),
            StreamEvent::Body { part, bytes } => Found::Body(Body {
                part: *part,
                data: PyBytes::new(py, bytes).unbind(),
            }),
            StreamEvent::Fault(rejected) => {
                Found::Fault(Fault::new(py, rejected, place.0, place.1))
            }
        })
    }

    fn object(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        Ok(match self {
            Found::Head(head) => Bound::new(py, head)?.into_any(),
            Found::Body(body) => Bound::new(py, body)?.into_any(),
            Found::Fault(fault) => Bound::new(py, fault)?.into_any(),
        })
    }
}

fn objects(py: Python<'_>, found: Vec<Found>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for it in found {
        list.append(it.object(py)?)?;
    }
    Ok(list)
}

#[pymethods]
impl StreamDecoder {
    #[new]
    #[pyo3(signature = (*, max_message=None, max_depth=127, max_id=128, max_method=128,
        max_discard=None, profile="mcp", eof_completes_line=false))]
    fn new(
        max_message: Option<u64>,
        max_depth: u64,
        max_id: u64,
        max_method: u64,
        max_discard: Option<u64>,
        profile: &str,
        eof_completes_line: bool,
    ) -> PyResult<Self> {
        let given = Given {
            max_message,
            max_depth,
            max_id,
            max_method,
            max_discard,
            profile,
        };
        let limits = given.limits()?.with_eof_completes_line(eof_completes_line);
        Ok(StreamDecoder {
            inner: Mutex::new(Owned::new(limits)?),
        })
    }

    /// Takes bytes as they came, cut anywhere, and returns what they came to, in order: a `Head` when a
    /// body begins, its pieces as `Body`, and at the end of the line a `Head` that is `final`, or a
    /// `Fault`, by which what was handed out of the line is void.
    fn feed<'py>(&self, data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = data.py();
        let chunk = value::bytes(data, "feed()")?;
        let found = self.read(py, chunk.as_bytes()).ok_or_else(|| {
            let text = "the decoder is closed: a line without an end passed max_discard; \
                        reset() opens it";
            errors::local(py, "closed", text.to_owned(), None)
        })?;
        objects(py, found)
    }

    /// The end of the input: a `Fault` (`truncated`) for a line without an end, by which what was handed out
    /// of it is void; with `eof_completes_line` the final `Head` of one that is whole. Then the decoder is as
    /// new, unless it is closed.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let found = self.read_end(py);
        objects(py, found.into_iter().collect())
    }

    /// Makes the decoder as new, closed or not.
    fn reset(&self, py: Python<'_>) {
        let mut owned = self.lock(py);
        owned.decoder.reset();
        (owned.position, owned.taken, owned.lines) = (0, 0, 1);
    }

    /// Whether a line without an end passed `max_discard`; see `reset`.
    #[getter]
    fn closed(&self, py: Python<'_>) -> bool {
        self.lock(py).decoder.is_closed()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let owned = self.lock(py);
        let closed = if owned.decoder.is_closed() {
            ", closed"
        } else {
            ""
        };
        format!(
            "<wireline.StreamDecoder: {} bytes taken{closed}>",
            owned.taken
        )
    }
}
