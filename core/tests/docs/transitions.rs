//! The rows of every state machine: what happens in which state, and who sees to it.

/// Who does what a row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The session.
    Session,
    /// The program around it; no test of the core can show it.
    Host,
    /// The session its part, the program the rest.
    Shared,
    /// HTTP only, and that comes later.
    Http,
}

impl Who {
    pub fn cell(self) -> &'static str {
        match self {
            Who::Session => "session",
            Who::Host => "host",
            Who::Shared => "session and host",
            Who::Http => "HTTP, not yet",
        }
    }

    /// Whether a test has to show it.
    pub fn needs_a_test(self) -> bool {
        matches!(self, Who::Session | Who::Shared)
    }
}

/// A row.
pub struct Row {
    pub id: &'static str,
    /// States, joined by a comma; `any` is any of them.
    pub state: &'static str,
    pub event: &'static str,
    /// The state after it; `same` if it stays, empty if the row is no step of the diagram.
    pub next: &'static str,
    pub reaction: &'static str,
    pub who: Who,
}

/// A state machine.
pub struct Machine {
    pub group: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub rows: &'static [Row],
}

/// A diagram: a heading, where it starts, and the groups whose rows are its arrows.
pub struct Diagram {
    pub title: &'static str,
    pub start: &'static str,
    pub groups: &'static [&'static str],
}

macro_rules! rows {
    ($($id:ident $who:ident $state:literal, $event:literal => $next:literal, $reaction:literal;)*) => {
        &[$(Row {
            id: stringify!($id), state: $state, event: $event, next: $next,
            reaction: $reaction, who: Who::$who,
        },)*]
    };
}

pub const DIAGRAMS: &[Diagram] = &[
    Diagram {
        title: "Legacy client",
        start: "Idle",
        groups: &["LC"],
    },
    Diagram {
        title: "Legacy server",
        start: "Idle",
        groups: &["LS"],
    },
    Diagram {
        title: "Client of both eras",
        start: "Idle",
        groups: &["DC"],
    },
    Diagram {
        title: "Server of both eras",
        start: "Fresh",
        groups: &["DS"],
    },
    Diagram {
        title: "Modern request, seen by the client",
        start: "New",
        groups: &["MC", "MR"],
    },
    Diagram {
        title: "Subscription",
        start: "New",
        groups: &["SU"],
    },
];

pub const MACHINES: &[Machine] = &[
    Machine {
        group: "LC",
        title: "Legacy client",
        about: "A client of 2024-11-05 to 2025-11-25 over one connection. Between the answer to `initialize` and \
            `notifications/initialized` there is no state of its own: the step that takes the one carries the other.",
        rows: LC,
    },
    Machine {
        group: "LS",
        title: "Legacy server",
        about: "A server of the same revisions. Opening begins when `initialize` is answered and ends with \
            `notifications/initialized`.",
        rows: LS,
    },
    Machine {
        group: "MS",
        title: "Modern server",
        about: "What a server of 2026-07-28 checks of one line, in this order; the first check that fails answers. No state is kept \
            from one request to the next.",
        rows: MS,
    },
    Machine {
        group: "MC",
        title: "Modern client",
        about: "One request of a client of 2026-07-28.",
        rows: MC,
    },
    Machine {
        group: "MR",
        title: "Results that require input",
        about: "A result of `tools/call`, `prompts/get` or `resources/read` may ask for input; the client then sends the request \
            again, with the answers.",
        rows: MR,
    },
    Machine {
        group: "SU",
        title: "Subscription",
        about: "`subscriptions/listen`, on both sides. L is the id of that request, and names the subscription.",
        rows: SU,
    },
    Machine {
        group: "DC",
        title: "Client of both eras",
        about: "How a client finds out the era of its server on a byte stream. Modern is Ready in a modern revision; Legacy is \
            Opening or Ready in a legacy one.",
        rows: DC,
    },
    Machine {
        group: "DS",
        title: "Server of both eras",
        about: "What a server makes of a client's first lines. Nothing but `initialize` opens a legacy session, and a request of the \
            modern era binds nobody.",
        rows: DS,
    },
];

