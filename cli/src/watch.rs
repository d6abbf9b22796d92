//! What passes, held against the protocol's rules.

use wireline::mcp::Side;
use wireline::monitor::{self, Finding, Monitor, MonitorSlots};
use wireline::{Limits, Message, Profile, Rejected};

use crate::inspect::Context;
use crate::stream::{Direction, Micros};

/// Requests and tasks that are remembered, and the text that each has: the longest ids and
/// tokens of the default ceilings, and a progress.
const REQUESTS: usize = 512;
const TASKS: usize = 64;
const TEXT: usize = (REQUESTS + TASKS) * 288;

type Slots = MonitorSlots<REQUESTS, TASKS, TEXT>;

pub(crate) struct Watch {
    /// None where it is not known who speaks, or where another protocol is spoken.
    monitor: Option<Monitor<Box<Slots>>>,
    /// Lines of one direction, of which one does not know which.
    alone: bool,
    now: u64,
    lost: bool,
    killed: bool,
}

const fn side(direction: Direction) -> Side {
    match direction {
        Direction::ToServer => Side::Client,
        Direction::ToClient => Side::Server,
    }
}

/// Whose line a finding is about.
pub(crate) const fn direction(side: Side) -> Direction {
    match side {
        Side::Client => Direction::ToServer,
        Side::Server => Direction::ToClient,
    }
}

impl Watch {
    pub(crate) fn new(plain: bool, limits: Limits) -> Self {
        let mcp = matches!(limits.profile, Profile::Mcp);
        Self {
            monitor: (mcp && !plain).then(|| Monitor::new(Box::new(Slots::new()))),
            alone: mcp && plain,
            now: 0,
            lost: false,
            killed: false,
        }
    }

    /// Whether lines are held against any rules.
    pub(crate) fn judges(&self) -> bool {
        self.alone || self.monitor.is_some()
    }

    /// What the item breaks, and whether with it the monitor has lost track.
    pub(crate) fn item(
        &mut self,
        context: Context,
        item: &Result<Message<'_>, Rejected<'_>>,
    ) -> (Finding, bool) {
        self.tick(context.at);
        let (Some(monitor), Some(direction)) = (&mut self.monitor, context.direction) else {
            let mut finding = Finding::NONE;
            if self.alone {
                finding.violations = monitor::alone(item);
            }
            return (finding, false);
        };
        let finding = monitor.line_at(side(direction), item, self.now, context.place.line);
        let lost = finding.lost_track && !self.lost;
        self.lost |= lost;
        (finding, lost)
    }

    /// Bytes of this direction are missing.
    pub(crate) fn gap(&mut self, direction: Direction) {
        // That is told already.
        self.lost = true;
        if let Some(monitor) = &mut self.monitor {
            monitor.gap(side(direction));
        }
    }

    /// What the side that has ended still owed; call until there is nothing.
    pub(crate) fn end(&mut self, direction: Direction, at: Option<Micros>) -> Option<Finding> {
        self.tick(at);
        if self.killed && direction == Direction::ToClient {
            return None;
        }
        self.monitor.as_mut()?.end(side(direction), self.now)
    }

    pub(crate) fn server_was_killed(&mut self) {
        self.killed = true;
    }

    /// Another connection begins.
    pub(crate) fn restart(&mut self) {
        if let Some(monitor) = &mut self.monitor {
            monitor.reset();
        }
        self.now = 0;
        self.lost = false;
        self.killed = false;
    }

    fn tick(&mut self, at: Option<Micros>) {
        if let Some(Micros(us)) = at {
            self.now = us / 1000;
        }
    }
}
