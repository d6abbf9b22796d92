//! Lists in pages. A cursor says how many entries came before; it is opaque to the client, and
//! checked when it comes back.

use std::io;

use wireline::json::{self, ToJson};

use super::Server;
use super::call::Call;
use super::prompts::{self, Prompt};
use super::tools::{self, Tool};

const CURSOR: &str = "after-";

impl Server<'_> {
    /// Answers with one page of a list.
    pub(super) fn page<T: ToJson>(
        &mut self,
        call: &Call<'_>,
        name: &str,
        entries: &[T],
    ) -> io::Result<()> {
        let Some(from) = start(call, entries.len()) else {
            return self.bad_params(call, "the cursor is not one of this list");
        };
        let to = from
            .saturating_add(self.options.page.get())
            .min(entries.len());
        let page = json::from_fn(|w| {
            w.begin_object().key(name).begin_array();
            for entry in entries.get(from..to).unwrap_or(&[]) {
                w.value(entry);
            }
            w.end_array();
            if to < entries.len() {
                w.key("nextCursor").display(&format_args!("{CURSOR}{to}"));
            }
            w.end_object();
        });
        self.respond(call.handle, &page)
    }

    pub(super) fn list_tools(&mut self, call: &Call<'_>) -> io::Result<()> {
        let entries: Vec<&Tool> = tools::all(self.options.everything).collect();
        self.page(call, "tools", &entries)
    }

    pub(super) fn list_prompts(&mut self, call: &Call<'_>) -> io::Result<()> {
        let entries: Vec<&Prompt> = prompts::all(self.options.everything).collect();
        self.page(call, "prompts", &entries)
    }
}

/// Where the page begins that is asked for.
fn start(call: &Call<'_>, length: usize) -> Option<usize> {
    let Some(cursor) = call.param("cursor") else {
        return Some(0);
    };
    let cursor = cursor.as_json_str()?.to_string();
    let digits = cursor.strip_prefix(CURSOR)?;
    let at: usize = digits.parse().ok()?;
    // As it was given out, and no other spelling.
    (at > 0 && at <= length && digits == at.to_string()).then_some(at)
}
