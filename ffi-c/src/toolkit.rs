//! A server's tables, given as C structs at run time, and checked then.

use core::ffi::c_void;

use wireline::json::{JsonKind, RawJson};
use wireline::mcp::Capabilities;
use wireline::server::{
    Annotations, Extra, Prompt, PromptArgument, Resource, ResourceTemplate, Schema, SchemaError,
    Table, TableError, Tables, Tool, Toolkit,
};

use crate::args::{Out, Sized32, flag, input, pointer, reserved, sized, wireline_slice};
use crate::handle::{begin, get, handle};
use crate::names::wireline_capabilities;
use crate::session::capabilities_code;
use crate::status::{
    Failed, Outcome, WIRELINE_ERR_ARGUMENT, WIRELINE_ERR_NULL, WIRELINE_ERR_TABLE,
    WIRELINE_ERR_TOO_SMALL, run, wireline_status,
};

/// In `hints`: the tool changes nothing. Hints of a tool go out from 2025-03-26 on; a client
/// does not rely on them.
pub const WIRELINE_HINT_READ_ONLY: u32 = 0x01;
/// In `hints`: it changes something.
pub const WIRELINE_HINT_NOT_READ_ONLY: u32 = 0x02;
/// In `hints`: what it changes may be lost.
pub const WIRELINE_HINT_DESTRUCTIVE: u32 = 0x04;
/// In `hints`: nothing is lost.
pub const WIRELINE_HINT_NOT_DESTRUCTIVE: u32 = 0x08;
/// In `hints`: the same call once more changes nothing further.
pub const WIRELINE_HINT_IDEMPOTENT: u32 = 0x10;
/// In `hints`: it does.
pub const WIRELINE_HINT_NOT_IDEMPOTENT: u32 = 0x20;
/// In `hints`: it reaches things outside.
pub const WIRELINE_HINT_OPEN_WORLD: u32 = 0x40;
/// In `hints`: it does not.
pub const WIRELINE_HINT_NOT_OPEN_WORLD: u32 = 0x80;

/// In `flags` of a tool: its input schema is listed as it is, whatever keywords it has, and
/// arguments are not checked against it: that is left to the program.
pub const WIRELINE_TOOL_OPAQUE_INPUT: u32 = 0x01;
/// In `flags` of a tool: the same for its output schema.
pub const WIRELINE_TOOL_OPAQUE_OUTPUT: u32 = 0x02;

/// A tool. What is not said to be needed may be absent; texts are UTF-8. Entries of tables have
/// no `size` of their own: that of `wireline_tables` stands for their layout, too.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_tool {
    /// Its name: 1 to 128 of the ASCII letters and digits, `_`, `-` and `.`. Needed.
    pub name: wireline_slice,
    /// What it does, for a model.
    pub description: wireline_slice,
    /// What its arguments are: a JSON Schema of an object, of the keywords that
    /// docs/c.md lists. Absent: an object of any members.
    pub input_schema: wireline_slice,
    /// What its structured content is, from 2025-06-18 on.
    pub output_schema: wireline_slice,
    /// Its name for people, from 2025-06-18 on.
    pub title: wireline_slice,
    /// Further members, such as `icons` or `_meta`: a JSON object.
    pub extra: wireline_slice,
    /// `WIRELINE_HINT_` bits.
    pub hints: u32,
    /// `WIRELINE_TOOL_` bits.
    pub flags: u32,
}

/// A resource with a URI of its own.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_resource {
    /// Its URI, of the characters that RFC 3986 allows. Needed.
    pub uri: wireline_slice,
    /// Its name. Needed.
    pub name: wireline_slice,
    /// What it is, for a model.
    pub description: wireline_slice,
    /// Its media type.
    pub mime_type: wireline_slice,
    /// Its name for people, from 2025-06-18 on.
    pub title: wireline_slice,
    /// Further members: a JSON object.
    pub extra: wireline_slice,
    /// Its size in bytes, if `has_bytes` is 1.
    pub bytes: u64,
    /// 1: the size is known.
    pub has_bytes: u32,
    /// 0.
    pub reserved: u32,
}

