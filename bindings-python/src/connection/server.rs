//! What only a server does.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use wireline::mcp::Side;
use wireline::session::Handle;

use super::Connection;
use super::arguments::{change, log_level_named, uris_text};
use crate::encode;

#[pymethods]
impl Connection {
    /// Opens a subscription that a client has asked for with `subscriptions/listen`.
    #[pyo3(signature = (handle, *, tools=false, prompts=false, resources=false, uris=None))]
    fn accept(
        &self,
        py: Python<'_>,
        handle: u64,
        tools: bool,
        prompts: bool,
        resources: bool,
        uris: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let text = uris_text(uris.as_ref(), self.dumps.as_ref())?;
        let uris = text.as_ref().map(|text| text.raw(py, "uris")).transpose()?;
        let filter = wireline::session::Filter {
            tools,
            prompts,
            resources,
            uris,
        };
        self.with_server(py, |session, out| {
            let send = session.accept(Handle::from_bits(handle), filter)?;
            out.put(&send, 0)
        })
    }

    /// Tells whom it concerns that something has changed: `"tools"`, `"prompts"` or `"resources"` the
    /// session before 2026-07-28 and each subscription of that list; `"resource"`, with its URI, that
    /// session alone. Tell the subscriptions that named the URI with `changed_for`.
    #[pyo3(signature = (what, uri=None))]
    fn changed(&self, py: Python<'_>, what: &str, uri: Option<&str>) -> PyResult<()> {
        let change = change(what, uri)?;
        self.with_server(py, |session, out| {
            let mut cursor = 0;
            while let Some(send) = session.changed(change, &mut cursor) {
                out.put(&send, 0)?;
            }
            Ok(())
        })
    }

    /// Tells one subscription of a change. Of a resource, only those that named its URI may be told.
    #[pyo3(signature = (handle, what, uri=None))]
    fn changed_for(
        &self,
        py: Python<'_>,
        handle: u64,
        what: &str,
        uri: Option<&str>,
    ) -> PyResult<()> {
        let change = change(what, uri)?;
        self.with_server(py, |session, out| {
            let send = session.changed_for(Handle::from_bits(handle), change)?;
            out.put(&send, 0)
        })
    }

    /// Ends a subscription from this side.
    fn end_subscription(&self, py: Python<'_>, handle: u64) -> PyResult<()> {
        self.with_server(py, |session, out| {
            let send = session.end_subscription(Handle::from_bits(handle))?;
            out.put(&send, 0)
        })
    }

    /// Sends a log message: for a request, or, before 2026-07-28, for none. Nothing is sent below the level
    /// that was asked for.
    #[pyo3(signature = (level, data, *, handle=None, logger=None))]
    fn log(
        &self,
        py: Python<'_>,
        level: &str,
        data: Bound<'_, PyAny>,
        handle: Option<u64>,
        logger: Option<&str>,
    ) -> PyResult<()> {
        let level = log_level_named(level)?;
        let text = encode::dump(&data, self.dumps.as_ref(), "data")?;
        let raw = text.raw(py, "data")?;
        self.with_server(py, |session, out| {
            let send = session.log(handle.map(Handle::from_bits), level, logger, raw)?;
            out.put(&send, 0)
        })
    }

    /// Answers a request by asking its client for input first (2026-07-28): `requests` maps keys to pairs
    /// of a method and its parameters; `state` comes back as it is.
    #[pyo3(signature = (handle, requests, state=None))]
    fn ask(
        &self,
        py: Python<'_>,
        handle: u64,
        requests: Bound<'_, PyAny>,
        state: Option<&str>,
    ) -> PyResult<()> {
        let requests = requests.cast::<pyo3::types::PyDict>().map_err(|_| {
            PyTypeError::new_err("requests maps each key to a pair: a method and its params")
        })?;
        let mut parts = Vec::new();
        for (key, value) in requests.iter() {
            let (method, params): (String, Bound<'_, PyAny>) = value.extract()?;
            let method = wireline::mcp::Method::parse(&method).ok_or_else(|| {
                PyValueError::new_err(format!("{method:?} is no method that can be asked for"))
            })?;
            let text = encode::dump(&params, self.dumps.as_ref(), "params")?;
            parts.push((key.extract::<String>()?, method, text));
        }
        let mut asked = Vec::new();
        for (key, method, text) in &parts {
            let params = text.raw(py, "params")?.into();
            asked.push(wireline::session::InputRequest {
                key,
                method: *method,
                params,
            });
        }
        self.with_server(py, |session, out| {
            let send = session.ask(Handle::from_bits(handle), &asked, state)?;
            out.put(&send, 0)
        })
    }

    /// Answers a request that needs a capability which its client did not declare.
    #[pyo3(signature = (handle, required))]
    fn fail_for_capability(
        &self,
        py: Python<'_>,
        handle: u64,
        required: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let text = encode::dump(&required, self.dumps.as_ref(), "required")?;
        let raw = text.raw(py, "required")?;
        let required = wireline::mcp::Capabilities::read(Side::Client, raw);
        self.with_server(py, |session, out| {
            let send = session.fail_for_capability(Handle::from_bits(handle), required)?;
            out.put(&send, 0)
        })
    }
}
