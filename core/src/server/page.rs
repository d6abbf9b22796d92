//! Pages of the lists: entries as each revision defines them, and cursors.

use heapless::String;

use super::note::decimal;
use super::table::{Extra, Prompt, Resource, ResourceTemplate, Tool};
use super::toolkit::{Tables, Toolkit};
use crate::json::{JsonStr, RawJson, ToJson, Writer, measure};
use crate::mcp::{Method, Revision};

/// One of the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Tools,
    Resources,
    Templates,
    Prompts,
}

impl List {
    pub(super) const fn of(method: Method) -> Option<Self> {
        match method {
            Method::ToolsList => Some(List::Tools),
            Method::ResourcesList => Some(List::Resources),
            Method::ResourceTemplatesList => Some(List::Templates),
            Method::PromptsList => Some(List::Prompts),
            _ => None,
        }
    }

    const fn key(self) -> &'static str {
        match self {
            List::Tools => "tools",
            List::Resources => "resources",
            List::Templates => "resourceTemplates",
            List::Prompts => "prompts",
        }
    }

    const fn letter(self) -> u8 {
        match self {
            List::Tools => b't',
            List::Resources => b'r',
            List::Templates => b'u',
            List::Prompts => b'p',
        }
    }

    /// A page without entries, and with the longest cursor there is.
    pub(super) const fn longest_empty(self) -> RawJson<'static> {
        RawJson::from_valid(crate::text::Text::new(match self {
            List::Tools => r#"{"tools":[],"nextCursor":"t123465535"}"#,
            List::Resources => r#"{"resources":[],"nextCursor":"r123465535"}"#,
            List::Templates => r#"{"resourceTemplates":[],"nextCursor":"u123465535"}"#,
            List::Prompts => r#"{"prompts":[],"nextCursor":"p123465535"}"#,
        }))
    }
}

/// Bytes of a cursor: the list's letter, four digits that stand for the table, and up to
/// five of the place.
const CURSOR: usize = 10;

/// Some entries of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) list: List,
    pub(super) revision: Revision,
    pub(super) from: u16,
    pub(super) to: u16,
}

impl<'t> Toolkit<'t> {
    /// The number of entries.
    fn count(&self, list: List) -> u16 {
        let tables = &self.tables;
        let count = match list {
            List::Tools => tables.tools.len(),
            List::Resources => tables.resources.len(),
            List::Templates => tables.templates.len(),
            List::Prompts => tables.prompts.len(),
        };
        u16::try_from(count).unwrap_or(u16::MAX)
    }

    fn mark(&self, list: List) -> u16 {
        self.marks.get(list as usize).copied().unwrap_or(0)
    }

    /// Where a list goes on; `None` for a cursor that was not given by this table.
    #[inline(never)]
    pub(super) fn place(&self, list: List, cursor: JsonStr<'_>) -> Option<u16> {
        let mut given = cursor.chars();
        let mut ours = [0; 5];
        self.cursor_begin(list, &mut ours);
        for byte in ours {
            if given.next()?.ok()? != char::from(byte) {
                return None;
            }
        }
        let mut place = 0u16;
        for digit in given {
            let digit = u16::try_from(digit.ok()?.to_digit(10)?).ok()?;
            place = place.checked_mul(10)?.checked_add(digit)?;
            if place == 0 {
                return None;
            }
        }
        if place == 0 {
            return None;
        }
        (place < self.count(list)).then_some(place)
    }

    fn cursor_begin(&self, list: List, out: &mut [u8; 5]) {
        let mut mark = self.mark(list);
        let [letter, digits @ ..] = out;
        *letter = list.letter();
        for slot in digits.iter_mut().rev() {
            let digit = char::from_digit(u32::from(mark & 15), 16).unwrap_or('0');
            *slot = digit as u8;
            mark >>= 4;
        }
    }

    /// As many entries from a place on as there may be on a page and fit into so many bytes;
    /// none, if not even the first one does.
    pub(super) fn page(&self, list: List, revision: Revision, from: u16, room: usize) -> Page {
        let count = self.count(list);
        let last = from.saturating_add(self.tables.page).min(count);
        let mut to = from;
        let mut left = room;
        while to < last {
            let entry = Entry {
                toolkit: self,
                list,
                revision,
                at: to,
            };
            // The comma between two entries; none stands before the first.
            let Ok(len) = measure(&entry) else { break };
            let len = len.saturating_add(usize::from(to > from));
            match left.checked_sub(len) {
                Some(rest) => left = rest,
                None => break,
            }
            to = to.saturating_add(1);
        }
        Page {
            list,
            revision,
            from,
            to,
        }
    }

    /// Whether there are entries after a page's.
    pub(super) fn goes_on(&self, page: &Page) -> bool {
        page.to < self.count(page.list)
    }

    pub(super) fn write_page(&self, page: &Page, w: &mut Writer<'_>) {
        w.begin_object();
        w.key(page.list.key()).begin_array();
        for at in page.from..page.to {
            w.value(&Entry {
                toolkit: self,
                list: page.list,
                revision: page.revision,
                at,
            });
        }
        w.end_array();
        if self.goes_on(page) {
            self.write_cursor(page, w);
        }
        w.end_object();
    }

