//! What both roles do with what comes in.

use super::body::{Body, Long};
use super::event::{Ended, Event, Ignored, Incoming};
use super::judge::{self, Gate};
use super::line::null_id;
use super::slots::{Await, Handle, Inbound, Millis, NoSlot, Outbound, Slots, WANTS_PROGRESS, ours};
use super::turn::{FULL, INVALID, LONG_ID, NOT_FOUND, Turn, UNPARSABLE, param};
use super::{Core, Phase, Role};
use crate::fault::{FaultClass, FaultKind, Rejected};
use crate::id::Id;
use crate::json::JsonStr;
use crate::mcp::{Capabilities, Capability, Era, Method, MethodKind, Revision, Side};
use crate::message::{Kind, Message};
use crate::rules::{Rule, Violations};

impl Core<'_> {
    /// The revision by which errors without an id are written, and all else that has no
    /// request of its own.
    pub(super) fn present(&self) -> Revision {
        self.revision
            .or_else(|| match self.phase {
                // It is to be one of the legacy era, whatever else we speak.
                Phase::Opening => self.config.revisions.latest_legacy(),
                _ => self.config.revisions.latest(),
            })
            .unwrap_or(Revision::V2025_11_25)
    }

    /// The revision that what comes is judged by, if that is settled: agreed on, or the modern
    /// one once a server has served it, or where there is no other.
    pub(super) fn settled(&self) -> Option<Revision> {
        let modern = self.modern || self.config.revisions.latest_legacy().is_none();
        let latest = self.config.revisions.latest_modern();
        self.revision.or_else(|| latest.filter(|_| modern))
    }

    /// What both sides have declared.
    pub(super) fn declared(&self, side: Side, revision: Revision) -> Capabilities {
        self.config.offered(revision).of_side(side).or(self.peer)
    }

    /// Whether an id is one of ours that was used before.
    pub(super) fn was_used(&self, id: Option<u32>) -> bool {
        id.is_some_and(|id| id < self.next_id)
    }
}

impl<'c: 'm, 'm, R: Role, S: Slots> Turn<'_, 'c, 'm, R, S> {
    pub(super) fn message(&mut self, message: &Message<'m>) {
        let method = message.method().and_then(Method::from_json_str);
        self.id = message.id();
        match (message.kind(), self.id) {
            (Kind::Request, None) => self.ignore(Ignored::Fault),
            // That id is owed one answer, whatever is asked under it now.
            (Kind::Request, Some(id)) if self.inbound(id).is_some() => {
                let rule = if message.meta().is_modern() {
                    Rule::R17
                } else {
                    Rule::R16
                };
                self.ignore_broken(Ignored::DuplicateId, rule);
            }
            (Kind::Request, Some(_)) => match R::SIDE {
                Side::Server => self.server_request(message, method),
                Side::Client => self.client_request(message, method),
            },
            (Kind::Notification, _) => self.notification(message, method),
            (Kind::Result | Kind::Error, id) => self.response(message, id),
        }
    }

    /// The request of ours with this id, if an answer may still come: one that waits for
    /// input has been answered.
    fn awaited(&self, id: Option<u32>) -> Option<usize> {
        self.outbound(id).filter(|&index| {
            let slot = self.tables.outbound.get(index);
            slot.is_some_and(Outbound::is_on_the_wire)
        })
    }

    /// A client of the modern era never writes a response.
    pub(super) fn is_mute(&self) -> bool {
        R::SIDE == Side::Client && self.core.present().era() == Era::Modern
    }

    /// An error that answers nothing in particular.
    fn set_no_id(&mut self, omit: bool) {
        self.id = if omit { None } else { null_id() };
    }

    /// A line that is no message.
    pub(super) fn fault(&mut self, rejected: &Rejected<'m>) {
        self.ignore(Ignored::Fault);
        self.step.broken =
            Violations::of_fault(rejected, Some(R::SIDE.other()), self.core.settled());
        let shape = rejected.shape();
        let class = rejected.kind().class();
        let omits = self.core.present().omits_unknown_id();
        match class {
            FaultClass::Text | FaultClass::Noise if self.core.config.policy.answer_unparsable => {
                if !self.is_mute() {
                    self.set_no_id(omits);
                    self.refuse(&UNPARSABLE, Body::none());
                }
                return;
            }
            FaultClass::Limit | FaultClass::Envelope => {}
            _ => return,
        }
        let response = shape.result || shape.error;
        if shape.method && !response {
            self.id = rejected.id();
            let free = self.id.is_some_and(|id| self.inbound(id).is_none());
            if free && !self.is_mute() {
                self.refuse_fault(rejected);
            }
            return;
        }
        // Whatever looks like a response is never answered, but it may end what it answers:
        // unless it looks like a request as well.
        if rejected.method().is_some() {
            return;
        }
        let id = rejected.id().filter(|_| shape.jsonrpc).and_then(ours);
        if let Some(index) = self.awaited(id) {
            let why = match class {
                FaultClass::Limit => Ended::TooLong,
                _ => Ended::BadResponse,
            };
            return self.settle(index, why);
        }
        // A batch that is over a ceiling has no id, but is one all the same.
        let element = rejected.batch().is_some();
        let batch = matches!(rejected.kind(), FaultKind::Batch | FaultKind::EmptyBatch)
            || cfg!(feature = "batch")
                && rejected.excerpt().trim_ascii_start().first() == Some(&b'[')
            || element && !response;
        if batch && !self.is_mute() {
            self.set_no_id(omits && !element);
            self.refuse(&INVALID, Body::none());
        }
    }

