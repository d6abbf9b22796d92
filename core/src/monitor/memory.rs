//! What a monitor remembers of a request and of a task.

use crate::json::JsonStr;
use crate::mcp::{Capabilities, Era, LogLevel, Method, Revision, Side};

/// Where a request is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    Open,
    /// Its sender has cancelled it, and no answer has come.
    Cancelled,
    /// Answered. Kept until the slot is needed, to know an answer too many or too late.
    Done,
}

/// What a subscription covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// One bit for each list, and one for resources.
    pub(crate) bits: u8,
    pub(crate) uris: u16,
    pub(crate) uris_print: u32,
}

macro_rules! marks {
    ($($(#[$doc:meta])* $name:ident $bit:literal;)*) => {
        impl Request { $($(#[$doc])* pub(crate) const $name: u32 = 1 << $bit;)* }
    };
}

marks! {
    /// The modern era's required members of `_meta` were not all there.
    META_MISSING 0;
    /// `protocolVersion` was not among them.
    VERSION_MISSING 1;
    /// Its version is not one that the server has named.
    VERSION_UNSUPPORTED 2;
    /// The line was no message; kept since an answer may come.
    REJECTED 3;
    /// Its only fault was the type of `params`.
    REJECTED_PARAMS 4;
    /// It was over a ceiling of ours, which need not be one of the peer's.
    REJECTED_LIMIT 5;
    /// It asked to be run as a task.
    TASK_MODE 6;
    /// The answer made it a task.
    TASK_MADE 7;
    /// The task that it names is not known.
    TASK_UNKNOWN 8;
    /// The task that it names had ended.
    TASK_ENDED 9;
    /// It needs a capability that the other side has not declared.
    UNDECLARED 10;
    /// An elicitation in a mode that was not declared.
    UNDECLARED_MODE 11;
    /// A sampling with tools that were not declared.
    UNDECLARED_TOOLS 12;
    /// A subscription that has been acknowledged.
    ACKNOWLEDGED 13;
    /// No answer is owed: the other side had closed its end, or may not answer.
    NOT_OWED 14;
    /// Its client declared an extension beside that of tasks.
    EXTENSIONS 15;
    /// Its client declared the tasks extension.
    EXTENSION_TASKS 16;
    /// `logging/setLevel` with a level that there is not.
    LEVEL_UNKNOWN 17;
    /// A member that its method requires is missing or of another type.
    PARAMS_BAD 18;
    /// Its answer asked for input.
    ASKED 19;
    /// And gave a state.
    ASKED_STATE 20;
    /// Its progress token is its id.
    TOKEN_IS_ID 21;
    /// The last progress did not fit its slot.
    PROGRESS_UNKNOWN 22;
    /// An earlier request on this connection had all that this one lacks.
    SERVED_BEFORE 23;
    /// An elicitation that sends the user to a URL.
    URL_MODE 24;
    /// It stood in a batch.
    BATCHED 25;
    /// An `initialize` after the handshake.
    SETTLED_BEFORE 26;
}

/// What is remembered of a request.
#[derive(Clone, Copy)]
pub struct Request {
    pub(crate) life: Life,
    pub(crate) from: Side,
    pub(crate) era: Era,
    pub(crate) method: Option<Method>,
    /// What was settled when it came; in the modern era, what it asks for itself.
    pub(crate) revision: Option<Revision>,
    pub(crate) marks: u32,
    /// Of its client: declared in it, if it is `initialize` or of the modern era.
    pub(crate) capabilities: Capabilities,
    pub(crate) level: Option<LogLevel>,
    /// What the owner calls its line.
    pub(crate) at: u64,
    /// The monitor's count when it came.
    pub(crate) seq: u64,
    /// The count when it was answered or cancelled, and the time of that; until then the
    /// time when it came.
    pub(crate) turned: u64,
    pub(crate) turned_at: u64,
    pub(crate) filter: Filter,
    /// The `cacheScope` of the page before.
    pub(crate) scope: u8,
    /// Prints of its parameters, of the keys of the input that its answer asked for, and of
    /// the state that came with it.
    pub(crate) params_print: u32,
    pub(crate) keys_print: u32,
    pub(crate) state_print: u32,
    /// Bytes of the id, the token and the last progress in the slot's text.
    pub(super) id: u16,
    pub(super) token: u16,
    pub(super) progress: u16,
}

impl Request {
    /// A slot that is free.
    pub const FREE: Request = Request {
        life: Life::Done,
        from: Side::Client,
        era: Era::Legacy,
        method: None,
        revision: None,
        marks: 0,
        capabilities: Capabilities::NONE,
        level: None,
        at: 0,
        seq: 0,
        turned: 0,
        turned_at: 0,
        filter: Filter {
            bits: 0,
            uris: 0,
            uris_print: 0,
        },
        scope: 0,
        params_print: 0,
        keys_print: 0,
        state_print: 0,
        id: 0,
        token: 0,
        progress: 0,
    };

    pub(crate) const fn is(&self, mark: u32) -> bool {
        self.marks & mark != 0
    }

    pub(crate) fn set(&mut self, mark: u32, on: bool) {
        if on {
            self.marks |= mark;
        }
    }

    /// The revision whose rules it is under.
    pub(crate) fn rules(&self) -> Option<Revision> {
        match self.era {
            Era::Legacy => self.revision,
            Era::Modern => Some(Revision::V2026_07_28),
        }
    }

    pub(crate) fn is_listen(&self) -> bool {
        matches!(self.method, Some(Method::SubscriptionsListen))
    }
}

/// What is remembered of a task.
#[derive(Clone, Copy)]
pub struct Task {
    /// Who runs it.
    pub(crate) side: Side,
    pub(crate) status: Status,
    /// What it answers.
    pub(crate) method: Option<Method>,
    /// The monitor's count when it was seen to have ended; the greatest if it has not.
    pub(crate) ended: u64,
    pub(super) id: u16,
}

impl Task {
    /// A slot that is free.
    pub const FREE: Task = Task {
        side: Side::Client,
        status: Status::Working,
        method: None,
        ended: u64::MAX,
        id: 0,
    };
}

/// A task's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Working,
    InputRequired,
    Completed,
    Failed,
    Cancelled,
    /// It has ended, and it has not been said how.
    Ended,
}

impl Status {
    pub(crate) fn parse(text: JsonStr<'_>) -> Option<Self> {
        [
            ("working", Status::Working),
            ("input_required", Status::InputRequired),
            ("completed", Status::Completed),
            ("failed", Status::Failed),
            ("cancelled", Status::Cancelled),
        ]
        .into_iter()
        .find(|(name, _)| text == *name)
        .map(|(_, status)| status)
    }

    pub(crate) const fn has_ended(self) -> bool {
        !matches!(self, Status::Working | Status::InputRequired)
    }
}
