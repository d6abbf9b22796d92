//! What a connection is told once, and the memory that the session borrows it from.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use wireline::json::RawJson;
use wireline::mcp::{CacheScope, Capabilities, Revision, Revisions, Side};
use wireline::session::{Cache, Config, Implementation};

/// The members of a capabilities object that sessions know; others pass as they are.
const KNOWN: [&str; 9] = [
    "completions",
    "elicitation",
    "logging",
    "prompts",
    "resources",
    "roots",
    "sampling",
    "tasks",
    "tools",
];

/// What the configuration borrows.
pub(super) struct Texts {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) title: Option<String>,
    pub(super) instructions: Option<String>,
    pub(super) extra: Option<Vec<u8>>,
}

/// Plain settings.
pub(super) struct Settings {
    pub(super) revisions: Revisions,
    pub(super) capabilities: Capabilities,
    pub(super) timeouts: (u32, u32, u32),
    pub(super) rounds: u8,
    pub(super) one_era: bool,
    pub(super) answer_unparsable: bool,
    pub(super) cache: Cache,
}

/// A configuration that owns what it borrows. It has to outlive the session that it is lent to.
pub(super) struct Owned {
    config: *mut Config<'static>,
    texts: *mut Texts,
}

// SAFETY: both are owned by this alone, are never written after they were made, and hold plain data.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: both came from `Box::into_raw`, and are freed here only. The configuration goes
        // first, since it borrows the texts; neither has a destructor that looks at the other.
        unsafe {
            drop(Box::from_raw(self.config));
            drop(Box::from_raw(self.texts));
        }
    }
}

impl Owned {
    pub(super) fn new(texts: Texts, settings: &Settings) -> Owned {
        let texts = Box::into_raw(Box::new(texts));
        // SAFETY: just allocated, and freed in `drop` after the last use of what borrows it.
        let lent: &'static Texts = unsafe { &*texts };
        let mut info = Implementation::new(&lent.name, &lent.version);
        info.title = lent.title.as_deref();
        let (soft, hard, probe) = settings.timeouts;
        let mut config = Config::new(info)
            .with_revisions(settings.revisions)
            .with_capabilities(settings.capabilities)
            .with_timeouts(soft, hard)
            .with_probe_timeout(probe)
            .with_rounds(settings.rounds)
            .with_cache(settings.cache);
        config.policy.one_era = settings.one_era;
        config.policy.answer_unparsable = settings.answer_unparsable;
        config.instructions = lent.instructions.as_deref();
        config.extra_capabilities = lent
            .extra
            .as_deref()
            .and_then(|extra| RawJson::validate(extra).ok());
        Owned {
            config: Box::into_raw(Box::new(config)),
            texts,
        }
    }

    /// The configuration, for a session that is dropped before this.
    ///
    /// # Safety
    ///
    /// What is returned must not be used after `self` has been dropped.
    pub(super) unsafe fn lend(&self) -> &'static Config<'static> {
        // SAFETY: allocated in `new`, freed in `drop` only, never written in between.
        unsafe { &*self.config }
    }
}

/// Seconds as milliseconds; `None` and infinity are 0, for never.
pub(super) fn millis(name: &str, seconds: Option<f64>) -> PyResult<u32> {
    let Some(seconds) = seconds.filter(|&it| it != f64::INFINITY) else {
        return Ok(0);
    };
    let millis = (seconds * 1000.0).round();
    if millis >= 1.0 && millis <= f64::from(u32::MAX) {
        return Ok(millis as u32);
    }
    Err(PyValueError::new_err(format!(
        "{name} is {seconds} s; it must be from 0.001 to 4294967 s, or infinity for never"
    )))
}

/// Revisions by their names; all of them, if none are given.
pub(super) fn revisions(given: Option<Vec<String>>) -> PyResult<Revisions> {
    let Some(given) = given else {
        return Ok(Revisions::ALL);
    };
    let mut revisions = Revisions::NONE;
    for name in &given {
        revisions = revisions.with(revision(name)?);
    }
    if revisions.is_empty() {
        return Err(PyValueError::new_err(
            "revisions is empty; leave it out to speak all of them",
        ));
    }
    Ok(revisions)
}

/// A revision by its name.
pub(super) fn revision(name: &str) -> PyResult<Revision> {
    Revision::parse(name).ok_or_else(|| {
        let known: Vec<&str> = Revision::ALL.iter().map(|it| it.name()).collect();
        let known = known.join(", ");
        PyValueError::new_err(format!("{name:?} is no revision; there are {known}"))
    })
}

/// A cache scope by its name.
pub(super) fn scope(name: &str) -> PyResult<CacheScope> {
    CacheScope::parse(name).ok_or_else(|| {
        PyValueError::new_err(format!(
            "{name:?} is no cache scope; there are public and private"
        ))
    })
}

/// A capabilities object, taken apart: what sessions know, and further members.
pub(super) fn capabilities(
    side: Side,
    given: RawJson<'_>,
) -> PyResult<(Capabilities, Option<Vec<u8>>)> {
    let mut known = Vec::from(*b"{");
    let mut extra = Vec::from(*b"{");
    for (name, value) in given.members() {
        let text = name.as_str();
        let into = if text.is_some_and(|it| KNOWN.contains(&it)) {
            &mut known
        } else {
            &mut extra
        };
        if into.len() > 1 {
            into.push(b',');
        }
        into.extend_from_slice(format!("\"{}\":{value}", name.raw()).as_bytes());
    }
    known.push(b'}');
    extra.push(b'}');
    if given.kind() != wireline::json::JsonKind::Object {
        return Err(PyTypeError::new_err("capabilities must be a mapping"));
    }
    let known =
        RawJson::validate(&known).map_or(Capabilities::NONE, |it| Capabilities::read(side, it));
    Ok((known, (extra.len() > 2).then_some(extra)))
}
