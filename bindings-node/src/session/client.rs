//! Calls that only a client's session has.

use super::{Either, Session, filter, handle, line, millis, options, record, refused};
use crate::decoder::writable;
use crate::encode::{Coded, error, raw};
use crate::glue::{BufferSlice, Env, Error, Uint32ArraySlice};
use napi_derive::napi;
use wireline::json::RawJson;
use wireline::mcp::{Capabilities, Revision, Side};
use wireline::session::{self, Client};

#[napi]
impl Session {
    fn as_client(&mut self) -> Coded<&mut session::Session<'static, Client, session::HeapMemory>> {
        match &mut self.session {
            Either::Client(client) => Ok(client),
            Either::Server(_) => error("WRONG_ROLE", "a server's session has no such call"),
        }
    }

    /// Opens the session; `legacy` without a probe.
    ///
    /// # Errors
    ///
    /// As `Session::connect`, `Session::connect_legacy`.
    #[napi]
    pub fn connect<'env>(
        &mut self,
        env: &'env Env,
        legacy: bool,
        now: f64,
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let client = self.as_client()?;
        line(
            env,
            if legacy {
                client.connect_legacy(millis(now))
            } else {
                client.connect(millis(now))
            },
        )
    }

    /// Takes the server's era from a verdict of earlier.
    ///
    /// # Errors
    ///
    /// As `Session::assume`.
    #[napi]
    pub fn assume(&mut self, revision: String, capabilities: &[u8]) -> Result<(), Error<String>> {
        let declared = raw(capabilities)?.unwrap_or(RawJson::EMPTY_OBJECT);
        let Some(revision) = Revision::parse(&revision) else {
            return error("NOT_READY", format!("'{revision}' is no revision"));
        };
        let client = self.as_client()?;
        let declared = Capabilities::read(Side::Server, declared);
        client.assume(revision, declared).or_else(refused)
    }

    /// Sends a request again with the input that it asked for.
    ///
    /// # Errors
    ///
    /// As `Session::retry`.
    #[napi]
    #[allow(clippy::too_many_arguments, reason = "a request has so many parts")]
    pub fn retry<'env>(
        &mut self,
        env: &'env Env,
        number: f64,
        params: &[u8],
        answers: &[u8],
        state: &[u8],
        meta: &[u8],
        numbers: &[f64],
        log_level: String,
        now: f64,
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let options = options(numbers, &log_level, raw(meta)?)?;
        let (params, answers) = (raw(params)?, raw(answers)?);
        let state = raw(state)?;
        let text = state.as_ref().and_then(RawJson::as_json_str);
        let client = self.as_client()?;
        line(
            env,
            client.retry(handle(number), params, answers, text, options, millis(now)),
        )
    }

    /// Asks to be told of changes; the handle is in the first word.
    ///
    /// # Errors
    ///
    /// As `Session::listen`.
    #[napi]
    pub fn listen<'env>(
        &mut self,
        env: &'env Env,
        flags: u32,
        uris: &[u8],
        now: f64,
        mut words: Uint32ArraySlice<'_>,
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let filter = filter(flags, raw(uris)?);
        let (handle, send) = self
            .as_client()?
            .listen(filter, millis(now))
            .or_else(refused)?;
        record::number(writable(&mut words), handle);
        line(env, Ok(send))
    }
}
