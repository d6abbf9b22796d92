//! What becomes of a request: looked up in the tables, its parameters checked.

use super::check;
use super::event::{Call, Completable, Complete, Event, Get, Read, Target};
use super::grammar::MAX_SCHEMAS;
use super::note::Note;
use super::page::{self, List, WriteEntry};
use super::table::{Prompt, PromptArgument};
use super::template;
use super::toolkit::{Tables, Toolkit};
use crate::json::{JsonKind, JsonStr, RawJson};
use crate::mcp::{Capabilities, Capability, Era, Method, Revision, code};
use crate::session::{Filter, Handle, Incoming};

/// What serves the tables that there are: a program whose tables the compiler knows is linked
/// without what serves the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    get: Serve,
    complete: Serve,
    template: Find,
    pub(super) entries: [WriteEntry; 4],
}

/// What becomes of a request of one method.
type Serve = for<'m> fn(&'m Toolkit<'m>, &Asked<'m>, &mut Note) -> Verdict<'m>;

/// What a URI is, that is no resource's own.
type Find = for<'m> fn(&'m Toolkit<'m>, JsonStr<'m>) -> Option<(usize, Target<'m>)>;

impl Parts {
    pub(super) const fn of(tables: &Tables<'_>) -> Self {
        let prompts = !tables.prompts.is_empty();
        let templates = !tables.templates.is_empty();
        Parts {
            get: if prompts { get } else { get_none },
            complete: if prompts || templates {
                complete
            } else {
                complete_none
            },
            template: if templates { template } else { no_template },
            entries: page::writers(tables),
        }
    }
}

/// What is to be done about a request.
pub(super) enum Verdict<'m> {
    /// The program does it.
    Event(Event<'m>),
    /// A page of a list, from a place on.
    List(List, u16),
    /// A subscription is opened.
    Listen(Filter<'m>),
    /// An error of this code; the note says why.
    Fail(i64),
    /// A result that says that the tool failed; the note says why.
    Failure,
}

/// Puts the reason into the note.
fn fail<'m>(note: &mut Note, code: i64, why: &str, name: Option<JsonStr<'_>>) -> Verdict<'m> {
    note.push_str(why);
    if let Some(name) = name {
        note.push_str(": ");
        note.push_json_str(name);
    }
    Verdict::Fail(code)
}

/// Puts what is wrong with a parameter into the note.
fn wrong<'m>(note: &mut Note, what: &str) -> Verdict<'m> {
    fail(note, code::INVALID_PARAMS, what, None)
}

/// The members of parameters, of a `ref` and of an `argument` that decide what is done.
const DECIDING: [&str; 8] = [
    "name",
    "arguments",
    "uri",
    "cursor",
    "ref",
    "argument",
    "type",
    "value",
];

/// Whether a member that decides what is done stands twice: readers disagree on which one
/// counts, so somebody before us may have judged the other.
fn is_ambiguous(object: RawJson<'_>) -> bool {
    let mut seen = 0u8;
    object.members().any(|(key, _)| {
        let names = DECIDING.iter().zip(0u32..);
        let bit = names.fold(0u8, |bit, (name, at)| match key == **name {
            true => 1u8.wrapping_shl(at),
            false => bit,
        });
        let again = seen & bit != 0;
        seen |= bit;
        again
    })
}

/// A request and what it asks for.
pub(super) struct Asked<'m> {
    handle: Handle,
    revision: Revision,
    params: RawJson<'m>,
}

impl<'m> Asked<'m> {
    fn string(&self, name: &str) -> Option<JsonStr<'m>> {
        self.params.get(name)?.as_json_str()
    }

    /// `arguments`: an object, or nothing. `null` counts as nothing.
    fn arguments(&self) -> Option<RawJson<'m>> {
        match self.params.get("arguments") {
            None => Some(RawJson::EMPTY_OBJECT),
            Some(arguments) => match arguments.kind() {
                JsonKind::Object => Some(arguments),
                JsonKind::Null => Some(RawJson::EMPTY_OBJECT),
                _ => None,
            },
        }
    }
}

/// Whether arguments that do not fit the schema make a result that says so, so that a model
/// reads it and tries again, or an error.
const fn tells_the_model(revision: Revision) -> bool {
    matches!(revision, Revision::V2025_11_25 | Revision::V2026_07_28)
}

