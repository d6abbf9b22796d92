//! What happened, as Python objects.

use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use wireline::session::{Ended, Event as Core, Failure, Handle, Ignored, State};
use wireline::{Message as CoreMessage, Violations};

use crate::message::Message;

/// What kind of event it is, and what only that kind has.
#[derive(Clone, Copy)]
pub(super) enum Sort {
    Request,
    Notification,
    Progress,
    Ended,
    Input { round: u8 },
    Subscribed,
    Cancelled,
    State { failure: Option<&'static str> },
    Error,
    Ignored,
    Handled,
}

/// All of an event but the objects of messages.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub(super) sort: Sort,
    handle: Option<Handle>,
    word: &'static str,
    revision: Option<&'static str>,
    broken: Violations,
    /// Whether the message that brought it belongs to it.
    pub(super) with_message: bool,
}

fn failure(why: Failure) -> &'static str {
    match why {
        Failure::NoCommonRevision => "no-common-revision",
        Failure::Refused => "refused",
        Failure::BadResponse => "bad-response",
        Failure::TooLong => "too-long",
        Failure::TimedOut => "timed-out",
        Failure::ClosedWhileProbing => "closed-while-probing",
        _ => "closed",
    }
}

/// A state's name.
pub(super) fn state(state: State) -> &'static str {
    match state {
        State::Idle => "idle",
        State::Probing => "probing",
        State::Opening => "opening",
        State::Ready(_) => "ready",
        State::Failed(_) => "failed",
        _ => "closed",
    }
}

fn ignored(why: Ignored) -> &'static str {
    match why {
        Ignored::Fault => "fault",
        Ignored::Late => "late",
        Ignored::UnknownId => "unknown-id",
        Ignored::DuplicateId => "duplicate-id",
        Ignored::UnknownTarget => "unknown-target",
        Ignored::WrongSide => "wrong-side",
        Ignored::WrongState => "wrong-state",
        _ => "not-a-request",
    }
}

impl Facts {
    /// The facts of a step; `None` if there is nothing to tell.
    pub(super) fn new(event: &Core<'_>, broken: Violations) -> Option<Facts> {
        let mut facts = Facts {
            sort: Sort::Handled,
            handle: None,
            word: "",
            revision: None,
            broken,
            with_message: true,
        };
        match event {
            Core::None if broken.is_empty() => return None,
            Core::None => {}
            Core::Request(incoming) => {
                facts.sort = Sort::Request;
                facts.handle = Some(incoming.handle);
                facts.revision = Some(incoming.revision.name());
            }
            Core::Notification { .. } => facts.sort = Sort::Notification,
            Core::Progress { handle, .. } => {
                facts.sort = Sort::Progress;
                facts.handle = Some(*handle);
            }
            Core::Ended { handle, why } => {
                facts.sort = Sort::Ended;
                facts.handle = Some(*handle);
                facts.word = why.name();
                facts.with_message = matches!(
                    why,
                    Ended::Result(_) | Ended::Error(_) | Ended::BadResponse | Ended::TooLong
                );
            }
            Core::InputRequired { handle, round, .. } => {
                facts.sort = Sort::Input { round: *round };
                facts.handle = Some(*handle);
            }
            Core::Subscribed { handle, .. } => {
                facts.sort = Sort::Subscribed;
                facts.handle = Some(*handle);
            }
            Core::Cancelled { handle, .. } => {
                facts.sort = Sort::Cancelled;
                facts.handle = Some(*handle);
            }
            Core::State {
                state: now,
                message,
            } => {
                let failure = match now {
                    State::Failed(why) => Some(failure(*why)),
                    _ => None,
                };
                facts.sort = Sort::State { failure };
                facts.word = state(*now);
                facts.with_message = message.is_some();
                if let State::Ready(revision) = now {
                    facts.revision = Some(revision.name());
                }
            }
            Core::ConnectionError(_) => facts.sort = Sort::Error,
            Core::Ignored(why) => {
                facts.sort = Sort::Ignored;
                facts.word = ignored(*why);
            }
            // A kind of event that this binding does not know is told, if anything is broken.
            _ if broken.is_empty() => return None,
            _ => {}
        }
        Some(facts)
    }

    /// The event's object. `source` is the message or the fault that brought it.
    pub(super) fn object<'py>(
        self,
        py: Python<'py>,
        source: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sort = self.sort;
        let source = source.filter(|_| self.with_message).map(Bound::unbind);
        let base = PyClassInitializer::from(Event {
            facts: self,
            source,
        });
        Ok(match sort {
            Sort::Request => Bound::new(py, base.add_subclass(RequestReceived))?.into_any(),
            Sort::Notification => {
                Bound::new(py, base.add_subclass(NotificationReceived))?.into_any()
            }
            Sort::Progress => Bound::new(py, base.add_subclass(ProgressReceived))?.into_any(),
            Sort::Ended => Bound::new(py, base.add_subclass(RequestEnded))?.into_any(),
            Sort::Input { .. } => Bound::new(py, base.add_subclass(InputRequired))?.into_any(),
            Sort::Subscribed => Bound::new(py, base.add_subclass(Subscribed))?.into_any(),
            Sort::Cancelled => Bound::new(py, base.add_subclass(RequestCancelled))?.into_any(),
            Sort::State { .. } => Bound::new(py, base.add_subclass(StateChanged))?.into_any(),
            Sort::Error => Bound::new(py, base.add_subclass(ErrorReceived))?.into_any(),
            Sort::Ignored => Bound::new(py, base.add_subclass(Ignored_))?.into_any(),
            Sort::Handled => Bound::new(py, base.add_subclass(Handled))?.into_any(),
        })
    }
}

