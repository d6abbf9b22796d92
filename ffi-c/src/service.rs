//! A server that answers from tables.

use wireline::server::{Completable, Event, Service, Tables, Target, Toolkit};
use wireline::session::{Config, Handle};

use crate::args::{Out, Sized32, sized_out, wireline_slice, wireline_string};
use crate::handle::{get, get_mut};
use crate::message::{received, wireline_item};
use crate::server::wireline_server;
use crate::session::{
    self, Lent, ServerSession, Told, WIRELINE_EVENT_CANCELLED, wireline_event, wireline_filter,
    wireline_handle, wireline_reply, wireline_send, wireline_step,
};
use crate::status::{Failed, WIRELINE_ERR_ARGUMENT, run, wireline_status};
use crate::toolkit::wireline_toolkit;

/// A tool is called: the one of `index`, with `arguments`, an object that fits its schema.
/// Answer with `wireline_server_finish_text` or `wireline_server_finish`.
pub const WIRELINE_EVENT_CALL: wireline_event = 20;
/// A resource is to be read: the one of `index`, or what the template of `index` matches, as
/// `target` says; `uri` is its URI. Answer with `wireline_server_finish`.
pub const WIRELINE_EVENT_READ: wireline_event = 21;
/// A prompt is to be filled in: the one of `index`, with `arguments`, an object of strings of
/// which none that it requires is missing. Answer with `wireline_server_finish`.
pub const WIRELINE_EVENT_GET: wireline_event = 22;
/// An argument is to be completed: `name` of the prompt or template of `index`, as `target`
/// says; `value` is what it begins with. Answer with `wireline_server_finish`.
pub const WIRELINE_EVENT_COMPLETE: wireline_event = 23;
/// Changes of a resource are to be told from now on, in the legacy era. Answer with
/// `wireline_server_acknowledge`.
pub const WIRELINE_EVENT_SUBSCRIBE: wireline_event = 24;
/// They are to be told no longer. Answer with `wireline_server_acknowledge`.
pub const WIRELINE_EVENT_UNSUBSCRIBE: wireline_event = 25;
/// A subscription of the modern era is open: it was acknowledged, as far as the server's
/// capabilities cover `filter`.
pub const WIRELINE_EVENT_LISTEN: wireline_event = 26;

/// What an index is the place in: one of the `WIRELINE_TARGET_` codes.
pub type wireline_target = u32;
/// None.
pub const WIRELINE_TARGET_NONE: wireline_target = 0;
/// The tools.
pub const WIRELINE_TARGET_TOOL: wireline_target = 1;
/// The resources.
pub const WIRELINE_TARGET_RESOURCE: wireline_target = 2;
/// The resource templates.
pub const WIRELINE_TARGET_TEMPLATE: wireline_target = 3;
/// The prompts.
pub const WIRELINE_TARGET_PROMPT: wireline_target = 4;

/// Variables of a template, at most.
pub const WIRELINE_MAX_VARIABLES: usize = 4;
const _: () = assert!(WIRELINE_MAX_VARIABLES == wireline::server::MAX_VARIABLES);

/// What a request asks the program for. Its slices lie in the line that was received, names in
/// the tables. What an event has no use for is absent.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_call {
    /// `sizeof(wireline_call)`.
    pub size: u32,
    /// What `index` is the place in.
    pub target: wireline_target,
    /// The place of the tool, resource, template or prompt in its table.
    pub index: usize,
    /// How many `variables` there are.
    pub variable_count: usize,
    /// All the parameters; in the modern era with `inputResponses` and `requestState`, if
    /// the client has been asked for input.
    pub params: wireline_slice,
    /// The arguments of a tool or prompt; of a completion, the values of other arguments.
    pub arguments: wireline_slice,
    /// The URI as it was received.
    pub uri: wireline_string,
    /// What a template's variables stand for in the URI, in the template's order.
    pub variables: [wireline_string; WIRELINE_MAX_VARIABLES],
    /// Of a completion: the name of the argument or variable.
    pub name: wireline_slice,
    /// Of a completion: what it begins with.
    pub value: wireline_string,
    /// Of LISTEN: what was asked for.
    pub filter: wireline_filter,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_call {}

const NO_STRING: wireline_string = wireline_string {
    ptr: core::ptr::null(),
    len: 0,
};

