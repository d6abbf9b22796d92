//! How each rule is handled: the one place that says so.

use wireline::Rule;

/// How a rule is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handling {
    /// What we send, and how we take what we receive, keeps to it.
    Enforced,
    /// What breaks it is reported where it is received.
    Detected,
    /// Both.
    Both,
    /// The first, and the monitor reports what breaks it.
    Watched,
    /// Only the monitor, which sees both directions or looks deeper, reports it.
    Monitor,
    /// The program's duty, because of what is said here.
    Host(&'static str),
    /// HTTP only, and that comes later.
    Http,
    /// Not to be seen by a core, because of what is said here.
    Outside(&'static str),
}

use Handling::{Both, Detected, Enforced, Host, Http, Monitor, Outside, Watched};

impl Handling {
    /// The cell of a table.
    pub fn cell(self) -> String {
        match self {
            Enforced => "enforced".into(),
            Detected => "detected".into(),
            Both => "enforced and detected".into(),
            Watched => "enforced; monitor".into(),
            Monitor => "monitor".into(),
            Host(why) => format!("host: {why}"),
            Http => "HTTP, not yet".into(),
            Outside(why) => format!("outside: {why}"),
        }
    }

    /// Whether a test has to show it.
    pub fn needs_a_test(self) -> bool {
        matches!(self, Enforced | Detected | Both | Watched | Monitor)
    }
}

const PROCESS: &str = "processes and their streams are the program's";
const TASKS: &str = "tasks pass through as requests; their life is the program's";
const EXTENSION: &str = "extensions pass through; what they mean is the program's";

/// How a rule is handled.
pub fn handling(rule: Rule) -> Handling {
    match rule.number() {
        1 | 2 => Both,
        3 | 4 => Detected,
        5 => Watched,
        6 => Watched,
        7 | 8 => Both,
        9 | 10 => Host(PROCESS),
        11 => Enforced,
        12 => Host("stderr never comes to the core"),
        13..=18 => Both,
        19 | 20 => Watched,
        21..=23 => Both,
        24 | 25 => Watched,
        26 => Both,
        27 | 28 => Watched,
        29 => Detected,
        30 | 31 => Both,
        32..=34 => Watched,
        35 | 37 => Monitor,
        36 => Enforced,
        38..=40 => Monitor,
        41 => Host("what stands under reserved keys reaches it as it came"),
        42..=44 => Both,
        45 | 46 => Watched,
        47 => Both,
        48..=50 => Monitor,
        51 | 52 => Both,
        53 => Enforced,
        54 => Both,
        55 => Watched,
        56 => Enforced,
        57 | 58 => Watched,
        59 => Both,
        60 | 61 => Watched,
        62 | 63 => Both,
        64 | 65 => Watched,
        66 => Enforced,
        67 => Watched,
        68 | 69 | 71 => Enforced,
        70 => Watched,
        72 => Watched,
        73 => Enforced,
        74 => Both,
        75..=77 => Watched,
        78 => Both,
        79 => Enforced,
        80 | 81 => Both,
        82 => Monitor,
        83 => Both,
        84 => Watched,
        85 => Both,
        86 => Host(EXTENSION),
        87 => Watched,
        88 => Both,
        89 => Enforced,
        90 => Enforced,
        91 => Both,
        92..=95 => Both,
        96 => Monitor,
        97 | 98 => Watched,
        99 => Enforced,
        100 => Host("what an answer means is the program's to judge"),
        101 | 102 => Watched,
        103 => Host("caches are the program's"),
        104 => Detected,
        105 => Watched,
        106 => Monitor,
        107 | 108 => Watched,
        109 | 110 => Enforced,
        111 => Both,
        112 => Monitor,
        113 => Both,
        114 => Enforced,
        115 | 116 => Http,
        117..=119 => Both,
        120 => Watched,
        121 => Both,
        122..=125 => Enforced,
        126..=131 => Both,
        132 => Watched,
        133 => Enforced,
        134 => Both,
        135 => Enforced,
        136 => Watched,
        137..=142 => Monitor,
        143 => Host(TASKS),
        144 => Monitor,
        145..=147 => Host(EXTENSION),
        148..=172 => Http,
        173 => Outside("it is about the sense of a conversation"),
        174 => Outside("it is about a schema in a payload"),
        175 => Outside("which resources exist is the program's to know"),
        176 => Outside("it takes a whole JSON Schema validator"),
        177 => Outside("it takes more than one connection to see"),
        178 | 179 => Monitor,
        180 => Outside("the core loads nothing from a network"),
        _ => Outside("there is no such rule"),
    }
}

/// The rules' groups: a heading, and the last rule under it.
pub const SECTIONS: &[(&str, u8)] = &[
    ("Framing and stdio", 12),
    ("Envelope", 37),
    ("`_meta`", 50),
    ("Lifecycle, versions and eras", 74),
    ("Capabilities", 87),
    ("Results, input and caching", 106),
    ("Cancellation, progress, logging and pages", 128),
    ("Subscriptions", 136),
    ("Tasks", 147),
    ("HTTP", 172),
    ("Content", 180),
];
