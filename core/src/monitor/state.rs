//! What a monitor knows of a connection, and how a line changes it.

use super::memory::{Life, Request};
use super::slots::{Room, Tables, Turn};
use super::{Finding, Millis, Origin, Tally, judge};
use crate::fault::Rejected;
use crate::id::Id;
use crate::mcp::{Capabilities, Era, LogLevel, Method, Revision, Revisions, Side};
use crate::message::{BatchPlace, Kind, Message};
use crate::rules::{Rule, Violations};

/// Where the handshake of the legacy era is.
///
/// ```
/// use wireline::monitor::{Monitor, MonitorSlots, Phase};
/// let monitor = Monitor::new(MonitorSlots::<4, 0, 128>::new());
/// assert_eq!(monitor.phase(), Phase::Idle);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No `initialize` yet.
    Idle,
    /// Sent, and not answered.
    Sent,
    /// Answered; `notifications/initialized` has not come.
    Answered,
    /// Done.
    Ready,
    /// Refused.
    Failed,
}

/// What is known of one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SideState {
    /// Items that it has sent.
    items: u64,
    /// Up to which line, by the monitor's count, it has read for certain.
    read: u64,
    /// It has closed its direction.
    ended: bool,
    /// Lines of it that an error without an id may be about, by what is wrong with them.
    pub(super) unread_text: u32,
    pub(super) unread_envelope: u32,
    /// Lines that may have been requests, whose ids are not known.
    pub(super) maybe_requests: u32,
    /// Lines that may have been answers, whose ids are not known.
    pub(super) maybe_answers: u32,
    /// The greatest whole number among its ids, and whether it has had others.
    greatest: i64,
    other_ids: bool,
    /// What the batch that is coming holds: 1 requests and notifications, 2 responses.
    batch: u8,
}

impl SideState {
    const fn new() -> Self {
        SideState {
            items: 0,
            read: 0,
            ended: false,
            unread_text: 0,
            unread_envelope: 0,
            maybe_requests: 0,
            maybe_answers: 0,
            greatest: i64::MIN,
            other_ids: false,
            batch: 0,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Lines of both sides so far.
    pub(crate) seq: u64,
    pub(crate) now: Millis,
    pub(crate) crossing: Millis,
    pub(crate) turn: Turn,
    pub(crate) lost: bool,
    /// A request that was done has made room for another.
    pub(crate) forgot: bool,
    /// A task has, or found none.
    pub(crate) forgot_task: bool,
    pub(crate) tally: Tally,
    of_client: SideState,
    of_server: SideState,

    // The legacy session.
    pub(crate) phase: Phase,
    pub(crate) revision: Option<Revision>,
    pub(crate) client: Capabilities,
    pub(crate) server: Capabilities,
    /// The least that may hold, if one was set.
    pub(crate) level: Option<LogLevel>,
    /// The line of the last `logging/setLevel`, by the monitor's count.
    pub(crate) level_asked: u64,
    pub(crate) subscribed: bool,
    /// The line of `initialize`.
    pub(crate) opened: u64,
    /// `notifications/initialized` came before the answer.
    pub(crate) early_initialized: bool,
    /// The client has gone on after the answer, without it.
    pub(crate) went_on: bool,

    // The modern era.
    /// It is in use.
    pub(crate) modern: bool,
    /// The server has shown that it knows it.
    pub(crate) server_is_modern: bool,
    pub(crate) modern_server: Option<Capabilities>,
    /// The versions that the server has listed, and whether there were others. One that a
    /// handshake agrees on says nothing of what else there is.
    pub(crate) supported: Revisions,
    pub(crate) supports_others: bool,
    /// Those that the client has named.
    pub(crate) named: Revisions,
    /// The server has refused a request in a way that shows that both speak the era.
    pub(crate) recognised: bool,
    /// A request has had all that the era asks for.
    pub(crate) full_request: bool,
    /// Of each list: the print of the cursor of its next page, and its scope.
    pub(crate) pages: [(u32, u8); 4],
}

/// The line that is being judged.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    pub(crate) from: Side,
    pub(crate) at: u64,
}

impl State {
    pub(crate) const fn new() -> Self {
        State {
            seq: 0,
            now: 0,
            crossing: 1000,
            turn: Turn::START,
            lost: false,
            forgot: false,
            forgot_task: false,
            tally: Tally {
                messages: 0,
                rejected: 0,
                untracked: 0,
                levels: [0; 3],
            },
            of_client: SideState::new(),
            of_server: SideState::new(),
            phase: Phase::Idle,
            revision: None,
            client: Capabilities::NONE,
            server: Capabilities::NONE,
            level: None,
            level_asked: 0,
            subscribed: false,
            opened: 0,
            early_initialized: false,
            went_on: false,
            modern: false,
            server_is_modern: false,
            modern_server: None,
            supported: Revisions::NONE,
            supports_others: false,
            named: Revisions::NONE,
            recognised: false,
            full_request: false,
            pages: [(0, 0); 4],
        }
    }

