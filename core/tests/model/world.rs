//! Two sides, the channels between them, and what can happen next.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use stateright::{Model, Property};
use wireline::mcp::{Capabilities, Capability, Era, Revisions, Side};
use wireline::session::{Config, Implementation, State};

use super::host::{ClientHost, Host, Line, ServerHost, Sightings, Tables, Waits, What, about};

/// How often each thing may happen.
#[derive(Clone, Copy, Debug, Default, Hash, PartialEq, Eq)]
pub struct Budget {
    pub calls: u8,
    pub listens: u8,
    /// Requests of a server's, pings aside, and results that ask for input.
    pub asks: u8,
    pub pings: u8,
    pub cancels: u8,
    pub progress: u8,
    pub changes: u8,
    /// Clocks that jump to the next time-out.
    pub time: u8,
    /// Lines that are lost, doubled, or overtaken by the next one.
    pub losses: u8,
    pub doubles: u8,
    pub overtakes: u8,
    /// Inputs that end.
    pub closes: u8,
    /// Servers that die and are started again.
    pub restarts: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Connect,
    Call,
    Listen,
    Ping(Side),
    AskForRoots,
    Cancel(Side, usize),
    Respond(Side, usize),
    Fail(Side, usize),
    Progress(usize),
    AskForInput(usize),
    Retry(usize),
    Accept(usize),
    EndSubscription(usize),
    Change,
    /// To this side; the first line, or the second before it.
    Deliver(Side, usize),
    Double(Side),
    Lose(Side),
    Expire(Side),
    Close(Side),
    Restart,
}

#[derive(Clone, Debug)]
pub struct World {
    pub client: ClientHost,
    pub server: ServerHost,
    pub to_client: VecDeque<Line>,
    pub to_server: VecDeque<Line>,
    pub left: Budget,
    /// Something was lost, so that not all will be answered.
    pub lossy: bool,
    /// The channels were faultless, and no clock has jumped.
    pub clean: bool,
    /// The server closed while it was probed.
    pub known_legacy: bool,
    pub breach: Option<&'static str>,
}

impl Hash for World {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.client.fold(state);
        self.server.fold(state);
        self.to_client.hash(state);
        self.to_server.hash(state);
        self.left.hash(state);
        (self.lossy, self.clean, self.known_legacy, self.breach).hash(state);
    }
}

/// Sessions cannot be compared, their digests can.
impl PartialEq for World {
    fn eq(&self, other: &World) -> bool {
        let digest = |world: &World| {
            let mut hasher = DefaultHasher::new();
            world.hash(&mut hasher);
            hasher.finish()
        };
        digest(self) == digest(other)
    }
}

/// Which eras a side speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaks {
    Legacy,
    Modern,
    Both,
}

impl Speaks {
    pub const fn name(self) -> &'static str {
        match self {
            Speaks::Legacy => "legacy",
            Speaks::Modern => "modern",
            Speaks::Both => "dual",
        }
    }

    const fn revisions(self) -> Revisions {
        match self {
            Speaks::Legacy => Revisions::LEGACY,
            Speaks::Modern => Revisions::MODERN,
            Speaks::Both => Revisions::ALL,
        }
    }
}

const fn config(side: Side, speaks: Speaks) -> Config<'static> {
    let capabilities = match side {
        Side::Client => Capabilities::NONE.with(Capability::Roots),
        Side::Server => Capabilities::NONE.with(Capability::ToolsListChanged),
    };
    Config::new(Implementation::new("m", "1"))
        .with_revisions(speaks.revisions())
        .with_capabilities(capabilities)
        .with_timeouts(1000, 3000)
        .with_probe_timeout(500)
        .with_rounds(1)
}

