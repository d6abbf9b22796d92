//! Values across the boundary: bytes, text, numbers, JSON.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyInt, PyString};
use wireline::json::{JsonStr, Number, RawJson};
use wireline::{Id, IdKind};

/// Most digits of a whole number that is made an `int`, as of Python's own `int("…")`.
const MOST_DIGITS: usize = 4300;

/// What a caller gives as bytes: itself, if it is immutable, else a copy.
///
/// `call` names the function for the error.
pub(crate) fn bytes<'py>(data: &Bound<'py, PyAny>, call: &str) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(bytes.clone());
    }
    // SAFETY: `data` is a live object, and this only looks at its type.
    if unsafe { pyo3::ffi::PyObject_CheckBuffer(data.as_ptr()) } == 0 {
        let hint = if data.is_instance_of::<PyString>() {
            "; encode the text as UTF-8"
        } else {
            ""
        };
        let name = data.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{call} takes bytes, not {name}{hint}"
        )));
    }
    // SAFETY: `data` is a live object with a buffer, which this copies whatever its strides are;
    // a new reference or NULL with an exception set comes back.
    let copy = unsafe {
        Bound::from_owned_ptr_or_err(data.py(), pyo3::ffi::PyBytes_FromObject(data.as_ptr()))?
    };
    Ok(copy.cast_into::<PyBytes>()?)
}

/// The text of a JSON string. An unpaired surrogate escape becomes that surrogate, as `json.loads`
/// makes it.
pub(crate) fn text<'py>(py: Python<'py>, string: JsonStr<'_>) -> PyResult<Bound<'py, PyString>> {
    if let Some(plain) = string.as_str() {
        return Ok(PyString::new(py, plain));
    }
    let mut buffer = vec![0; string.raw_bytes().len()];
    if let Ok(text) = string.unescape_into(&mut buffer) {
        return Ok(PyString::new(py, text));
    }
    let quoted = format!("\"{}\"", string.raw());
    Ok(default_loads(py)?
        .call1((quoted,))?
        .cast_into::<PyString>()?)
}

/// A string's token, quotes included.
pub(crate) fn token<'py>(py: Python<'py>, string: JsonStr<'_>) -> Bound<'py, PyBytes> {
    PyBytes::new(py, format!("\"{}\"", string.raw()).as_bytes())
}

/// An id as `int`, `str` or `None`.
pub(crate) fn id<'py>(py: Python<'py>, id: Id<'_>) -> PyResult<Bound<'py, PyAny>> {
    match (id.kind(), id.as_i64()) {
        (_, Some(value)) => Ok(value.into_pyobject(py)?.into_any()),
        (IdKind::String, _) => match id.as_json_str() {
            Some(string) => Ok(text(py, string)?.into_any()),
            None => Ok(py.None().into_bound(py)),
        },
        (IdKind::Null, _) => Ok(py.None().into_bound(py)),
        (IdKind::Number, _) => match id.as_number() {
            Some(number) => self::number(py, number),
            None => Ok(py.None().into_bound(py)),
        },
    }
}

/// A number as `int` if it is whole, else as `float`.
pub(crate) fn number<'py>(py: Python<'py>, number: Number<'_>) -> PyResult<Bound<'py, PyAny>> {
    if let Some(value) = number.as_i64() {
        return Ok(value.into_pyobject(py)?.into_any());
    }
    let token = number.as_str();
    if !number.is_integer() {
        return default_loads(py)?.call1((token,));
    }
    // Beyond 64 bits: exactly, through decimal, unless its digits alone would be a burden.
    static DECIMAL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let decimal = DECIMAL.get_or_try_init(py, || {
        Ok::<_, PyErr>(py.import("decimal")?.getattr("Decimal")?.unbind())
    })?;
    let value = decimal.bind(py).call1((token,))?;
    let digits: i64 = value.call_method0(intern!(py, "adjusted"))?.extract()?;
    if digits >= MOST_DIGITS as i64 || token.len() > MOST_DIGITS {
        return Err(PyValueError::new_err(format!(
            "a whole number of more than {MOST_DIGITS} digits; its text is in the raw bytes"
        )));
    }
    py.get_type::<PyInt>().call1((value,))
}

/// `json.loads`.
pub(crate) fn default_loads(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static LOADS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let loads = LOADS.get_or_try_init(py, || {
        Ok::<_, PyErr>(py.import("json")?.getattr("loads")?.unbind())
    })?;
    Ok(loads.bind(py))
}

/// A JSON value as a Python one: by the hook, which is given bytes, or by `json.loads`.
pub(crate) fn load<'py>(
    py: Python<'py>,
    raw: RawJson<'_>,
    loads: Option<&Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    match loads {
        Some(loads) => loads.bind(py).call1((PyBytes::new(py, raw.as_bytes()),)),
        None => default_loads(py)?.call1((raw.as_str(),)),
    }
}

/// A hook that is given: `None`, or something that can be called.
pub(crate) fn hook(name: &str, hook: Option<Bound<'_, PyAny>>) -> PyResult<Option<Py<PyAny>>> {
    match hook {
        Some(hook) if !hook.is_callable() => Err(PyTypeError::new_err(format!(
            "{name} must be callable or None"
        ))),
        hook => Ok(hook.map(Bound::unbind)),
    }
}
