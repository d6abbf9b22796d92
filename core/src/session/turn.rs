//! One call into a session.

use core::marker::PhantomData;

use super::body::{Body, Long};
use super::event::{Event, Ignored, State, Step};
use super::line::{Line, LineId};
use super::slots::{Slots, Tables};
use super::{Core, Role};
use crate::id::Id;
use crate::json::RawJson;
use crate::mcp::{Method, Revision, code};
use crate::message::{Kind, Message};
use crate::rules::Rule;

/// One call into a session of the role R with tables in S: its state, its tables, and what
/// comes of the call, which is written where the caller wants it.
pub(super) struct Turn<'t, 'c, 'm, R, S> {
    pub(super) core: &'t mut Core<'c>,
    pub(super) tables: Tables<'t>,
    pub(super) step: &'t mut Step<'m>,
    /// The id that an answer carries.
    pub(super) id: Option<Id<'m>>,
    kind: PhantomData<fn() -> (R, S)>,
}

/// Why a request is refused.
pub(super) struct Refusal {
    code: i32,
    text: &'static str,
}

impl Refusal {
    const fn new(code: i64, text: &'static str) -> Self {
        let code = code as i32;
        Refusal { code, text }
    }
}

pub(super) static UNPARSABLE: Refusal = Refusal::new(code::PARSE_ERROR, "Parse error");
pub(super) static INVALID: Refusal = Refusal::new(code::INVALID_REQUEST, "Invalid Request");
pub(super) static NOT_FOUND: Refusal = Refusal::new(code::METHOD_NOT_FOUND, "Method not found");
pub(super) static WRONG_PARAMS: Refusal = Refusal::new(code::INVALID_PARAMS, "Invalid params");
pub(super) static FULL: Refusal = Refusal::new(code::INTERNAL_ERROR, "Too many requests at once");
pub(super) static LONG_ID: Refusal =
    Refusal::new(code::INVALID_REQUEST, "The id is too long to be remembered");
pub(super) static NO_SESSION: Refusal =
    Refusal::new(code::INVALID_REQUEST, "The session is not initialized");
pub(super) static INITIALIZED: Refusal =
    Refusal::new(code::INVALID_REQUEST, "The session is initialized already");
pub(super) static IN_A_BATCH: Refusal = Refusal::new(
    code::INVALID_REQUEST,
    "initialize cannot be part of a batch",
);
pub(super) static OTHER_ERA: Refusal = Refusal::new(
    code::INVALID_REQUEST,
    "This connection has a session of another revision",
);
pub(super) static UNSUPPORTED: Refusal = Refusal::new(
    code::UNSUPPORTED_PROTOCOL_VERSION,
    "Unsupported protocol version",
);

impl<'t, 'c: 'm, 'm, R: Role, S: Slots> Turn<'t, 'c, 'm, R, S> {
    pub(super) fn new(core: &'t mut Core<'c>, tables: Tables<'t>, step: &'t mut Step<'m>) -> Self {
        Turn {
            core,
            tables,
            step,
            id: None,
            kind: PhantomData,
        }
    }

    /// The request of ours with this id on the wire.
    pub(super) fn outbound(&self, id: Option<u32>) -> Option<usize> {
        match id {
            Some(id) if S::OUTBOUND => self.tables.find_outbound(id),
            _ => None,
        }
    }

    /// The request of the peer with this id that is being worked on.
    pub(super) fn inbound(&self, id: Id<'_>) -> Option<usize> {
        if S::INBOUND {
            self.tables.find_inbound(id)
        } else {
            None
        }
    }

    pub(super) fn ignore(&mut self, why: Ignored) {
        self.step.event = Event::Ignored(why);
    }

    /// What came changes nothing, and breaks a rule.
    pub(super) fn ignore_broken(&mut self, why: Ignored, rule: Rule) {
        self.ignore(why);
        self.broke(rule);
    }

    #[inline(never)]
    pub(super) fn broke(&mut self, rule: Rule) {
        self.step.broken.add(rule);
    }

    /// Hands a notification over.
    pub(super) fn pass(&mut self, method: Option<Method>, message: &Message<'m>) {
        self.step.event = Event::Notification {
            method,
            message: *message,
        };
    }

    /// The session has come to another state, so far without a message that brought it there.
    pub(super) fn state(&mut self, state: State) {
        self.step.event = Event::State {
            state,
            message: None,
        };
    }

    /// The message that brought the session to another state, if it did.
    #[inline(never)]
    pub(super) fn brought_by(&mut self, it: &Message<'m>) {
        if let Event::State { message, .. } = &mut self.step.event {
            *message = Some(*it);
        }
    }

    /// Answers the request with a result.
    #[inline(never)]
    pub(super) fn answer(&mut self, revision: Revision, body: Body<'m>) -> &mut Line<'m> {
        self.step.send.line.insert(Line {
            kind: Kind::Result,
            id: LineId::echo(self.id),
            text: "",
            code: Long::ZERO,
            body,
            config: Some(self.core.config),
            revision,
        })
    }

    /// Answers the request with an error.
    #[inline(never)]
    pub(super) fn refuse(&mut self, why: &'static Refusal, body: Body<'m>) {
        let line = self.answer(Revision::V2025_11_25, body);
        line.kind = Kind::Error;
        line.code = Long::new(i64::from(why.code) as u64);
        line.text = why.text;
    }

    /// Refuses a request for a member of its parameters.
    pub(super) fn refuse_member(&mut self, name: &'static str) {
        self.refuse(&WRONG_PARAMS, Body::member(name));
    }

    /// Answers a request that asks for nothing.
    pub(super) fn answer_empty(&mut self) {
        self.answer(Revision::V2025_11_25, Body::empty());
    }
}

/// A member of a message's `params`.
pub(super) fn param<'m>(message: &Message<'m>, name: &str) -> Option<RawJson<'m>> {
    message.params()?.get(name)
}