impl<'t> Toolkit<'t> {
    /// What becomes of a request. Not inlined: what it needs of the stack is given back before
    /// an answer is written.
    #[inline(never)]
    pub(super) fn dispatch<'m>(
        &'m self,
        incoming: &Incoming<'m>,
        ours: Capabilities,
        note: &mut Note,
    ) -> Verdict<'m> {
        let asked = Asked {
            handle: incoming.handle,
            revision: incoming.revision,
            params: incoming.message.params().unwrap_or(RawJson::EMPTY_OBJECT),
        };
        let Some(method) = incoming.method else {
            return self.other(incoming, note);
        };
        if is_ambiguous(asked.params) {
            return wrong(note, "A parameter stands twice");
        }
        if let Some(list) = List::of(method) {
            return match asked.params.get("cursor") {
                None => Verdict::List(list, 0),
                Some(cursor) => match cursor.as_json_str().and_then(|it| self.place(list, it)) {
                    Some(from) => Verdict::List(list, from),
                    None => wrong(note, "Invalid cursor"),
                },
            };
        }
        match method {
            Method::ToolsCall => self.call(&asked, note),
            Method::ResourcesRead => self.read(&asked, Event::Read, note),
            Method::ResourcesSubscribe => self.read(&asked, Event::Subscribe, note),
            Method::ResourcesUnsubscribe => self.read(&asked, Event::Unsubscribe, note),
            Method::PromptsGet => (self.parts.get)(self, &asked, note),
            // 2024-11-05 has no capability for it, so the session lets it pass.
            Method::Complete if ours.has(Capability::Completions) => {
                (self.parts.complete)(self, &asked, note)
            }
            Method::SubscriptionsListen => {
                let filter = asked.params.get("notifications");
                Verdict::Listen(Filter::read(filter.unwrap_or(RawJson::EMPTY_OBJECT)))
            }
            _ => self.other(incoming, note),
        }
    }

    fn other<'m>(&self, incoming: &Incoming<'m>, note: &mut Note) -> Verdict<'m> {
        if self.tables.other_methods {
            return Verdict::Event(Event::Other(*incoming));
        }
        fail(note, code::METHOD_NOT_FOUND, "Method not found", None)
    }

    fn call<'m>(&'m self, asked: &Asked<'m>, note: &mut Note) -> Verdict<'m> {
        let Some(name) = asked.string("name") else {
            return wrong(note, "The name is missing");
        };
        let tools = self.tables.tools;
        let Some((index, tool)) = tools.iter().enumerate().find(|(_, it)| name == it.name) else {
            return fail(note, code::INVALID_PARAMS, "Unknown tool", Some(name));
        };
        let Some(arguments) = asked.arguments() else {
            return wrong(note, "The arguments are not an object");
        };
        if !tool.input.is_opaque() {
            let begin = note.begin("Invalid arguments: ");
            if !check::fits(tool.input.as_raw(), arguments, MAX_SCHEMAS, note) {
                return match tells_the_model(asked.revision) {
                    true => Verdict::Failure,
                    false => Verdict::Fail(code::INVALID_PARAMS),
                };
            }
            note.leave(begin);
        }
        Verdict::Event(Event::Call(Call {
            handle: asked.handle,
            tool,
            index,
            arguments,
            revision: asked.revision,
            params: asked.params,
        }))
    }

    fn read<'m>(
        &'m self,
        asked: &Asked<'m>,
        event: fn(Read<'m>) -> Event<'m>,
        note: &mut Note,
    ) -> Verdict<'m> {
        let Some(uri) = asked.string("uri") else {
            return wrong(note, "The URI is missing");
        };
        let mut resources = self.tables.resources.iter().enumerate();
        let resource = resources
            .find(|(_, it)| uri == it.uri)
            .map(|(index, it)| (index, Target::Resource(it)));
        let found = resource.or_else(|| (self.parts.template)(self, uri));
        let Some((index, target)) = found else {
            let code = not_found(asked.revision);
            return fail(note, code, "Resource not found", Some(uri));
        };
        Verdict::Event(event(Read {
            handle: asked.handle,
            uri,
            target,
            index,
            revision: asked.revision,
            params: asked.params,
        }))
    }
}

fn prompt<'m>(toolkit: &'m Toolkit<'m>, name: JsonStr<'_>) -> Option<(usize, &'m Prompt<'m>)> {
    let prompts = toolkit.tables.prompts;
    prompts.iter().enumerate().find(|(_, it)| name == it.name)
}

fn get<'m>(toolkit: &'m Toolkit<'m>, asked: &Asked<'m>, note: &mut Note) -> Verdict<'m> {
    let Some(name) = asked.string("name") else {
        return wrong(note, "The name is missing");
    };
    let Some((index, prompt)) = prompt(toolkit, name) else {
        return fail(note, code::INVALID_PARAMS, "Unknown prompt", Some(name));
    };
    let Some(arguments) = asked.arguments() else {
        return wrong(note, "The arguments are not an object");
    };
    let begin = note.begin("Invalid arguments: ");
    if !arguments_fit(prompt.arguments, arguments, note) {
        return Verdict::Fail(code::INVALID_PARAMS);
    }
    note.leave(begin);
    Verdict::Event(Event::Get(Get {
        handle: asked.handle,
        prompt,
        index,
        arguments,
        revision: asked.revision,
        params: asked.params,
    }))
}