/// What happened. `broken` tells the rules that the peer broke; they change nothing by themselves.
#[pyclass(frozen, subclass, module = "wireline")]
pub(crate) struct Event {
    facts: Facts,
    source: Option<Py<PyAny>>,
}

impl Event {
    fn core<'a>(&'a self, py: Python<'a>) -> Option<&'a CoreMessage<'a>> {
        let message = self.source.as_ref()?.bind(py).cast::<Message>().ok()?;
        Some(message.get().core())
    }

    /// What the message's values are read with.
    fn loads<'a>(&'a self, py: Python<'a>) -> Option<&'a Py<PyAny>> {
        let message = self.source.as_ref()?.bind(py).cast::<Message>().ok()?;
        message.get().loads()
    }

    fn attribute<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.source {
            Some(source) if source.bind(py).is_instance_of::<Message>() => {
                source.bind(py).getattr(name).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// A member of `params`.
    fn param<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self
            .core(py)
            .and_then(|message| message.params()?.get(name));
        value
            .map(|value| crate::value::load(py, value, self.loads(py)))
            .transpose()
    }

    /// A member of `result`.
    fn member<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self
            .core(py)
            .and_then(|message| message.result()?.get(name));
        value
            .map(|value| crate::value::load(py, value, self.loads(py)))
            .transpose()
    }
}

/// A slot of a request as a number; 0 for none, which no request has.
fn bits(event: &Event) -> u64 {
    event.facts.handle.map_or(0, Handle::to_bits)
}

#[pymethods]
impl Event {
    // There is no `__clear__`: see `Message`.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.source)
    }

    /// The numbers of the rules that the peer broke, such as `("R16",)`; docs/rules.md has them. They
    /// change nothing by themselves.
    #[getter]
    fn broken<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let names: Vec<String> = self
            .facts
            .broken
            .iter()
            .map(|rule| rule.to_string())
            .collect();
        PyTuple::new(py, names)
    }

    /// The message that brought the event, if one did.
    #[getter]
    fn message<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        let source = self.source.as_ref()?.bind(py);
        source.is_instance_of::<Message>().then(|| source.clone())
    }

    /// The line that brought the event and is no message, if one did.
    #[getter]
    fn fault<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        let source = self.source.as_ref()?.bind(py);
        (!source.is_instance_of::<Message>()).then(|| source.clone())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let (py, this) = (slf.py(), slf.get());
        let mut parts: Vec<String> = Vec::new();
        if let Some(handle) = this.facts.handle {
            parts.push(format!("handle={}", handle.to_bits()));
        }
        if !this.facts.word.is_empty() {
            parts.push(format!("'{}'", this.facts.word));
        }
        if let Some(revision) = this.facts.revision {
            parts.push(format!("revision='{revision}'"));
        }
        if let Some(source) = &this.source {
            parts.push(source.bind(py).repr()?.to_string());
        }
        if !this.facts.broken.is_empty() {
            parts.push(format!("broken={}", this.facts.broken));
        }
        Ok(format!("{}({})", slf.get_type().name()?, parts.join(", ")))
    }
}

/// Declares a class of events: its fields for `match`, and its getters.
macro_rules! event {
    (
        $(#[$doc:meta])* $class:ident $name:literal [$($field:literal),*]
        $({ $($body:tt)* })?
    ) => {
        $(#[$doc])*
        #[pyclass(frozen, extends = Event, module = "wireline", name = $name)]
        pub(crate) struct $class;

        #[pymethods]
        impl $class {
            #[classattr]
            fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
                PyTuple::new(py, [$($field),*] as [&str; { [$($field),*].len() }])
            }

            $($($body)*)?
        }
    };
}

event! {
    /// The peer asks for something. Answer it by its handle.
    RequestReceived "RequestReceived" ["method", "params", "handle"] {
        /// The request's handle.
        #[getter]
        fn handle(slf: PyRef<'_, Self>) -> u64 {
            bits(slf.as_super())
        }

        /// The method.
        #[getter]
        fn method<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().attribute(py, intern!(py, "method"))
        }

        /// The parameters, parsed each time they are asked for.
        #[getter]
        fn params<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().attribute(py, intern!(py, "params"))
        }

        /// The revision that is followed.
        #[getter]
        fn revision(slf: PyRef<'_, Self>) -> &'static str {
            slf.as_super().facts.revision.unwrap_or("")
        }
    }
}