    pub(crate) fn side(&self, side: Side) -> &SideState {
        match side {
            Side::Client => &self.of_client,
            Side::Server => &self.of_server,
        }
    }

    pub(super) fn side_mut(&mut self, side: Side) -> &mut SideState {
        match side {
            Side::Client => &mut self.of_client,
            Side::Server => &mut self.of_server,
        }
    }

    pub(crate) fn items(&self, side: Side) -> u64 {
        self.side(side).items
    }

    pub(crate) fn ended(&self, side: Side) -> bool {
        self.side(side).ended
    }

    /// A legacy session is there, or about to be.
    pub(crate) const fn has_session(&self) -> bool {
        matches!(self.phase, Phase::Sent | Phase::Answered | Phase::Ready)
    }

    /// The handshake has settled what both sides can do.
    pub(crate) const fn is_settled(&self) -> bool {
        matches!(self.phase, Phase::Answered | Phase::Ready)
    }

    /// Only the modern era is in use.
    pub(crate) const fn only_modern(&self) -> bool {
        self.modern && !self.has_session()
    }

    /// The revision of what a side sends that belongs to no request.
    pub(crate) fn current(&self) -> Option<Revision> {
        match self.has_session() {
            true => self.revision,
            false => self.modern.then_some(Revision::V2026_07_28),
        }
    }

    pub(crate) fn declared(&self, side: Side) -> Capabilities {
        match side {
            Side::Client => self.client,
            Side::Server => self.server,
        }
    }

    /// Nothing is held against naming what is not known: of `requester`'s requests, some
    /// may have been missed.
    pub(crate) fn may_have_missed(&self, requester: Side) -> bool {
        self.lost || self.side(requester).maybe_requests > 0
    }

    /// Whether it is certain that a side has never asked under an id that is not known.
    pub(crate) fn never_asked(&self, side: Side, id: Id<'_>) -> bool {
        let state = self.side(side);
        let forgotten = match id.as_i64() {
            Some(number) => number <= state.greatest,
            None => state.other_ids,
        };
        !(self.may_have_missed(side) || self.forgot && forgotten)
    }

    /// A response to an unknown request of `requester` is taken to answer one that could
    /// not be read, if there is such.
    pub(crate) fn excuse_response(&mut self, requester: Side) -> bool {
        let side = self.side_mut(requester);
        let excused = side.maybe_requests > 0;
        side.maybe_requests = side.maybe_requests.saturating_sub(1);
        excused || self.lost
    }

    /// `side` has read the line that was the `seq`th.
    pub(crate) fn has_read(&mut self, side: Side, seq: u64) {
        let side = self.side_mut(side);
        side.read = side.read.max(seq);
    }

    /// Whether it is certain that `side` had read the `seq`th line, which came at `then`.
    pub(crate) fn surely_read(&self, side: Side, seq: u64, then: Millis) -> bool {
        self.side(side).read > seq || self.now.saturating_sub(then) > self.crossing
    }