impl wireline_call {
    const NONE: wireline_call = wireline_call {
        size: wireline_call::SIZE,
        target: WIRELINE_TARGET_NONE,
        index: 0,
        variable_count: 0,
        params: wireline_slice::ABSENT,
        arguments: wireline_slice::ABSENT,
        uri: NO_STRING,
        variables: [NO_STRING; WIRELINE_MAX_VARIABLES],
        name: wireline_slice::ABSENT,
        value: NO_STRING,
        filter: wireline_filter {
            size: wireline_filter::SIZE,
            tools: 0,
            prompts: 0,
            resources: 0,
            reserved: 0,
            uris: wireline_slice::ABSENT,
        },
    };
}

/// Tables of a server that has none.
static NO_TABLES: Toolkit<'static> = match Toolkit::new(Tables::EMPTY) {
    Ok(toolkit) => toolkit,
    Err(_) => panic!(),
};

/// A server's state: what a `wireline_server` holds.
#[derive(Debug)]
pub(crate) struct Server {
    service: Service<'static, Lent>,
    has_tables: bool,
}

impl Server {
    pub(crate) fn new(
        config: &'static Config<'static>,
        toolkit: Option<&'static Toolkit<'static>>,
        slots: Lent,
    ) -> Self {
        Server {
            service: Service::new(config, toolkit.unwrap_or(&NO_TABLES), slots),
            has_tables: toolkit.is_some(),
        }
    }

    pub(crate) fn session(&self) -> &ServerSession {
        self.service.session()
    }

    pub(crate) fn service_mut(&mut self) -> &mut Service<'static, Lent> {
        &mut self.service
    }

    pub(crate) fn session_mut(&mut self) -> &mut ServerSession {
        self.service.session_mut()
    }
}

/// What an event of the tables says, beside the step.
fn call(event: &Event<'_>, toolkit: &Toolkit<'_>) -> (Told, wireline_call) {
    let mut call = wireline_call::NONE;
    let told = match event {
        Event::Call(it) => {
            call.target = WIRELINE_TARGET_TOOL;
            call.index = it.index;
            call.arguments = wireline_slice::json(Some(it.arguments));
            call.params = wireline_slice::json(Some(it.params));
            asked(WIRELINE_EVENT_CALL, it.handle, it.revision)
        }
        Event::Read(it) | Event::Subscribe(it) | Event::Unsubscribe(it) => {
            call.index = it.index;
            call.uri = wireline_string::of(Some(it.uri));
            call.params = wireline_slice::json(Some(it.params));
            call.target = WIRELINE_TARGET_RESOURCE;
            if let Target::Template(_, variables) = &it.target {
                call.target = WIRELINE_TARGET_TEMPLATE;
                for ((_, value), place) in variables.iter().zip(&mut call.variables) {
                    *place = wireline_string::of(Some(value));
                    call.variable_count = call.variable_count.wrapping_add(1);
                }
            }
            let code = match event {
                Event::Read(_) => WIRELINE_EVENT_READ,
                Event::Subscribe(_) => WIRELINE_EVENT_SUBSCRIBE,
                _ => WIRELINE_EVENT_UNSUBSCRIBE,
            };
            asked(code, it.handle, it.revision)
        }
        Event::Get(it) => {
            call.target = WIRELINE_TARGET_PROMPT;
            call.index = it.index;
            call.arguments = wireline_slice::json(Some(it.arguments));
            call.params = wireline_slice::json(Some(it.params));
            asked(WIRELINE_EVENT_GET, it.handle, it.revision)
        }
        Event::Complete(it) => {
            let tables = toolkit.tables();
            let (target, index, name) = match it.of {
                Completable::Prompt(prompt, argument) => (
                    WIRELINE_TARGET_PROMPT,
                    tables
                        .prompts
                        .iter()
                        .position(|it| core::ptr::eq(it.name, prompt.name)),
                    argument.name,
                ),
                Completable::Template(template, name) => (
                    WIRELINE_TARGET_TEMPLATE,
                    tables
                        .templates
                        .iter()
                        .position(|it| core::ptr::eq(it.uri_template, template.uri_template)),
                    name,
                ),
                _ => (WIRELINE_TARGET_NONE, None, ""),
            };
            call.target = target;
            call.index = index.unwrap_or(0);
            call.name = wireline_slice::of(name.as_bytes());
            call.value = wireline_string::of(Some(it.value));
            call.arguments = wireline_slice::json(it.context);
            asked(WIRELINE_EVENT_COMPLETE, it.handle, it.revision)
        }
        Event::Listen { handle, filter } => {
            call.filter = wireline_filter::of(filter);
            Told::at(WIRELINE_EVENT_LISTEN, *handle)
        }
        Event::Cancelled { handle, .. } => Told::at(WIRELINE_EVENT_CANCELLED, *handle),
        Event::Other(incoming) => Told::of(&wireline::session::Event::Request(*incoming)),
        Event::Session(event) => Told::of(event),
        _ => Told::NONE,
    };
    (told, call)
}

