//! What a session is told once: who we are, what we can do, and how strict to be.

use crate::json::RawJson;
use crate::mcp::{CacheScope, Capabilities, Revision, Revisions, code};
use crate::rules::Extensions;

/// Who a side is: `clientInfo` or `serverInfo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Implementation<'c> {
    /// Its name, for programs.
    pub name: &'c str,
    /// Its version.
    pub version: &'c str,
    /// Its name for people.
    pub title: Option<&'c str>,
}

impl<'c> Implementation<'c> {
    /// A name and a version.
    #[must_use]
    pub const fn new(name: &'c str, version: &'c str) -> Self {
        Implementation {
            name,
            version,
            title: None,
        }
    }
}

/// How long and by whom a result may be kept: `ttlMs` and `cacheScope`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// Milliseconds; 0 for not at all.
    pub ttl_ms: u32,
    /// By whom.
    pub scope: CacheScope,
}

/// What a session does where the specification leaves a choice.
///
/// Facts are reported whatever the policy is: see [`Step::broken`](super::Step::broken).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Policy {
    /// A server keeps to the era of its first session: once `initialize` has been
    /// answered, requests of the modern era are refused with -32600. Off: both eras are
    /// served side by side.
    pub one_era: bool,
    /// A line that is not JSON is answered with -32700. Off: it is reported and skipped,
    /// since answers to noise can feed on one another.
    pub answer_unparsable: bool,
    /// The code for requests that are over a ceiling: -32600, or
    /// [`CONTENT_TOO_LARGE`](code::CONTENT_TOO_LARGE), which no revision defines.
    pub too_long_code: i64,
}

impl Policy {
    /// Both eras, silent on noise, -32600 for what is too long.
    pub const DEFAULT: Policy = Policy {
        one_era: false,
        answer_unparsable: false,
        too_long_code: code::INVALID_REQUEST,
    };
}

impl Default for Policy {
    fn default() -> Self {
        Policy::DEFAULT
    }
}

/// What a session is told once. It is borrowed, so that a chip keeps it in flash.
///
/// ```
/// use wireline::mcp::{Capabilities, Capability, Revisions};
/// use wireline::session::{Config, Implementation};
/// static CONFIG: Config<'static> = Config::new(Implementation::new("thermometer", "1.0.0"))
///     .with_capabilities(Capabilities::NONE.with(Capability::Tools))
///     .with_revisions(Revisions::ALL);
/// assert_eq!(CONFIG.info.name, "thermometer");
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Config<'c> {
    /// Who we are.
    pub info: Implementation<'c>,
    /// The revisions that we speak. A client with both eras probes; a server answers each
    /// request in the era that it asks for.
    pub revisions: Revisions,
    /// What we can do.
    pub capabilities: Capabilities,
    /// Further members of the capabilities object, such as `experimental` or `extensions`:
    /// an object. It must not repeat what is in `capabilities`.
    pub extra_capabilities: Option<RawJson<'c>>,
    /// A server's hints for the model that uses it.
    pub instructions: Option<&'c str>,
    /// What the modern era's lists say about being kept, unless a reply says otherwise.
    pub cache: Cache,
    /// Choices that the specification leaves.
    pub policy: Policy,
    /// Milliseconds that a request of ours may take, counted anew with each progress; 0 for
    /// no such limit.
    pub request_timeout: u32,
    /// Milliseconds that a request of ours may take in all; 0 for no such limit.
    pub hard_timeout: u32,
    /// Milliseconds that a client waits for the answer to its `server/discover` before it
    /// takes the server for one of the legacy era; at least 1.
    pub probe_timeout: u32,
    /// How often one request of ours may be answered by `input_required`.
    pub rounds: u8,
}

impl<'c> Config<'c> {
    /// All revisions, no capabilities, time-outs of 60 seconds and 10 minutes, 10 seconds
    /// for a probe, 10 rounds of input.
    #[must_use]
    pub const fn new(info: Implementation<'c>) -> Self {
        Config {
            info,
            revisions: Revisions::ALL,
            capabilities: Capabilities::NONE,
            extra_capabilities: None,
            instructions: None,
            cache: Cache {
                ttl_ms: 0,
                scope: CacheScope::Private,
            },
            policy: Policy::DEFAULT,
            request_timeout: 60_000,
            hard_timeout: 600_000,
            probe_timeout: 10_000,
            rounds: 10,
        }
    }

    /// Sets the revisions.
    #[must_use]
    pub const fn with_revisions(mut self, revisions: Revisions) -> Self {
        self.revisions = revisions;
        self
    }

    /// Sets the capabilities.
    #[must_use]
    pub const fn with_capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Sets further members of the capabilities object.
    #[must_use]
    pub const fn with_extra_capabilities(mut self, members: RawJson<'c>) -> Self {
        self.extra_capabilities = Some(members);
        self
    }

    /// Sets a server's hints for the model.
    #[must_use]
    pub const fn with_instructions(mut self, text: &'c str) -> Self {
        self.instructions = Some(text);
        self
    }

    /// Sets what lists say about being kept.
    #[must_use]
    pub const fn with_cache(mut self, cache: Cache) -> Self {
        self.cache = cache;
        self
    }

    /// Sets the policy.
    #[must_use]
    pub const fn with_policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets how long a request of ours may take, in milliseconds: from one progress to the
    /// next, and in all. 0 for no such limit.
    #[must_use]
    pub const fn with_timeouts(mut self, soft: u32, hard: u32) -> Self {
        self.request_timeout = soft;
        self.hard_timeout = hard;
        self
    }

    /// Sets how long a probe may take, in milliseconds.
    #[must_use]
    pub const fn with_probe_timeout(mut self, millis: u32) -> Self {
        self.probe_timeout = millis;
        self
    }

    /// Sets how often one request may be answered by `input_required`.
    #[must_use]
    pub const fn with_rounds(mut self, rounds: u8) -> Self {
        self.rounds = rounds;
        self
    }

    /// What of our extensions kinds of result depend on.
    pub(crate) fn extensions(&self) -> Extensions {
        Extensions::declared(self.extra_capabilities.unwrap_or(RawJson::EMPTY_OBJECT))
    }

    /// What of our capabilities a revision defines.
    pub(crate) fn offered(&self, revision: Revision) -> Capabilities {
        self.capabilities.in_revision(revision)
    }
}