/// Resources whose URIs follow a template of level 1 (RFC 6570): `{name}` stands for one or
/// more characters other than `/`, `?` and `#`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_template {
    /// The template, of one to four variables, no two of them side by side. Needed.
    pub uri_template: wireline_slice,
    /// Its name. Needed.
    pub name: wireline_slice,
    /// What the resources are, for a model.
    pub description: wireline_slice,
    /// The media type of all of them.
    pub mime_type: wireline_slice,
    /// Its name for people, from 2025-06-18 on.
    pub title: wireline_slice,
    /// Further members: a JSON object.
    pub extra: wireline_slice,
}

/// An argument of a prompt, a string.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_prompt_argument {
    /// Its name. Needed.
    pub name: wireline_slice,
    /// What it is.
    pub description: wireline_slice,
    /// Its name for people, from 2025-06-18 on.
    pub title: wireline_slice,
    /// 1: it must be given.
    pub required: u32,
    /// 0.
    pub reserved: u32,
}

/// A prompt.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_prompt {
    /// Its name. Needed.
    pub name: wireline_slice,
    /// What it is for.
    pub description: wireline_slice,
    /// Its name for people, from 2025-06-18 on.
    pub title: wireline_slice,
    /// Further members: a JSON object.
    pub extra: wireline_slice,
    /// Its arguments, an array; NULL for none.
    pub arguments: *const wireline_prompt_argument,
    /// How many.
    pub argument_count: usize,
}

// SAFETY: these are read and never written; statics hold them.
unsafe impl Sync for wireline_prompt {}

/// A server's tables. Zeroed memory with `size` set has no entries. Arrays may be NULL if
/// they have none.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_tables {
    /// `sizeof(wireline_tables)`.
    pub size: u32,
    /// Bytes of an answer's line, LF included, at most; at least 256, or 0 for no ceiling.
    /// A list has as many entries on a page as fit, and an answer that would be longer
    /// becomes an error. That holds for all that `wireline_server_serve` answers by itself,
    /// and for `_finish`, `_finish_text`, `_respond`, `_respond_with`, `_fail`, `_acknowledge`
    /// and `_not_found`. An answer of the session's own that is too long goes without the
    /// settings' instructions, without what the client wrote, or without an error's data. It
    /// holds the request's id, so the limits' `id` has to leave room.
    ///
    /// Not bounded is what else a program sends: requests, notifications, progress, log
    /// messages, `_ask`, `_accept`, tasks; and what `wireline_server_receive` answers.
    pub line: u32,
    /// Entries on a page of a list, at most; 0 for 50.
    pub page: u16,
    /// 1: requests of methods that the protocol does not define come to the program as
    /// `WIRELINE_EVENT_REQUEST`. 0: they are answered with -32601.
    pub other_methods: u8,
    /// 0.
    pub reserved: [u8; 5],
    /// Its tools.
    pub tools: *const wireline_tool,
    /// How many, at most 65535.
    pub tool_count: usize,
    /// Its resources.
    pub resources: *const wireline_resource,
    /// How many, at most 65535.
    pub resource_count: usize,
    /// Its resource templates. A URI that is a resource's own is that resource, then the
    /// first template that matches counts.
    pub templates: *const wireline_template,
    /// How many, at most 65535.
    pub template_count: usize,
    /// Its prompts.
    pub prompts: *const wireline_prompt,
    /// How many, at most 65535.
    pub prompt_count: usize,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_tables {}

/// Which of the tables: one of the `WIRELINE_TABLE_` codes.
pub type wireline_table = u32;
/// None of them: the page or the line is wrong.
pub const WIRELINE_TABLE_NONE: wireline_table = 0;
/// The tools.
pub const WIRELINE_TABLE_TOOLS: wireline_table = 1;
/// The resources.
pub const WIRELINE_TABLE_RESOURCES: wireline_table = 2;
/// The resource templates.
pub const WIRELINE_TABLE_TEMPLATES: wireline_table = 3;
/// The prompts.
pub const WIRELINE_TABLE_PROMPTS: wireline_table = 4;

/// Which entry of a table is wrong, and why.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_table_error {
    /// Which table.
    pub table: wireline_table,
    /// 0.
    pub reserved: u32,
    /// Which of its entries, from 0; of two that have the same name, the later one.
    pub index: usize,
    /// What is wrong, as a phrase; it stays.
    pub reason: wireline_slice,
    /// Of a schema or of further members: where, in bytes from the start.
    pub offset: usize,
}