const LC: &[Row] = rows! {
    LC1 Session "Idle", "`connect`" => "Opening", "`initialize` goes out, on a line of its own, with the latest legacy revision that we speak, our capabilities and our name";
    LC2 Session "Idle", "we send anything else" => "same", "refused; nothing is written";
    LC3 Session "Opening", "we send `ping`" => "same", "it goes out";
    LC4 Session "Opening", "we send another request" => "same", "refused; nothing is written";
    LC5 Session "Opening", "we cancel `initialize`" => "same", "cannot be said: `connect` gives no handle, and when its time is over nothing is sent";
    LC6 Session "Opening", "a result with a revision that we speak" => "Ready", "revision and capabilities are kept, and the handshake is confirmed";
    LC7 Shared "Opening", "a result with another revision" => "Failed", "nothing is sent, and the host hangs up";
    LC8 Session "Opening", "an error" => "Failed", "it is handed over, with the versions that it may name";
    LC9 Session "Opening", "the server pings" => "same", "answered with an empty result";
    LC10 Session "Opening", "a log message" => "same", "handed over";
    LC11 Session "Opening", "another request from the server" => "same", "told, and answered with -32600";
    LC12 Session "Opening", "another notification" => "same", "dropped, unless no table has its method: then it is handed over";
    LC13 Session "Opening", "the handshake is confirmed" => "Ready", "`notifications/initialized` goes out once, in the step that took the answer";
    LC14 Session "Opening", "we send a request before the confirmation" => "", "cannot be said: until the answer is taken it is refused, and from then on the confirmation stands before it";
    LC15 Session "Ready", "what was agreed on, either way" => "same", "passes; what was not is refused when we send it, told when we receive it";
    LC16 Session "Ready", "`connect` again" => "same", "refused; nothing is written";
    LC17 Host "any", "we hang up" => "Closed", "the host closes the server's stdin, waits, ends the process";
    LC18 Session "any", "the input ends" => "Closed", "every open request of ours ends, once";
};

const LS: &[Row] = rows! {
    LS1 Session "Idle", "`initialize` with a revision that we speak" => "Opening", "answered with that revision, our capabilities and our name";
    LS2 Session "Idle", "`initialize` with another revision" => "Opening", "answered with the latest legacy revision that we speak, never a modern one";
    LS3 Session "Idle", "`initialize` with bad params" => "same", "-32602";
    LS4 Session "Idle", "`initialize` in a batch" => "same", "-32600";
    LS5 Session "Idle", "`ping`" => "same", "answered with an empty result";
    LS6 Session "Idle", "another request" => "same", "told, and answered under its id: -32600, or -32601 if no revision of ours has the method";
    LS7 Session "Idle", "a notification" => "same", "never answered; one that a table has is dropped";
    LS8 Session "Idle, Opening", "we send `ping` or a log message" => "same", "`ping` goes out, before `initialize` only if we speak no modern revision; log messages go out from the answer on";
    LS9 Session "Idle, Opening", "we send another request" => "same", "refused; nothing is written";
    LS10 Session "Opening", "`notifications/initialized`" => "Ready", "the host is told";
    LS11 Session "Opening", "a request before the confirmation" => "same", "served";
    LS12 Session "Ready", "`initialize` again" => "same", "told, and answered with -32600";
    LS13 Session "Ready", "`initialize` is cancelled" => "same", "ignored: it has been answered";
    LS14 Shared "any", "the input ends" => "Closed", "what was accepted may still be answered; then the host ends the process";
};

