//! Messages to lines.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyString};
use wireline::encode::{ErrorId, OutId, Outgoing, WriteError};
use wireline::json::RawJson;
use wireline::{Id, Kind, Profile};

use crate::{errors, value};

/// JSON text that was made of a value, or given as such.
pub(crate) enum Text<'py> {
    Bytes(Bound<'py, PyBytes>),
    Str(Bound<'py, PyString>),
    Empty,
}

impl Text<'_> {
    fn bytes(&self) -> PyResult<&[u8]> {
        match self {
            Text::Bytes(bytes) => Ok(bytes.as_bytes()),
            Text::Str(text) => Ok(text.to_str()?.as_bytes()),
            Text::Empty => Ok(b"{}"),
        }
    }

    /// The text as one checked JSON value.
    pub(crate) fn raw<'a>(&'a self, py: Python<'_>, name: &str) -> PyResult<RawJson<'a>> {
        let bytes = self.bytes().map_err(|cause| {
            let text = format!("{name} holds text that is not Unicode: an unpaired surrogate");
            errors::local_from(py, "bad-value", text, cause)
        })?;
        RawJson::validate(bytes).map_err(|bad| {
            errors::local(
                py,
                "bad-value",
                format!("{name} is no JSON value: {bad}"),
                None,
            )
        })
    }
}

/// `json.dumps`, strict and compact.
fn default_dumps(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static DUMPS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let dumps = DUMPS.get_or_try_init(py, || {
        let named = PyDict::new(py);
        named.set_item("ensure_ascii", false)?;
        named.set_item("allow_nan", false)?;
        named.set_item("separators", (",", ":"))?;
        let encoder = py
            .import("json")?
            .getattr("JSONEncoder")?
            .call((), Some(&named))?;
        Ok::<_, PyErr>(encoder.getattr(intern!(py, "encode"))?.unbind())
    })?;
    Ok(dumps.bind(py))
}

/// The JSON text of a value: bytes are JSON already, all else goes through the hook or
/// `json.dumps`.
pub(crate) fn dump<'py>(
    value: &Bound<'py, PyAny>,
    dumps: Option<&Py<PyAny>>,
    name: &str,
) -> PyResult<Text<'py>> {
    let py = value.py();
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Text::Bytes(bytes.clone()));
    }
    if value.cast_exact::<PyDict>().is_ok_and(|it| it.is_empty()) {
        return Ok(Text::Empty);
    }
    let made = match dumps {
        Some(dumps) => dumps.bind(py).call1((value,)),
        None => default_dumps(py)?.call1((value,)),
    };
    let made = made.map_err(|cause| {
        let said = cause
            .value(py)
            .str()
            .map(|it| it.to_string())
            .unwrap_or_default();
        let said = if said.is_empty() {
            cause.get_type(py).to_string()
        } else {
            said
        };
        errors::local_from(
            py,
            "bad-value",
            format!("{name} cannot be written as JSON: {said}"),
            cause,
        )
    })?;
    if let Ok(bytes) = made.cast::<PyBytes>() {
        return Ok(Text::Bytes(bytes.clone()));
    }
    match made.cast_into::<PyString>() {
        Ok(text) => Ok(Text::Str(text)),
        Err(error) => {
            let name = error.into_inner().get_type().name()?.to_string();
            Err(PyTypeError::new_err(format!(
                "dumps returned {name}; it must return str or bytes"
            )))
        }
    }
}

/// The same for what may be `None`.
pub(crate) fn dump_maybe<'py>(
    value: Option<&Bound<'py, PyAny>>,
    dumps: Option<&Py<PyAny>>,
    name: &str,
) -> PyResult<Option<Text<'py>>> {
    value.map(|value| dump(value, dumps, name)).transpose()
}

/// An `int` in digits, of whatever class it is: such as an `IntEnum`, whose `repr` and `str` may say
/// something else.
pub(crate) fn digits(number: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = number.py();
    let repr = py.get_type::<PyInt>().getattr(intern!(py, "__repr__"))?;
    repr.call1((number,))?.extract()
}