fn complete<'m>(toolkit: &'m Toolkit<'m>, asked: &Asked<'m>, note: &mut Note) -> Verdict<'m> {
    let member = |object: &str, name: &str| {
        let object = asked.params.get(object)?;
        object.get(name)?.as_json_str()
    };
    if ["ref", "argument"]
        .iter()
        .any(|it| asked.params.get(it).is_some_and(is_ambiguous))
    {
        return wrong(note, "A member of the parameters stands twice");
    }
    let kind = member("ref", "type");
    let (Some(argument), Some(value)) = (member("argument", "name"), member("argument", "value"))
    else {
        return wrong(note, "The argument lacks its name or its value");
    };
    let of = if kind.is_some_and(|kind| kind == "ref/prompt") {
        let name = member("ref", "name");
        let Some((_, prompt)) = name.and_then(|name| prompt(toolkit, name)) else {
            return fail(note, code::INVALID_PARAMS, "Unknown prompt", name);
        };
        let found = prompt.arguments.iter().find(|it| argument == it.name);
        found.map(|found| Completable::Prompt(prompt, found))
    } else if kind.is_some_and(|kind| kind == "ref/resource") {
        let uri = member("ref", "uri");
        let mut templates = toolkit.tables.templates.iter();
        let found = templates.find(|it| uri.is_some_and(|uri| uri == it.uri_template));
        let Some(template) = found else {
            return fail(note, code::INVALID_PARAMS, "Unknown resource template", uri);
        };
        let found = template.variables().find(|it| argument == *it);
        found.map(|found| Completable::Template(template, found))
    } else {
        return wrong(note, "The reference is of no known type");
    };
    let Some(of) = of else {
        return fail(
            note,
            code::INVALID_PARAMS,
            "Unknown argument",
            Some(argument),
        );
    };
    let context = asked.params.get("context");
    let context = context
        .and_then(|context| context.get("arguments"))
        .filter(|it| it.kind() == JsonKind::Object);
    Verdict::Event(Event::Complete(Complete {
        handle: asked.handle,
        of,
        value,
        context,
        revision: asked.revision,
    }))
}

/// There are no prompts.
fn get_none<'m>(_: &'m Toolkit<'m>, asked: &Asked<'m>, note: &mut Note) -> Verdict<'m> {
    match asked.string("name") {
        Some(name) => fail(note, code::INVALID_PARAMS, "Unknown prompt", Some(name)),
        None => wrong(note, "The name is missing"),
    }
}

/// There is nothing that could be completed.
fn complete_none<'m>(_: &'m Toolkit<'m>, _: &Asked<'m>, note: &mut Note) -> Verdict<'m> {
    wrong(note, "The reference is of no known type")
}

fn template<'m>(toolkit: &'m Toolkit<'m>, uri: JsonStr<'m>) -> Option<(usize, Target<'m>)> {
    let mut templates = toolkit.tables.templates.iter().enumerate();
    templates.find_map(|(index, it)| {
        let variables = template::matches(it.uri_template, uri)?;
        Some((index, Target::Template(it, variables)))
    })
}

fn no_template<'m>(_: &'m Toolkit<'m>, _: JsonStr<'m>) -> Option<(usize, Target<'m>)> {
    None
}

/// The code for a resource that is not there.
pub(super) const fn not_found(revision: Revision) -> i64 {
    match revision.era() {
        Era::Legacy => code::RESOURCE_NOT_FOUND,
        Era::Modern => code::INVALID_PARAMS,
    }
}

/// Whether all arguments of a prompt are strings, none stands twice, and none that is
/// required is missing. Those that it does not have pass.
fn arguments_fit(known: &[PromptArgument<'_>], given: RawJson<'_>, note: &mut Note) -> bool {
    for (name, value) in given.members() {
        if value.kind() != JsonKind::String {
            note.enter(name);
            note.reason("not of type string");
            return false;
        }
    }
    for argument in known {
        let mut found = given.members().filter(|(name, _)| *name == argument.name);
        let first = found.next();
        let why = match (first, found.next()) {
            (None, _) if argument.required => "missing",
            (Some(_), Some(_)) => "there twice",
            _ => continue,
        };
        note.enter_str(argument.name);
        note.reason(why);
        return false;
    }
    true
}
