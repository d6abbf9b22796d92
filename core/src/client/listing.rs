//! Lists, page by page.

use crate::encode::Payload;
use crate::json::{Elements, JsonKind, JsonStr, ToJson, Writer};
use crate::mcp::{Method, code};
use crate::message::Message;
use crate::session::{
    Client, Ended, Event, Handle, Millis, Options, Send, Session, SessionError, Slots,
};
use crate::text::Text;

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum List {
    /// Tools.
    Tools,
    /// Resources.
    Resources,
    /// Resource templates.
    ResourceTemplates,
    /// Prompts.
    Prompts,
}

impl List {
    /// The method that lists them.
    #[must_use]
    pub const fn method(self) -> Method {
        match self {
            List::Tools => Method::ToolsList,
            List::Resources => Method::ResourcesList,
            List::ResourceTemplates => Method::ResourceTemplatesList,
            List::Prompts => Method::PromptsList,
        }
    }

    /// The member of the result that holds the entries.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            List::Tools => "tools",
            List::Resources => "resources",
            List::ResourceTemplates => "resourceTemplates",
            List::Prompts => "prompts",
        }
    }
}

/// What an event is to a listing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Turn<'m> {
    /// A page has come.
    Page {
        /// Its entries: look at them with a view, such as
        /// [`view::Tool`](crate::mcp::view::Tool).
        entries: Elements<'m>,
        /// Whether it is the last one. If it is not, ask for the next one with
        /// [`Listing::next`].
        last: bool,
        /// The whole answer, with how long it may be kept.
        message: Message<'m>,
    },
    /// The server no longer knows its own cursor, as happens when its list has changed. Drop
    /// the pages that have come, and begin again with [`Listing::next`]. Comes once at most.
    Restart,
    /// The server has no such list: there is nothing in it.
    Absent,
    /// The list will not be complete.
    Failed(ListError<'m>),
}

/// Why a list is not complete.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ListError<'m> {
    /// A request for a page has ended otherwise than with a result.
    Ended(Ended<'m>),
    /// The answer is no page: it has no array of entries, or its cursor is no string.
    BadPage,
    /// The server has given a cursor that it had given before, so the list would not end.
    RepeatedCursor,
    /// A cursor is longer than the listing has room for.
    CursorTooLong,
    /// There are more pages than are allowed.
    TooManyPages,
}

/// Pages that are taken, unless it is said otherwise.
const PAGES: u16 = 1000;

/// A list that is fetched page by page, to its end.
///
/// It keeps the cursor, in `N` bytes as JSON has it, and nothing of the pages. It asks for
/// one page at a time, follows cursors as they are (an empty one, too), and stops at one
/// that comes again, or after a number of pages.
///
/// ```
/// use wireline::client::{List, Listing, Turn};
/// use wireline::session::{Client, Event, Send, Session, Slots};
///
/// /// Has a session fetch the tools; `exchange` sends a line and returns what came for it.
/// fn names<S: Slots>(
///     session: &mut Session<'_, Client, S>,
///     mut exchange: impl FnMut(Send<'_>) -> Vec<u8>,
/// ) -> Vec<String> {
///     let mut names = Vec::new();
///     let mut listing = Listing::<64>::new(List::Tools);
///     while let Some(send) = listing.next(session, 0).unwrap() {
///         let line = exchange(send);
///         let message = wireline::parse(&line, &wireline::Limits::HOST);
///         match listing.take(&session.receive(&message, 0).event) {
///             Some(Turn::Page { entries, .. }) => {
///                 names.extend(entries.filter_map(|it| Some(it.get("name")?.to_string())));
///             }
///             Some(Turn::Restart) => names.clear(),
///             other => panic!("{other:?}"),
///         }
///     }
///     names
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Listing<const N: usize> {
    list: List,
    state: State,
    handle: Option<Handle>,
    pages: u16,
    max_pages: u16,
    restarted: bool,
    cursor: Cursor<N>,
    /// Of an earlier cursor, and after how many pages the next one takes its place.
    earlier: u64,
    renew: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The first page is to be asked for.
    First,
    /// A further page is to be asked for.
    Further,
    /// A page has been asked for.
    Waiting,
    Over,
}

/// A cursor as it stands between its quotes.
#[derive(Clone, Debug)]
struct Cursor<const N: usize> {
    text: [u8; N],
    len: usize,
}

impl<const N: usize> Cursor<N> {
    /// Keeps a cursor; `false` if there is no room.
    fn keep(&mut self, cursor: JsonStr<'_>) -> bool {
        let raw = cursor.raw_bytes();
        let Some(room) = self.text.get_mut(..raw.len()) else {
            return false;
        };
        for (slot, byte) in room.iter_mut().zip(raw) {
            *slot = *byte;
        }
        self.len = raw.len();
        true
    }
}

/// The parameters that ask for the page of the cursor.
impl<const N: usize> ToJson for Cursor<N> {
    fn write_json(&self, w: &mut Writer<'_>) {
        let raw = self.text.get(..self.len).and_then(Text::found);
        w.begin_object();
        if let Some(cursor) = raw.map(JsonStr::from_raw) {
            w.key("cursor").json_str(cursor);
        }
        w.end_object();
    }
}