/// Words of memory for each tool.
pub const WIRELINE_TOOL_WORDS: usize = 16;
/// Words of memory for each resource.
pub const WIRELINE_RESOURCE_WORDS: usize = 16;
/// Words of memory for each resource template.
pub const WIRELINE_TEMPLATE_WORDS: usize = 12;
/// Words of memory for each prompt.
pub const WIRELINE_PROMPT_WORDS: usize = 10;
/// Words of memory for each argument of a prompt.
pub const WIRELINE_ARGUMENT_WORDS: usize = 8;

const _: () = {
    const fn fits<T>(words: usize) {
        assert!(size_of::<T>() <= words * size_of::<usize>());
        assert!(align_of::<T>() <= align_of::<u64>());
        assert!((words * size_of::<usize>()).is_multiple_of(align_of::<u64>()));
    }
    fits::<Tool<'static>>(WIRELINE_TOOL_WORDS);
    fits::<Resource<'static>>(WIRELINE_RESOURCE_WORDS);
    fits::<ResourceTemplate<'static>>(WIRELINE_TEMPLATE_WORDS);
    fits::<Prompt<'static>>(WIRELINE_PROMPT_WORDS);
    fits::<PromptArgument<'static>>(WIRELINE_ARGUMENT_WORDS);
};

/// Tables that have been looked at. Servers borrow it: it stays where it is, and as it is, as
/// long as one of them is used; so do the memory that it was lent and the tables' texts. The
/// arrays themselves are needed no more.
#[repr(C)]
pub struct wireline_toolkit {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 24],
}

handle!(wireline_toolkit, Toolkit<'static>, 0x574c_0014);

/// What has no entries.
const NOTHING: Toolkit<'static> = wireline::toolkit! {};

/// An array of the caller's.
unsafe fn array<'a, T>(ptr: *const T, count: usize) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    pointer(ptr)?;
    if count.saturating_mul(size_of::<T>()) > isize::MAX as usize {
        return Err(Failed(WIRELINE_ERR_ARGUMENT));
    }
    // SAFETY: neither NULL nor misaligned, no longer than an object can be; the caller
    // vouches for the rest, and every bit pattern is a value.
    Ok(unsafe { core::slice::from_raw_parts(ptr, count) })
}

/// The arrays of a caller's tables.
#[derive(Clone, Copy)]
struct Given<'a> {
    tools: &'a [wireline_tool],
    resources: &'a [wireline_resource],
    templates: &'a [wireline_template],
    prompts: &'a [wireline_prompt],
    arguments: usize,
}

unsafe fn given<'a>(tables: &wireline_tables) -> Outcome<Given<'a>> {
    reserved(tables.reserved)?;
    // SAFETY: the caller vouches for the arrays.
    unsafe {
        let prompts = array(tables.prompts, tables.prompt_count)?;
        let mut arguments = 0usize;
        for prompt in prompts {
            array(prompt.arguments, prompt.argument_count)?;
            arguments = arguments.saturating_add(prompt.argument_count);
        }
        Ok(Given {
            tools: array(tables.tools, tables.tool_count)?,
            resources: array(tables.resources, tables.resource_count)?,
            templates: array(tables.templates, tables.template_count)?,
            prompts,
            arguments,
        })
    }
}

impl Given<'_> {
    /// Bytes of memory for all entries.
    fn needed(&self) -> usize {
        let words = [
            (self.tools.len(), WIRELINE_TOOL_WORDS),
            (self.resources.len(), WIRELINE_RESOURCE_WORDS),
            (self.templates.len(), WIRELINE_TEMPLATE_WORDS),
            (self.prompts.len(), WIRELINE_PROMPT_WORDS),
            (self.arguments, WIRELINE_ARGUMENT_WORDS),
        ];
        words.iter().fold(0usize, |sum, (count, words)| {
            sum.saturating_add(
                count
                    .saturating_mul(*words)
                    .saturating_mul(size_of::<usize>()),
            )
        })
    }
}

