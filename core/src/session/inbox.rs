//! What both roles do with what comes in.

use super::event::{Ended, Event, Ignored, Incoming, Step};
use super::judge::{self, Gate};
use super::line::{Body, Line, LineId, Send};
use super::slots::{Await, Handle, Millis, NoSlot, Outbound, Tables, ours, token_of};
use super::{Core, Phase};
use crate::fault::{FaultClass, FaultKind, Rejected};
use crate::id::Id;
use crate::mcp::{
    Capabilities, Capability, Era, LogLevel, Method, MethodKind, Revision, Side, code,
};
use crate::message::{Kind, Message};
use crate::rules::Rule;

/// How a request is to be served.
pub(super) struct Terms {
    pub(super) revision: Revision,
    pub(super) capabilities: Capabilities,
    pub(super) level: Option<LogLevel>,
}

/// No payload.
pub(super) const fn bare<'p>() -> Body<'p> {
    Body::Host(crate::encode::Payload::None)
}

impl<'c> Core<'c> {
    pub(super) fn message<'m>(
        &mut self,
        side: Side,
        tables: &mut Tables<'_>,
        message: Message<'m>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        match message.kind() {
            Kind::Request => match (message.id(), side) {
                (Some(id), Side::Server) => self.server_request(tables, message, id),
                (Some(id), Side::Client) => self.client_request(tables, message, id),
                (None, _) => Step::ignored(Ignored::Fault),
            },
            Kind::Notification => self.notification(side, tables, message),
            Kind::Result | Kind::Error => self.response(side, tables, message),
        }
    }

    /// The revision by which errors without an id are written, and all else that has no
    /// request of its own.
    pub(super) fn present(&self) -> Revision {
        match self.revision {
            Some(revision) => revision,
            None => self
                .config
                .revisions
                .latest()
                .unwrap_or(Revision::V2025_11_25),
        }
    }

    pub(super) fn no_id<'m>(&self) -> LineId<'m> {
        if self.present().omits_unknown_id() {
            LineId::None
        } else {
            LineId::Null
        }
    }

    /// A line that is no message.
    pub(super) fn fault<'m>(
        &mut self,
        side: Side,
        tables: &mut Tables<'_>,
        rejected: &Rejected<'m>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        let broken = judge::of_fault(rejected, side.other());
        let mut step = self.fault_step(side, tables, rejected);
        step.broken = step.broken.or(broken);
        step
    }

    fn fault_step<'m>(
        &mut self,
        side: Side,
        tables: &mut Tables<'_>,
        rejected: &Rejected<'m>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        let shape = rejected.shape();
        let class = rejected.kind().class();
        let revision = self.present();
        // A client of the modern era never writes a response.
        let mute = side == Side::Client && revision.era() == Era::Modern;
        let refuse = |id: LineId<'m>, code, text, body| {
            let line = Line::error(id, code, text, revision).body(body);
            Step {
                send: Send::one(line),
                ..Step::ignored(Ignored::Fault)
            }
        };
        match class {
            FaultClass::Text | FaultClass::Noise if self.config.policy.answer_unparsable => {
                if mute {
                    return Step::ignored(Ignored::Fault);
                }
                return refuse(self.no_id(), code::PARSE_ERROR, "Parse error", bare());
            }
            FaultClass::Limit | FaultClass::Envelope => {}
            _ => return Step::ignored(Ignored::Fault),
        }
        if !shape.method {
            // Whatever looks like a response is never answered, but it may end what it
            // answers.
            let open = rejected.id().and_then(ours).and_then(|id| {
                let index = tables.find_outbound(id)?;
                shape.jsonrpc.then_some(index)
            });
            if let Some(index) = open {
                let why = match class {
                    FaultClass::Limit => Ended::TooLong,
                    _ => Ended::BadResponse,
                };
                return self.settle(side, tables, index, why, None);
            }
            // A batch that is over a ceiling has no id, but is one all the same.
            let batch = matches!(rejected.kind(), FaultKind::Batch | FaultKind::EmptyBatch)
                || cfg!(feature = "batch")
                    && rejected.excerpt().trim_ascii_start().first() == Some(&b'[')
                || rejected.batch().is_some() && !shape.result && !shape.error;
            if batch && !mute {
                let id = if rejected.batch().is_some() {
                    LineId::Null
                } else {
                    self.no_id()
                };
                return refuse(id, code::INVALID_REQUEST, "Invalid Request", bare());
            }
            return Step::ignored(Ignored::Fault);
        }
        let Some(id) = rejected.id().filter(|_| !mute) else {
            return Step::ignored(Ignored::Fault);
        };
        let (code, body) = match rejected.limit() {
            Some(max) => (
                self.config.policy.too_long_code,
                Body::TooLong {
                    limit: rejected.kind().name(),
                    max,
                    length: rejected.length(),
                },
            ),
            None => (
                code::INVALID_REQUEST,
                Body::Fault {
                    fault: rejected.kind().name(),
                    offset: rejected.offset(),
                },
            ),
        };
        refuse(LineId::Echo(id), code, "Invalid Request", body)
    }

    /// Refuses a request.
    pub(super) fn refuse<'m>(
        id: Id<'m>,
        code: i64,
        text: &'m str,
        revision: Revision,
        body: Body<'m>,
    ) -> Step<'m> {
        Step::send(Send::one(
            Line::error(LineId::Echo(id), code, text, revision).body(body),
        ))
    }

    /// Refuses a request whose method is not for its sender to call.
    pub(super) fn not_found<'m>(id: Id<'m>, revision: Revision) -> Step<'m> {
        let text = "Method not found";
        Self::refuse(id, code::METHOD_NOT_FOUND, text, revision, bare())
    }

    /// Takes a request up, or refuses it for want of room.
    pub(super) fn admit<'m>(
        &mut self,
        tables: &mut Tables<'_>,
        message: Message<'m>,
        id: Id<'m>,
        method: Option<Method>,
        terms: &Terms,
    ) -> Step<'m> {
        let revision = terms.revision;
        if tables.find_inbound(id).is_some() {
            let rule = match revision.era() {
                Era::Legacy => Rule::R16,
                Era::Modern => Rule::R17,
            };
            return Step::ignored(Ignored::DuplicateId).broke(rule);
        }
        let serial = self.serial();
        match tables.admit(serial, id, message.meta().progress_token()) {
            Ok((index, slot)) => {
                slot.method = method;
                slot.revision = revision;
                slot.capabilities = terms.capabilities;
                slot.level = terms.level;
                let bad_token = message.meta().progress_token().is_none()
                    && message.meta().has_bad_progress_token();
                Step::event(Event::Request(Incoming {
                    handle: Handle::new(index, serial),
                    method,
                    revision,
                    message,
                }))
                .broke_if(bad_token, Rule::R117)
            }
            Err(NoSlot::Full(limit)) => Self::refuse(
                id,
                code::INTERNAL_ERROR,
                "Too many requests at once",
                revision,
                Body::Full {
                    limit: limit as u64,
                },
            ),
            Err(NoSlot::IdTooLong(max)) => Self::refuse(
                id,
                code::INVALID_REQUEST,
                "The id is too long to be remembered",
                revision,
                Body::TooLong {
                    limit: FaultKind::IdTooLong.name(),
                    max: max as u64,
                    length: id.as_bytes().len() as u64,
                },
            ),
        }
    }

    /// A notification.
    fn notification<'m>(
        &mut self,
        side: Side,
        tables: &mut Tables<'_>,
        message: Message<'m>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        let method = message.method().and_then(Method::from_json_str);
        let Some(known) = method else {
            return Step::event(Event::Notification { method, message });
        };
        if known.kind() == MethodKind::Request {
            return Step::ignored(Ignored::NotARequest).broke(match side {
                Side::Client => Rule::R3,
                Side::Server => Rule::R4,
            });
        }
        match known {
            Method::Cancelled => self.cancelled(side, tables, message),
            Method::Initialized => self.initialized(side),
            _ => {
                // Before anything is agreed on, there is nothing to measure it by.
                let revision = match (self.revision, self.modern) {
                    (Some(revision), _) => revision,
                    (None, true) if side == Side::Server => self.present(),
                    (None, _) => {
                        return match known {
                            Method::LogMessage => {
                                Step::event(Event::Notification { method, message })
                            }
                            _ => Step::ignored(Ignored::WrongState),
                        };
                    }
                };
                let offered = self.config.offered(revision);
                let refused = judge::gate(known, side.other(), revision, self.peer, offered).err();
                let mut step = match (known, refused) {
                    (_, Some(Gate::Side)) => Step::ignored(Ignored::WrongSide),
                    (Method::Progress, _) => self.progressed(tables, message),
                    _ if side == Side::Client && revision.era() == Era::Modern => {
                        self.of_subscription(tables, known, message)
                    }
                    _ => Step::event(Event::Notification { method, message }),
                };
                if let Some(gate) = refused {
                    step = step.broke(judge::rule_of(known, gate, revision));
                }
                step
            }
        }
    }

    /// `notifications/cancelled`.
    fn cancelled<'m>(
        &mut self,
        side: Side,
        tables: &mut Tables<'_>,
        message: Message<'m>,
    ) -> Step<'m> {
        let Some(target) = message.meta().request_id() else {
            return Step::ignored(Ignored::UnknownTarget).broke(Rule::R111);
        };
        // A server may only end what it was asked to keep up, in the modern era.
        if side == Side::Client && self.present().era() == Era::Modern {
            let listening = ours(target)
                .and_then(|id| tables.find_outbound(id))
                .filter(|&index| {
                    tables.outbound.get(index).is_some_and(|slot| {
                        matches!(slot.waits, Await::Acknowledgement | Await::Subscription)
                    })
                });
            return match listening {
                Some(index) => self.end(tables, index, Ended::Cancelled),
                None => {
                    let late = ours(target)
                        .is_some_and(|id| id < self.next_id && tables.find_outbound(id).is_none());
                    Step::ignored(Ignored::UnknownTarget).broke_if(!late, Rule::R113)
                }
            };
        }
        let found = tables.find_inbound(target).and_then(|index| {
            let slot = tables.inbound.get_mut(index)?;
            // A task is ended by `tasks/cancel`.
            #[cfg(feature = "tasks")]
            if slot.flags & super::slots::TASK != 0 {
                return None;
            }
            let handle = Handle::new(index, slot.serial);
            slot.serial = 0;
            Some(handle)
        });
        match found {
            Some(handle) => Step::event(Event::Cancelled { handle, message }),
            None => Step::ignored(Ignored::UnknownTarget),
        }
    }

    /// `notifications/progress`, for a request of ours.
    fn progressed<'m>(&mut self, tables: &mut Tables<'_>, message: Message<'m>) -> Step<'m> {
        let meta = message.meta();
        let Some(token) = meta.progress_token() else {
            return Step::ignored(Ignored::UnknownTarget).broke(Rule::R117);
        };
        let clock = self.clock;
        let next_id = self.next_id;
        let index = ours(token).and_then(|id| tables.find_outbound(id));
        let slot = index.and_then(|index| {
            let slot = tables.outbound.get_mut(index)?;
            // (A task's progress goes on.)
            let asked = slot.flags & super::slots::WANTS_PROGRESS != 0
                && !matches!(slot.waits, Await::Acknowledgement | Await::Subscription);
            asked.then_some((index, slot))
        });
        // The token of a request that has ended, or was answered by asking for input, is late,
        // which a peer cannot always help: the two may have crossed.
        let answered = slot
            .as_ref()
            .map_or(index.is_none(), |(_, slot)| slot.waits == Await::Input);
        let slot = slot.filter(|(_, slot)| slot.waits != Await::Input);
        let Some((index, slot)) = slot else {
            let late = answered && ours(token).is_some_and(|id| id < next_id);
            return Step::ignored(Ignored::UnknownTarget).broke_if(!late, Rule::R118);
        };
        let handle = Handle::new(index, slot.serial);
        let mut steady = true;
        if let Some(progress) = meta.progress() {
            steady = slot.last.is_below(progress);
            if steady {
                slot.last.keep(progress);
            }
        }
        if slot.extend > 0 {
            slot.soft = clock.saturating_add(Millis::from(slot.extend));
        }
        Step::event(Event::Progress { handle, message }).broke_if(!steady, Rule::R119)
    }

    /// A result or an error.
    fn response<'m>(
        &mut self,
        side: Side,
        tables: &mut Tables<'_>,
        message: Message<'m>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        let only_modern = self.phase == Phase::Idle
            && (self.modern || self.config.revisions.latest_legacy().is_none());
        if side == Side::Server && only_modern {
            return Step::ignored(Ignored::WrongSide).broke(Rule::R7);
        }
        let Some(id) = message.id() else {
            return match self.only_probe(side, tables) {
                Some(index) => {
                    self.settle(side, tables, index, Ended::Error(message), Some(message))
                }
                None => Step::event(Event::ConnectionError(message)),
            };
        };
        let number = ours(id);
        let found = number.and_then(|id| tables.find_outbound(id));
        // A request that waits for input has been answered, and is not on the wire.
        let found = found.filter(|&index| {
            tables
                .outbound
                .get(index)
                .is_some_and(|slot| slot.is_on_the_wire())
        });
        let Some(index) = found else {
            return match number {
                Some(id) if id < self.next_id => Step::ignored(Ignored::Late),
                _ => Step::ignored(Ignored::UnknownId).broke(Rule::R18),
            };
        };
        let why = match message.kind() {
            Kind::Result => Ended::Result(message),
            _ => Ended::Error(message),
        };
        self.settle(side, tables, index, why, Some(message))
    }

    /// A request of ours has been answered somehow.
    fn settle<'m>(
        &mut self,
        side: Side,
        tables: &mut Tables<'_>,
        index: usize,
        why: Ended<'m>,
        message: Option<Message<'m>>,
    ) -> Step<'m>
    where
        'c: 'm,
    {
        let waits = tables.outbound.get(index).map(|slot| slot.waits);
        match (side, waits) {
            (Side::Client, Some(Await::Probe | Await::Handshake)) => {
                self.opened(tables, index, why)
            }
            (Side::Client, _) => self.answered(tables, index, why, message),
            (Side::Server, _) => self.end(tables, index, why),
        }
    }

    /// Ends a request of ours.
    pub(super) fn end<'m>(
        &mut self,
        tables: &mut Tables<'_>,
        index: usize,
        why: Ended<'m>,
    ) -> Step<'m> {
        match tables.outbound.get_mut(index) {
            Some(slot) => {
                let handle = Handle::new(index, slot.serial);
                #[cfg(feature = "tasks")]
                if slot.becomes_task(&why) {
                    return Step::event(Event::Ended { handle, why });
                }
                let rule = required_result(slot, &why);
                *slot = Outbound::VACANT;
                Step::event(Event::Ended { handle, why }).broke_if(rule, Rule::R104)
            }
            None => Step::NOTHING,
        }
    }

    /// The capabilities that decide whether the peer may use a method.
    pub(super) fn gate_inbound(
        &self,
        method: Method,
        sender: Side,
        revision: Revision,
    ) -> Result<(), Gate> {
        judge::gate(
            method,
            sender,
            revision,
            self.peer,
            self.config.offered(revision),
        )
    }

    /// The progress token that a request of the peer gave.
    pub(super) fn token<'t>(tables: &'t Tables<'_>, index: usize) -> Option<Id<'t>> {
        token_of(tables.inbound, tables.text, index)
    }
}

/// Whether a result lacks a member that its method's results must have.
fn required_result(slot: &Outbound, why: &Ended<'_>) -> bool {
    match (slot.method, why) {
        (Some(method), Ended::Result(message)) if slot.waits == Await::Answer => {
            judge::missing(method.required_result(), message.result()).is_some()
        }
        _ => false,
    }
}

/// The capability without which a request of the server's cannot be met.
pub(super) fn of_elicitation(message: &Message<'_>) -> Capability {
    let mode = message.params().and_then(|params| params.get("mode"));
    match mode.and_then(|mode| mode.as_json_str()) {
        Some(mode) if mode == "url" => Capability::ElicitationUrl,
        _ => Capability::ElicitationForm,
    }
}
