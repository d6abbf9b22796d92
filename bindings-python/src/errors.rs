//! The exceptions, which are classes of `wireline._errors`.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

static LOCAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static REMOTE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// `LocalProtocolError`: what we did may not be done, or what we gave cannot be written.
pub(crate) fn local(py: Python<'_>, kind: &str, message: String, rule: Option<u8>) -> PyErr {
    let build = || -> PyResult<PyErr> {
        let class = LOCAL.import(py, "wireline._errors", "LocalProtocolError")?;
        let named = PyDict::new(py);
        named.set_item(intern!(py, "kind"), kind)?;
        named.set_item(intern!(py, "rule"), rule.map(|rule| format!("R{rule}")))?;
        Ok(PyErr::from_value(class.call((message,), Some(&named))?))
    };
    build().unwrap_or_else(|error| error)
}

/// The same, because of what a hook raised.
pub(crate) fn local_from(py: Python<'_>, kind: &str, message: String, cause: PyErr) -> PyErr {
    // What is no fault of a value passes as it is: an interrupt, no memory.
    let passes = !cause.is_instance_of::<pyo3::exceptions::PyException>(py)
        || cause.is_instance_of::<pyo3::exceptions::PyMemoryError>(py);
    if passes {
        return cause;
    }
    let error = local(py, kind, message, None);
    error.set_cause(py, Some(cause));
    error
}

/// `RemoteProtocolError` for a fault.
pub(crate) fn remote(py: Python<'_>, fault: &Bound<'_, PyAny>) -> PyErr {
    let build = || -> PyResult<PyErr> {
        let class = REMOTE.import(py, "wireline._errors", "RemoteProtocolError")?;
        Ok(PyErr::from_value(
            class.call_method1(intern!(py, "from_fault"), (fault,))?,
        ))
    };
    build().unwrap_or_else(|error| error)
}
