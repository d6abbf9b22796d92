//! The tables together, checked.

use super::dispatch::Parts;
use super::schema::Report;
use super::table::{Extra, Prompt, Resource, ResourceTemplate, Tool, same_bytes};
use super::template::{self, TemplateError};
use crate::mcp::{Capabilities, Capability};

/// Entries in each table, at most.
pub const MAX_ENTRIES: usize = 65_535;

/// The lowest ceiling of a line, in bytes: what an error takes with the longest id.
pub const MIN_LINE: u32 = 256;

/// A server's tables, not checked yet: see [`toolkit!`](crate::toolkit).
#[derive(Clone, Copy, Debug)]
pub struct Tables<'t> {
    /// Its tools.
    pub tools: &'t [Tool<'t>],
    /// Its resources.
    pub resources: &'t [Resource<'t>],
    /// Its resource templates. A URI that is a resource's own is that resource, then the
    /// first template that matches counts.
    pub templates: &'t [ResourceTemplate<'t>],
    /// Its prompts.
    pub prompts: &'t [Prompt<'t>],
    /// Entries on a page of a list, at most; at least 1.
    pub page: u16,
    /// Bytes of an answer's line, LF included, at most; at least [`MIN_LINE`], or 0 for no
    /// ceiling. A list has as many entries on a page as fit, and an answer that would be
    /// longer becomes an error. Answers that the session gives by itself are bounded as well:
    /// one that is too long goes without the configuration's instructions, without what the
    /// client wrote, or without an error's data. An answer holds the request's id, so the
    /// decoder's ceiling for ids has to leave room.
    ///
    /// Not bounded are the program's own requests, notifications, progress and log messages,
    /// what it asks its client for, tasks, and what it sends by
    /// [`session_mut`](super::Service::session_mut).
    pub line: u32,
    /// Whether requests of methods that the protocol does not define come to the program
    /// ([`Event::Other`](super::Event::Other)); else they are answered with -32601.
    pub other_methods: bool,
}

impl Tables<'_> {
    /// Nothing, with pages of 50 entries and lines of any length.
    pub const EMPTY: Tables<'static> = Tables {
        tools: &[],
        resources: &[],
        templates: &[],
        prompts: &[],
        page: 50,
        line: 0,
        other_methods: false,
    };
}

/// What is wrong with a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableFault {
    /// A tool's name is empty, longer than 128 characters, or has a character other than the
    /// ASCII letters and digits, `_`, `-` and `.`.
    ToolName,
    /// A name is empty.
    EmptyName,
    /// Two entries of a table have the same name or URI.
    Duplicate,
    /// A tool's input or output schema does not say `"type":"object"`.
    NotObject,
    /// A resource's URI is none.
    Uri,
    /// A template is not one that can be matched.
    Template(TemplateError),
    /// Further members repeat one that the entry has a field for.
    Extra,
    /// A page has no entries, a table has more than [`MAX_ENTRIES`], or a line's ceiling is
    /// below [`MIN_LINE`].
    Size,
}

/// One of a server's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Table {
    /// [`Tables::tools`].
    Tools,
    /// [`Tables::resources`].
    Resources,
    /// [`Tables::templates`].
    Templates,
    /// [`Tables::prompts`].
    Prompts,
}

/// What is wrong with a table, and with which of its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableError<'t> {
    /// What.
    pub fault: TableFault,
    /// The name or URI of the entry.
    pub entry: &'t str,
    /// Which table; `None`, if it is the page or the line that is wrong.
    pub table: Option<Table>,
    /// Which of its entries, from 0; of two that have the same name, the later one.
    pub index: usize,
}

impl<'t> TableError<'t> {
    const fn new(fault: TableFault, entry: &'t str) -> Self {
        TableError {
            fault,
            entry,
            table: None,
            index: 0,
        }
    }

    const fn at(mut self, table: Table, index: usize) -> Self {
        self.table = Some(table);
        self.index = index;
        self
    }
}

impl TableError<'_> {
    /// What is wrong, as a phrase.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self.fault {
            TableFault::ToolName => {
                "a tool's name is 1 to 128 of the ASCII letters and digits, `_`, `-` and `.`"
            }
            TableFault::EmptyName => "an entry of a table has an empty name",
            TableFault::Duplicate => "two entries of a table have the same name",
            TableFault::NotObject => "a tool's schema does not say \"type\":\"object\"",
            TableFault::Uri => "a resource's URI is not one",
            TableFault::Template(error) => error.reason(),
            TableFault::Extra => "further members repeat one that the entry has a field for",
            TableFault::Size => "a page has an entry, a table 65535 at most, and a line 256 bytes",
        }
    }

    /// The same and the entry's name, for the compiler to print.
    #[doc(hidden)]
    #[must_use]
    pub const fn report(&self) -> Report {
        Report::EMPTY
            .then(self.reason())
            .then(": ")
            .then(self.entry)
    }
}

