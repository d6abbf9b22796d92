//! Answers, in the forms that they come in.

use std::fmt::Display;
use std::io;

use wireline::encode::Payload;
use wireline::json::{self, ToJson};
use wireline::mcp::{LogLevel, Revision, code};
use wireline::session::{Handle, Progress, SessionError};

use super::Server;
use super::call::Call;

impl Server<'_> {
    pub(super) fn respond(&mut self, handle: Handle, result: &dyn ToJson) -> io::Result<()> {
        match self.session.respond(handle, Payload::Value(result)) {
            Ok(send) => {
                self.out.send(&send)?;
                self.batch()
            }
            Err(error) => self.broke(handle, &error),
        }
    }

    pub(super) fn fail(
        &mut self,
        handle: Handle,
        code: i64,
        message: &str,
        data: Payload<'_>,
    ) -> io::Result<()> {
        match self.session.fail(handle, code, message, data) {
            Ok(send) => {
                self.out.send(&send)?;
                self.batch()
            }
            // Cancelled meanwhile.
            Err(_) => Ok(()),
        }
    }

    /// An answer that could not be made.
    pub(super) fn broke(&mut self, handle: Handle, error: &SessionError) -> io::Result<()> {
        match error {
            SessionError::StaleHandle => Ok(()),
            _ => self.fail(
                handle,
                code::INTERNAL_ERROR,
                &error.to_string(),
                Payload::None,
            ),
        }
    }

    pub(super) fn bad_params(&mut self, call: &Call<'_>, message: &str) -> io::Result<()> {
        self.fail(call.handle, code::INVALID_PARAMS, message, Payload::None)
    }

    /// A tool's result of one text.
    pub(super) fn text(&mut self, handle: Handle, text: &dyn Display) -> io::Result<()> {
        self.result(handle, text, None, false)
    }

    /// A tool's result that says that it failed.
    pub(super) fn failed(&mut self, handle: Handle, text: &dyn Display) -> io::Result<()> {
        self.result(handle, text, None, true)
    }

    /// A tool's arguments are wrong: the model is told, so that it can do better.
    pub(super) fn refuse(&mut self, call: &Call<'_>, why: &str) -> io::Result<()> {
        self.failed(call.handle, &why)
    }

    /// A tool's result as a text and as fields, which revisions before 2025-06-18 do not have.
    pub(super) fn fields(
        &mut self,
        call: &Call<'_>,
        text: &dyn Display,
        fields: &dyn ToJson,
    ) -> io::Result<()> {
        let known = call.revision >= Revision::V2025_06_18;
        self.result(call.handle, text, known.then_some(fields), false)
    }

    pub(super) fn result(
        &mut self,
        handle: Handle,
        text: &dyn Display,
        fields: Option<&dyn ToJson>,
        is_error: bool,
    ) -> io::Result<()> {
        let result = json::from_fn(|w| {
            w.begin_object().key("content").begin_array().begin_object();
            w.key("type").string("text").key("text").display(&text);
            w.end_object().end_array();
            if let Some(fields) = fields {
                w.key("structuredContent").value(fields);
            }
            if is_error {
                w.key("isError").bool(true);
            }
            w.end_object();
        });
        self.respond(handle, &result)
    }

    pub(super) fn progress(
        &mut self,
        handle: Handle,
        done: u64,
        total: u64,
        message: &str,
    ) -> io::Result<()> {
        let (done, total) = (done.to_string(), total.to_string());
        let progress = Progress::new(&done).of(&total).saying(message);
        match self.session.progress(handle, progress) {
            Ok(send) => self.out.send(&send),
            Err(_) => Ok(()),
        }
    }

    pub(super) fn log(&mut self, handle: Handle, level: LogLevel, text: &str) -> io::Result<()> {
        match self
            .session
            .log(Some(handle), level, Some("wireline"), &text)
        {
            Ok(send) => self.out.send(&send),
            Err(_) => Ok(()),
        }
    }
}
