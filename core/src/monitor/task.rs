//! Tasks of 2025-11-25.

use super::Finding;
use super::memory::{Request, Status};
use super::request::task_capability;
use super::slots::Tables;
use super::state::State;
use crate::id::{Id, IdKind};
use crate::json::{JsonKind, RawJson};
use crate::mcp::{Method, Side, code, meta};
use crate::message::ErrorObject;
use crate::rules::{Rule, Violations};

/// A task's id.
fn task_id<'a>(object: RawJson<'a>) -> Option<Id<'a>> {
    let id = Id::parse(object.get("taskId")?.as_bytes())?;
    (id.kind() == IdKind::String).then_some(id)
}

/// Whether a task has the members that it must have.
fn is_whole(task: RawJson<'_>) -> bool {
    let text = |name| {
        task.get(name)
            .is_some_and(|it| it.kind() == JsonKind::String)
    };
    let ttl = task.get("ttl").map(|it| it.kind());
    text("createdAt")
        && text("lastUpdatedAt")
        && matches!(ttl, Some(JsonKind::Number | JsonKind::Null))
}

impl State {
    /// What a request breaks that asks to be a task, or that names one.
    pub(crate) fn task_request(
        &self,
        tables: &Tables<'_>,
        from: Side,
        method: Method,
        params: RawJson<'_>,
        request: &mut Request,
        finding: &mut Finding,
    ) {
        if let Some(capability) = task_capability(method)
            && params
                .get("task")
                .is_some_and(|task| task.kind() == JsonKind::Object)
        {
            match self.declared(capability.side()).has(capability) {
                true => request.set(Request::TASK_MODE, true),
                false => finding.violations.add(Rule::R142),
            }
        }
        if !matches!(
            method,
            Method::TasksGet | Method::TasksResult | Method::TasksCancel
        ) {
            return;
        }
        let Some(id) = task_id(params) else { return };
        match tables
            .task(from.other(), id)
            .and_then(|task| tables.tasks.get(task))
        {
            Some(task) => request.set(Request::TASK_ENDED, task.ended < self.seq),
            None => request.set(Request::TASK_UNKNOWN, !self.lost && !self.forgot_task),
        }
    }

    /// What is told of a task: it may not leave its last status. `since`: what is told is
    /// no older than this line.
    fn tell(
        &mut self,
        tables: &mut Tables<'_>,
        side: Side,
        told: RawJson<'_>,
        of: Option<Method>,
        since: u64,
    ) -> Violations {
        let status = told.get("status").and_then(|it| it.as_json_str());
        let (Some(id), Some(status)) = (task_id(told), status.and_then(Status::parse)) else {
            return Violations::NONE;
        };
        let Some(slot) = tables.task(side, id) else {
            self.forgot_task |= !tables.add_task(side, id, status, of, self.seq);
            return Violations::NONE;
        };
        let Some(task) = tables.tasks.get_mut(slot) else {
            return Violations::NONE;
        };
        if task.status.has_ended() {
            let stays = match task.status {
                Status::Ended => status.has_ended(),
                last => last == status,
            };
            let broken = !stays && since > task.ended;
            if task.status == Status::Ended && status.has_ended() {
                task.status = status;
            }
            return match broken {
                true => Violations::from(Rule::R138),
                false => Violations::NONE,
            };
        }
        task.status = status;
        if status.has_ended() {
            task.ended = self.seq;
        }
        Violations::NONE
    }

    /// What the answer to a request that asked to be a task breaks.
    pub(crate) fn task_made(
        &mut self,
        tables: &mut Tables<'_>,
        side: Side,
        result: RawJson<'_>,
        request: &mut Request,
    ) -> Violations {
        let Some(task) = result
            .get("task")
            .filter(|it| it.kind() == JsonKind::Object)
        else {
            return Violations::from(Rule::R137);
        };
        request.set(Request::TASK_MADE, true);
        let mut broken = Violations::NONE;
        let status = task.get("status").and_then(|it| it.as_json_str());
        if task_id(task).is_none() || status.is_none_or(|status| status != "working") {
            broken.add(Rule::R137);
        }
        if !is_whole(task) {
            broken.add(Rule::R141);
        }
        broken.or(self.tell(tables, side, task, request.method, self.seq))
    }

    /// What the result of one of the requests about tasks breaks.
    pub(crate) fn task_result(
        &mut self,
        tables: &mut Tables<'_>,
        side: Side,
        result: RawJson<'_>,
        request: &Request,
    ) -> Violations {
        let mut broken = Violations::NONE;
        match request.method {
            Some(Method::TasksGet | Method::TasksCancel) => {
                if !is_whole(result) {
                    broken.add(Rule::R141);
                }
                if request.method == Some(Method::TasksCancel) && request.is(Request::TASK_ENDED) {
                    broken.add(Rule::R139);
                }
                broken.or(self.tell(tables, side, result, None, request.seq))
            }
            Some(Method::TasksList) => {
                for task in result.get("tasks").into_iter().flat_map(|it| it.elements()) {
                    if !is_whole(task) {
                        broken.add(Rule::R141);
                    }
                    broken = broken.or(self.tell(tables, side, task, None, request.seq));
                }
                broken
            }
            Some(Method::TasksResult) => {
                let related = result
                    .get("_meta")
                    .and_then(|it| it.get(meta::RELATED_TASK));
                let Some(id) = related.and_then(task_id) else {
                    return broken.with(Rule::R140).with(Rule::R50);
                };
                let Some(slot) = tables.task(side, id) else {
                    return broken;
                };
                let Some(task) = tables.tasks.get_mut(slot) else {
                    return broken;
                };
                if let Some(method) = task.method
                    && !super::judge::has_all(result, method.required_result())
                {
                    broken.add(Rule::R140);
                }
                if !task.status.has_ended() {
                    task.status = Status::Ended;
                    task.ended = self.seq;
                }
                broken
            }
            _ => broken,
        }
    }

    /// What the refusal of one of the requests about tasks breaks.
    pub(crate) fn task_error(error: ErrorObject<'_>, request: &Request) -> Violations {
        let refused = request.is(Request::TASK_UNKNOWN)
            || request.is(Request::TASK_ENDED) && request.method == Some(Method::TasksCancel);
        match refused && !super::judge::is_code(error, code::INVALID_PARAMS) {
            true => Violations::from(Rule::R139),
            false => Violations::NONE,
        }
    }

    /// A notification of a task's status.
    pub(crate) fn task_status(
        &mut self,
        tables: &mut Tables<'_>,
        side: Side,
        params: RawJson<'_>,
    ) -> Violations {
        let whole = match is_whole(params) {
            true => Violations::NONE,
            false => Violations::from(Rule::R141),
        };
        whole.or(self.tell(tables, side, params, None, self.seq))
    }
}
