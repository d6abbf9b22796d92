//! Calls that sessions of both roles have.

use super::record::{self, Place, put};
use super::{Either, Session, append, each, handle, line, millis, options, refused, some, written};
use crate::decoder::writable;
use crate::encode::{copied, raw, unwritable};
use crate::glue::{BufferSlice, Env, Error, Uint32ArraySlice};
use crate::record::HEADER;
use crate::storage::{self, NoMemory};
use napi_derive::napi;
use wireline::mcp::CacheScope;
use wireline::session::{Cache, Progress, Reply};

#[napi]
impl Session {
    /// The array of a batch whose last answer was given.
    fn batch(&mut self, lines: &mut Vec<u8>) -> Result<(), NoMemory> {
        if let Some(batch) = each!(&mut self.session, it => it.take_batch()) {
            storage::append(lines, batch)?;
        }
        Ok(())
    }

    /// Answers a request with a result.
    ///
    /// # Errors
    ///
    /// As `Session::respond`.
    #[napi]
    pub fn respond<'env>(
        &mut self,
        env: &'env Env,
        number: f64,
        result: &[u8],
        meta: &[u8],
        ttl: f64,
        public: bool,
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let mut reply = Reply::new(raw(result)?);
        if let Some(meta) = raw(meta)? {
            reply = reply.with_meta(meta);
        }
        if ttl >= 0.0 {
            let scope = if public {
                CacheScope::Public
            } else {
                CacheScope::Private
            };
            reply = reply.with_cache(Cache {
                ttl_ms: ttl as u32,
                scope,
            });
        }
        let send = each!(&mut self.session, it => it.respond(handle(number), reply));
        let mut lines = written(send)?;
        self.batch(&mut lines)?;
        copied(env, &lines)
    }

    /// Answers a request with an error.
    ///
    /// # Errors
    ///
    /// As `Session::fail`.
    #[napi]
    pub fn fail<'env>(
        &mut self,
        env: &'env Env,
        number: f64,
        code: f64,
        message: String,
        data: &[u8],
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let data = raw(data)?;
        let (handle, code) = (handle(number), code as i64);
        let send = each!(&mut self.session, it => it.fail(handle, code, &message, data));
        let mut lines = written(send)?;
        self.batch(&mut lines)?;
        copied(env, &lines)
    }

    /// Tells how a request gets on.
    ///
    /// # Errors
    ///
    /// As `Session::progress`.
    #[napi]
    pub fn progress<'env>(
        &mut self,
        env: &'env Env,
        number: f64,
        progress: String,
        total: String,
        message: Option<String>,
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let mut told = Progress::new(&progress);
        told.total = some(&total);
        told.message = message.as_deref();
        line(
            env,
            each!(&mut self.session, it => it.progress(handle(number), told)),
        )
    }

    /// Sends a request; its handle is in the first word.
    ///
    /// # Errors
    ///
    /// As `Session::request`.
    #[napi]
    #[allow(clippy::too_many_arguments, reason = "a request has so many parts")]
    pub fn request<'env>(
        &mut self,
        env: &'env Env,
        method: String,
        params: &[u8],
        meta: &[u8],
        numbers: &[f64],
        log_level: String,
        now: f64,
        mut words: Uint32ArraySlice<'_>,
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let options = options(numbers, &log_level, raw(meta)?)?;
        let params = raw(params)?;
        let (handle, send) =
            each!(&mut self.session, it => it.request(&method, params, options, millis(now)))
                .or_else(refused)?;
        record::number(writable(&mut words), handle);
        line(env, Ok(send))
    }

    /// Sends a ping; its handle is in the first word.
    ///
    /// # Errors
    ///
    /// As `Session::ping`.
    #[napi]
    pub fn ping<'env>(
        &mut self,
        env: &'env Env,
        now: f64,
        mut words: Uint32ArraySlice<'_>,
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let (handle, send) =
            each!(&mut self.session, it => it.ping(millis(now))).or_else(refused)?;
        record::number(writable(&mut words), handle);
        line(env, Ok(send))
    }

    /// Sends a notification.
    ///
    /// # Errors
    ///
    /// As `Session::notify`.
    #[napi]
    pub fn notify<'env>(
        &mut self,
        env: &'env Env,
        method: String,
        params: &[u8],
    ) -> Result<BufferSlice<'env>, Error<String>> {
        let params = raw(params)?;
        line(
            env,
            each!(&mut self.session, it => it.notify(&method, params)),
        )
    }

    /// Cancels a request of ours: a record of its end, and what is to be sent.
    ///
    /// # Errors
    ///
    /// As `Session::cancel`.
    #[napi]
    pub fn cancel(
        &mut self,
        number: f64,
        reason: String,
        mut words: Uint32ArraySlice<'_>,
    ) -> Result<u32, Error<String>> {
        let words = writable(&mut words);
        self.extra.clear();
        self.sent = 0;
        let step = each!(&mut self.session, it => it.cancel(handle(number), some(&reason)))
            .or_else(refused)?;
        append(&mut self.out, &mut self.sent, &step.send).or_else(unwritable)?;
        let used = HEADER
            + 1
            + put(
                &mut words[HEADER + 1..],
                &step,
                None,
                Place::Elsewhere,
                None,
                &mut self.extra,
                &mut self.names,
            )?;
        self.head(words, true);
        Ok(used as u32)
    }
}
