//! Which way bytes went, when, and what happens to a stream besides bytes.

/// Microseconds since the recording or the tap began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Micros(pub(crate) u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    ToServer,
    ToClient,
}

impl Direction {
    pub(crate) const BOTH: [Self; 2] = [Self::ToServer, Self::ToClient];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ToServer => "c2s",
            Self::ToClient => "s2c",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::BOTH
            .into_iter()
            .find(|direction| direction.name() == name)
    }

    /// The arrows of the JSON-RPC 2.0 specification: `-->` goes to the server.
    pub(crate) const fn arrow(self) -> &'static str {
        match self {
            Self::ToServer => "-->",
            Self::ToClient => "<--",
        }
    }

    pub(crate) const fn index(self) -> usize {
        match self {
            Self::ToServer => 0,
            Self::ToClient => 1,
        }
    }

    pub(crate) const fn sender(self) -> &'static str {
        match self {
            Self::ToServer => "client",
            Self::ToClient => "server",
        }
    }

    pub(crate) const fn receiver(self) -> &'static str {
        match self {
            Self::ToServer => "server",
            Self::ToClient => "client",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The sender closed this direction.
    Eof(Direction),
    /// The receiver stopped reading this direction; what was sent last may not have arrived.
    Closed(Direction),
    /// Bytes passed that are not here.
    Lost(Direction, u64),
    /// The server process ended.
    Exit(Exit),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Code(i32),
    Signal(i32),
}