event! {
    /// The peer tells something.
    NotificationReceived "NotificationReceived" ["method", "params"] {
        /// The method.
        #[getter]
        fn method<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().attribute(py, intern!(py, "method"))
        }

        /// The parameters, parsed each time they are asked for.
        #[getter]
        fn params<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().attribute(py, intern!(py, "params"))
        }
    }
}

event! {
    /// A request of ours is getting on.
    ProgressReceived "ProgressReceived" ["handle", "progress", "total", "text"] {
        /// The request's handle.
        #[getter]
        fn handle(slf: PyRef<'_, Self>) -> u64 {
            bits(slf.as_super())
        }

        /// How far it is.
        #[getter]
        fn progress<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().param(py, "progress")
        }

        /// Of how much, if the peer says so.
        #[getter]
        fn total<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().param(py, "total")
        }

        /// In words, if the peer says so.
        #[getter]
        fn text<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().param(py, "message")
        }
    }
}

event! {
    /// A request of ours has ended: once for each, and no more comes of it after that.
    RequestEnded "RequestEnded" ["handle", "outcome", "result"] {
        /// The request's handle.
        #[getter]
        fn handle(slf: PyRef<'_, Self>) -> u64 {
            bits(slf.as_super())
        }

        /// How: `result`, `error`, `bad-response`, `too-long`, `too-many-rounds`, `timed-out`,
        /// `cancelled` or `closed`.
        #[getter]
        fn outcome(slf: PyRef<'_, Self>) -> &'static str {
            slf.as_super().facts.word
        }

        /// The result, parsed each time it is asked for; `None` for other outcomes.
        #[getter]
        fn result<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().attribute(py, intern!(py, "result"))
        }

        /// The error object, parsed each time it is asked for; `None` for other outcomes.
        #[getter]
        fn error<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().attribute(py, intern!(py, "error"))
        }
    }
}

event! {
    /// A request of ours needs input before it goes on.
    InputRequired "InputRequired" ["handle", "requests", "state", "round"] {
        /// The request's handle.
        #[getter]
        fn handle(slf: PyRef<'_, Self>) -> u64 {
            bits(slf.as_super())
        }

        /// What is asked for, by key: each with `method` and `params`.
        #[getter]
        fn requests<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().member(py, "inputRequests")
        }

        /// Of `InputRequired`, the `requestState` to be given back, which is a string, if the server keeps
        /// to the protocol; of `StateChanged`, the state: `idle`, `probing`, `opening`, `ready`, `failed` or
        /// `closed`.
        #[getter]
        fn state<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().member(py, "requestState")
        }

        /// How often the request has asked for input, this time included.
        #[getter]
        fn round(slf: PyRef<'_, Self>) -> u8 {
            match slf.as_super().facts.sort {
                Sort::Input { round } => round,
                _ => 0,
            }
        }
    }
}

event! {
    /// A subscription of ours is open.
    Subscribed "Subscribed" ["handle", "notifications"] {
        /// The request's handle.
        #[getter]
        fn handle(slf: PyRef<'_, Self>) -> u64 {
            bits(slf.as_super())
        }

        /// What the subscription covers.
        #[getter]
        fn notifications<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().param(py, "notifications")
        }
    }
}

event! {
    /// The peer no longer wants a request. Its handle is stale.
    RequestCancelled "RequestCancelled" ["handle", "reason"] {
        /// The request's handle.
        #[getter]
        fn handle(slf: PyRef<'_, Self>) -> u64 {
            bits(slf.as_super())
        }

        /// Why.
        #[getter]
        fn reason<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().param(py, "reason")
        }
    }
}

event! {
    /// The session has come to another state.
    StateChanged "StateChanged" ["state", "revision", "failure"] {
        /// Of `InputRequired`, the `requestState` to be given back, which is a string, if the server keeps
        /// to the protocol; of `StateChanged`, the state: `idle`, `probing`, `opening`, `ready`, `failed` or
        /// `closed`.
        #[getter]
        fn state(slf: PyRef<'_, Self>) -> &'static str {
            slf.as_super().facts.word
        }

        /// The revision that is followed.
        #[getter]
        fn revision(slf: PyRef<'_, Self>) -> Option<&'static str> {
            slf.as_super().facts.revision
        }

        /// Why no session came about, if it is `failed`.
        #[getter]
        fn failure(slf: PyRef<'_, Self>) -> Option<&'static str> {
            match slf.as_super().facts.sort {
                Sort::State { failure } => failure,
                _ => None,
            }
        }
    }
}

event! {
    /// An error that answers nothing in particular.
    ErrorReceived "ErrorReceived" ["error"] {
        /// The error object, parsed each time it is asked for; `None` for other outcomes.
        #[getter]
        fn error<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
            slf.as_super().attribute(py, intern!(py, "error"))
        }
    }
}

event! {
    /// What came changes nothing.
    Ignored_ "Ignored" ["reason", "message", "fault"] {
        /// Why.
        #[getter]
        fn reason(slf: PyRef<'_, Self>) -> &'static str {
            slf.as_super().facts.word
        }
    }
}

event! {
    /// The session has taken care of it, and a rule was broken.
    Handled "Handled" ["message", "fault"]
}
