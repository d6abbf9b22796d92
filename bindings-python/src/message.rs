//! Messages, as lazy views of the bytes that they came in.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use wireline::json::RawJson;
use wireline::{Kind, Message as Core};

use crate::fault::Fault;
use crate::meta::Meta;
use crate::value;

/// A message and the `bytes` that it is a view of.
pub(crate) struct Held {
    message: Core<'static>,
    owner: Py<PyBytes>,
}

impl Held {
    /// Holds a message that lies in `owner`.
    pub(crate) fn new(owner: &Bound<'_, PyBytes>, message: Core<'_>) -> Held {
        let bounds = owner.as_bytes().as_ptr_range();
        let own = message.as_bytes().as_ptr_range();
        assert!(
            bounds.start <= own.start && own.end <= bounds.end,
            "a message outside its bytes"
        );
        // SAFETY: all that a message borrows is its own text, which lies in `owner`, as was just
        // seen. A `bytes` object neither moves nor changes, and it lives as long as the message,
        // since both are fields of `Held` and leave it only as a shorter borrow (`get`).
        let message = unsafe { std::mem::transmute::<Core<'_>, Core<'static>>(message) };
        Held {
            message,
            owner: owner.clone().unbind(),
        }
    }

    /// A copy of a message that lies elsewhere. Runs no Python code.
    pub(crate) fn copy(py: Python<'_>, message: &Core<'_>) -> Held {
        let owner = PyBytes::new(py, message.as_bytes());
        let copy = message.over(owner.as_bytes());
        Held::new(&owner, copy.expect("equal bytes, having just been copied"))
    }

    pub(crate) fn get(&self) -> &Core<'_> {
        &self.message
    }

    pub(crate) fn clone_ref(&self, py: Python<'_>) -> Held {
        Held {
            message: self.message,
            owner: self.owner.clone_ref(py),
        }
    }
}

/// A line that was read, before it is an object: what a decoder's lock is let go with.
pub(crate) struct Line {
    pub(crate) what: std::result::Result<Held, Fault>,
    pub(crate) position: u64,
    pub(crate) line: u64,
}

impl Line {
    /// The object. Making it may run the garbage collector, and so any Python code.
    pub(crate) fn object<'py>(
        self,
        py: Python<'py>,
        loads: Option<&Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (position, line) = (self.position, self.line);
        match self.what {
            Ok(held) => object(
                py,
                held,
                Origin {
                    position,
                    line,
                    loads,
                },
            ),
            Err(fault) => Ok(Bound::new(py, fault.at(position, line))?.into_any()),
        }
    }
}

/// Where a message came from, and what its values are read with.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub(crate) position: u64,
    pub(crate) line: u64,
    pub(crate) loads: Option<&'a Py<PyAny>>,
}

/// A message, as a lazy view of the bytes that it came in: a `Request`, `Notification`, `Result` or
/// `Error`. Made by decoders, frozen, equal if its bytes are.
///
/// >>> import wireline
/// >>> line = b'{"method":"tools/call","params":{"name":"led"},"jsonrpc":"2.0","id":7}'
/// >>> message = wireline.parse(line)
/// >>> message
/// Request(method="tools/call", id=7, params={"name":"led"})
/// >>> message.method, message.id, message.params, message.raw_params
/// ('tools/call', 7, {'name': 'led'}, b'{"name":"led"}')
///
/// It holds on to the chunk that it came in; `detach()` gives one that does not.
#[pyclass(frozen, subclass, module = "wireline")]
pub(crate) struct Message {
    held: Held,
    position: u64,
    line: u64,
    loads: Option<Py<PyAny>>,
}

/// A request: a method and an id. It is owed an answer.
///
/// >>> import wireline
/// >>> match wireline.parse(b'{"jsonrpc":"2.0","id":"a","method":"ping"}'):
/// ...     case wireline.Request("ping", params, id):
/// ...         print(params, id)
/// None a
#[pyclass(frozen, extends = Message, module = "wireline")]
pub(crate) struct Request;

/// A method without an id.
#[pyclass(frozen, extends = Message, module = "wireline")]
pub(crate) struct Notification;

/// An answer with a result.
#[pyclass(frozen, extends = Message, module = "wireline")]
pub(crate) struct Result;

/// An answer with an error.
#[pyclass(frozen, extends = Message, module = "wireline")]
pub(crate) struct Error;

