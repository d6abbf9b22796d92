//! Tasks of 2025-11-25: requests that are answered at once, and whose work goes on.
//!
//! What a task is, and in which state, is the host's: `tasks/get`, `tasks/result`,
//! `tasks/list` and `tasks/cancel` come to it like other requests, and it sends them like
//! others. The session keeps what binds a task to the request that it came of: the progress
//! token, which stays good until the task has ended, and the rule that a task is cancelled by
//! `tasks/cancel` alone.

use super::event::{Ended, SessionError};
use super::line::Send;
use super::slots::{
    ASKS_FOR_TASK, Await, Handle, Millis, Outbound, Slots, TASK, Tables, WANTS_PROGRESS, WANTS_TASK,
};
use super::{Core, Reply, Role, Session};
use crate::encode::Payload;
use crate::mcp::{Capability, Method, Revision, Side};
use crate::rules::Rule;

impl Outbound {
    /// Whether the answer turns the request into a task, so that its progress goes on. The
    /// slot is kept for that.
    pub(super) fn becomes_task(&mut self, why: &Ended<'_>) -> bool {
        let Ended::Result(message) = why else {
            return false;
        };
        let task = message
            .result()
            .and_then(|it| it.get("task")?.get("taskId"));
        let wanted = WANTS_TASK | WANTS_PROGRESS;
        if task.is_none() || self.flags & wanted != wanted {
            return false;
        }
        self.waits = Await::Task;
        self.soft = Millis::MAX;
        self.hard = Millis::MAX;
        self.extend = 0;
        true
    }
}

impl Core<'_> {
    /// Whether a request of ours may be answered with a task: the peer declared tasks for it,
    /// and it has `task`, as far as can be seen.
    pub(super) fn asks_for_task(&self, method: Option<Method>, payload: &Payload<'_>) -> bool {
        let needs = match method {
            Some(Method::ToolsCall) => Capability::ServerTasksTools,
            Some(Method::CreateMessage) => Capability::ClientTasksSampling,
            Some(Method::Elicit) => Capability::ClientTasksElicitation,
            _ => return false,
        };
        self.peer.has(needs)
            && match payload {
                Payload::None => false,
                Payload::Raw(raw) => raw.get("task").is_some(),
                _ => true,
            }
    }
}

/// Lets go of every task, since no progress can come any more.
pub(super) fn lose(tables: &mut Tables<'_>) {
    for slot in tables.outbound.iter_mut() {
        if slot.serial != 0 && slot.waits == Await::Task {
            *slot = Outbound::VACANT;
        }
    }
}

impl<'c, R: Role, S: Slots> Session<'c, R, S> {
    pub(super) fn not_a_task(&self, handle: Handle) -> Result<(), SessionError> {
        let slot = self.slots.inbound().get(handle.index());
        match slot {
            Some(slot) if slot.flags & TASK != 0 => Err(SessionError::StaleHandle),
            _ => Ok(()),
        }
    }

    /// Answers a request with a task: the result is an object with the member `task`. The
    /// handle stays good for [`progress`](Session::progress) until
    /// [`end_task`](Session::end_task); the outcome is asked for by `tasks/result`, as a
    /// request of its own.
    ///
    /// # Errors
    ///
    /// [`StaleHandle`](SessionError::StaleHandle); [`Gate`](SessionError::Gate) with R143 for
    /// a request of another revision or without `task`, or where we declared no tasks for it;
    /// [`Write`](SessionError::Write).
    pub fn respond_with_task<'p>(
        &mut self,
        handle: Handle,
        reply: impl Into<Reply<'p>>,
    ) -> Result<Send<'p>, SessionError>
    where
        'c: 'p,
    {
        let (revision, method) = self.slots.tables().served(handle)?;
        let needs = match (method, R::SIDE) {
            (Some(Method::ToolsCall), Side::Server) => Capability::ServerTasksTools,
            (Some(Method::CreateMessage), Side::Client) => Capability::ClientTasksSampling,
            (Some(Method::Elicit), Side::Client) => Capability::ClientTasksElicitation,
            _ => return Err(SessionError::Gate(Rule::R143)),
        };
        let slot = self.slots.inbound().get(handle.index());
        let asked = slot.is_some_and(|slot| slot.flags & ASKS_FOR_TASK != 0);
        let declared = self.core.config.capabilities.has(needs);
        if revision != Revision::V2025_11_25 || !asked || !declared {
            return Err(SessionError::Gate(Rule::R143));
        }
        let send = self.respond(handle, reply)?;
        // The slot was freed; nothing can have taken it since.
        let tables = self.slots.tables();
        if let Some(slot) = tables.inbound.get_mut(handle.index())
            && slot.token_len != 0
        {
            slot.serial = handle.serial();
            slot.flags |= TASK;
        }
        Ok(send)
    }

    /// A task has ended: of the peer's request, no more progress is sent; of ours, no more is
    /// waited for. A handle that is stale already is no error.
    pub fn end_task(&mut self, handle: Handle) {
        let mut tables = self.slots.tables();
        if let Some(slot) = tables.inbound_at(handle)
            && slot.flags & TASK != 0
        {
            slot.serial = 0;
        }
        if let Some(slot) = tables.outbound_at(handle)
            && slot.waits == Await::Task
        {
            *slot = Outbound::VACANT;
        }
    }
}