    /// Not inlined, as entries are written with little stack.
    #[inline(never)]
    fn write_cursor(&self, page: &Page, w: &mut Writer<'_>) {
        let mut begin = [0; 5];
        self.cursor_begin(page.list, &mut begin);
        let mut text = String::<CURSOR, u8>::new();
        for byte in begin {
            let _ = text.push(char::from(byte));
        }
        let _ = text.push_str(&decimal(usize::from(page.to)));
        w.member("nextCursor", &text.as_str());
    }
}

struct Entry<'a> {
    toolkit: &'a Toolkit<'a>,
    list: List,
    revision: Revision,
    at: u16,
}

impl ToJson for Entry<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        let tables = &self.toolkit.tables;
        w.begin_object();
        if let Some(write) = self.toolkit.parts.entries.get(self.list as usize) {
            write(tables, usize::from(self.at), self.revision, w);
        }
        w.end_object();
    }
}

/// Writes the members of an entry of one of the tables.
pub(super) type WriteEntry = fn(&Tables<'_>, usize, Revision, &mut Writer<'_>);

/// For each list what writes its entries, if there are any.
pub(super) const fn writers(tables: &Tables<'_>) -> [WriteEntry; 4] {
    const fn or_none(empty: bool, write: WriteEntry) -> WriteEntry {
        if empty { write_none } else { write }
    }
    [
        or_none(tables.tools.is_empty(), |tables, at, revision, w| {
            if let Some(tool) = tables.tools.get(at) {
                write_tool(tool, revision, w);
            }
        }),
        or_none(tables.resources.is_empty(), |tables, at, revision, w| {
            if let Some(resource) = tables.resources.get(at) {
                write_resource(resource, revision, w);
            }
        }),
        or_none(tables.templates.is_empty(), |tables, at, revision, w| {
            if let Some(template) = tables.templates.get(at) {
                write_template(template, revision, w);
            }
        }),
        or_none(tables.prompts.is_empty(), |tables, at, revision, w| {
            if let Some(prompt) = tables.prompts.get(at) {
                write_prompt(prompt, revision, w);
            }
        }),
    ]
}

fn write_none(_: &Tables<'_>, _: usize, _: Revision, _: &mut Writer<'_>) {}

fn text(name: &str, value: Option<&str>, w: &mut Writer<'_>) {
    if let Some(value) = value {
        w.member(name, &value);
    }
}

fn title(value: Option<&str>, revision: Revision, w: &mut Writer<'_>) {
    if revision >= Revision::V2025_06_18 {
        text("title", value, w);
    }
}

fn extra(members: Option<Extra<'_>>, w: &mut Writer<'_>) {
    if let Some(members) = members {
        w.members(&members.as_raw(), &[]);
    }
}

fn write_tool(tool: &Tool<'_>, revision: Revision, w: &mut Writer<'_>) {
    w.member("name", &tool.name);
    title(tool.title, revision, w);
    if !tool.description.is_empty() {
        w.member("description", &tool.description);
    }
    w.member("inputSchema", &tool.input.as_raw());
    if let (Some(output), true) = (tool.output, revision >= Revision::V2025_06_18) {
        w.member("outputSchema", &output.as_raw());
    }
    let hints = tool.annotations;
    if revision >= Revision::V2025_03_26 && hints != super::Annotations::NONE {
        w.key("annotations").begin_object();
        for (name, hint) in [
            ("readOnlyHint", hints.read_only),
            ("destructiveHint", hints.destructive),
            ("idempotentHint", hints.idempotent),
            ("openWorldHint", hints.open_world),
        ] {
            if let Some(hint) = hint {
                w.member(name, &hint);
            }
        }
        w.end_object();
    }
    extra(tool.extra, w);
}

fn write_resource(resource: &Resource<'_>, revision: Revision, w: &mut Writer<'_>) {
    w.member("uri", &resource.uri)
        .member("name", &resource.name);
    title(resource.title, revision, w);
    text("description", resource.description, w);
    text("mimeType", resource.mime_type, w);
    if let Some(size) = resource.size {
        w.member("size", &size);
    }
    extra(resource.extra, w);
}

fn write_template(template: &ResourceTemplate<'_>, revision: Revision, w: &mut Writer<'_>) {
    w.member("uriTemplate", &template.uri_template);
    w.member("name", &template.name);
    title(template.title, revision, w);
    text("description", template.description, w);
    text("mimeType", template.mime_type, w);
    extra(template.extra, w);
}

fn write_prompt(prompt: &Prompt<'_>, revision: Revision, w: &mut Writer<'_>) {
    w.member("name", &prompt.name);
    title(prompt.title, revision, w);
    text("description", prompt.description, w);
    if !prompt.arguments.is_empty() {
        w.key("arguments").begin_array();
        for argument in prompt.arguments {
            w.begin_object().member("name", &argument.name);
            title(argument.title, revision, w);
            text("description", argument.description, w);
            if argument.required {
                w.member("required", &true);
            }
            w.end_object();
        }
        w.end_array();
    }
    extra(prompt.extra, w);
}