/// The object of a held message: of the class that its kind asks for.
pub(crate) fn object<'py>(
    py: Python<'py>,
    held: Held,
    origin: Origin<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let kind = held.message.kind();
    let base = PyClassInitializer::from(Message {
        held,
        position: origin.position,
        line: origin.line,
        loads: origin.loads.map(|loads| loads.clone_ref(py)),
    });
    let object = match kind {
        Kind::Request => Bound::new(py, base.add_subclass(Request))?.into_any(),
        Kind::Notification => Bound::new(py, base.add_subclass(Notification))?.into_any(),
        Kind::Result => Bound::new(py, base.add_subclass(Result))?.into_any(),
        Kind::Error => Bound::new(py, base.add_subclass(Error))?.into_any(),
    };
    if origin.loads.is_none() {
        // Nothing in it leads anywhere, so the collector need not look at it, however many there are.
        // SAFETY: a live object of a class that the collector knows, which no other thread has seen.
        unsafe { pyo3::ffi::PyObject_GC_UnTrack(object.as_ptr().cast()) };
    }
    Ok(object)
}

/// The kind's name, made once.
pub(crate) fn kind_name(py: Python<'_>, kind: Kind) -> &Bound<'_, PyString> {
    match kind {
        Kind::Request => intern!(py, "request"),
        Kind::Notification => intern!(py, "notification"),
        Kind::Result => intern!(py, "result"),
        Kind::Error => intern!(py, "error"),
    }
}

impl Message {
    pub(crate) fn core(&self) -> &Core<'_> {
        self.held.get()
    }

    pub(crate) fn loads(&self) -> Option<&Py<PyAny>> {
        self.loads.as_ref()
    }

    pub(crate) fn load<'py>(
        &self,
        py: Python<'py>,
        raw: Option<RawJson<'_>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        raw.map(|raw| value::load(py, raw, self.loads.as_ref()))
            .transpose()
    }
}

fn raw<'py>(py: Python<'py>, raw: Option<RawJson<'_>>) -> Option<Bound<'py, PyBytes>> {
    raw.map(|raw| PyBytes::new(py, raw.as_bytes()))
}

#[pymethods]
impl Message {
    // There is no `__clear__`, as of a tuple: it cannot be changed, so that whatever leads back to it
    // goes through something that can be cleared.
    fn __traverse__(&self, visit: PyVisit<'_>) -> std::result::Result<(), PyTraverseError> {
        visit.call(&self.loads)
    }