impl core::fmt::Display for TableError<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}: {}", self.reason(), self.entry)
    }
}

impl core::error::Error for TableError<'_> {}

const fn wrong<'t>(fault: TableFault, entry: &'t str) -> Result<(), TableError<'t>> {
    Err(TableError::new(fault, entry))
}

const fn extra_is_new<'t>(
    extra: Option<Extra<'t>>,
    entry: &'t str,
    mut fields: &[&str],
) -> Result<(), TableError<'t>> {
    if let Some(extra) = extra {
        while let [field, rest @ ..] = fields {
            if extra.has(field) {
                return wrong(TableFault::Extra, entry);
            }
            fields = rest;
        }
    }
    Ok(())
}

const fn check_tool<'t>(tool: &Tool<'t>) -> Result<(), TableError<'t>> {
    let mut name = tool.name.as_bytes();
    if name.is_empty() || name.len() > 128 {
        return wrong(TableFault::ToolName, tool.name);
    }
    while let [byte, rest @ ..] = name {
        if !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'-' | b'.') {
            return wrong(TableFault::ToolName, tool.name);
        }
        name = rest;
    }
    if !tool.input.is_object() {
        return wrong(TableFault::NotObject, tool.name);
    }
    if let Some(output) = tool.output
        && !output.is_object()
    {
        return wrong(TableFault::NotObject, tool.name);
    }
    let fields = &[
        "name",
        "title",
        "description",
        "inputSchema",
        "outputSchema",
        "annotations",
    ];
    extra_is_new(tool.extra, tool.name, fields)
}

const fn check_resource<'t>(resource: &Resource<'t>) -> Result<(), TableError<'t>> {
    if !template::is_uri(resource.uri) {
        return wrong(TableFault::Uri, resource.uri);
    }
    if resource.name.is_empty() {
        return wrong(TableFault::EmptyName, resource.uri);
    }
    let fields = &["uri", "name", "title", "description", "mimeType", "size"];
    extra_is_new(resource.extra, resource.uri, fields)
}

const fn check_template<'t>(it: &ResourceTemplate<'t>) -> Result<(), TableError<'t>> {
    if let Err(error) = template::check(it.uri_template) {
        return wrong(TableFault::Template(error), it.uri_template);
    }
    if it.name.is_empty() {
        return wrong(TableFault::EmptyName, it.uri_template);
    }
    let fields = &["uriTemplate", "name", "title", "description", "mimeType"];
    extra_is_new(it.extra, it.uri_template, fields)
}

const fn check_prompt<'t>(prompt: &Prompt<'t>) -> Result<(), TableError<'t>> {
    if prompt.name.is_empty() {
        return wrong(TableFault::EmptyName, prompt.name);
    }
    let mut arguments = prompt.arguments;
    while let [argument, rest @ ..] = arguments {
        if argument.name.is_empty() {
            return wrong(TableFault::EmptyName, prompt.name);
        }
        let mut others = rest;
        while let [other, more @ ..] = others {
            if same_bytes(argument.name.as_bytes(), other.name.as_bytes()) {
                return wrong(TableFault::Duplicate, argument.name);
            }
            others = more;
        }
        arguments = rest;
    }
    let fields = &["name", "title", "description", "arguments"];
    extra_is_new(prompt.extra, prompt.name, fields)
}

/// Checks every entry of a table, and that no two have the same name.
macro_rules! check_table {
    ($entries:expr, $table:expr, $check:ident, $name:ident) => {{
        let mut rest = $entries;
        if rest.len() > MAX_ENTRIES {
            return Err(TableError::new(TableFault::Size, "").at($table, MAX_ENTRIES));
        }
        let mut mark = SEED;
        let mut index = 0usize;
        while let [entry, more @ ..] = rest {
            if let Err(error) = $check(entry) {
                return Err(error.at($table, index));
            }
            index = index.wrapping_add(1);
            let mut others = more;
            let mut place = index;
            while let [other, further @ ..] = others {
                if same_bytes(entry.$name.as_bytes(), other.$name.as_bytes()) {
                    let error = TableError::new(TableFault::Duplicate, other.$name);
                    return Err(error.at($table, place));
                }
                others = further;
                place = place.wrapping_add(1);
            }
            mark = stir(mark, entry.$name);
            rest = more;
        }
        fold(mark)
    }};
}

