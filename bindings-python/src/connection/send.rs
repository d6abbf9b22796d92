//! What both roles send.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use wireline::session::{Cache, Handle, Reply};

use super::arguments::{cut, decimal, options};
use super::{Connection, Found, Sides, State, clock, config};
use crate::encode;

#[pymethods]
impl Connection {
    /// Sends a request, and returns its handle; it ends in one `RequestEnded`. `progress` asks to be told
    /// how it gets on. `timeout` is from one progress to the next, `hard_timeout` for all of it, in
    /// seconds; infinity is never. `meta` has members for `_meta`. `LocalProtocolError` if it may not be
    /// sent; nothing has changed then.
    #[pyo3(signature = (method, params=None, *, now, progress=false, timeout=None,
        hard_timeout=None, log_level=None, meta=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python's")]
    fn send_request(
        &self,
        py: Python<'_>,
        method: &str,
        params: Option<Bound<'_, PyAny>>,
        now: f64,
        progress: bool,
        timeout: Option<f64>,
        hard_timeout: Option<f64>,
        log_level: Option<&str>,
        meta: Option<Bound<'_, PyAny>>,
    ) -> PyResult<u64> {
        let now = clock(now)?;
        let dumps = self.dumps.as_ref();
        let params = encode::dump_maybe(params.as_ref(), dumps, "params")?;
        let params = params
            .as_ref()
            .map(|text| text.raw(py, "params"))
            .transpose()?;
        let meta = encode::dump_maybe(meta.as_ref(), dumps, "meta")?;
        let meta = meta.as_ref().map(|text| text.raw(py, "meta")).transpose()?;
        let options = options(progress, timeout, hard_timeout, log_level, meta)?;
        let hint = params.map_or(0, |it| it.as_bytes().len());
        self.with(py, |State { sides, out, .. }| {
            let (handle, send) =
                both!(sides, session => session.request(method, params, options, now))?;
            out.put(&send, hint)?;
            Ok(handle.to_bits())
        })
    }

    /// Sends a notification that belongs to no request.
    #[pyo3(signature = (method, params=None))]
    fn send_notification(
        &self,
        py: Python<'_>,
        method: &str,
        params: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let params = encode::dump_maybe(params.as_ref(), self.dumps.as_ref(), "params")?;
        let params = params
            .as_ref()
            .map(|text| text.raw(py, "params"))
            .transpose()?;
        self.with(py, |State { sides, out, .. }| {
            let send = both!(sides, session => session.notify(method, params))?;
            out.put(&send, 0)
        })
    }

    /// Answers a request with a result, an object. What the revision asks for beside it is added.
    /// `cache_ttl` and `cache_scope` say how long and by whom it may be kept (2026-07-28). With `task` the
    /// result holds a task of 2025-11-25, and progress can go on.
    #[pyo3(signature = (handle, result, *, meta=None, cache_ttl=None, cache_scope="private",
        task=false))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python's")]
    fn send_result(
        &self,
        py: Python<'_>,
        handle: u64,
        result: Bound<'_, PyAny>,
        meta: Option<Bound<'_, PyAny>>,
        cache_ttl: Option<f64>,
        cache_scope: &str,
        task: bool,
    ) -> PyResult<()> {
        let dumps = self.dumps.as_ref();
        let text = encode::dump(&result, dumps, "the result")?;
        let raw = text.raw(py, "the result")?;
        let meta = encode::dump_maybe(meta.as_ref(), dumps, "meta")?;
        let meta = meta.as_ref().map(|text| text.raw(py, "meta")).transpose()?;
        let mut reply = Reply::new(raw);
        if let Some(meta) = meta {
            reply = reply.with_meta(meta);
        }
        if let Some(seconds) = cache_ttl {
            if !(0.0..=4_294_967.0).contains(&seconds) {
                return Err(PyValueError::new_err(
                    "cache_ttl is in seconds, from 0 to 4294967",
                ));
            }
            let ttl_ms = (seconds * 1000.0).round() as u32;
            reply = reply.with_cache(Cache {
                ttl_ms,
                scope: config::scope(cache_scope)?,
            });
        }
        let handle = Handle::from_bits(handle);
        let hint = raw.as_bytes().len();
        self.with(py, |State { sides, out, .. }| {
            both!(sides, session => {
                let send = if task {
                    session.respond_with_task(handle, reply)
                } else {
                    session.respond(handle, reply)
                };
                let send = send?;
                out.put(&send, hint)?;
                if let Some(line) = session.take_batch() {
                    out.put_line(line);
                }
            });
            Ok(())
        })
    }

    /// Answers a request with an error.
    #[pyo3(signature = (handle, code, message, data=None))]
    fn send_error(
        &self,
        py: Python<'_>,
        handle: u64,
        code: i64,
        message: &str,
        data: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let data = encode::dump_maybe(data.as_ref(), self.dumps.as_ref(), "data")?;
        let data = data.as_ref().map(|text| text.raw(py, "data")).transpose()?;
        let handle = Handle::from_bits(handle);
        self.with(py, |State { sides, out, .. }| {
            both!(sides, session => {
                let send = session.fail(handle, code, message, data)?;
                out.put(&send, 0)?;
                if let Some(line) = session.take_batch() {
                    out.put_line(line);
                }
            });
            Ok(())
        })
    }

    /// Tells how a request gets on; nothing is sent if the peer did not ask. Has to rise, as it is sent: of
    /// a progress that takes more than 20 characters, the last digits are cut off.
    #[pyo3(signature = (handle, progress, total=None, message=None))]
    fn send_progress(
        &self,
        py: Python<'_>,
        handle: u64,
        progress: Bound<'_, PyAny>,
        total: Option<Bound<'_, PyAny>>,
        message: Option<&str>,
    ) -> PyResult<()> {
        let done = cut(decimal(&progress, "progress")?);
        let total = total.map(|total| decimal(&total, "total")).transpose()?;
        let mut told = wireline::session::Progress::new(&done);
        if let Some(total) = &total {
            told = told.of(total);
        }
        if let Some(message) = message {
            told = told.saying(message);
        }
        self.with(py, |State { sides, out, .. }| {
            let send = both!(sides, session => session.progress(Handle::from_bits(handle), told))?;
            out.put(&send, 0)
        })
    }

    /// Cancels a request of ours; returns its end.
    #[pyo3(signature = (handle, reason=None))]
    fn cancel<'py>(
        &self,
        py: Python<'py>,
        handle: u64,
        reason: Option<&str>,
    ) -> PyResult<Bound<'py, PyList>> {
        let found = self.with(py, |State { sides, out, .. }| {
            let step = both!(sides, session => session.cancel(Handle::from_bits(handle), reason))?;
            Found::of_step(out, &step)
        })?;
        self.events(py, found.into_iter().collect())
    }

    /// Asks whether the peer is there (revisions before 2026-07-28); returns the request's handle.
    #[pyo3(signature = (*, now))]
    fn ping(&self, py: Python<'_>, now: f64) -> PyResult<u64> {
        let now = clock(now)?;
        self.with(py, |State { sides, out, .. }| {
            let (handle, send) = both!(sides, session => session.ping(now))?;
            out.put(&send, 0)?;
            Ok(handle.to_bits())
        })
    }

    /// A task of 2025-11-25 has ended: no more progress is sent, or waited for.
    fn end_task(&self, py: Python<'_>, handle: u64) {
        let mut state = self.lock(py);
        both!(&mut state.sides, session => session.end_task(Handle::from_bits(handle)));
    }
}