/// An id that was given: an integer, text, or a token as it was received.
enum GivenId {
    Int(i64),
    Text(String),
    Token(Vec<u8>),
}

impl GivenId {
    fn new(id: &Bound<'_, PyAny>, kind: Kind) -> PyResult<GivenId> {
        let py = id.py();
        if id.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err(
                "an id is int, str, or a token as bytes, not bool",
            ));
        }
        if id.is_instance_of::<PyInt>() {
            if kind == Kind::Request {
                let big = |_| bad_id(py);
                return Ok(GivenId::Int(id.extract::<i64>().map_err(big)?));
            }
            // The peer's, which is owed the same number however large it is.
            return Ok(GivenId::Token(digits(id)?.into_bytes()));
        }
        if let Ok(text) = id.cast::<PyString>() {
            return Ok(GivenId::Text(
                text.to_str().map_err(|_| bad_id(py))?.to_owned(),
            ));
        }
        if let Ok(token) = id.cast::<PyBytes>() {
            return Ok(GivenId::Token(token.as_bytes().to_vec()));
        }
        let name = id.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "an id is int, str, or a token as bytes, not {name}"
        )))
    }

    fn out(&self, py: Python<'_>) -> PyResult<OutId<'_>> {
        Ok(match self {
            GivenId::Int(id) => OutId::Int(*id),
            GivenId::Text(text) => OutId::Text(text),
            GivenId::Token(token) => OutId::Echo(Id::parse(token).ok_or_else(|| bad_id(py))?),
        })
    }
}

fn bad_id(py: Python<'_>) -> PyErr {
    let text = "an id must be an integer within ±(2**53 - 1) or a string, not empty in a request; \
                an answer may carry any id that was received";
    errors::local(py, "bad-id", text.to_owned(), None)
}

fn write_error(py: Python<'_>, error: WriteError) -> PyErr {
    match error {
        WriteError::BadId => bad_id(py),
        WriteError::BadPayload => {
            let text = "params and result must be JSON objects (profile \"json-rpc\" takes more)";
            errors::local(py, "bad-value", text.to_owned(), None)
        }
        other => errors::local(
            py,
            "bad-value",
            format!("the message cannot be written: {other}"),
            None,
        ),
    }
}

/// The line of a message.
fn line<'py>(py: Python<'py>, out: &Outgoing<'_>, guess: usize) -> PyResult<Bound<'py, PyBytes>> {
    let mut buffer = vec![0; guess];
    let n = match out.write(&mut buffer) {
        Err(WriteError::TooSmall { needed }) => {
            buffer.resize(needed, 0);
            out.write(&mut buffer)
        }
        written => written,
    };
    let n = n.map_err(|error| write_error(py, error))?;
    Ok(PyBytes::new(py, buffer.get(..n).unwrap_or(&buffer)))
}

fn profile(name: &str) -> PyResult<Profile> {
    match name {
        "mcp" => Ok(Profile::Mcp),
        "json-rpc" => Ok(Profile::JsonRpc),
        _ => Err(PyValueError::new_err(format!(
            "profile is {name:?}; it must be \"mcp\" or \"json-rpc\""
        ))),
    }
}

/// Text for people or a name: a `str` that is Unicode text.
fn plain<'a>(py: Python<'_>, text: &'a Bound<'_, PyString>, name: &str) -> PyResult<&'a str> {
    text.to_str().map_err(|cause| {
        let text = format!("{name} is not Unicode text: it holds an unpaired surrogate");
        errors::local_from(py, "bad-value", text, cause)
    })
}