    pub(crate) fn line(
        &mut self,
        tables: &mut Tables<'_>,
        from: Side,
        item: &Result<Message<'_>, Rejected<'_>>,
        now: Millis,
        at: u64,
    ) -> Finding {
        self.now = self.now.max(now);
        self.seq = self.seq.wrapping_add(1);
        let side = self.side_mut(from);
        side.items = side.items.saturating_add(1);
        let line = Line { from, at };
        let mut finding = Finding {
            revision: self.current(),
            ..Finding::NONE
        };
        match item {
            Err(bad) => {
                self.tally.rejected = self.tally.rejected.saturating_add(1);
                self.rejected(tables, line, bad, &mut finding);
            }
            Ok(message) => {
                self.tally.messages = self.tally.messages.saturating_add(1);
                finding.violations = judge::envelope(message);
                if let Some(place) = message.batch() {
                    let broken = self.batch(from, place, message.kind());
                    finding.violations = finding.violations.or(broken);
                }
                match message.kind() {
                    Kind::Request => self.request(tables, line, message, &mut finding),
                    Kind::Notification => self.notification(tables, line, message, &mut finding),
                    Kind::Result | Kind::Error => {
                        self.response(tables, line, message, &mut finding);
                    }
                }
                if let Some(revision) = finding.revision
                    && let Some(object) = judge::meta_of(message)
                {
                    let broken = judge::meta_keys(object, revision);
                    finding.violations = finding.violations.or(broken);
                }
            }
        }
        finding.lost_track = self.lost;
        self.tally.add(&finding);
        finding
    }

    fn batch(&mut self, from: Side, place: BatchPlace, kind: Kind) -> Violations {
        let revision = self.current();
        let side = self.side_mut(from);
        let before = if place.index == 0 { 0 } else { side.batch };
        let kind = match kind {
            Kind::Request | Kind::Notification => 1,
            Kind::Result | Kind::Error => 2,
        };
        side.batch = before | kind;
        let mut broken = Violations::NONE;
        match revision {
            Some(Revision::V2025_03_26) if side.batch == 3 && before != 3 => {
                broken.add(Rule::R29);
            }
            Some(revision) if place.index == 0 && Rule::R31.revisions().contains(revision) => {
                broken = broken.with(Rule::R5).with(Rule::R31);
            }
            _ => {}
        }
        broken
    }

    /// Keeps a request. Without room, the monitor has lost track.
    pub(crate) fn remember(
        &mut self,
        tables: &mut Tables<'_>,
        line: Line,
        mut request: Request,
        id: Id<'_>,
        token: Option<Id<'_>>,
    ) {
        let side = self.side_mut(line.from);
        match id.as_i64() {
            Some(number) => side.greatest = side.greatest.max(number),
            None => side.other_ids = true,
        }
        request.life = Life::Open;
        request.from = line.from;
        request.at = line.at;
        request.seq = self.seq;
        request.turned_at = self.now;
        if self.ended(line.from.other()) {
            request.set(Request::NOT_OWED, true);
        }
        match tables.add(&mut self.turn, request, id, token) {
            Some((_, Room::Free)) => {}
            Some((_, Room::Done)) => self.forgot = true,
            Some((_, Room::Cancelled)) => self.lost = true,
            None => {
                self.lost = true;
                // Its answer will not be known as one.
                if request.method == Some(Method::SetLevel) {
                    self.level = None;
                }
                if request.method == Some(Method::Initialize) && self.phase == Phase::Sent {
                    self.phase = Phase::Failed;
                }
                self.tally.untracked = self.tally.untracked.saturating_add(1);
            }
        }
    }

    /// A request has been answered.
    pub(crate) fn turn_done(&mut self, tables: &mut Tables<'_>, slot: usize) {
        let (seq, now) = (self.seq, self.now);
        if let Some(request) = tables.requests.get_mut(slot) {
            request.life = Life::Done;
            request.turned = seq;
            request.turned_at = now;
        }
    }

