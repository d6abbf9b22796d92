//! What many writers have: `_meta`, and what all results, results that may be kept, and
//! pages of lists have.

use core::marker::PhantomData;

use super::value::{Json, OBJECT, Text, put_json, put_str, put_text, put_whole};
use crate::json::Writer;

/// Nothing that others have too.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bare<'a>(PhantomData<&'a ()>);

impl Bare<'_> {
    pub(super) const NEW: Self = Bare(PhantomData);

    #[allow(clippy::unused_self, reason = "the others need it")]
    pub(super) fn write(self, _: &mut Writer<'_>) {}
}

/// What may carry `_meta`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noted<'a> {
    pub(super) meta: Option<Json<'a>>,
}

impl Noted<'_> {
    pub(super) const NEW: Self = Noted { meta: None };

    pub(super) fn write(&self, w: &mut Writer<'_>) {
        put_meta(w, self.meta);
    }
}

/// What all results have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome<'a> {
    pub(super) meta: Option<Json<'a>>,
    pub(super) result_type: Option<&'static str>,
}

impl Outcome<'_> {
    pub(super) const NEW: Self = Outcome {
        meta: None,
        result_type: None,
    };

    pub(super) fn write(&self, w: &mut Writer<'_>) {
        put_result_type(w, self.result_type);
        put_meta(w, self.meta);
    }
}

/// What results have that may be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cached<'a> {
    pub(super) meta: Option<Json<'a>>,
    pub(super) result_type: Option<&'static str>,
    pub(super) cache: Option<(u64, &'static str)>,
}

impl Cached<'_> {
    pub(super) const NEW: Self = Cached {
        meta: None,
        result_type: None,
        cache: None,
    };

    pub(super) fn write(&self, w: &mut Writer<'_>) {
        put_result_type(w, self.result_type);
        put_cache(w, self.cache);
        put_meta(w, self.meta);
    }
}

/// What results have that come in pages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page<'a> {
    pub(super) meta: Option<Json<'a>>,
    pub(super) result_type: Option<&'static str>,
    pub(super) cache: Option<(u64, &'static str)>,
    pub(super) next_cursor: Option<Text<'a>>,
}

impl Page<'_> {
    pub(super) const NEW: Self = Page {
        meta: None,
        result_type: None,
        cache: None,
        next_cursor: None,
    };

    pub(super) fn write(&self, w: &mut Writer<'_>) {
        if let Some(cursor) = &self.next_cursor {
            put_text(w, "nextCursor", cursor);
        }
        put_result_type(w, self.result_type);
        put_cache(w, self.cache);
        put_meta(w, self.meta);
    }
}

fn put_result_type(w: &mut Writer<'_>, result_type: Option<&'static str>) {
    if let Some(result_type) = result_type {
        put_str(w, "resultType", result_type);
    }
}

fn put_cache(w: &mut Writer<'_>, cache: Option<(u64, &'static str)>) {
    if let Some((ttl_ms, scope)) = cache {
        put_whole(w, "ttlMs", ttl_ms);
        put_str(w, "cacheScope", scope);
    }
}

fn put_meta(w: &mut Writer<'_>, meta: Option<Json<'_>>) {
    if let Some(Json(meta)) = meta {
        put_json(w, "_meta", meta, OBJECT);
    }
}