const MS: &[Row] = rows! {
    MS1 Session "a line", "it is no JSON" => "", "nothing, or -32700 without an id if the policy `answer_unparsable` is on";
    MS2 Session "a line", "it is no message, or a batch, or a response" => "", "-32600 for a batch, and under the id of what looks like a request; all else is dropped";
    MS3 Session "a line", "it is a notification" => "", "never answered";
    MS4 Session "a request", "revision or capabilities are missing in `_meta`, or of a wrong type" => "", "-32602";
    MS5 Http "a request", "headers are missing, or unlike the body" => "", "400 and -32020";
    MS6 Session "a request", "we do not speak its revision" => "", "-32022, with those that we do speak and the one asked for";
    MS7 Session "a request", "its method is of another era, or behind a capability that we have not declared" => "", "-32601; a method that no table has is handed over";
    MS8 Session "a request", "params that its method requires are missing" => "", "-32602";
    MS9 Shared "a request", "it takes a capability that it does not declare" => "", "asking for that input is refused, and the host answers -32021";
    MS10 Session "a request", "none of these" => "", "handed over, to be answered by a result, by asking for input, or by an error";
};

const MC: &[Row] = rows! {
    MC1 Session "New", "we send a request" => "Waiting", "with revision, capabilities and name in `_meta`, under an id that was never used before";
    MC2 Session "Waiting", "a complete result, or one without `resultType`" => "Done", "handed over; the missing type is told";
    MC3 Session "Waiting", "input is required" => "Asked", "handed over, see MR3 to MR8";
    MC4 Session "Waiting", "input is required where it may not be, or of a kind not declared, or of nothing" => "Failed", "an invalid response";
    MC5 Session "Waiting", "an unknown `resultType`" => "Failed", "an invalid response";
    MC6 Session "Waiting", "-32022" => "Failed", "handed over; requests from then on follow a modern revision that both speak";
    MC7 Http "Waiting", "-32020" => "Failed", "the list of tools is read anew, and the request is made again with the right headers";
    MC8 Session "Waiting", "-32021" => "Failed", "handed over, with the capabilities that it names";
    MC9 Session "Waiting", "another error" => "Failed", "handed over";
    MC10 Session "Waiting", "cancelled or out of time, on a byte stream" => "Cancelled", "`notifications/cancelled` goes out, and a late answer is dropped";
    MC11 Http "Waiting", "cancelled or out of time, on HTTP" => "Cancelled", "the response stream is closed, and nothing is sent";
    MC12 Shared "Waiting", "the connection is lost" => "Lost", "the request ends; the host may make it again, under another id";
    MC13 Session "any", "a request from the server" => "", "told and dropped, not answered";
    MC14 Session "any", "a response under an unknown id" => "", "dropped, and told if we never gave that id";
    MC15 Session "any", "progress or log messages of no open request" => "", "told; progress is dropped, and told only if its token was never given";
};

const MR: &[Row] = rows! {
    MR1 Session "a request being served", "the server asks for input" => "", "a result of type `input_required` with requests, a state or both; its id is done with";
    MR2 Session "a request being served", "the requests are put together" => "", "elicitation, sampling or roots, each under a key of its own, and only what this request declared";
    MR3 Shared "Asked", "all answers are there" => "Waiting", "the host gives params and answers, and the request goes out again under a new id";
    MR4 Shared "Asked", "there is nothing but a state to send back" => "Waiting", "the host may send again at once, or wait";
    MR5 Shared "Asked", "the request is sent again" => "", "with the state exactly as the host hands it back";
    MR6 Session "Asked", "the request is sent again" => "", "under a new id";
    MR7 Session "Asked", "other requests are sent" => "", "without these answers and this state";
    MR8 Shared "Asked", "no answer is to be had" => "Abandoned", "the request is let go, and nothing has to be sent";
    MR9 Host "a request with answers", "some are missing" => "", "the server asks again; unknown ones are ignored, malformed ones refused";
    MR10 Host "a request with a state", "the state may be forged" => "", "the server checks it before it believes it";
    MR11 Session "Waiting", "input is required once too often" => "Failed", "the request ends; `Config` has the number of rounds";
    MR12 Host "Waiting", "the result of a repeated request" => "", "is not cached";
};

