//! Messages, as lazy views of the bytes that they came in.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use wireline::json::RawJson;
use wireline::{Kind, Message as Core};

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

    /// A copy of a message that lies elsewhere.
    pub(crate) fn copy(py: Python<'_>, message: &Core<'_>) -> PyResult<Held> {
        let owner = PyBytes::new(py, message.as_bytes());
        match message.over(owner.as_bytes()) {
            Some(copy) => Ok(Held::new(&owner, copy)),
            // It is equal, having just been copied.
            None => Err(PyTypeError::new_err(
                "the message changed while it was copied",
            )),
        }
    }

    pub(crate) fn get(&self) -> &Core<'_> {
        &self.message
    }
}

/// Where a message came from, and what its values are read with.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    pub(crate) position: u64,
    pub(crate) line: u64,
    pub(crate) loads: Option<&'a Py<PyAny>>,
}

/// What all messages have; see the stub for the documentation of its attributes.
#[pyclass(frozen, subclass, module = "wireline")]
pub(crate) struct Message {
    held: Held,
    position: u64,
    line: u64,
    loads: Option<Py<PyAny>>,
}

/// A request: a method and an id.
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
    Ok(match kind {
        Kind::Request => Bound::new(py, base.add_subclass(Request))?.into_any(),
        Kind::Notification => Bound::new(py, base.add_subclass(Notification))?.into_any(),
        Kind::Result => Bound::new(py, base.add_subclass(Result))?.into_any(),
        Kind::Error => Bound::new(py, base.add_subclass(Error))?.into_any(),
    })
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

    fn load<'py>(
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
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        kind_name(py, self.core().kind()).clone()
    }

    #[getter]
    fn id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.core().id().map(|id| value::id(py, id)).transpose()
    }

    #[getter]
    fn raw_id<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.core().id().map(|id| PyBytes::new(py, id.as_bytes()))
    }

    #[getter]
    fn method<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        self.core()
            .method()
            .map(|method| value::text(py, method))
            .transpose()
    }

    #[getter]
    fn raw_method<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.core().method().map(|method| value::token(py, method))
    }

    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.load(py, self.core().params())
    }

    #[getter]
    fn raw_params<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        raw(py, self.core().params())
    }

    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.load(py, self.core().result())
    }

    #[getter]
    fn raw_result<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        raw(py, self.core().result())
    }

    #[getter]
    fn error<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.load(py, self.core().error().map(|error| error.raw()))
    }

    #[getter]
    fn raw_error<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        raw(py, self.core().error().map(|error| error.raw()))
    }

    #[getter]
    fn raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let owner = self.held.owner.bind(py);
        if owner.as_bytes().len() == self.core().as_bytes().len() {
            return owner.clone();
        }
        PyBytes::new(py, self.core().as_bytes())
    }

    #[getter]
    fn meta(slf: &Bound<'_, Self>) -> Meta {
        Meta {
            message: slf.clone().unbind(),
        }
    }

    #[getter]
    fn position(&self) -> u64 {
        self.position
    }

    #[getter]
    fn line(&self) -> u64 {
        self.line
    }

    #[getter]
    fn batch(&self) -> Option<(u32, bool)> {
        self.core().batch().map(|place| (place.index, place.last))
    }

    #[getter]
    fn bom(&self) -> bool {
        self.core().flags().bom
    }

    #[getter]
    fn null_params(&self) -> bool {
        self.core().flags().null_params
    }

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
        object(py, Held::copy(py, this.core())?, origin)
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

    #[getter]
    fn code<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let code = slf.as_super().core().error().map(|error| error.code());
        code.map(|code| value::number(py, code)).transpose()
    }

    #[getter]
    fn message<'py>(
        slf: PyRef<'py, Self>,
        py: Python<'py>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        let message = slf.as_super().core().error().map(|error| error.message());
        message.map(|message| value::text(py, message)).transpose()
    }

    #[getter]
    fn data<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let base = slf.as_super();
        base.load(py, base.core().error().and_then(|error| error.data()))
    }

    #[getter]
    fn raw_data<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        raw(
            py,
            slf.as_super().core().error().and_then(|error| error.data()),
        )
    }
}

/// The members inside a payload that a protocol's state depends on.
#[pyclass(frozen, module = "wireline")]
pub(crate) struct Meta {
    message: Py<Message>,
}

impl Meta {
    fn core(&self) -> wireline::Meta<'_> {
        self.message.get().core().meta()
    }

    fn text<'py>(
        py: Python<'py>,
        text: Option<wireline::json::JsonStr<'_>>,
    ) -> PyResult<Option<Bound<'py, PyString>>> {
        text.map(|text| value::text(py, text)).transpose()
    }

    fn id<'py>(
        py: Python<'py>,
        id: Option<wireline::Id<'_>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        id.map(|id| value::id(py, id)).transpose()
    }
}

#[pymethods]
impl Meta {
    #[getter]
    fn progress_token<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Meta::id(py, self.core().progress_token())
    }

    #[getter]
    fn request_id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Meta::id(py, self.core().request_id())
    }

    #[getter]
    fn subscription_id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Meta::id(py, self.core().subscription_id())
    }

    #[getter]
    fn progress<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.core()
            .progress()
            .map(|number| value::number(py, number))
            .transpose()
    }

    #[getter]
    fn protocol_version<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        Meta::text(py, self.core().protocol_version())
    }

    #[getter]
    fn log_level<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        Meta::text(py, self.core().log_level())
    }

    #[getter]
    fn result_type<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        Meta::text(py, self.core().result_type())
    }

    #[getter]
    fn client_capabilities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.message
            .get()
            .load(py, self.core().client_capabilities())
    }

    #[getter]
    fn supported<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.message.get().load(py, self.core().supported())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let meta = self.core();
        let mut text = String::from("Meta(");
        let mut between = "";
        let named = [
            ("progress_token", Meta::id(py, meta.progress_token())?),
            ("request_id", Meta::id(py, meta.request_id())?),
            ("subscription_id", Meta::id(py, meta.subscription_id())?),
            ("progress", self.progress(py)?),
            (
                "protocol_version",
                Meta::text(py, meta.protocol_version())?.map(Bound::into_any),
            ),
            (
                "log_level",
                Meta::text(py, meta.log_level())?.map(Bound::into_any),
            ),
            (
                "result_type",
                Meta::text(py, meta.result_type())?.map(Bound::into_any),
            ),
        ];
        for (name, value) in named {
            if let Some(value) = value {
                text.push_str(&format!("{between}{name}={}", value.repr()?));
                between = ", ";
            }
        }
        text.push(')');
        Ok(text)
    }
}