/// The mark of a table that is not checked.
macro_rules! mark_table {
    ($entries:expr, $table:expr, $name:ident) => {{
        let mut rest = $entries;
        if rest.len() > MAX_ENTRIES {
            return Err(TableError::new(TableFault::Size, "").at($table, MAX_ENTRIES));
        }
        let mut mark = SEED;
        while let [entry, more @ ..] = rest {
            mark = stir(mark, entry.$name);
            rest = more;
        }
        fold(mark)
    }};
}

/// FNV-1a, 32 bits: what tells one table's cursors from another's.
const SEED: u32 = 0x811c_9dc5;

const fn stir(mut mark: u32, name: &str) -> u32 {
    let mut rest = name.as_bytes();
    while let [byte, more @ ..] = rest {
        mark = (mark ^ *byte as u32).wrapping_mul(0x0100_0193);
        rest = more;
    }
    // A name ends where the next one begins.
    (mark ^ 0xff).wrapping_mul(0x0100_0193)
}

const fn fold(mark: u32) -> u16 {
    (mark ^ mark.wrapping_shr(16)) as u16
}

/// A server's tables, checked when they were put together: by the compiler, if they were
/// made with [`toolkit!`](crate::toolkit).
#[derive(Clone, Copy, Debug)]
pub struct Toolkit<'t> {
    pub(super) tables: Tables<'t>,
    /// One for each list.
    pub(super) marks: [u16; 4],
    /// What these tables need.
    pub(super) parts: Parts,
}