const SU: &[Row] = rows! {
    SU1 Session "New", "`subscriptions/listen` goes out or comes in" => "Opening", "its id is L";
    SU2 Session "Opening", "the server accepts" => "Open", "the first message for L acknowledges it, with what is granted of what was asked";
    SU3 Session "Opening", "the server refuses" => "Closed", "an error, and nothing else for L";
    SU4 Session "Open", "something changes" => "same", "a list: one line for each subscription that asked for it, with its L; a resource: one for each that named its URI, which the host knows; others get nothing";
    SU5 Session "Open", "progress or log messages for L" => "same", "not sent";
    SU6 Session "Opening, Open", "the client ends it" => "Closed", "`notifications/cancelled` for L";
    SU7 Session "Open", "the client has ended it" => "Closed", "nothing more goes out for L, an answer neither";
    SU8 Session "Open", "the server ends it" => "Closed", "an empty result for L, then `notifications/cancelled` for L";
    SU9 Session "Opening, Open", "the result for L" => "Closed", "the client's request ends";
    SU10 Session "Opening, Open", "the server cancels L" => "Closed", "the client's request ends";
    SU11 Shared "Opening, Open", "the connection is lost" => "Lost", "the client's request ends; the host may listen again on another connection";
    SU12 Session "Opening, Open", "what is of no subscription, not acknowledged or not asked for" => "same", "told and dropped";
};

const DC: &[Row] = rows! {
    DC1 Session "Idle", "`connect`" => "Probing", "`server/discover` goes out before all else, with the latest modern revision that we speak";
    DC2 Session "Probing", "a result with a modern revision that both speak" => "Modern", "that one is spoken; there is no `initialize`";
    DC3 Session "Probing", "a result with a legacy revision that both speak and no modern one" => "Legacy", "`initialize` goes out; with no revision in common the connection has failed";
    DC4 Session "Probing", "-32022 with another modern revision that both speak" => "same", "`server/discover` goes out once more, in that revision; the second time it is a refusal";
    DC5 Session "Probing", "-32022 without one" => "Failed", "but if a legacy revision is named that both speak, `initialize` goes out";
    DC6 Session "Probing", "-32020 or -32021" => "Modern", "the server is modern: the revision of the probe is spoken, the error is handed over, and there is no `initialize`";
    DC7 Session "Probing", "any other error, or a result of another form" => "Legacy", "`initialize` goes out, whatever the code and with or without an id";
    DC8 Session "Probing", "no answer in time" => "Legacy", "`initialize` goes out; a late answer to the probe is dropped";
    DC9 Shared "Probing", "the input ends, also in Legacy after a probe without answer" => "Closed", "the session says in which state it was; the host starts the server again and calls `connect_legacy`";
    DC10 Session "Probing", "a request or a notification from the server" => "same", "`ping` is answered, other requests are dropped; notifications change nothing";
    DC11 Session "Legacy", "`initialize` is answered by -32022 after a probe without answer" => "Probing", "`server/discover` goes out once more";
    DC12 Session "Modern", "-32022" => "same", "another modern revision; never `initialize`";
    DC13 Shared "Modern, Legacy", "the verdict" => "", "the session keeps it while it lives; the host may keep it longer, and give it to `assume` or `connect_legacy`";
};

const DS: &[Row] = rows! {
    DS1 Session "Fresh", "a modern request" => "Modern", "MS4 to MS10";
    DS2 Session "Fresh", "`initialize`" => "Legacy", "LS1 to LS4";
    DS3 Session "Fresh", "`initialize` with modern `_meta`" => "Legacy", "the same: its `_meta` changes nothing";
    DS4 Session "Fresh", "a request without `_meta` of the modern era" => "same", "LS6";
    DS5 Session "Fresh", "`ping` without `_meta`" => "same", "answered with an empty result";
    DS6 Session "Fresh", "`server/discover`" => "same", "answered; nobody is bound by it";
    DS7 Session "Modern", "`initialize`" => "Legacy", "LS1 to LS4, whatever came before";
    DS8 Session "Legacy", "a modern request" => "same", "served in its own era, or -32600 if the policy `one_era` is on";
    DS9 Session "Modern", "`initialize`, and we speak no legacy revision" => "same", "-32022, with those that we do speak";
    DS10 Session "Modern", "a request without `_meta` of the modern era" => "same", "told, and answered with -32602";
    DS11 Session "Fresh, Modern", "a response or a batch" => "same", "a response is told and dropped, a batch answered with -32600";
};