    /// Answers what would have been a request.
    fn refuse_fault(&mut self, rejected: &Rejected<'m>) {
        let name = rejected.kind().name();
        match rejected.limit() {
            Some(max) => {
                self.refuse(&INVALID, Body::too_long(name, max, rejected.length()));
                if let Some(line) = &mut self.step.send.line {
                    line.code = Long::new(self.core.config.policy.too_long_code as u64);
                }
            }
            None => self.refuse(&INVALID, Body::fault(name, rejected.offset())),
        }
    }

    /// Whether a method is not for its sender to call; it is refused then.
    pub(super) fn is_beyond_gate(&mut self, method: Method, revision: Revision) -> bool {
        let declared = self.core.declared(R::SIDE, revision);
        let rule = match method.kind() {
            MethodKind::Notification => Some(Rule::R24),
            MethodKind::Request => {
                judge::gate(method, R::SIDE.other(), revision, declared).map(|(_, rule)| rule)
            }
        };
        let Some(rule) = rule else {
            return false;
        };
        self.refuse(&NOT_FOUND, Body::none());
        self.broke(rule);
        true
    }

    /// Takes a request up, or refuses it for want of room.
    pub(super) fn admit(
        &mut self,
        message: &Message<'m>,
        method: Option<Method>,
        revision: Revision,
    ) -> Option<&mut Inbound> {
        let id = self.id?;
        let meta = message.meta();
        let token = meta.progress_token();
        let serial = self.core.serial();
        let admitted = if S::INBOUND {
            self.tables.admit(serial, id, token)
        } else {
            Err(NoSlot::Full(0))
        };
        let index = match admitted {
            Ok(index) => index,
            Err(NoSlot::Full(slots)) => {
                self.refuse(&FULL, Body::full(slots));
                return None;
            }
            Err(NoSlot::IdTooLong(max)) => {
                let name = FaultKind::IdTooLong.name();
                let length = id.as_bytes().len() as u64;
                self.refuse(&LONG_ID, Body::too_long(name, max as u64, length));
                return None;
            }
        };
        self.step.event = Event::Request(Incoming {
            handle: Handle::new(index, serial),
            method,
            revision,
            message: *message,
        });
        if token.is_none() && meta.has_bad_progress_token() {
            self.broke(Rule::R117);
        }
        let slot = self.tables.inbound.get_mut(index)?;
        slot.method = method;
        slot.revision = revision;
        #[cfg(feature = "tasks")]
        if super::turn::param(message, "task").is_some() {
            slot.flags |= super::slots::ASKS_FOR_TASK;
        }
        Some(slot)
    }

    /// A notification.
    fn notification(&mut self, message: &Message<'m>, method: Option<Method>) {
        let Some(known) = method else {
            return self.pass(method, message);
        };
        if known.kind() == MethodKind::Request {
            return self.ignore_broken(Ignored::NotARequest, Rule::R14);
        }
        match known {
            Method::Cancelled => return self.cancelled(message),
            Method::Initialized if R::SIDE == Side::Server => {
                self.initialized();
                return self.brought_by(message);
            }
            _ => {}
        }
        let served = self.core.modern && R::SIDE == Side::Server;
        if self.core.revision.is_none() && !served {
            // Before anything is agreed on, there is nothing to measure it by.
            return match known {
                Method::LogMessage => self.pass(method, message),
                _ => self.ignore(Ignored::WrongState),
            };
        }
        let revision = self.core.present();
        let declared = self.core.declared(R::SIDE, revision);
        let refused = judge::gate(known, R::SIDE.other(), revision, declared);
        // That both sides keep to what was agreed on is a rule of the legacy era.
        if let Some((_, rule)) = refused
            && (rule != Rule::R62 || revision.era() == Era::Legacy)
        {
            self.broke(rule);
        }
        match (known, refused) {
            (_, Some((Gate::Side, _))) => self.ignore(Ignored::WrongSide),
            (Method::Progress, _) => self.progressed(message),
            _ if self.is_mute() => self.of_subscription(known, message),
            _ => self.pass(method, message),
        }
    }

