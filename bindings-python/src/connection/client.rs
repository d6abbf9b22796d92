//! What only a client does.

use pyo3::prelude::*;
use wireline::json::RawJson;
use wireline::mcp::Side;
use wireline::session::Handle;

use super::arguments::{options, uris_text};
use super::{Connection, clock, config, out};
use crate::encode;

#[pymethods]
impl Connection {
    /// Opens a client's session: `server/discover`, or `initialize` where `legacy` says so or no modern
    /// revision is spoken.
    #[pyo3(signature = (*, now, legacy=false))]
    fn connect(&self, py: Python<'_>, now: f64, legacy: bool) -> PyResult<()> {
        let now = clock(now)?;
        self.with_client(py, |session, out| {
            let send = if legacy {
                session.connect_legacy(now)
            } else {
                session.connect(now)
            };
            let send = send?;
            out.put(&send, 0)
        })
    }

    /// Takes a server's revision and capabilities from an earlier verdict, so that no probe is needed.
    #[pyo3(signature = (revision, capabilities=None))]
    fn assume(
        &self,
        py: Python<'_>,
        revision: &str,
        capabilities: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let revision = config::revision(revision)?;
        let text = encode::dump_maybe(capabilities.as_ref(), self.dumps.as_ref(), "capabilities")?;
        let raw = text
            .as_ref()
            .map(|text| text.raw(py, "capabilities"))
            .transpose()?;
        let declared = raw.unwrap_or(RawJson::EMPTY_OBJECT);
        let declared = wireline::mcp::Capabilities::read(Side::Server, declared);
        self.with_client(py, |session, _| Ok(session.assume(revision, declared)?))
    }

    /// Sends a request again with the input that it asked for: after `InputRequired`. `params` are those
    /// of the first time, `answers` maps each key to a result, `state` is the event's.
    #[pyo3(signature = (handle, params, answers, state=None, *, now, progress=false, timeout=None,
        hard_timeout=None, log_level=None, meta=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python's")]
    fn retry(
        &self,
        py: Python<'_>,
        handle: u64,
        params: Option<Bound<'_, PyAny>>,
        answers: Bound<'_, PyAny>,
        state: Option<&str>,
        now: f64,
        progress: bool,
        timeout: Option<f64>,
        hard_timeout: Option<f64>,
        log_level: Option<&str>,
        meta: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let now = clock(now)?;
        let dumps = self.dumps.as_ref();
        let params = encode::dump_maybe(params.as_ref(), dumps, "params")?;
        let params = params
            .as_ref()
            .map(|text| text.raw(py, "params"))
            .transpose()?;
        let answers = encode::dump(&answers, dumps, "answers")?;
        let answers = answers.raw(py, "answers")?;
        let meta = encode::dump_maybe(meta.as_ref(), dumps, "meta")?;
        let meta = meta.as_ref().map(|text| text.raw(py, "meta")).transpose()?;
        let options = options(progress, timeout, hard_timeout, log_level, meta)?;
        // A token for the state's text, which is written as it was meant.
        let token = state.map(out::quoted);
        let token = token.as_deref().map(RawJson::validate).transpose();
        let token = token.ok().flatten().and_then(|it| it.as_json_str());
        self.with_client(py, |session, out| {
            let send = session.retry(
                Handle::from_bits(handle),
                params,
                answers,
                token,
                options,
                now,
            )?;
            out.put(&send, 0)
        })
    }

    /// Asks to be told of changes (2026-07-28); returns the subscription's handle.
    #[pyo3(signature = (*, now, tools=false, prompts=false, resources=false, uris=None))]
    fn listen(
        &self,
        py: Python<'_>,
        now: f64,
        tools: bool,
        prompts: bool,
        resources: bool,
        uris: Option<Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let now = clock(now)?;
        let text = uris_text(uris.as_ref(), self.dumps.as_ref())?;
        let uris = text.as_ref().map(|text| text.raw(py, "uris")).transpose()?;
        let filter = wireline::session::Filter {
            tools,
            prompts,
            resources,
            uris,
        };
        self.with_client(py, |session, out| {
            let (handle, send) = session.listen(filter, now)?;
            out.put(&send, 0)?;
            Ok(handle.to_bits())
        })
    }
}
