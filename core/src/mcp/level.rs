//! Levels of log messages.

use crate::json::{JsonStr, ToJson, Writer};

/// How severe a log message is: the levels of RFC 5424, ordered from the least to the most
/// severe.
///
/// ```
/// use wireline::mcp::LogLevel;
/// let least = LogLevel::parse("warning").unwrap();
/// assert!(LogLevel::Error >= least && LogLevel::Notice < least);
/// assert_eq!(least.name(), "warning");
/// assert_eq!(LogLevel::parse("WARNING"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum LogLevel {
    /// Details for whoever looks for a mistake.
    Debug,
    /// What normally happens.
    Info,
    /// What normally happens, but is worth a look.
    Notice,
    /// Something may go wrong.
    Warning,
    /// Something has gone wrong.
    Error,
    /// A component has failed.
    Critical,
    /// Somebody has to act at once.
    Alert,
    /// The system is unusable.
    Emergency,
}

impl LogLevel {
    /// Every level, the least severe first.
    pub const ALL: &'static [LogLevel] = &[
        LogLevel::Debug,
        LogLevel::Info,
        LogLevel::Notice,
        LogLevel::Warning,
        LogLevel::Error,
        LogLevel::Critical,
        LogLevel::Alert,
        LogLevel::Emergency,
    ];

    /// The level's name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LogLevel::Debug => "debug",
            LogLevel::Info => "info",
            LogLevel::Notice => "notice",
            LogLevel::Warning => "warning",
            LogLevel::Error => "error",
            LogLevel::Critical => "critical",
            LogLevel::Alert => "alert",
            LogLevel::Emergency => "emergency",
        }
    }

    /// The level of this name, which is compared as it stands: levels are lower-case.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| it.name() == name)
    }

    /// The level that a received string names.
    #[must_use]
    pub fn from_json_str(name: JsonStr<'_>) -> Option<Self> {
        Self::ALL.iter().copied().find(|it| name == it.name())
    }
}

impl core::fmt::Display for LogLevel {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// The level's name.
impl ToJson for LogLevel {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.string(self.name());
    }
}
