//! What a program is asked for.

use super::table::{Prompt, PromptArgument, Resource, ResourceTemplate, Tool};
use super::template::Variables;
use crate::json::{JsonStr, RawJson};
use crate::mcp::Revision;
use crate::message::Message;
use crate::rules::Violations;
use crate::session::{self, Filter, Handle, Incoming, Send};

/// All that follows from a line received.
///
/// `send` may borrow from the [`Service`](super::Service): send it, or copy it, before the
/// next call. The event borrows the line that was received and nothing else.
#[derive(Clone, Debug)]
pub struct Step<'s, 'm> {
    /// What the program has to do.
    pub event: Event<'m>,
    /// What is to be sent.
    pub send: Send<'s>,
    /// The rules that the peer broke. They change nothing by themselves.
    pub broken: Violations,
}

/// What the program has to do.
///
/// Each request is answered once: with [`finish`](super::Service::finish),
/// [`fail`](super::Service::fail) or their like, now or after any number of other calls.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'m> {
    /// Nothing.
    None,
    /// Call a tool.
    Call(Call<'m>),
    /// Read a resource.
    Read(Read<'m>),
    /// Fill in a prompt.
    Get(Get<'m>),
    /// Complete an argument.
    Complete(Complete<'m>),
    /// Tell of changes of a resource from now on, in the legacy era. Answer with
    /// [`acknowledge`](super::Service::acknowledge).
    Subscribe(Read<'m>),
    /// No longer tell of them. Answer with [`acknowledge`](super::Service::acknowledge).
    Unsubscribe(Read<'m>),
    /// A subscription of the modern era is open: it was acknowledged, as far as the
    /// server's capabilities cover what was asked for.
    Listen {
        /// Whom to tell: of lists with [`changed`](super::Service::changed), of the resources
        /// whose URIs it named with [`changed_for`](super::Service::changed_for).
        handle: Handle,
        /// What was asked for.
        filter: Filter<'m>,
    },
    /// A request is no longer wanted: stop working on it. Its handle is stale, and nothing
    /// is sent for it.
    Cancelled {
        /// Which request.
        handle: Handle,
        /// The notification, with its `reason`.
        message: Message<'m>,
    },
    /// A request that no table knows. Comes only with
    /// [`Tables::other_methods`](super::Tables::other_methods).
    Other(Incoming<'m>),
    /// Whatever else the session says.
    Session(session::Event<'m>),
}

/// A tool is called; its arguments fit its schema.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Call<'m> {
    /// What to answer it by.
    pub handle: Handle,
    /// The tool.
    pub tool: &'m Tool<'m>,
    /// Its place in the table.
    pub index: usize,
    /// The arguments, an object.
    pub arguments: RawJson<'m>,
    /// The revision that the request follows.
    pub revision: Revision,
    /// All the parameters; in the modern era with `inputResponses` and `requestState`, if
    /// the client has been asked for input.
    pub params: RawJson<'m>,
}

/// What a URI is.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Target<'m> {
    /// A resource of the table.
    Resource(&'m Resource<'m>),
    /// What a template of the table matches.
    Template(&'m ResourceTemplate<'m>, Variables<'m>),
}

/// A resource is to be read, or watched.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Read<'m> {
    /// What to answer it by.
    pub handle: Handle,
    /// The URI as it was received.
    pub uri: JsonStr<'m>,
    /// What it is.
    pub target: Target<'m>,
    /// The place of the resource, or of the template, in its table.
    pub index: usize,
    /// The revision that the request follows.
    pub revision: Revision,
    /// All the parameters: see [`Call::params`].
    pub params: RawJson<'m>,
}

impl<'m> Read<'m> {
    /// The value of a template's variable, as it stands in the URI.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<JsonStr<'m>> {
        match &self.target {
            Target::Resource(_) => None,
            Target::Template(_, variables) => variables.get(name),
        }
    }
}

/// A prompt is to be filled in. Its arguments are strings, and none that it requires is
/// missing.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Get<'m> {
    /// What to answer it by.
    pub handle: Handle,
    /// The prompt.
    pub prompt: &'m Prompt<'m>,
    /// Its place in the table.
    pub index: usize,
    /// The arguments, an object.
    pub arguments: RawJson<'m>,
    /// The revision that the request follows.
    pub revision: Revision,
    /// All the parameters: see [`Call::params`].
    pub params: RawJson<'m>,
}

impl<'m> Get<'m> {
    /// The argument of this name.
    #[must_use]
    pub fn argument(&self, name: &str) -> Option<JsonStr<'m>> {
        self.arguments.get(name)?.as_json_str()
    }
}

/// What is to be completed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Completable<'m> {
    /// An argument of a prompt.
    Prompt(&'m Prompt<'m>, &'m PromptArgument<'m>),
    /// A variable of a resource template, by its name.
    Template(&'m ResourceTemplate<'m>, &'m str),
}

/// An argument is to be completed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Complete<'m> {
    /// What to answer it by.
    pub handle: Handle,
    /// What is to be completed.
    pub of: Completable<'m>,
    /// What it begins with.
    pub value: JsonStr<'m>,
    /// The values of other arguments, an object; from 2025-06-18 on.
    pub context: Option<RawJson<'m>>,
    /// The revision that the request follows.
    pub revision: Revision,
}