/// Bytes of memory that tables need: what `WIRELINE_TABLE_WORDS` says of their counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_toolkit_needed(
    tables: *const wireline_tables,
    needed: *mut usize,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let given = given(input(tables)?)?;
        Out::new(needed)?.set(given.needed());
        Ok(())
    })
}

/// What is wrong with an entry.
struct Wrong {
    reason: &'static str,
    offset: usize,
}

impl From<&'static str> for Wrong {
    fn from(reason: &'static str) -> Self {
        Wrong { reason, offset: 0 }
    }
}

impl From<SchemaError> for Wrong {
    fn from(error: SchemaError) -> Self {
        Wrong {
            reason: error.reason(),
            offset: error.offset,
        }
    }
}

/// That something is wrong, where nobody is told what: the reasons are not linked.
struct Silent;

impl From<&'static str> for Silent {
    fn from(_: &'static str) -> Self {
        Silent
    }
}

/// A text of an entry, which may be absent.
unsafe fn maybe<W: From<&'static str>>(text: wireline_slice) -> Result<Option<&'static str>, W> {
    // SAFETY: the caller vouches for the slice.
    match unsafe { text.maybe_text() } {
        Ok(text) => Ok(text),
        Err(Failed(WIRELINE_ERR_NULL)) => Err("a text has a length and no memory".into()),
        Err(_) => Err("a text is not UTF-8".into()),
    }
}

/// A text of an entry; one that is absent is empty.
unsafe fn text<W: From<&'static str>>(text: wireline_slice) -> Result<&'static str, W> {
    // SAFETY: as above.
    unsafe { maybe(text) }.map(Option::unwrap_or_default)
}

