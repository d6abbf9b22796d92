//! Calls that only a server's session has.

use super::{Either, Session, append, filter, handle, level, line, some};
use crate::encode::{Coded, copied, error, raw, unwritable};
use crate::glue::{BufferSlice, Env, Error};
use napi_derive::napi;
use wireline::json::RawJson;
use wireline::mcp::{Capabilities, Method, Side};
use wireline::session::{self, Change, InputRequest, Server};

fn change(what: u32, uri: &str) -> Change<'_> {
    match what {
        0 => Change::Tools,
        1 => Change::Prompts,
        2 => Change::Resources,
        _ => Change::Resource(uri),
    }
}

#[napi]
impl Session {
    fn as_server(&mut self) -> Coded<&mut session::Session<'static, Server, session::HeapMemory>> {
        match &mut self.session {
            Either::Server(server) => Ok(server),
            Either::Client(_) => error("WRONG_ROLE", "a client's session has no such call"),
        }
    }

    /// Answers a request by asking its client for input: an array of objects with `key`,
    /// `method` and `params`.
    ///
    /// # Errors
    ///
    /// As `Session::ask`; a request that is not as described.
    #[napi]
    pub fn ask<'env>(
        &mut self,
        env: &'env Env,
        number: f64,
        keys: Vec<String>,
        methods: Vec<String>,
        params: &[u8],
        state: Option<String>,
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let params = raw(params)?.unwrap_or(RawJson::EMPTY_OBJECT);
        let mut requests = Vec::new();
        for ((key, method), params) in keys.iter().zip(&methods).zip(params.elements()) {
            let Some(method) = Method::parse(method) else {
                return error("RULE", format!("R94: '{method}' cannot be asked for"));
            };
            requests.push(InputRequest {
                key,
                method,
                params: params.into(),
            });
        }
        let server = self.as_server()?;
        line(env, server.ask(handle(number), &requests, state.as_deref()))
    }

    /// Answers a request that needs capabilities which its client did not declare.
    ///
    /// # Errors
    ///
    /// As `Session::fail_for_capability`.
    #[napi]
    pub fn fail_for_capability<'env>(
        &mut self,
        env: &'env Env,
        number: f64,
        required: &[u8],
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let required = raw(required)?.unwrap_or(RawJson::EMPTY_OBJECT);
        let required = Capabilities::read(Side::Client, required);
        let server = self.as_server()?;
        line(env, server.fail_for_capability(handle(number), required))
    }

    /// Opens a subscription that a client asked for.
    ///
    /// # Errors
    ///
    /// As `Session::accept`.
    #[napi]
    pub fn accept<'env>(
        &mut self,
        env: &'env Env,
        number: f64,
        flags: u32,
        uris: &[u8],
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let filter = filter(flags, raw(uris)?);
        let server = self.as_server()?;
        line(env, server.accept(handle(number), filter))
    }

    /// Tells of a change: all whom `Server::changed` tells (`number` negative), or one subscription.
    ///
    /// # Errors
    ///
    /// As `Session::changed_for`.
    #[napi]
    pub fn changed<'env>(
        &mut self,
        env: &'env Env,
        number: f64,
        what: u32,
        uri: String,
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let server = self.as_server()?;
        if number >= 0.0 {
            return line(env, server.changed_for(handle(number), change(what, &uri)));
        }
        let (mut cursor, mut lines, mut sent) = (0, Vec::new(), 0);
        while let Some(send) = server.changed(change(what, &uri), &mut cursor) {
            append(&mut lines, &mut sent, &send).or_else(unwritable)?;
        }
        copied(env, lines.get(..sent).unwrap_or(&[]))
    }

    /// Ends a subscription from this side.
    ///
    /// # Errors
    ///
    /// As `Session::end_subscription`.
    #[napi]
    pub fn end_subscription<'env>(
        &mut self,
        env: &'env Env,
        number: f64,
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let server = self.as_server()?;
        line(env, server.end_subscription(handle(number)))
    }

    /// Sends a log message: for a request, or, with a negative number, for none.
    ///
    /// # Errors
    ///
    /// As `Session::log`.
    #[napi]
    pub fn log<'env>(
        &mut self,
        env: &'env Env,
        number: f64,
        name: String,
        logger: String,
        data: &[u8],
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let Some(level) = level(&name)? else {
            return error("BAD_LEVEL", "a log message needs a level");
        };
        let handle = (number >= 0.0).then(|| handle(number));
        let data = raw(data)?;
        let server = self.as_server()?;
        line(env, server.log(handle, level, some(&logger), data))
    }
}