    /// `notifications/cancelled`.
    fn cancelled(&mut self, message: &Message<'m>) {
        self.ignore(Ignored::UnknownTarget);
        let Some(target) = message.meta().request_id() else {
            return self.broke(Rule::R111);
        };
        // A server may only end what it was asked to keep up, in the modern era.
        if self.is_mute() {
            let number = ours(target);
            let found = self.outbound(number);
            let listening = found.filter(|&index| self.tables.is_listening(index));
            match listening {
                Some(index) => self.end(index, Ended::Cancelled),
                None if found.is_none() && self.core.was_used(number) => {}
                None => self.broke(Rule::R113),
            }
            return;
        }
        let index = self.inbound(target);
        let slot = index.and_then(|index| self.tables.inbound.get_mut(index));
        // A task is ended by `tasks/cancel`.
        #[cfg(feature = "tasks")]
        let slot = slot.filter(|slot| slot.flags & super::slots::TASK == 0);
        if let (Some(index), Some(slot)) = (index, slot) {
            let handle = Handle::new(index, slot.serial);
            slot.serial = 0;
            self.step.event = Event::Cancelled {
                handle,
                message: *message,
            };
        }
    }

    /// `notifications/progress`, for a request of ours.
    fn progressed(&mut self, message: &Message<'m>) {
        self.ignore(Ignored::UnknownTarget);
        let meta = message.meta();
        let Some(token) = meta.progress_token() else {
            return self.broke(Rule::R118);
        };
        let number = ours(token);
        let found = self.outbound(number);
        let asked = found.filter(|&index| !self.tables.is_listening(index));
        let slot = asked.and_then(|index| self.tables.outbound.get_mut(index));
        // (A task's progress goes on.)
        let slot = slot.filter(|slot| slot.flags & WANTS_PROGRESS != 0);
        let answered = match &slot {
            Some(slot) => slot.waits == Await::Input,
            None => found.is_none(),
        };
        let slot = slot.filter(|_| !answered);
        let (Some(index), Some(slot)) = (asked, slot) else {
            // The token of a request that has ended, or was answered by asking for input, is
            // late, which a peer cannot always help: the two may have crossed.
            if !answered || !self.core.was_used(number) {
                self.broke(Rule::R118);
            }
            return;
        };
        let handle = Handle::new(index, slot.serial);
        let progress = meta.progress();
        let steady = progress.is_none_or(|it| slot.last.is_below(it));
        if let (Some(progress), true) = (progress, steady) {
            slot.last.keep(progress);
        }
        if slot.extend > 0 {
            slot.soft = self.core.clock.saturating_add(Millis::from(slot.extend));
        }
        self.step.event = Event::Progress {
            handle,
            message: *message,
        };
        if !steady {
            self.broke(Rule::R119);
        }
    }

    /// A result or an error.
    fn response(&mut self, message: &Message<'m>, id: Option<Id<'m>>) {
        let only_modern = self.core.phase == Phase::Idle
            && (self.core.modern || self.core.config.revisions.latest_legacy().is_none());
        if R::SIDE == Side::Server && only_modern {
            return self.ignore_broken(Ignored::WrongSide, Rule::R7);
        }
        let index = match id {
            Some(id) => {
                let number = ours(id);
                let found = self.awaited(number);
                if found.is_none() && self.core.was_used(number) {
                    return self.ignore(Ignored::Late);
                }
                if found.is_none() {
                    return self.ignore_broken(Ignored::UnknownId, Rule::R18);
                }
                found
            }
            // An error without an id is for the probe, if that is all that is under way.
            None => self.only_probe(),
        };
        let Some(index) = index else {
            self.step.event = Event::ConnectionError(*message);
            return;
        };
        let why = match message.kind() {
            Kind::Result => Ended::Result(*message),
            _ => Ended::Error(*message),
        };
        self.settle(index, why);
    }

    /// A request of ours has been answered somehow.
    fn settle(&mut self, index: usize, why: Ended<'m>) {
        match (R::SIDE, self.tables.waits(index)) {
            (Side::Client, Some(Await::Probe | Await::Handshake)) => self.opened(index, why),
            (Side::Client, _) => self.answered(index, why),
            (Side::Server, _) => self.end(index, why),
        }
    }

    /// Ends a request of ours.
    pub(super) fn end(&mut self, index: usize, why: Ended<'m>) {
        let Some(slot) = self.tables.outbound.get_mut(index) else {
            return;
        };
        let handle = Handle::new(index, slot.serial);
        #[cfg(feature = "tasks")]
        if self.core.revision == Some(Revision::V2025_11_25) && slot.becomes_task(&why) {
            self.step.event = Event::Ended { handle, why };
            return;
        }
        let lacks = lacks_result(slot, &why);
        slot.vacate();
        self.step.event = Event::Ended { handle, why };
        if lacks {
            self.broke(Rule::R104);
        }
    }
}

/// Whether a result lacks a member that its method's results must have.
fn lacks_result(slot: &Outbound, why: &Ended<'_>) -> bool {
    match (slot.method, why) {
        (Some(method), Ended::Result(message)) if slot.waits == Await::Answer => {
            judge::missing(method.required_result(), message.result()).is_some()
        }
        _ => false,
    }
}

/// The mode of an elicitation.
pub(super) fn mode<'m>(message: &Message<'m>) -> Option<JsonStr<'m>> {
    param(message, "mode")?.as_json_str()
}

/// The capability without which a request of the server's cannot be met.
pub(super) fn of_elicitation(message: &Message<'_>) -> Capability {
    match mode(message) {
        Some(mode) if mode == "url" => Capability::ElicitationUrl,
        _ => Capability::ElicitationForm,
    }
}