    /// `"request"`, `"notification"`, `"result"` or `"error"`.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        kind_name(py, self.core().kind()).clone()
    }

    /// The id: `int` or `str`, exactly as it was meant; `None` for a notification, and for an error
    /// that answers nothing in particular. `1.0` and `1e2` are the integers 1 and 100 (`raw_id` has the
    /// token as it was written). Under the profile `"json-rpc"` also a `float`, and `None` for a null.
    /// `ValueError` for a number of more than 4300 digits.
    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.core().id().map(|id| value::id(py, id)).transpose()
    }

    /// The id's token as it was written, quotes included. Give it to `encode_result` or
    /// `encode_error` for an answer that carries exactly what the peer wrote.
    #[getter]
    fn raw_id<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.core().id().map(|id| PyBytes::new(py, id.as_bytes()))
    }

    /// The method of a request or notification, escapes resolved; else `None`.
    #[getter]
    fn method<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.core()
            .method()
            .map(|method| value::text(py, method))
            .transpose()
    }

    /// The method's token as it was written, quotes included.
    #[getter]
    fn raw_method<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.core().method().map(|method| value::token(py, method))
    }

    /// The parameters, parsed by `loads` each time they are asked for; `None` if absent or null.
    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.load(py, self.core().params())
    }

    /// The parameters' bytes as they came; `None` if absent or null.
    #[getter]
    fn raw_params<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        raw(py, self.core().params())
    }

    /// The result of an answer, parsed by `loads` each time it is asked for.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.load(py, self.core().result())
    }

    /// The result's bytes as they came.
    #[getter]
    fn raw_result<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        raw(py, self.core().result())
    }

    /// The error object of an answer, parsed by `loads` each time it is asked for.
    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.load(py, self.core().error().map(|error| error.raw()))
    }

    /// The error object's bytes as they came.
    #[getter]
    fn raw_error<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        raw(py, self.core().error().map(|error| error.raw()))
    }

    /// The message's own bytes, without a line end.
    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let owner = self.held.owner.bind(py);
        if owner.as_bytes().len() == self.core().as_bytes().len() {
            return owner.clone();
        }
        PyBytes::new(py, self.core().as_bytes())
    }

    /// The members inside the payload that a protocol's state depends on.
    #[getter]
    fn meta(slf: &Bound<'_, Self>) -> Meta {
        Meta::new(slf.clone().unbind())
    }

    /// Where in the stream the message's line began, in bytes.
    #[getter]
    fn position(&self) -> u64 {
        self.position
    }

    /// The number of its line in the stream, the first being 1; blank lines count.
    #[getter]
    fn line(&self) -> u64 {
        self.line
    }

    /// Where in a batch it stood: its index from 0, and whether it is the last; `None` outside one.
    #[getter]
    fn batch(&self) -> Option<(u32, bool)> {
        self.core().batch().map(|place| (place.index, place.last))
    }

    /// Whether a byte order mark stood before it, at the start of the stream.
    #[getter]
    fn bom(&self) -> bool {
        self.core().flags().bom
    }

    /// Whether `params` was null, and counts as absent.
    #[getter]
    fn null_params(&self) -> bool {
        self.core().flags().null_params
    }

    /// The same message over a copy of its own bytes, so that it does not keep its whole chunk.
    ///
    /// >>> import wireline
    /// >>> chunk = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n' * 1000
    /// >>> first = wireline.Decoder().feed(chunk)[0].detach()
    /// >>> len(first.raw)
    /// 40
    fn detach<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        if this.held.owner.bind(py).as_bytes().len() == this.core().as_bytes().len() {
            return Ok(slf.clone().into_any());
        }
        let origin = Origin {
            position: this.position,
            line: this.line,
            loads: this.loads.as_ref(),
        };
        object(py, Held::copy(py, this.core()), origin)
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.raw(py)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match other.cast::<Message>() {
            // Their bytes say it all, but for the place in a batch.
            Ok(other) => {
                let (this, other) = (self.core(), other.get().core());
                this.as_bytes() == other.as_bytes() && this.batch() == other.batch()
            }
            Err(_) => false,
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.core().as_bytes().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        use std::fmt::Write;
        let core = slf.get().core();
        let mut text = format!("{}(", slf.get_type().name()?);
        let mut between = "";
        let parts = [
            ("id", core.id().map(|it| it.as_raw())),
            ("params", core.params().map(|it| it.as_str())),
            ("result", core.result().map(|it| it.as_str())),
            ("error", core.error().map(|it| it.raw().as_str())),
        ];
        if let Some(method) = core.method() {
            let _ = write!(text, "method=\"{}\"", method.raw());
            between = ", ";
        }
        for (name, part) in parts {
            let Some(part) = part else { continue };
            // Enough to see what it is.
            let cut = part.char_indices().nth(60).map_or(part.len(), |(at, _)| at);
            let dots = if cut < part.len() { "…" } else { "" };
            let _ = write!(text, "{between}{name}={}{dots}", &part[..cut]);
            between = ", ";
        }
        text.push(')');
        Ok(text)
    }
}

#[pymethods]
impl Request {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["method", "params", "id"])
    }
}

#[pymethods]
impl Notification {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["method", "params"])
    }
}

#[pymethods]
impl Result {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["id", "result"])
    }
}

#[pymethods]
impl Error {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["id", "code", "message", "data"])
    }

    /// The error's code.
    #[getter]
    fn code<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let code = slf.as_super().core().error().map(|error| error.code());
        code.map(|code| value::number(py, code)).transpose()
    }

    /// The error's message for people.
    #[getter]
    fn message<'py>(
        slf: PyRef<'py, Self>,
        py: Python<'py>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let message = slf.as_super().core().error().map(|error| error.message());
        message.map(|message| value::text(py, message)).transpose()
    }

    /// Whatever else the peer says of the error, parsed by `loads` each time it is asked for.
    #[getter]
    fn data<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let base = slf.as_super();
        base.load(py, base.core().error().and_then(|error| error.data()))
    }

    /// The bytes of the error's `data`, as they came.
    #[getter]
    fn raw_data<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        raw(
            py,
            slf.as_super().core().error().and_then(|error| error.data()),
        )
    }
}