    /// The finding is about this request.
    pub(crate) fn point(&self, tables: &Tables<'_>, slot: usize, finding: &mut Finding) {
        if let Some(request) = tables.requests.get(slot) {
            finding.request = Some(Origin {
                from: request.from,
                at: request.at,
            });
            finding.method = request.method;
        }
    }

    pub(crate) fn gap(&mut self, tables: &mut Tables<'_>, from: Side) {
        tables.clear();
        self.lost = true;
        self.forgot = true;
        self.forgot_task = true;
        self.pages = [(0, 0); 4];
        self.level = None;
        self.side_mut(from).batch = 0;
        match self.phase {
            // The rest of the handshake may be among what is missing.
            Phase::Sent => self.phase = Phase::Failed,
            Phase::Answered => self.phase = Phase::Ready,
            Phase::Idle | Phase::Ready | Phase::Failed => {}
        }
    }

    pub(crate) fn end(
        &mut self,
        tables: &mut Tables<'_>,
        side: Side,
        now: Millis,
    ) -> Option<Finding> {
        self.now = self.now.max(now);
        self.side_mut(side).ended = true;
        let mut finding = Finding {
            revision: self.current(),
            lost_track: self.lost,
            ..Finding::NONE
        };
        if side == Side::Client && self.phase == Phase::Answered && self.went_on && !self.lost {
            self.went_on = false;
            finding.violations.add(Rule::R57);
            finding.method = Some(Method::Initialize);
            finding.request = Some(Origin {
                from: Side::Client,
                at: self.opened,
            });
            self.tally.add(&finding);
            return Some(finding);
        }
        loop {
            let owed = tables
                .open(side.other())
                .min_by_key(|(_, request)| request.seq);
            let (slot, request) = owed.map(|(slot, request)| (slot, *request))?;
            let unanswered = no_answer_to_its_batch(tables, &request);
            self.turn_done(tables, slot);
            let read = side == Side::Server && self.ended(Side::Client)
                || self.surely_read(side, request.seq, request.turned_at);
            let excused =
                !read || request.is(Request::NOT_OWED | Request::REJECTED) || request.is_listen();
            let side_state = self.side_mut(side);
            if excused || side_state.maybe_answers > 0 {
                let used = u32::from(!excused);
                side_state.maybe_answers = side_state.maybe_answers.saturating_sub(used);
                continue;
            }
            finding.violations.add(Rule::R28);
            if unanswered {
                finding.violations.add(Rule::R6);
            }
            finding.revision = request.rules().or(finding.revision);
            self.point(tables, slot, &mut finding);
            self.tally.add(&finding);
            return Some(finding);
        }
    }

    /// The era of a request that the client makes.
    pub(crate) fn era(&self, message: &Message<'_>, method: Option<Method>) -> Era {
        if method == Some(Method::Initialize) {
            return Era::Legacy;
        }
        let object = message.meta().object_in_params();
        let names_version =
            object.is_some_and(|it| it.get(crate::mcp::meta::PROTOCOL_VERSION).is_some());
        let is_new = matches!(method, Some(Method::Discover | Method::SubscriptionsListen));
        match names_version || is_new || self.only_modern() {
            true => Era::Modern,
            false => Era::Legacy,
        }
    }
}

/// Whether a request stood in a batch of the revision that has them, none of whose requests
/// has been answered.
fn no_answer_to_its_batch(tables: &Tables<'_>, request: &Request) -> bool {
    let beside =
        |it: &&Request| it.is(Request::BATCHED) && it.at == request.at && it.from == request.from;
    request.is(Request::BATCHED)
        && request.revision.is_some_and(Revision::has_batches)
        && tables
            .requests
            .iter()
            .filter(beside)
            .all(|it| it.life != Life::Done)
}