impl<'t> Toolkit<'t> {
    /// Checks the tables.
    ///
    /// # Errors
    ///
    /// The first entry that is wrong.
    pub const fn new(tables: Tables<'t>) -> Result<Self, TableError<'t>> {
        if tables.page == 0 {
            return Err(TableError::new(TableFault::Size, "page"));
        }
        if tables.line != 0 && tables.line < MIN_LINE {
            return Err(TableError::new(TableFault::Size, "line"));
        }
        let marks = [
            check_table!(tables.tools, Table::Tools, check_tool, name),
            check_table!(tables.resources, Table::Resources, check_resource, uri),
            check_table!(
                tables.templates,
                Table::Templates,
                check_template,
                uri_template
            ),
            check_table!(tables.prompts, Table::Prompts, check_prompt, name),
        ];
        let parts = Parts::of(&tables);
        Ok(Toolkit {
            tables,
            marks,
            parts,
        })
    }

    /// Tables that [`new`](Self::new) has taken before, such as in a test: their entries are not
    /// checked again, for which a chip needs no code.
    ///
    /// What other tables would be refused for is not seen: of two entries of one name the first one
    /// counts, a template that is none matches nothing or has too few values, and what is listed is
    /// what the entries say.
    ///
    /// # Errors
    ///
    /// [`TableFault::Size`] alone.
    ///
    /// ```
    /// use wireline::server::{Schema, Tables, Tool, Toolkit};
    /// const TOOLS: &[Tool<'_>] =
    ///     &[Tool::new("led", "", Schema::assume_valid(r#"{"type":"object"}"#, false))];
    /// let tables = Tables { tools: TOOLS, ..Tables::EMPTY };
    /// assert!(Toolkit::assume_valid(tables).is_ok());
    /// ```
    pub const fn assume_valid(tables: Tables<'t>) -> Result<Self, TableError<'t>> {
        if tables.page == 0 || tables.line != 0 && tables.line < MIN_LINE {
            return Err(TableError::new(TableFault::Size, ""));
        }
        let marks = [
            mark_table!(tables.tools, Table::Tools, name),
            mark_table!(tables.resources, Table::Resources, uri),
            mark_table!(tables.templates, Table::Templates, uri_template),
            mark_table!(tables.prompts, Table::Prompts, name),
        ];
        let parts = Parts::of(&tables);
        Ok(Toolkit {
            tables,
            marks,
            parts,
        })
    }

    /// The tables.
    #[must_use]
    pub const fn tables(&self) -> &Tables<'t> {
        &self.tables
    }

    /// What a server with these tables can do: `tools`, `resources` and `prompts`, if there
    /// are any. Whatever else the program does is to be added: `listChanged`, `subscribe`,
    /// `completions`, `logging`.
    ///
    /// ```
    /// use wireline::mcp::{Capabilities, Capability};
    /// use wireline::server::{Toolkit, Tool};
    /// use wireline::{schema, toolkit};
    /// const TOOLKIT: Toolkit<'_> = toolkit! { tools: &[Tool::new("ping", "Pings", schema!({}))] };
    /// const CAN: Capabilities = TOOLKIT.capabilities().with(Capability::Logging);
    /// assert!(CAN.has(Capability::Tools) && !CAN.has(Capability::Resources));
    /// ```
    #[must_use]
    pub const fn capabilities(&self) -> Capabilities {
        let mut set = Capabilities::NONE;
        if !self.tables.tools.is_empty() {
            set = set.with(Capability::Tools);
        }
        if !self.tables.resources.is_empty() || !self.tables.templates.is_empty() {
            set = set.with(Capability::Resources);
        }
        if !self.tables.prompts.is_empty() {
            set = set.with(Capability::Prompts);
        }
        set
    }
}

/// Puts tables together to a [`Toolkit`](crate::server::Toolkit) that the compiler checks.
/// What is left out is as in [`Tables::EMPTY`](crate::server::Tables::EMPTY).
///
/// ```
/// use wireline::server::{Resource, Tool, Toolkit};
/// use wireline::{schema, toolkit};
///
/// const TOOLS: &[Tool<'_>] = &[
///     Tool::new("led_set", "Switch the board's LED", schema!({ "on": bool })),
///     Tool::new("led_get", "Whether the board's LED is on", schema!({})),
/// ];
/// static BOARD: Toolkit<'_> = toolkit! {
///     tools: TOOLS,
///     resources: &[Resource::new("board://log", "log")],
///     line: 512,
/// };
/// assert_eq!(BOARD.tables().tools.len(), 2);
/// ```
///
/// Two tools of one name do not compile:
///
/// ```compile_fail,E0080
/// # use wireline::{schema, toolkit, server::{Tool, Toolkit}};
/// const BAD: Toolkit<'_> = toolkit! {
///     tools: &[Tool::new("a", "", schema!({})), Tool::new("a", "", schema!({}))],
/// };
/// # let _ = BAD;
/// ```
///
/// nor do a name with a space, a schema of no object, a URI without a scheme, a template of
/// a higher level or with two variables side by side, or two arguments of one name:
///
/// ```compile_fail,E0080
/// # use wireline::{schema, toolkit, server::{Tool, Toolkit}};
/// const BAD: Toolkit<'_> = toolkit! { tools: &[Tool::new("led set", "", schema!({}))] };
/// # let _ = BAD;
/// ```
///
/// ```compile_fail,E0080
/// # use wireline::{schema, toolkit, server::{Tool, Toolkit}};
/// const BAD: Toolkit<'_> = toolkit! {
///     tools: &[Tool::new("a", "", schema!({ "type": "string", "minLength": 1 }))],
/// };
/// # let _ = BAD;
/// ```
///
/// ```compile_fail,E0080
/// # use wireline::{toolkit, server::{Resource, Toolkit}};
/// const BAD: Toolkit<'_> = toolkit! { resources: &[Resource::new("log", "log")] };
/// # let _ = BAD;
/// ```
///
/// ```compile_fail,E0080
/// # use wireline::{toolkit, server::{ResourceTemplate, Toolkit}};
/// const BAD: Toolkit<'_> = toolkit! { templates: &[ResourceTemplate::new("a:{+b}", "a")] };
/// # let _ = BAD;
/// ```
///
/// ```compile_fail,E0080
/// # use wireline::{toolkit, server::{ResourceTemplate, Toolkit}};
/// const BAD: Toolkit<'_> = toolkit! { templates: &[ResourceTemplate::new("a:{b}{c}", "a")] };
/// # let _ = BAD;
/// ```
///
/// ```compile_fail,E0080
/// # use wireline::{toolkit, server::{Prompt, PromptArgument, Toolkit}};
/// const BAD: Toolkit<'_> = toolkit! {
///     prompts: &[Prompt::new("p")
///         .with_arguments(&[PromptArgument::required("a"), PromptArgument::optional("a")])],
/// };
/// # let _ = BAD;
/// ```
#[macro_export]
macro_rules! toolkit {
    ($($field:ident: $value:expr),* $(,)?) => {
        {
            const TABLES: $crate::server::Tables<'static> = $crate::server::Tables {
                $($field: $value,)*
                ..$crate::server::Tables::EMPTY
            };
            const TOOLKIT: $crate::server::Toolkit<'static> =
                match $crate::server::Toolkit::new(TABLES) {
                    Ok(toolkit) => toolkit,
                    Err(error) => panic!("{}", error.report().as_str()),
                };
            TOOLKIT
        }
    };
}