/// How tables are looked at: what is linked for it is what an init function needs.
trait Look {
    /// What is wrong with an entry.
    type Wrong: From<&'static str>;
    fn schema(text: &'static str, opaque: bool) -> Result<Schema<'static>, Self::Wrong>;
    fn extra(text: &'static str) -> Result<Extra<'static>, Self::Wrong>;
    fn toolkit(tables: Tables<'static>) -> Result<Toolkit<'static>, Misfit<Self::Wrong>>;
}

/// Where something is wrong, and what.
type Misfit<W> = ((wireline_table, usize), W);

/// Everything is looked at.
struct Whole;

impl Look for Whole {
    type Wrong = Wrong;

    fn schema(text: &'static str, opaque: bool) -> Result<Schema<'static>, Wrong> {
        Ok(match opaque {
            true => Schema::opaque(text)?,
            false => Schema::new(text)?,
        })
    }

    fn extra(text: &'static str) -> Result<Extra<'static>, Wrong> {
        Ok(Extra::new(text)?)
    }

    fn toolkit(tables: Tables<'static>) -> Result<Toolkit<'static>, Misfit<Wrong>> {
        Toolkit::new(tables).map_err(|error: TableError<'_>| {
            let place = (table_code(error.table), error.index);
            (place, Wrong::from(error.reason()))
        })
    }
}

/// What a host has found right before: looked at is what would make a list no JSON.
struct Trusted;

/// An object, by what messages are read with anyway.
fn object(text: &str) -> Result<(), Silent> {
    match RawJson::validate(text.as_bytes()) {
        Ok(value) if value.kind() == JsonKind::Object => Ok(()),
        _ => Err(Silent),
    }
}

impl Look for Trusted {
    type Wrong = Silent;

    fn schema(text: &'static str, opaque: bool) -> Result<Schema<'static>, Silent> {
        object(text)?;
        Ok(Schema::assume_valid(text, opaque))
    }

    fn extra(text: &'static str) -> Result<Extra<'static>, Silent> {
        object(text)?;
        Ok(Extra::assume_valid(text))
    }

    fn toolkit(tables: Tables<'static>) -> Result<Toolkit<'static>, Misfit<Silent>> {
        Toolkit::assume_valid(tables).map_err(|_| ((WIRELINE_TABLE_NONE, 0), Silent))
    }
}

unsafe fn extra<L: Look>(members: wireline_slice) -> Result<Option<Extra<'static>>, L::Wrong> {
    // SAFETY: as above.
    match unsafe { maybe(members) }? {
        Some(text) => Ok(Some(L::extra(text)?)),
        None => Ok(None),
    }
}

/// A hint out of the two bits that say yes and no.
fn hint<W: From<&'static str>>(bits: u32, yes: u32) -> Result<Option<bool>, W> {
    let no = yes.wrapping_shl(1);
    match (bits & yes != 0, bits & no != 0) {
        (false, false) => Ok(None),
        (true, false) => Ok(Some(true)),
        (false, true) => Ok(Some(false)),
        (true, true) => Err("a hint is given and denied at once".into()),
    }
}

/// One that must be 0 or 1.
fn yes<W: From<&'static str>>(number: u32) -> Result<bool, W> {
    let byte = u8::try_from(number).unwrap_or(u8::MAX);
    flag(byte).map_err(|_| "a flag is neither 0 nor 1".into())
}

/// A reserved member of an entry.
fn unused<W: From<&'static str>>(member: u32) -> Result<(), W> {
    reserved(member).map_err(|_| "a reserved member is not 0".into())
}

unsafe fn tool<L: Look>(it: &wireline_tool) -> Result<Tool<'static>, L::Wrong> {
    // SAFETY: the caller vouches for the slices.
    unsafe {
        let input = maybe(it.input_schema)?.unwrap_or("{\"type\":\"object\"}");
        let input = L::schema(input, it.flags & WIRELINE_TOOL_OPAQUE_INPUT != 0)?;
        let mut tool = Tool::new(text(it.name)?, text(it.description)?, input);
        tool.title = maybe(it.title)?;
        tool.output = match maybe(it.output_schema)? {
            Some(output) => Some(L::schema(
                output,
                it.flags & WIRELINE_TOOL_OPAQUE_OUTPUT != 0,
            )?),
            None => None,
        };
        let mut annotations = Annotations::NONE;
        annotations.read_only = hint(it.hints, WIRELINE_HINT_READ_ONLY)?;
        annotations.destructive = hint(it.hints, WIRELINE_HINT_DESTRUCTIVE)?;
        annotations.idempotent = hint(it.hints, WIRELINE_HINT_IDEMPOTENT)?;
        annotations.open_world = hint(it.hints, WIRELINE_HINT_OPEN_WORLD)?;
        tool.annotations = annotations;
        tool.extra = extra::<L>(it.extra)?;
        if it.hints > 0xff || it.flags > 3 {
            return Err("hints or flags have a bit that means nothing".into());
        }
        Ok(tool)
    }
}

unsafe fn resource<L: Look>(it: &wireline_resource) -> Result<Resource<'static>, L::Wrong> {
    // SAFETY: the caller vouches for the slices.
    unsafe {
        let mut resource = Resource::new(text(it.uri)?, text(it.name)?);
        resource.title = maybe(it.title)?;
        resource.description = maybe(it.description)?;
        resource.mime_type = maybe(it.mime_type)?;
        unused(it.reserved)?;
        resource.size = yes(it.has_bytes)?.then_some(it.bytes);
        resource.extra = extra::<L>(it.extra)?;
        Ok(resource)
    }
}

unsafe fn template<L: Look>(it: &wireline_template) -> Result<ResourceTemplate<'static>, L::Wrong> {
    // SAFETY: the caller vouches for the slices.
    unsafe {
        let mut template = ResourceTemplate::new(text(it.uri_template)?, text(it.name)?);
        template.title = maybe(it.title)?;
        template.description = maybe(it.description)?;
        template.mime_type = maybe(it.mime_type)?;
        template.extra = extra::<L>(it.extra)?;
        Ok(template)
    }
}

unsafe fn argument<W: From<&'static str>>(
    it: &wireline_prompt_argument,
) -> Result<PromptArgument<'static>, W> {
    // SAFETY: the caller vouches for the slices.
    unsafe {
        unused(it.reserved)?;
        let name = text(it.name)?;
        let mut argument = match yes(it.required)? {
            true => PromptArgument::required(name),
            false => PromptArgument::optional(name),
        };
        argument.title = maybe(it.title)?;
        argument.description = maybe(it.description)?;
        Ok(argument)
    }
}

/// The memory that entries are put into, from its start.
struct Memory {
    at: *mut u8,
}

