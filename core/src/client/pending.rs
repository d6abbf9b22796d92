//! Requests whose results are known by type.

use core::marker::PhantomData;

use crate::json::{RawJson, ToJson};
use crate::mcp::view::{self, BadMember};
use crate::mcp::{Method, write};
use crate::message::{ErrorObject, Message};
use crate::session::{
    Client, Ended, Event, Handle, Millis, Options, Send, Session, SessionError, Slots,
};

/// The parameters of a request that a client makes, and what its result is looked at with.
pub trait Request: ToJson {
    /// The method.
    const METHOD: Method;

    /// The view of its result.
    type View<'m>;

    /// Looks at a result.
    ///
    /// # Errors
    ///
    /// The member that a result of this method must have, and that is missing or of the
    /// wrong type.
    fn view(result: RawJson<'_>) -> Result<Self::View<'_>, BadMember>;
}

macro_rules! requests {
    ($($params:ident, $method:ident, $view:ident;)*) => {$(
        impl Request for write::$params<'_> {
            const METHOD: Method = Method::$method;

            type View<'m> = view::$view<'m>;

            fn view(result: RawJson<'_>) -> Result<view::$view<'_>, BadMember> {
                let view = view::$view::new(result);
                view.check().map(|()| view)
            }
        }
    )*};
}

requests! {
    CallToolParams, ToolsCall, CallToolResult;
    ReadResourceParams, ResourcesRead, ReadResourceResult;
    GetPromptParams, PromptsGet, GetPromptResult;
    CompleteParams, Complete, CompleteResult;
}

/// A request that is under way: see [`Session::call`].
#[derive(Debug)]
pub struct Pending<R> {
    handle: Handle,
    of: PhantomData<fn() -> R>,
}

/// What an event says of a request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Update<'m, V> {
    /// It is getting on.
    Progress(view::ProgressParams<'m>),
    /// It needs input before it goes on: see [`Session::retry`].
    InputRequired(view::InputRequiredResult<'m>),
    /// Its result.
    Result(V),
    /// An error has come for it.
    Error(ErrorObject<'m>),
    /// A result has come for it that lacks what it must have.
    BadResult(BadMember, Message<'m>),
    /// It has ended without an answer.
    Ended(Ended<'m>),
}

impl<V> Update<'_, V> {
    /// Whether there is nothing more to come.
    #[must_use]
    pub const fn is_last(&self) -> bool {
        !matches!(self, Update::Progress(_) | Update::InputRequired(_))
    }
}

impl<R> Pending<R> {
    /// The request's handle, to [cancel](Session::cancel) it by, or to
    /// [retry](Session::retry).
    #[must_use]
    pub const fn handle(&self) -> Handle {
        self.handle
    }
}

impl<R: Request> Pending<R> {
    /// Looks at an event; `None` if it is not of this request.
    pub fn take<'m>(&self, event: &Event<'m>) -> Option<Update<'m, R::View<'m>>> {
        match event {
            Event::Progress { handle, message } if *handle == self.handle => {
                let params = message.params().unwrap_or(RawJson::EMPTY_OBJECT);
                Some(Update::Progress(view::ProgressParams::new(params)))
            }
            Event::InputRequired {
                handle, message, ..
            } if *handle == self.handle => {
                let result = message.result().unwrap_or(RawJson::EMPTY_OBJECT);
                Some(Update::InputRequired(view::InputRequiredResult::new(
                    result,
                )))
            }
            Event::Ended { handle, why } if *handle == self.handle => Some(match why {
                Ended::Result(message) => {
                    match R::view(message.result().unwrap_or(RawJson::EMPTY_OBJECT)) {
                        Ok(view) => Update::Result(view),
                        Err(bad) => Update::BadResult(bad, *message),
                    }
                }
                Ended::Error(message) => match message.error() {
                    Some(error) => Update::Error(error),
                    None => Update::Ended(*why),
                },
                _ => Update::Ended(*why),
            }),
            _ => None,
        }
    }
}

impl<'c, S: Slots> Session<'c, Client, S> {
    /// Calls a tool, reads a resource, gets a prompt or completes an argument: sends what
    /// `params` says.
    ///
    /// ```
    /// use wireline::client::Update;
    /// use wireline::json::from_fn;
    /// use wireline::mcp::write::CallToolParams;
    /// use wireline::session::{Client, Options, Session, SessionError, Slots};
    ///
    /// /// Switches the LED; `exchange` sends a line and returns what came for it.
    /// fn switch<S: Slots>(
    ///     session: &mut Session<'_, Client, S>,
    ///     on: bool,
    ///     mut exchange: impl FnMut(&[u8]) -> Vec<u8>,
    /// ) -> Result<bool, SessionError> {
    ///     let arguments = from_fn(|w| { w.begin_object().member("on", &on).end_object(); });
    ///     let params = CallToolParams::new("led_set").arguments(&arguments);
    ///     let (pending, send) = session.call(&params, Options::new(), 0)?;
    ///     let mut line = [0; 512];
    ///     let n = send.write(&mut line)?;
    ///     let answer = exchange(&line[..n]);
    ///     let message = wireline::parse(&answer, &wireline::Limits::HOST);
    ///     Ok(match pending.take(&session.receive(&message, 0).event) {
    ///         Some(Update::Result(result)) => !result.is_error(),
    ///         _ => false,
    ///     })
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`request`](Session::request).
    pub fn call<'p, R: Request>(
        &mut self,
        params: &'p R,
        options: Options<'p>,
        now: Millis,
    ) -> Result<(Pending<R>, Send<'p>), SessionError>
    where
        'c: 'p,
    {
        let (handle, send) = self.request(R::METHOD.name(), params, options, now)?;
        let of = PhantomData;
        Ok((Pending { handle, of }, send))
    }
}
