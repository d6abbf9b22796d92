//! Which kinds of result extensions allow: the one place that says so.

use super::Rule;
use crate::json::RawJson;
use crate::mcp::Method;

/// What a client has declared of extensions, as far as kinds of result depend on it.
#[derive(Clone, Copy)]
pub(crate) struct Extensions {
    /// `io.modelcontextprotocol/tasks`: a call of a tool may be answered by `task`.
    pub(crate) tasks: bool,
    /// Any other, whose kinds of result are not this crate's to know.
    pub(crate) others: bool,
}

impl Extensions {
    /// What a client's capabilities declare.
    pub(crate) fn declared(capabilities: RawJson<'_>) -> Self {
        let Some(extensions) = capabilities.get("extensions") else {
            return Extensions {
                tasks: false,
                others: false,
            };
        };
        let tasks = extensions.get("io.modelcontextprotocol/tasks").is_some();
        Extensions {
            tasks,
            others: extensions.members().nth(usize::from(tasks)).is_some(),
        }
    }

    /// The rule that a server breaks by answering with a result of a kind that is neither
    /// `complete` nor `input_required`. The kind is given as whether it is `task`, and whether
    /// it is the empty string, which is no extension's.
    pub(crate) fn broken_by(self, task: bool, empty: bool, method: Option<Method>) -> Option<Rule> {
        let declared = match task {
            true => self.tasks,
            false => self.others && !empty,
        };
        if !declared {
            Some(Rule::R91)
        } else if task && method != Some(Method::ToolsCall) {
            Some(Rule::R144)
        } else {
            None
        }
    }
}