impl Memory {
    /// Puts the entries of a table into the memory.
    ///
    /// # Safety
    ///
    /// So many have room, `words` each, and the memory lasts.
    unsafe fn table<T, C, W>(
        &mut self,
        entries: &[C],
        words: usize,
        mut make: impl FnMut(&mut Memory, &C) -> Result<T, W>,
    ) -> Result<&'static [T], (usize, W)> {
        let begin: *mut T = self.at.cast();
        let bytes = entries
            .len()
            .wrapping_mul(words)
            .wrapping_mul(size_of::<usize>());
        // What an entry itself needs of the memory comes after its table.
        let mut behind = Memory {
            at: self.at.wrapping_add(bytes),
        };
        for (index, entry) in entries.iter().enumerate() {
            let entry = make(&mut behind, entry).map_err(|wrong| (index, wrong))?;
            // SAFETY: `words` are no less than an entry takes, and it is aligned as they are.
            unsafe { begin.add(index).write(entry) };
        }
        self.at = behind.at;
        // SAFETY: all of them have been written.
        Ok(unsafe { core::slice::from_raw_parts(begin, entries.len()) })
    }
}

fn table_code(table: Option<Table>) -> wireline_table {
    match table {
        Some(Table::Tools) => WIRELINE_TABLE_TOOLS,
        Some(Table::Resources) => WIRELINE_TABLE_RESOURCES,
        Some(Table::Templates) => WIRELINE_TABLE_TEMPLATES,
        Some(Table::Prompts) => WIRELINE_TABLE_PROMPTS,
        _ => WIRELINE_TABLE_NONE,
    }
}

/// The tables as the core has them.
unsafe fn convert<L: Look>(
    tables: &wireline_tables,
    given: &Given<'_>,
    mut memory: Memory,
) -> Result<Toolkit<'static>, Misfit<L::Wrong>> {
    let at =
        |table: wireline_table| move |(index, wrong): (usize, L::Wrong)| ((table, index), wrong);
    // SAFETY: the caller has looked at the memory, and vouches for the slices.
    let tables = unsafe {
        Tables {
            tools: memory
                .table(given.tools, WIRELINE_TOOL_WORDS, |_, it| tool::<L>(it))
                .map_err(at(WIRELINE_TABLE_TOOLS))?,
            resources: memory
                .table(given.resources, WIRELINE_RESOURCE_WORDS, |_, it| {
                    resource::<L>(it)
                })
                .map_err(at(WIRELINE_TABLE_RESOURCES))?,
            templates: memory
                .table(given.templates, WIRELINE_TEMPLATE_WORDS, |_, it| {
                    template::<L>(it)
                })
                .map_err(at(WIRELINE_TABLE_TEMPLATES))?,
            prompts: memory
                .table(given.prompts, WIRELINE_PROMPT_WORDS, |memory, it| {
                    let arguments = array(it.arguments, it.argument_count);
                    let arguments =
                        arguments.map_err(|_| L::Wrong::from("arguments without memory"))?;
                    let arguments = memory
                        .table(arguments, WIRELINE_ARGUMENT_WORDS, |_, it| argument(it))
                        .map_err(|(_, wrong)| wrong)?;
                    let mut prompt = Prompt::new(text(it.name)?).with_arguments(arguments);
                    prompt.title = maybe(it.title)?;
                    prompt.description = maybe(it.description)?;
                    prompt.extra = extra::<L>(it.extra)?;
                    Ok(prompt)
                })
                .map_err(at(WIRELINE_TABLE_PROMPTS))?,
            page: match tables.page {
                0 => Tables::EMPTY.page,
                page => page,
            },
            line: tables.line,
            other_methods: tables.other_methods == 1,
        }
    };
    L::toolkit(tables)
}