static CONFIGS: [[Config<'static>; 3]; 2] = [
    [
        config(Side::Client, Speaks::Legacy),
        config(Side::Client, Speaks::Modern),
        config(Side::Client, Speaks::Both),
    ],
    [
        config(Side::Server, Speaks::Legacy),
        config(Side::Server, Speaks::Modern),
        config(Side::Server, Speaks::Both),
    ],
];

/// One pairing with one budget.
#[derive(Clone, Debug)]
pub struct Pairing {
    pub client: Speaks,
    pub server: Speaks,
    pub budget: Budget,
    pub seen: Arc<Sightings>,
}

impl Pairing {
    pub fn new_client(&self) -> ClientHost {
        let config = &CONFIGS[0][self.client as usize];
        Host::new(config, Tables::new())
    }

    pub fn new_server(&self) -> ServerHost {
        let config = &CONFIGS[1][self.server as usize];
        Host::new(config, Tables::new())
    }
}

fn ready(state: State) -> Option<Era> {
    match state {
        State::Ready(revision) => Some(revision.era()),
        _ => None,
    }
}

impl World {
    pub fn queue(&mut self, to: Side) -> &mut VecDeque<Line> {
        match to {
            Side::Client => &mut self.to_client,
            Side::Server => &mut self.to_server,
        }
    }

    pub fn send(&mut self, to: Side, lines: Vec<Line>) {
        let closed = match to {
            Side::Client => self.client.closed,
            Side::Server => self.server.closed,
        };
        if !closed {
            self.queue(to).extend(lines);
        }
    }

    fn host_actions(&self, actions: &mut Vec<Action>) {
        let left = &self.left;
        let era = ready(self.client.session.state());
        if self.client.session.state() == State::Idle && !self.client.closed {
            actions.push(Action::Connect);
        }
        if era.is_some() && left.calls > 0 {
            actions.push(Action::Call);
        }
        if era == Some(Era::Modern) && left.listens > 0 {
            actions.push(Action::Listen);
        }
        let can_ping = era == Some(Era::Legacy) || self.client.session.state() == State::Opening;
        if can_ping && left.pings > 0 {
            actions.push(Action::Ping(Side::Client));
        }
        let legacy = self.server.session.revision().is_some() && !self.server.closed;
        if legacy && left.pings > 0 {
            actions.push(Action::Ping(Side::Server));
        }
        let opened = ready(self.server.session.state()) == Some(Era::Legacy);
        if opened && left.asks > 0 {
            actions.push(Action::AskForRoots);
        }
        let subscribed = self.server.work.iter().any(|work| work.open);
        if left.changes > 0 && (opened || subscribed) {
            actions.push(Action::Change);
        }
        for (index, asked) in self.client.open.iter().enumerate() {
            if left.cancels > 0 {
                actions.push(Action::Cancel(Side::Client, index));
            }
            if asked.waits == Waits::Input {
                actions.push(Action::Retry(index));
            }
        }
        if left.cancels > 0 {
            for index in 0..self.server.open.len() {
                actions.push(Action::Cancel(Side::Server, index));
            }
        }
        for index in 0..self.client.work.len() {
            actions.push(Action::Respond(Side::Client, index));
            actions.push(Action::Fail(Side::Client, index));
        }
        for (index, work) in self.server.work.iter().enumerate() {
            match (work.what, work.open) {
                (What::Listen, false) => {
                    actions.push(Action::Accept(index));
                    actions.push(Action::Fail(Side::Server, index));
                }
                (What::Listen, true) => actions.push(Action::EndSubscription(index)),
                _ => {
                    actions.push(Action::Respond(Side::Server, index));
                    actions.push(Action::Fail(Side::Server, index));
                    if left.progress > 0 {
                        actions.push(Action::Progress(index));
                    }
                    if left.asks > 0 && work.modern && work.what == What::Call {
                        actions.push(Action::AskForInput(index));
                    }
                }
            }
        }
    }

    fn outside_actions(&self, actions: &mut Vec<Action>) {
        let left = &self.left;
        for (to, queue, closed) in [
            (Side::Client, &self.to_client, self.client.closed),
            (Side::Server, &self.to_server, self.server.closed),
        ] {
            if left.closes > 0 && !closed {
                actions.push(Action::Close(to));
            }
            let Some(first) = queue.front() else {
                continue;
            };
            actions.push(Action::Deliver(to, 0));
            if left.overtakes > 0
                && let Some(second) = queue.get(1)
                && about(first) != about(second)
            {
                actions.push(Action::Deliver(to, 1));
            }
            if left.doubles > 0 {
                actions.push(Action::Double(to));
            }
            if left.losses > 0 {
                actions.push(Action::Lose(to));
            }
        }
        if left.time > 0 {
            if self.client.session.poll_timeout().is_some() {
                actions.push(Action::Expire(Side::Client));
            }
            if self.server.session.poll_timeout().is_some() {
                actions.push(Action::Expire(Side::Server));
            }
        }
        if left.restarts > 0 && self.client.session.state() != State::Idle {
            actions.push(Action::Restart);
        }
    }

    /// Where nothing is on its way, nothing is being worked on and nothing was lost, nobody
    /// waits for the other.
    fn nobody_waits(&self) -> bool {
        let still = self.to_client.is_empty()
            && self.to_server.is_empty()
            && self.client.work.is_empty()
            && self.server.work.is_empty();
        if !still || self.lossy {
            return true;
        }
        let settled = !matches!(self.client.session.state(), State::Probing | State::Opening);
        // A subscription is open on both sides, or on none.
        let open = self.client.open.iter().all(|it| it.waits == Waits::Input);
        settled && open && self.server.open.is_empty()
    }

    fn agree(&self) -> bool {
        let (State::Ready(ours), server) =
            (self.client.session.state(), self.server.session.state())
        else {
            return true;
        };
        match server {
            State::Ready(theirs) => ours == theirs || ours.era() == Era::Modern,
            State::Opening => {
                self.server.session.revision() == Some(ours) || ours.era() == Era::Modern
            }
            State::Closed => true,
            _ => ours.era() == Era::Modern,
        }
    }
}

impl Model for Pairing {
    type State = World;
    type Action = Action;

    fn init_states(&self) -> Vec<World> {
        vec![World {
            client: self.new_client(),
            server: self.new_server(),
            to_client: VecDeque::new(),
            to_server: VecDeque::new(),
            left: self.budget,
            lossy: false,
            clean: true,
            known_legacy: false,
            breach: None,
        }]
    }

    fn actions(&self, state: &World, actions: &mut Vec<Action>) {
        if state.breach.is_none() {
            state.host_actions(actions);
            state.outside_actions(actions);
        }
    }

    fn next_state(&self, last: &World, action: Action) -> Option<World> {
        let mut world = last.clone();
        world.act(action, self);
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("every step is as it must be", |_, it: &World| {
                it.breach.is_none()
            }),
            Property::always("the tables hold what is open", |_, it: &World| {
                it.client.tables_agree() && it.server.tables_agree()
            }),
            Property::always("nobody waits for nothing", |_, it: &World| {
                it.nobody_waits()
            }),
            Property::always("time ends every request", |_, it: &World| {
                it.client.time_ends_all() && it.server.time_ends_all()
            }),
            Property::always(
                "the end of the input ends every request",
                |_, it: &World| it.client.end_ends_all() && it.server.end_ends_all(),
            ),
            Property::always("handles of what is over are stale", |_, it: &World| {
                it.client.dead_are_stale() && it.server.dead_are_stale()
            }),
            Property::always("lines that mean nothing change nothing", |_, it: &World| {
                it.client.inert_is_inert() && it.server.inert_is_inert()
            }),
            Property::always("both sides agree on the revision", |_, it: &World| {
                it.agree()
            }),
        ]
    }
}
