//! What a protocol's state depends on, inside a payload.

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::message::Message;
use crate::value;

/// The members inside a payload that a protocol's state depends on. Each is `None` if it is absent or
/// of another type than the protocol gives it.
///
/// >>> import wireline
/// >>> line = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}'
/// >>> wireline.parse(line).meta
/// Meta(request_id=0)
#[pyclass(frozen, module = "wireline")]
pub(crate) struct Meta {
    message: Py<Message>,
}

impl Meta {
    pub(crate) fn new(message: Py<Message>) -> Meta {
        Meta { message }
    }

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
    // There is no `__clear__`: see `Message`.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.message)
    }

    /// The progress token: `params._meta.progressToken` of a request, `params.progressToken` of a
    /// notification.
    #[getter]
    fn progress_token<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Meta::id(py, self.core().progress_token())
    }

    /// `params.requestId`: the request that a cancellation names.
    #[getter]
    fn request_id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Meta::id(py, self.core().request_id())
    }

    /// `params._meta["io.modelcontextprotocol/subscriptionId"]`.
    #[getter]
    fn subscription_id<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Meta::id(py, self.core().subscription_id())
    }

    /// `params.progress`.
    #[getter]
    fn progress<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.core()
            .progress()
            .map(|number| value::number(py, number))
            .transpose()
    }

    /// `params._meta["io.modelcontextprotocol/protocolVersion"]`, else `result.protocolVersion`.
    #[getter]
    fn protocol_version<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        Meta::text(py, self.core().protocol_version())
    }

    /// `params._meta["io.modelcontextprotocol/logLevel"]`.
    #[getter]
    fn log_level<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        Meta::text(py, self.core().log_level())
    }

    /// `result.resultType`.
    #[getter]
    fn result_type<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        Meta::text(py, self.core().result_type())
    }

    /// `params._meta["io.modelcontextprotocol/clientCapabilities"]`, an object.
    #[getter]
    fn client_capabilities<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.message
            .get()
            .load(py, self.core().client_capabilities())
    }

    /// `error.data.supported`, an array.
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