/// FNV-1a, 64 bits.
fn mark(cursor: JsonStr<'_>) -> u64 {
    let mut mark = 0xcbf2_9ce4_8422_2325_u64;
    for character in cursor.chars() {
        let code = character.map_or_else(|lone| u32::from(lone.0), u32::from);
        mark = (mark ^ u64::from(code)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    mark
}

impl<const N: usize> Listing<N> {
    /// A list of which nothing has been asked for yet.
    #[must_use]
    pub const fn new(list: List) -> Self {
        Listing {
            list,
            state: State::First,
            handle: None,
            pages: 0,
            max_pages: PAGES,
            restarted: false,
            cursor: Cursor {
                text: [0; N],
                len: 0,
            },
            earlier: 0,
            renew: 1,
        }
    }

    /// Sets how many pages are taken at most; 1000, if nothing is said.
    #[must_use]
    pub const fn with_max_pages(mut self, pages: u16) -> Self {
        self.max_pages = pages;
        self
    }

    /// Which list it is.
    #[must_use]
    pub const fn list(&self) -> List {
        self.list
    }

    /// The request that is under way.
    #[must_use]
    pub const fn handle(&self) -> Option<Handle> {
        self.handle
    }

    /// Whether there is nothing more to come.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// Asks for the next page; `None` if one is under way, or there is none.
    ///
    /// # Errors
    ///
    /// As [`Session::request`]; [`Gate`](SessionError::Gate), if the server has not declared
    /// that it has such a list. The page may be asked for again.
    pub fn next<'s, 'c, S: Slots>(
        &'s mut self,
        session: &mut Session<'c, Client, S>,
        now: Millis,
    ) -> Result<Option<Send<'s>>, SessionError>
    where
        'c: 's,
    {
        let Listing {
            list,
            state,
            handle,
            cursor,
            ..
        } = self;
        let payload = match state {
            State::First => Payload::None,
            State::Further => Payload::Value(&*cursor),
            State::Waiting | State::Over => return Ok(None),
        };
        let (asked, send) = session.request(list.method().name(), payload, Options::new(), now)?;
        *handle = Some(asked);
        *state = State::Waiting;
        Ok(Some(send))
    }

    /// Looks at an event; `None` if it is not of this listing.
    pub fn take<'m>(&mut self, event: &Event<'m>) -> Option<Turn<'m>> {
        let Event::Ended { handle, why } = event else {
            return None;
        };
        if self.handle != Some(*handle) {
            return None;
        }
        self.handle = None;
        Some(self.ended(*why))
    }

    fn ended<'m>(&mut self, why: Ended<'m>) -> Turn<'m> {
        let turn = self.turn(why);
        self.state = match &turn {
            Turn::Page { last: false, .. } => State::Further,
            Turn::Restart => State::First,
            _ => State::Over,
        };
        turn
    }

    fn turn<'m>(&mut self, why: Ended<'m>) -> Turn<'m> {
        let message = match why {
            Ended::Result(message) => message,
            Ended::Error(message) => {
                let code = message.error().and_then(|error| error.code().as_i64());
                return match code {
                    Some(code::METHOD_NOT_FOUND) if self.pages == 0 => Turn::Absent,
                    Some(code::INVALID_PARAMS) if self.pages > 0 && !self.restarted => {
                        self.restarted = true;
                        self.pages = 0;
                        self.renew = 1;
                        Turn::Restart
                    }
                    _ => Turn::Failed(ListError::Ended(why)),
                };
            }
            _ => return Turn::Failed(ListError::Ended(why)),
        };
        let member = |name| message.result().and_then(|result| result.get(name));
        let Some(entries) = member(self.list.key()).filter(|it| it.kind() == JsonKind::Array)
        else {
            return Turn::Failed(ListError::BadPage);
        };
        self.pages = self.pages.saturating_add(1);
        let last = match member("nextCursor") {
            None => true,
            // An empty cursor is one; `null` is none.
            Some(next) if next.is_null() => true,
            Some(next) => match next.as_json_str() {
                None => return Turn::Failed(ListError::BadPage),
                Some(cursor) => {
                    if let Err(error) = self.follow(cursor) {
                        return Turn::Failed(error);
                    }
                    false
                }
            },
        };
        Turn::Page {
            entries: entries.elements(),
            last,
            message,
        }
    }

    /// Takes up the cursor of the next page.
    fn follow<'m>(&mut self, cursor: JsonStr<'_>) -> Result<(), ListError<'m>> {
        if self.pages >= self.max_pages {
            return Err(ListError::TooManyPages);
        }
        // One earlier cursor is kept, and replaced after ever longer times (Brent), so that a
        // circle of any length is found.
        let mark = mark(cursor);
        if self.pages > 1 && mark == self.earlier {
            return Err(ListError::RepeatedCursor);
        }
        if self.pages == self.renew {
            self.earlier = mark;
            self.renew = self.renew.saturating_mul(2);
        }
        if !self.cursor.keep(cursor) {
            return Err(ListError::CursorTooLong);
        }
        Ok(())
    }
}
