//! Ceilings, as keyword arguments.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wireline::{Limits, Profile};

/// The keyword arguments that every decoder takes.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) max_message: Option<u64>,
    pub(crate) max_depth: u64,
    pub(crate) max_id: u64,
    pub(crate) max_method: u64,
    pub(crate) max_discard: Option<u64>,
    pub(crate) profile: &'a str,
}

fn within(name: &str, value: u64, least: u64, most: u64) -> PyResult<u64> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(PyValueError::new_err(format!(
            "{name} is {value}; it must be from {least} to {most}"
        )))
    }
}

impl Given<'_> {
    /// The limits meant. `None` for `max_message` is no ceiling, which only a stream decoder takes.
    pub(crate) fn limits(self) -> PyResult<Limits> {
        let profile = match self.profile {
            "mcp" => Profile::Mcp,
            "json-rpc" => Profile::JsonRpc,
            other => {
                return Err(PyValueError::new_err(format!(
                    "profile is {other:?}; it must be \"mcp\" or \"json-rpc\""
                )));
            }
        };
        const LINE: u64 = u32::MAX as u64 - 1;
        let message = match self.max_message {
            Some(bytes) => within("max_message", bytes, 64, LINE)? as u32,
            None => u32::MAX,
        };
        let discard = match self.max_discard {
            Some(bytes) => within("max_discard", bytes, 1, LINE)? as u32,
            None => 0,
        };
        if self.max_message.is_some() && discard != 0 && discard <= message {
            return Err(PyValueError::new_err(
                "max_discard must be more than max_message",
            ));
        }
        Ok(Limits::HOST
            .with_message(message)
            .with_depth(within("max_depth", self.max_depth, 4, 127)? as u8)
            .with_id(within("max_id", self.max_id, 1, 16384)? as u16)
            .with_method(within("max_method", self.max_method, 1, 16384)? as u16)
            .with_max_discard(discard)
            .with_profile(profile))
    }
}
