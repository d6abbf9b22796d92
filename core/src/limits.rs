//! The ceilings of a decoder, and the few rules that can be switched.

/// Which payload types an envelope may carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// The Model Context Protocol: `params` and `result` are objects, ids are strings or
    /// integers.
    #[default]
    Mcp,
    /// Whatever JSON-RPC 2.0 allows: `params` may be an array, `result` any value, a
    /// request's id may be null or a fraction.
    JsonRpc,
}

/// What a decoder takes: its ceilings, and the rules that can be switched.
///
/// Start from a preset and change what differs:
///
/// ```
/// use wireline::{Limits, Profile};
/// const LIMITS: Limits = Limits::EMBEDDED.with_message(1024).with_id(80);
/// let acp = Limits::HOST.with_profile(Profile::JsonRpc);
/// assert_eq!((LIMITS.message, acp.depth), (1024, 127));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one message, without its line end; at least 64. A fixed buffer of N bytes
    /// lowers it to N − 2. `u32::MAX` is no ceiling in a stream decoder, that of
    /// [`HOST`](Limits::HOST) in a `Vec`, and elsewhere `u32::MAX - 1`. Longer:
    /// [`TooLong`](crate::FaultKind::TooLong), with the id. A stream decoder tells that at the
    /// line's end, and hands out all of its body before.
    pub message: u32,
    /// Open containers, the outermost object being the first; 4 to 127, other values
    /// are brought into that range. Deeper: [`TooDeep`](crate::FaultKind::TooDeep), with
    /// the id.
    pub depth: u8,
    /// Bytes of the id's token as written, quotes and escapes included; at most 16 KiB. A
    /// buffer of N bytes lowers it to N / 4. Longer: [`IdTooLong`](crate::FaultKind::IdTooLong).
    pub id: u16,
    /// Bytes of the method's token as written; at most 16 KiB. A buffer of N bytes lowers
    /// it to N / 4.
    /// Longer: [`MethodTooLong`](crate::FaultKind::MethodTooLong), with the id.
    pub method: u16,
    /// Bytes of one line that are passed over before the line is called endless; 0 for
    /// no such ceiling. More than `message`, or brought there; in a stream decoder without
    /// a message ceiling, counted from where the text stopped being JSON (what is JSON and no
    /// message is read to its end, for its id). Passed:
    /// [`Runaway`](crate::FaultKind::Runaway), and the decoder takes no more.
    pub max_discard: u32,
    /// Which payload types an envelope may carry.
    pub profile: Profile,
    /// Whether the end of the input ends a line as LF does. Off, an unfinished last line
    /// is [`Truncated`](crate::FaultKind::Truncated).
    pub eof_completes_line: bool,
    /// Whether a batch is taken apart into its elements, as revision 2025-03-26 asks.
    /// Off, it is one [`Batch`](crate::FaultKind::Batch) fault.
    #[cfg(feature = "batch")]
    pub batches: bool,
}

/// Longest text whose places are counted, in bytes.
pub(crate) const LONGEST: usize = u32::MAX as usize - 1;

/// Longest id and method, in bytes.
const TOKEN: u16 = 16 * 1024;

impl Limits {
    /// For a device: the buffer is the message ceiling, or 16 MiB if it is a `Vec`, which has
    /// none; depth 32, id 40 B, method 64 B.
    pub const EMBEDDED: Limits = Limits {
        message: u32::MAX,
        depth: 32,
        id: 40,
        method: 64,
        max_discard: 0,
        profile: Profile::Mcp,
        eof_completes_line: false,
        #[cfg(feature = "batch")]
        batches: false,
    };

    /// For a host: message 16 MiB, depth 127, id 128 B, method 128 B.
    pub const HOST: Limits = Limits {
        message: 16 * 1024 * 1024,
        depth: 127,
        id: 128,
        method: 128,
        ..Limits::EMBEDDED
    };

    /// Sets the message ceiling, in bytes.
    #[must_use]
    pub const fn with_message(mut self, bytes: u32) -> Self {
        self.message = bytes;
        self
    }

    /// Sets the depth ceiling, in open containers.
    #[must_use]
    pub const fn with_depth(mut self, containers: u8) -> Self {
        self.depth = containers;
        self
    }

    /// Sets the id ceiling, in bytes of its token.
    #[must_use]
    pub const fn with_id(mut self, bytes: u16) -> Self {
        self.id = bytes;
        self
    }

    /// Sets the method ceiling, in bytes of its token.
    #[must_use]
    pub const fn with_method(mut self, bytes: u16) -> Self {
        self.method = bytes;
        self
    }

    /// Sets how many bytes of one line may be passed over; 0 for no ceiling.
    #[must_use]
    pub const fn with_max_discard(mut self, bytes: u32) -> Self {
        self.max_discard = bytes;
        self
    }

    /// Sets which payload types an envelope may carry.
    #[must_use]
    pub const fn with_profile(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Sets whether the end of the input ends a line.
    #[must_use]
    pub const fn with_eof_completes_line(mut self, yes: bool) -> Self {
        self.eof_completes_line = yes;
        self
    }

    /// Sets whether a batch is taken apart into its elements.
    #[cfg(feature = "batch")]
    #[must_use]
    pub const fn with_batches(mut self, yes: bool) -> Self {
        self.batches = yes;
        self
    }

    /// Whether batches are taken apart; always off without the feature `batch`.
    pub(crate) const fn takes_batches(&self) -> bool {
        #[cfg(feature = "batch")]
        {
            self.batches
        }
        #[cfg(not(feature = "batch"))]
        {
            false
        }
    }

    /// The same limits, brought into range for storage that can hold `capacity` bytes.
    pub(crate) const fn within(self, capacity: usize) -> Self {
        let mut limits = self.least();
        // The line end, CR LF, has to fit as well.
        let mut message = capacity.saturating_sub(2);
        // Storage that grows without end has no ceiling of its own to give.
        #[cfg(feature = "std")]
        if capacity == usize::MAX && limits.message == u32::MAX {
            limits.message = Limits::HOST.message;
        }
        // Every place in a line has to fit into 32 bits.
        if message > LONGEST {
            message = LONGEST;
        }
        if message < limits.message as usize {
            limits.message = message as u32;
        }
        // A line that is not stored keeps its first bytes, its id and its method in the
        // buffer, and at least a quarter of it stays free for bytes to come.
        let quarter = capacity / 4;
        if quarter < limits.id as usize {
            limits.id = quarter as u16;
        }
        if quarter < limits.method as usize {
            limits.method = quarter as u16;
        }
        limits.in_order()
    }

    /// The same limits, brought into range.
    pub(crate) const fn bounded(self) -> Self {
        self.least().in_order()
    }

    const fn least(mut self) -> Self {
        // A line is stored at least as far as its beginning is kept for people.
        if self.message < 64 {
            self.message = 64;
        }
        // Copies of tokens are counted with 16 bits.
        if self.id > TOKEN {
            self.id = TOKEN;
        }
        if self.method > TOKEN {
            self.method = TOKEN;
        }
        self
    }

    const fn in_order(mut self) -> Self {
        if self.max_discard != 0 && self.max_discard <= self.message {
            self.max_discard = self.message.saturating_add(1);
        }
        if self.depth < 4 {
            self.depth = 4;
        }
        if self.depth > 127 {
            self.depth = 127;
        }
        self
    }
}

impl Default for Limits {
    /// [`Limits::EMBEDDED`].
    fn default() -> Self {
        Limits::EMBEDDED
    }
}
