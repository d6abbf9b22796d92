//! Arguments of calls, as the session takes them.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList};
use wireline::json::RawJson;
use wireline::session::Options;

use super::config;
use crate::{encode, errors};

pub(super) fn options<'p>(
    progress: bool,
    timeout: Option<f64>,
    hard_timeout: Option<f64>,
    log_level: Option<&str>,
    meta: Option<RawJson<'p>>,
) -> PyResult<Options<'p>> {
    let mut options = Options::new();
    options.progress = progress;
    if timeout.is_some() {
        options.soft = Some(config::millis("timeout", timeout)?);
    }
    if hard_timeout.is_some() {
        options.hard = Some(config::millis("hard_timeout", hard_timeout)?);
    }
    if let Some(level) = log_level {
        options = options.with_log_level(log_level_named(level)?);
    }
    if let Some(meta) = meta {
        options = options.with_meta(meta);
    }
    Ok(options)
}

pub(super) fn log_level_named(name: &str) -> PyResult<wireline::mcp::LogLevel> {
    wireline::mcp::LogLevel::parse(name).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{name:?} is no level; there are debug, info, notice, warning, error, critical, alert, \
             emergency"
        ))
    })
}

pub(super) fn change<'p>(
    what: &str,
    uri: Option<&'p str>,
) -> PyResult<wireline::session::Change<'p>> {
    use wireline::session::Change;
    match (what, uri) {
        ("tools", None) => Ok(Change::Tools),
        ("prompts", None) => Ok(Change::Prompts),
        ("resources", None) => Ok(Change::Resources),
        ("resource", Some(uri)) => Ok(Change::Resource(uri)),
        _ => Err(PyValueError::new_err(
            "what changes is \"tools\", \"prompts\", \"resources\", or \"resource\" with its uri",
        )),
    }
}

pub(super) fn uris_text<'py>(
    uris: Option<&Bound<'py, PyAny>>,
    dumps: Option<&Py<PyAny>>,
) -> PyResult<Option<encode::Text<'py>>> {
    let Some(uris) = uris else { return Ok(None) };
    let names: Vec<String> = uris
        .extract()
        .map_err(|_| PyTypeError::new_err("uris must be a sequence of str"))?;
    encode::dump(PyList::new(uris.py(), names)?.as_any(), dumps, "uris").map(Some)
}

/// A number as decimal text.
pub(super) fn decimal(number: &Bound<'_, PyAny>, name: &str) -> PyResult<String> {
    let py = number.py();
    if number.is_instance_of::<PyBool>()
        || !(number.is_instance_of::<PyInt>() || number.is_instance_of::<PyFloat>())
    {
        let given = number.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "{name} must be int or float, not {given}"
        )));
    }
    // As the number is: what a class of the program's says of itself is no JSON.
    if number.is_instance_of::<PyFloat>() {
        let value = number.extract::<f64>()?;
        if value.is_finite() {
            return Ok(PyFloat::new(py, value).repr()?.to_string());
        }
        let text = format!("{name} is {value}; JSON has no such number");
        return Err(errors::local(py, "bad-progress", text, None));
    }
    encode::digits(number)
}

/// Characters of a progress that a session keeps, to see that the next one is greater.
const KEPT: usize = 20;

/// A number's text in as many characters as a session keeps: digits that have no room are cut off.
pub(super) fn cut(text: String) -> String {
    if text.len() <= KEPT {
        return text;
    }
    let (sign, rest) = text
        .strip_prefix('-')
        .map_or(("", text.as_str()), |rest| ("-", rest));
    let (mantissa, exponent) = rest.split_once('e').unwrap_or((rest, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let written = [whole, part].concat();
    let digits = written.trim_start_matches('0');
    // Of the first digit that is not zero.
    let zeros = written.len().saturating_sub(digits.len());
    let place = whole.len() as i64 - 1 - zeros as i64;
    let exponent = exponent.parse::<i64>().unwrap_or(0).saturating_add(place);
    let tail = match exponent {
        0 => String::new(),
        _ => format!("e{exponent}"),
    };
    let point = 1;
    let room = KEPT.saturating_sub(sign.len() + point + tail.len());
    let kept = digits.get(..room).unwrap_or(digits).trim_end_matches('0');
    match kept.split_at_checked(1) {
        Some((first, "")) => format!("{sign}{first}{tail}"),
        Some((first, others)) => format!("{sign}{first}.{others}{tail}"),
        None => text,
    }
}
