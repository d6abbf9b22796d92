//! Lines that are no messages.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use wireline::mcp::Side;
use wireline::{FaultClass, FaultKind, Rejected, Rule};

use crate::value;

/// A line that is no message: what is wrong, where, and what is still known of it. The next line is
/// read as if it had not been.
///
/// >>> import wireline
/// >>> decoder = wireline.Decoder(max_message=64)
/// >>> long = b'{"params":{"x":"' + b"x" * 100 + b'"},"method":"m","jsonrpc":"2.0","id":7}\n'
/// >>> [fault] = decoder.feed(long)
/// >>> fault.kind, fault.id, fault.limit
/// ('too-long', 7, 64)
/// >>> print(fault)
/// the message is longer than the ceiling at byte 64 of 155 (ceiling 64)
#[pyclass(frozen, module = "wireline")]
pub(crate) struct Fault {
    kind: FaultKind,
    /// Where the fault is, in bytes from the line's first one (the element's, inside a batch).
    #[pyo3(get)]
    offset: u64,
    /// The line's bytes, without its end.
    #[pyo3(get)]
    length: u64,
    /// The ceiling that was passed, for faults of a limit.
    #[pyo3(get)]
    limit: Option<u64>,
    /// Where in the stream the line began, in bytes.
    #[pyo3(get)]
    position: u64,
    /// The number of the line in the stream, the first being 1.
    #[pyo3(get)]
    line: u64,
    /// Where in a batch the element stood: its index, and whether it is the last.
    #[pyo3(get)]
    batch: Option<(u32, bool)>,
    /// The first bytes of the line, at most 48, as they came.
    #[pyo3(get)]
    excerpt: Py<PyBytes>,
    /// The same as the token that was written.
    #[pyo3(get)]
    raw_id: Option<Py<PyBytes>>,
    /// The same as the token that was written.
    #[pyo3(get)]
    raw_id_hint: Option<Py<PyBytes>>,
    /// The method that was seen. Only for people.
    #[pyo3(get)]
    method: Option<Py<PyString>>,
    /// The same as the token that was written.
    #[pyo3(get)]
    raw_method: Option<Py<PyBytes>>,
    shape: wireline::Shape,
    /// The rule that was broken if a client wrote the line, and if a server did.
    broken: [Option<Rule>; 2],
    message: String,
}

fn class_name(class: FaultClass) -> &'static str {
    match class {
        FaultClass::Noise => "noise",
        FaultClass::Text => "text",
        FaultClass::Limit => "limit",
        FaultClass::Envelope => "envelope",
        _ => "stream",
    }
}

impl Fault {
    /// What is known of a rejected line. Runs no Python code.
    pub(crate) fn new(py: Python<'_>, rejected: &Rejected<'_>, position: u64, line: u64) -> Fault {
        let bytes = |id: wireline::Id<'_>| PyBytes::new(py, id.as_bytes()).unbind();
        let method = rejected.method();
        Fault {
            kind: rejected.kind(),
            offset: rejected.offset(),
            length: rejected.length(),
            limit: rejected.limit(),
            position,
            line,
            batch: rejected.batch().map(|place| (place.index, place.last)),
            excerpt: PyBytes::new(py, rejected.excerpt()).unbind(),
            raw_id: rejected.id().map(bytes),
            raw_id_hint: rejected.id_hint().map(bytes),
            method: method.and_then(|method| {
                let mut buffer = vec![0; method.raw_bytes().len()];
                let text = method.unescape_into(&mut buffer).ok()?;
                Some(PyString::new(py, text).unbind())
            }),
            raw_method: method.map(|method| value::token(py, method).unbind()),
            shape: rejected.shape(),
            broken: [Side::Client, Side::Server].map(|side| Rule::broken_by(rejected, side)),
            message: rejected.to_string(),
        }
    }

    /// The same, of a line at this place of the stream.
    pub(crate) fn at(mut self, position: u64, line: u64) -> Fault {
        (self.position, self.line) = (position, line);
        self
    }

    fn parsed<'py>(
        py: Python<'py>,
        token: Option<&Py<PyBytes>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(token) = token else { return Ok(None) };
        let id = wireline::Id::parse(token.as_bytes(py));
        id.map(|id| value::id(py, id)).transpose()
    }
}

#[pymethods]
impl Fault {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["kind", "offset", "id"])
    }

    /// The fault's stable name: `syntax`, `too-long`, `bad-id`, … The README lists all of them.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    /// The kind in a sentence, for people.
    #[getter]
    fn reason(&self) -> &'static str {
        self.kind.reason()
    }

    /// What the kind says of the line: `noise`, `text`, `limit`, `envelope` or `stream`.
    #[getter]
    fn category(&self) -> &'static str {
        class_name(self.kind.class())
    }

    /// The id that an answer may carry: the rest of the line is valid, and the id is usable.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Fault::parsed(py, self.raw_id.as_ref())
    }

    /// The id that was seen. Only for people: broken text may mean something else by it.
    #[getter]
    fn id_hint<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Fault::parsed(py, self.raw_id_hint.as_ref())
    }

    /// Which of `jsonrpc` (and it is "2.0"), `method`, `result` and `error` were seen.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let seen = [
            (self.shape.jsonrpc, intern!(py, "jsonrpc")),
            (self.shape.method, intern!(py, "method")),
            (self.shape.result, intern!(py, "result")),
            (self.shape.error, intern!(py, "error")),
        ];
        let names: Vec<_> = seen.into_iter().filter(|it| it.0).map(|it| it.1).collect();
        PyTuple::new(py, names)
    }

    /// The numbers of the rules that the line broke, such as `("R18",)`; docs/rules.md has them. Where a
    /// client and a server break another one by the same line, both are named: `("R3", "R4")`.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let mut rules: Vec<Rule> = self.broken.into_iter().flatten().collect();
        rules.sort_by_key(|rule| rule.number());
        rules.dedup();
        PyTuple::new(py, rules.iter().map(|rule| rule.to_string()))
    }

    fn __str__(&self) -> &str {
        &self.message
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let id = match &self.raw_id {
            Some(id) => String::from_utf8_lossy(id.as_bytes(py)).into_owned(),
            None => "None".to_owned(),
        };
        format!(
            "Fault(kind='{}', offset={}, length={}, id={id}, line={})",
            self.kind.name(),
            self.offset,
            self.length,
            self.line
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>, py: Python<'_>) -> bool {
        let Ok(other) = other.cast::<Fault>() else {
            return false;
        };
        let other = other.get();
        let bytes = |token: &Option<Py<PyBytes>>| token.as_ref().map(|it| it.as_bytes(py).to_vec());
        self.kind == other.kind
            && (self.offset, self.length, self.limit) == (other.offset, other.length, other.limit)
            && (self.position, self.line, self.batch) == (other.position, other.line, other.batch)
            && self.excerpt.as_bytes(py) == other.excerpt.as_bytes(py)
            && bytes(&self.raw_id) == bytes(&other.raw_id)
    }

    fn __hash__(&self) -> u64 {
        (self.kind as u64) ^ self.offset.rotate_left(8) ^ self.position.rotate_left(24)
    }
}
