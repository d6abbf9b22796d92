//! Subscriptions, and looking whether anything of what they cover has changed.

use std::io;
use std::time::Instant;

use wireline::encode::Payload;
use wireline::json::{self, RawJson};
use wireline::mcp::{Method, code};
use wireline::session::{Change, Filter, Handle, Millis};

use super::Server;
use super::call::Call;
use super::resources::Resource;
use super::root::Stamp;

/// How often files are looked at, at most.
const PAUSE: Millis = 200;

/// How many resources can be watched.
const MOST: usize = 256;

struct Watched {
    uri: String,
    stamp: Option<Stamp>,
    /// The subscription of the modern era; `None` for the legacy session.
    by: Option<Handle>,
}

struct Listened {
    handle: Handle,
    resources: bool,
}

#[derive(Default)]
pub(super) struct Watches {
    watched: Vec<Watched>,
    listened: Vec<Listened>,
    /// The legacy session has asked for the list, and is told when it changes.
    legacy: bool,
    /// The URIs of the last look, while somebody wants to know.
    listed: Option<Vec<String>>,
    due: Option<Millis>,
}

impl Watches {
    pub(super) fn next(&self) -> Option<Millis> {
        self.due
    }

    pub(super) fn forget(&mut self, handle: Handle) {
        self.watched.retain(|it| it.by != Some(handle));
        self.listened.retain(|it| it.handle != handle);
    }

    /// Every open subscription; none is left here.
    pub(super) fn subscriptions(&mut self) -> Vec<Handle> {
        self.listened.drain(..).map(|it| it.handle).collect()
    }

    fn wants_list(&self) -> bool {
        self.legacy || self.listened.iter().any(|it| it.resources)
    }
}

impl Server<'_> {
    pub(super) fn subscribe(&mut self, call: &Call<'_>) -> io::Result<()> {
        let Some(uri) = call.param_text("uri").map(|uri| uri.to_string()) else {
            return self.bad_params(call, "`uri` is a string");
        };
        if self.contents(&uri).is_err() {
            return self.no_such_resource(call);
        }
        if !self.watch(uri, None) {
            return self.bad_params(call, "too many resources are watched");
        }
        self.respond(call.handle, &RawJson::EMPTY_OBJECT)
    }

    pub(super) fn unsubscribe(&mut self, call: &Call<'_>) -> io::Result<()> {
        let Some(uri) = call.param_text("uri") else {
            return self.bad_params(call, "`uri` is a string");
        };
        self.watches
            .watched
            .retain(|it| it.by.is_some() || uri != it.uri.as_str());
        self.respond(call.handle, &RawJson::EMPTY_OBJECT)
    }

    fn no_such_resource(&mut self, call: &Call<'_>) -> io::Result<()> {
        self.fail(
            call.handle,
            code::RESOURCE_NOT_FOUND,
            "Resource not found",
            Payload::None,
        )
    }

    /// Whether there was room.
    fn watch(&mut self, uri: String, by: Option<Handle>) -> bool {
        let watched = &mut self.watches.watched;
        if watched.iter().any(|it| it.by == by && it.uri == uri) {
            return true;
        }
        if watched.len() >= MOST {
            return false;
        }
        let stamp = self.root.as_ref().and_then(|root| root.stamp(&uri));
        watched.push(Watched { uri, stamp, by });
        self.watches
            .due
            .get_or_insert(self.now.saturating_add(PAUSE));
        true
    }

    pub(super) fn listen(&mut self, call: &Call<'_>) -> io::Result<()> {
        let mut filter = call
            .param("notifications")
            .map(Filter::read)
            .unwrap_or_default();
        // What is acknowledged is watched.
        let mut granted = String::new();
        for uri in filter.uris.iter().flat_map(|uris| uris.elements()) {
            let Some(text) = uri.as_json_str() else {
                continue;
            };
            if self.watch(text.to_string(), Some(call.handle)) {
                granted.push(if granted.is_empty() { '[' } else { ',' });
                granted.push_str(uri.as_str());
            }
        }
        granted.push(']');
        filter.uris = RawJson::validate(granted.as_bytes()).ok();
        let accepted = match self.session.accept(call.handle, filter) {
            Ok(send) => self.out.send(&send),
            Err(error) => {
                self.watches.forget(call.handle);
                return self.broke(call.handle, &error);
            }
        };
        accepted?;
        let resources = filter.resources;
        self.watches.listened.push(Listened {
            handle: call.handle,
            resources,
        });
        if resources {
            self.watch_list();
        }
        Ok(())
    }

    /// A session of the legacy era listed the resources. One that never did is not told of changes,
    /// so that nobody looks at the folder in vain.
    pub(super) fn listed(&mut self) {
        if self.root.is_some() && !self.watches.legacy {
            self.watches.legacy = true;
            self.watch_list();
        }
    }

    fn watch_list(&mut self) {
        if self.watches.listed.is_none() {
            self.watches.listed = Some(self.uris());
        }
        self.watches
            .due
            .get_or_insert(self.now.saturating_add(PAUSE));
    }

    fn uris(&self) -> Vec<String> {
        self.resources()
            .into_iter()
            .map(|Resource { uri, .. }| uri)
            .collect()
    }

    /// Looks at the files, if it is time to.
    pub(super) fn look(&mut self) -> io::Result<()> {
        if self.watches.due.is_none_or(|due| due > self.now) {
            return Ok(());
        }
        let begun = Instant::now();
        let mut watched = std::mem::take(&mut self.watches.watched);
        for it in &mut watched {
            let stamp = self.root.as_ref().and_then(|root| root.stamp(&it.uri));
            if stamp != it.stamp {
                it.stamp = stamp;
                self.tell_of(&it.uri, it.by)?;
            }
        }
        self.watches.watched = watched;
        if self.watches.wants_list() {
            let uris = self.uris();
            if self.watches.listed.as_ref() != Some(&uris) {
                self.watches.listed = Some(uris);
                self.tell(Change::Resources)?;
            }
        } else {
            self.watches.listed = None;
        }
        let idle = self.watches.watched.is_empty() && !self.watches.wants_list();
        // A folder that takes long to look at is looked at less often.
        let took = u64::try_from(begun.elapsed().as_millis()).unwrap_or(Millis::MAX);
        let pause = PAUSE.max(took.saturating_mul(20));
        self.watches.due = (!idle).then(|| self.now.saturating_add(pause));
        Ok(())
    }

    /// Tells whoever wants to know of a list.
    pub(super) fn tell(&mut self, change: Change<'_>) -> io::Result<()> {
        let mut cursor = 0;
        while let Some(send) = self.session.changed(change, &mut cursor) {
            self.out.send(&send)?;
        }
        Ok(())
    }

    /// Tells one of those who asked for this resource.
    fn tell_of(&mut self, uri: &str, by: Option<Handle>) -> io::Result<()> {
        let params = json::from_fn(|w| {
            w.begin_object().key("uri").string(uri).end_object();
        });
        let told = match by {
            Some(handle) => self.session.changed_for(handle, Change::Resource(uri)),
            None => self
                .session
                .notify(Method::ResourcesUpdated.name(), &params),
        };
        match told {
            Ok(send) => self.out.send(&send),
            // It was cancelled meanwhile.
            Err(_) => Ok(()),
        }
    }
}