/// Looks at tables, and puts them together in `memory`, which is aligned as `uint64_t` is and
/// has as many bytes as `wireline_toolkit_needed` says; NULL, if that is 0. On `WIRELINE_ERR_TABLE`, `*why`, which
/// may be NULL, gets which entry is wrong and why. Write `WIRELINE_SELF(toolkit)` for the
/// first three arguments.
///
/// Wrong is: a name, URI or template that is none, or stands twice; a schema that does not
/// say `"type":"object"`, is no JSON, or uses a keyword that is not supported; further members
/// that repeat one that the entry has a field for; text that is not UTF-8.
///
/// Errors: NULL, ALIGN, SIZE, VERSION, ARGUMENT; TOO_SMALL for the memory; TABLE, which has written
/// to the memory and leaves `toolkit` not initialised, whatever it was: a server that was made with
/// it has no entries from then on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_toolkit_init(
    toolkit: *mut wireline_toolkit,
    size: usize,
    version: u32,
    tables: *const wireline_tables,
    memory: *mut c_void,
    memory_size: usize,
    why: *mut wireline_table_error,
) -> wireline_status {
    // SAFETY: as of `init`.
    run(|| unsafe {
        let why = match why.is_null() {
            true => None,
            false => Some(Out::new(why)?),
        };
        let given = (tables, memory, memory_size);
        init::<Whole>(
            (toolkit, size, version),
            given,
            |((table, index), wrong)| {
                if let Some(why) = why {
                    why.set(wireline_table_error {
                        table,
                        reserved: 0,
                        index,
                        reason: wireline_slice::of(wrong.reason.as_bytes()),
                        offset: wrong.offset,
                    });
                }
            },
        )
    })
}

/// As `wireline_toolkit_init`, for tables that it has taken before: on a chip, tables that a test on a
/// host has handed to it. Schemas, names, URIs and templates are not checked again, so what does that
/// is not linked: some 7 KB of flash. Write `WIRELINE_SELF(toolkit)` for the first three arguments.
///
/// What remains is what keeps the server safe, and its lines JSON: pointers, lengths, numbers, UTF-8,
/// and that schemas and further members are objects of JSON. Where tables are wrong all the same: of
/// two entries of one name the first counts; a keyword that is not supported asks for nothing;
/// arguments more than 8 schemas deep are refused; a name, URI or template is listed as it is.
///
/// Errors: as of `wireline_toolkit_init`, but that TABLE does not say why.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_toolkit_init_trusted(
    toolkit: *mut wireline_toolkit,
    size: usize,
    version: u32,
    tables: *const wireline_tables,
    memory: *mut c_void,
    memory_size: usize,
) -> wireline_status {
    let given = (tables, memory, memory_size);
    // SAFETY: as of `init`.
    run(|| unsafe { init::<Trusted>((toolkit, size, version), given, |_| ()) })
}

/// # Safety
///
/// The conventions ask the caller to vouch for its pointers, and that texts and memory last as long
/// as the handle.
unsafe fn init<L: Look>(
    (toolkit, size, version): (*mut wireline_toolkit, usize, u32),
    (tables, memory, memory_size): (*const wireline_tables, *mut c_void, usize),
    tell: impl FnOnce(Misfit<L::Wrong>),
) -> Outcome {
    // SAFETY: as said.
    unsafe {
        let new = begin(toolkit, size, version)?;
        sized(tables)?;
        let tables = &*tables;
        let given = given(tables)?;
        flag(tables.other_methods)?;
        let needed = given.needed();
        let memory = match needed == 0 && memory.is_null() {
            true => core::ptr::NonNull::<u64>::dangling().as_ptr(),
            false => memory.cast::<u64>(),
        };
        pointer(memory)?;
        if memory_size < needed {
            return Err(Failed(WIRELINE_ERR_TOO_SMALL));
        }
        let memory = Memory { at: memory.cast() };
        // It may be the memory that the toolkit has.
        new.clear(NOTHING);
        match convert::<L>(tables, &given, memory) {
            Ok(toolkit) => {
                new.put(toolkit);
                Ok(())
            }
            Err(misfit) => {
                tell(misfit);
                Err(Failed(WIRELINE_ERR_TABLE))
            }
        }
    }
}

/// What a server with these tables can do: `tools`, `resources` and `prompts`, if there are
/// any. Whatever else the program does is to be added: `listChanged`, `subscribe`,
/// `completions`, `logging`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_toolkit_capabilities(
    toolkit: *const wireline_toolkit,
    capabilities: *mut wireline_capabilities,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let set: Capabilities = get(toolkit)?.capabilities();
        Out::new(capabilities)?.set(capabilities_code(set));
        Ok(())
    })
}
