//! Requests that were answered by asking for input, and their retries.

use super::Finding;
use super::grammar::{Print, value_print};
use super::judge;
use super::memory::{Life, Request};
use super::slots::Tables;
use super::state::State;
use crate::id::Id;
use crate::json::{JsonKind, RawJson};
use crate::mcp::Side;
use crate::rules::{Rule, Violations};

/// The print of parameters without what a retry adds and may change.
pub(crate) fn params_print(params: RawJson<'_>) -> u32 {
    let mut sum = 0u32;
    for (name, value) in params.members() {
        if name != "_meta" && name != "inputResponses" && name != "requestState" {
            let mut print = Print::new().text(name);
            print.number(u64::from(value_print(value)));
            sum = sum.wrapping_add(print.get());
        }
    }
    sum
}

/// The print of the names in an object; zero if there are none.
fn keys_print(object: Option<RawJson<'_>>) -> u32 {
    let mut sum = 0u32;
    for (name, _) in object.into_iter().flat_map(|it| it.members()) {
        sum = sum.wrapping_add(Print::new().text(name).get());
    }
    sum
}

/// The print of a cursor; never zero.
pub(crate) fn cursor_print(cursor: RawJson<'_>) -> u32 {
    value_print(cursor) | 1
}

/// What a result that asks for input breaks, given the request's own declarations; the
/// request is marked as one that may be retried.
pub(crate) fn asked(result: RawJson<'_>, request: &mut Request) -> Violations {
    let mut broken = Violations::NONE;
    let (inputs, state) = (result.get("inputRequests"), result.get("requestState"));
    if !request.method.is_some_and(|method| method.may_ask_input()) {
        broken.add(Rule::R92);
    }
    if inputs.is_none() && state.is_none() {
        broken.add(Rule::R93);
    }
    if inputs.is_some_and(|inputs| inputs.kind() != JsonKind::Object) {
        broken.add(Rule::R94);
    }
    for (_, input) in inputs.into_iter().flat_map(|it| it.members()) {
        broken = broken.or(judge::input(input, request.capabilities));
    }
    if result.get("ttlMs").is_some() || result.get("cacheScope").is_some() {
        broken.add(Rule::R101);
    }
    request.set(Request::ASKED, true);
    request.set(Request::ASKED_STATE, state.is_some());
    request.keys_print = keys_print(inputs);
    request.state_print = state.map_or(0, value_print);
    broken
}

impl State {
    /// Holds a retry against the request that it repeats. Which one that is, its parameters
    /// tell, or else its state.
    pub(crate) fn retry(
        &self,
        tables: &Tables<'_>,
        id: Id<'_>,
        params: RawJson<'_>,
        request: &Request,
        finding: &mut Finding,
    ) {
        let (answers, state) = (params.get("inputResponses"), params.get("requestState"));
        if answers.is_none() && state.is_none() {
            return;
        }
        if answers.is_some_and(|answers| answers.kind() != JsonKind::Object) {
            finding.violations.add(Rule::R96);
        }
        for (_, answer) in answers.into_iter().flat_map(|it| it.members()) {
            if answer.get("action").is_some() {
                let broken = judge::elicited(answer, true);
                finding.violations = finding.violations.or(broken);
            }
        }
        let (keys, print) = (keys_print(answers), state.map(value_print));
        let mut best: Option<(u8, usize)> = None;
        for (slot, asked) in tables.requests.iter().enumerate() {
            let is_one = asked.is(Request::ASKED)
                && asked.from == Side::Client
                && asked.life == Life::Done
                && asked.method == request.method;
            if !is_one {
                continue;
            }
            let same_params = asked.params_print == request.params_print;
            let same_state = print == asked.is(Request::ASKED_STATE).then_some(asked.state_print);
            let shared_state = same_state && print.is_some();
            if !same_params && !shared_state {
                continue;
            }
            let rank = u8::from(same_params)
                .wrapping_add(u8::from(same_state).wrapping_mul(2))
                .wrapping_add(u8::from(asked.keys_print == keys));
            if best.is_none_or(|(most, _)| rank >= most) {
                best = Some((rank, slot));
            }
        }
        let certain = !self.lost && !self.forgot;
        let Some((_, slot)) = best else {
            // Nothing that was asked has these parameters or this state.
            if certain && state.is_some() {
                finding.violations.add(Rule::R97);
            }
            return;
        };
        let Some(asked) = tables.requests.get(slot) else {
            return;
        };
        let method = finding.method;
        self.point(tables, slot, finding);
        finding.method = method;
        if print != asked.is(Request::ASKED_STATE).then_some(asked.state_print) {
            finding.violations.add(Rule::R97);
        }
        if asked.params_print != request.params_print || asked.keys_print != keys {
            finding.violations.add(Rule::R96);
        }
        if tables.has_id(slot, id) {
            finding.violations.add(Rule::R98);
        }
    }
}