fn asked(event: wireline_event, handle: Handle, revision: wireline::mcp::Revision) -> Told {
    let mut told = Told::at(event, handle);
    told.revision = crate::names::revision_code(revision);
    told
}

/// Takes what a decoder gave, a message or a fault, answers what the tables answer, and says
/// what the program has to do: send what `step->send` is first, then do what `step->event`
/// says, with the details in `call`. `now` is in milliseconds of any clock. Set `step->size`
/// and `call->size` first. Write `step->send` before the next call on the server or the
/// decoder: see `wireline_send`.
///
/// Lists, unknown names, arguments that do not fit their schema and subscriptions are answered
/// by itself; so is every method that needs the program and is none of the events CALL, READ,
/// GET, COMPLETE, SUBSCRIBE and UNSUBSCRIBE.
///
/// Errors: ARGUMENT, if the server has no tables; ITEM, unless the item is a MESSAGE or FAULT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_serve(
    server: *mut wireline_server,
    item: *const wireline_item,
    now: u64,
    step: *mut wireline_step,
    call: *mut wireline_call,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let server = get_mut(server)?;
        let item = received(item)?;
        let (step, out) = (sized_out(step)?, sized_out(call)?);
        if !server.has_tables {
            return Err(Failed(WIRELINE_ERR_ARGUMENT));
        }
        let toolkit = server.service.toolkit();
        let took = server.service.receive(&item, now);
        let (told, asked) = self::call(&took.event, toolkit);
        step.told(told, took.broken, &took.send);
        out.set(asked);
        Ok(())
    })
}

/// Answers a call of a tool by a text: what it has to say, or, if `failed`, what went wrong,
/// for the model to know. Its handle is stale from then on. An answer that is over the ceiling
/// of the tables is replaced by one that says so.
///
/// Errors: STALE_HANDLE, if the request was answered or cancelled: nothing may be sent for it;
/// RULE, R104 if the request is none for a tool; UTF8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_finish_text(
    server: *mut wireline_server,
    handle: wireline_handle,
    text: wireline_slice,
    failed: bool,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let server = get_mut(server)?;
        let text = text.text()?;
        let out = Out::new(send)?;
        let handle = Handle::from_bits(handle);
        out.send(&server.service.finish_text(handle, text, failed)?);
        Ok(())
    })
}

/// Answers a request with any result. Its handle is stale from then on. An answer that is over
/// the ceiling of the tables is replaced: that of a tool by a result that says so, any other
/// by -32603.
///
/// Errors: as of `wireline_server_respond`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_finish(
    server: *mut wireline_server,
    handle: wireline_handle,
    reply: *const wireline_reply,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let server = get_mut(server)?;
        let reply = session::reply(reply)?;
        let out = Out::new(send)?;
        let handle = Handle::from_bits(handle);
        out.send(&server.service.finish_with(handle, reply)?);
        Ok(())
    })
}

/// Answers a request whose result says nothing: `resources/subscribe` and
/// `resources/unsubscribe`. Errors: STALE_HANDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_acknowledge(
    server: *mut wireline_server,
    handle: wireline_handle,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let server = get_mut(server)?;
        let out = Out::new(send)?;
        out.send(&server.service.acknowledge(Handle::from_bits(handle))?);
        Ok(())
    })
}

/// Answers a request for a resource that a template matches, but that is not there: -32002, or
/// -32602 in the modern era. Errors: STALE_HANDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_not_found(
    server: *mut wireline_server,
    handle: wireline_handle,
    send: *mut wireline_send,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let server = get_mut(server)?;
        let out = Out::new(send)?;
        out.send(&server.service.not_found(Handle::from_bits(handle))?);
        Ok(())
    })
}

/// Serves other tables from now on. `toolkit` stays in use. Tell the clients with
/// `wireline_server_changed`; the cursors of the old tables are invalid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_server_set_toolkit(
    server: *mut wireline_server,
    toolkit: *const wireline_toolkit,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let server = get_mut(server)?;
        let toolkit: &'static Toolkit<'static> = get(toolkit)?;
        server.service.set_toolkit(toolkit);
        server.has_tables = true;
        Ok(())
    })
}