/// Writes a request as a line. `params` is a mapping, or JSON as `bytes`.
///
/// >>> import wireline
/// >>> wireline.encode_request(1, "tools/call", {"name": "led"})
/// b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"led"}}\n'
///
/// `LocalProtocolError` for an id or a value that cannot be sent.
#[pyfunction]
#[pyo3(signature = (id, method, params=None, *, profile="mcp", dumps=None))]
pub(crate) fn encode_request<'py>(
    py: Python<'py>,
    id: &Bound<'py, PyAny>,
    method: &Bound<'py, PyString>,
    params: Option<&Bound<'py, PyAny>>,
    profile: &str,
    dumps: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let dumps = value::hook("dumps", dumps)?;
    let id = GivenId::new(id, Kind::Request)?;
    let text = dump_maybe(params, dumps.as_ref(), "params")?;
    let params = text
        .as_ref()
        .map(|text| text.raw(py, "params"))
        .transpose()?;
    let method = plain(py, method, "the method")?;
    let out = Outgoing::request(id.out(py)?, method)
        .params(params)
        .with_profile(self::profile(profile)?);
    line(
        py,
        &out,
        128 + method.len() + params.map_or(0, |it| it.as_bytes().len()),
    )
}

/// Writes a notification as a line.
///
/// >>> import wireline
/// >>> wireline.encode_notification("notifications/initialized")
/// b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
#[pyfunction]
#[pyo3(signature = (method, params=None, *, profile="mcp", dumps=None))]
pub(crate) fn encode_notification<'py>(
    py: Python<'py>,
    method: &Bound<'py, PyString>,
    params: Option<&Bound<'py, PyAny>>,
    profile: &str,
    dumps: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let dumps = value::hook("dumps", dumps)?;
    let text = dump_maybe(params, dumps.as_ref(), "params")?;
    let params = text
        .as_ref()
        .map(|text| text.raw(py, "params"))
        .transpose()?;
    let method = plain(py, method, "the method")?;
    let out = Outgoing::notification(method)
        .params(params)
        .with_profile(self::profile(profile)?);
    line(
        py,
        &out,
        128 + method.len() + params.map_or(0, |it| it.as_bytes().len()),
    )
}

/// Writes a result as a line. Give the request's `raw_id`, and it is written exactly so.
///
/// >>> import wireline
/// >>> wireline.encode_result(b"1.0", {"content": []})
/// b'{"jsonrpc":"2.0","id":1.0,"result":{"content":[]}}\n'
#[pyfunction]
#[pyo3(signature = (id, result, *, profile="mcp", dumps=None))]
pub(crate) fn encode_result<'py>(
    py: Python<'py>,
    id: &Bound<'py, PyAny>,
    result: &Bound<'py, PyAny>,
    profile: &str,
    dumps: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let dumps = value::hook("dumps", dumps)?;
    let id = GivenId::new(id, Kind::Result)?;
    let text = dump(result, dumps.as_ref(), "the result")?;
    let result = text.raw(py, "the result")?;
    let out = Outgoing::result(id.out(py)?, result).with_profile(self::profile(profile)?);
    line(py, &out, 256 + result.as_bytes().len())
}

/// Writes an error as a line: in answer to a request, or, with no id, to something whose id could not
/// be read. Then the member is left out, or null with `null_id`, as revisions before 2025-11-25 ask.
///
/// >>> import wireline
/// >>> wireline.encode_error(7, -32601, "Method not found")
/// b'{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found"}}\n'
#[pyfunction]
#[pyo3(signature = (id, code, message, data=None, *, null_id=false, dumps=None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python's")]
pub(crate) fn encode_error<'py>(
    py: Python<'py>,
    id: Option<&Bound<'py, PyAny>>,
    code: i64,
    message: &Bound<'py, PyString>,
    data: Option<&Bound<'py, PyAny>>,
    null_id: bool,
    dumps: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let dumps = value::hook("dumps", dumps)?;
    let id = id.map(|id| GivenId::new(id, Kind::Error)).transpose()?;
    let text = dump_maybe(data, dumps.as_ref(), "data")?;
    let data = text.as_ref().map(|text| text.raw(py, "data")).transpose()?;
    let message = plain(py, message, "the message")?;
    let id = match &id {
        Some(id) => ErrorId::Known(id.out(py)?),
        None if null_id => ErrorId::Null,
        None => ErrorId::Omitted,
    };
    let out = Outgoing::error(id, code, message).data(data);
    line(
        py,
        &out,
        256 + message.len() + data.map_or(0, |it| it.as_bytes().len()),
    )
}
