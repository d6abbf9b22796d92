//! The elements and members of what a view reaches.

use core::marker::PhantomData;

use super::lookup;
use crate::json::{Elements, JsonKind, JsonStr, Members, RawJson, ToJson, Writer};

/// The elements of an array, each looked at as a `V`. None, if there is no array.
///
/// ```
/// use wireline::json::RawJson;
/// use wireline::mcp::view::ListToolsResult;
/// let page = RawJson::validate(br#"{"tools":[{"name":"a"},{"name":"b"}]}"#).unwrap();
/// let names = ListToolsResult::new(page).tools().filter_map(|tool| tool.name());
/// assert!(names.eq(["a", "b"]));
/// ```
#[derive(Clone)]
pub struct List<'a, V>(Elements<'a>, PhantomData<V>);

impl<'a, V> List<'a, V> {
    pub(super) fn new(object: RawJson<'a>, name: &str) -> Self {
        List(elements(object, name), PhantomData)
    }
}

impl<'a, V: From<RawJson<'a>>> Iterator for List<'a, V> {
    type Item = V;

    fn next(&mut self) -> Option<V> {
        self.0.next().map(V::from)
    }
}

impl<V> core::fmt::Debug for List<'_, V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

/// The strings of an array. Elements of other types are passed over.
///
/// ```
/// use wireline::json::RawJson;
/// use wireline::mcp::view::Completion;
/// let found = RawJson::validate(br#"{"values":["on","off"]}"#).unwrap();
/// assert!(Completion::new(found).values().eq(["on", "off"]));
/// ```
#[derive(Clone, Debug)]
pub struct Strings<'a>(Elements<'a>);

impl<'a> Strings<'a> {
    pub(super) fn new(object: RawJson<'a>, name: &str) -> Self {
        Strings(elements(object, name))
    }
}

impl<'a> Iterator for Strings<'a> {
    type Item = JsonStr<'a>;

    fn next(&mut self) -> Option<JsonStr<'a>> {
        self.0.find_map(|value| value.as_json_str())
    }
}

/// The strings as they were received, in an array.
impl ToJson for Strings<'_> {
    fn write_json(&self, w: &mut Writer<'_>) {
        w.begin_array();
        for text in self.clone() {
            w.json_str(text);
        }
        w.end_array();
    }
}

/// The members of an object, each value looked at as a `V`. None, if there is no object.
///
/// ```
/// use wireline::json::RawJson;
/// use wireline::mcp::view::GetPromptParams;
/// let params = RawJson::validate(br#"{"name":"greet","arguments":{"whom":"you"}}"#).unwrap();
/// let (name, value) = GetPromptParams::new(params).arguments().next().unwrap();
/// assert_eq!(name, "whom");
/// assert_eq!(value.as_json_str().unwrap(), "you");
/// ```
#[derive(Clone)]
pub struct Pairs<'a, V>(Members<'a>, PhantomData<V>);

impl<'a, V> Pairs<'a, V> {
    pub(super) fn new(object: RawJson<'a>, name: &str) -> Self {
        let inner = lookup::object(object, name).unwrap_or(RawJson::EMPTY_OBJECT);
        Pairs(inner.members(), PhantomData)
    }
}

impl<'a, V: From<RawJson<'a>>> Iterator for Pairs<'a, V> {
    type Item = (JsonStr<'a>, V);

    fn next(&mut self) -> Option<Self::Item> {
        let (name, value) = self.0.next()?;
        Some((name, V::from(value)))
    }
}

impl<V> core::fmt::Debug for Pairs<'_, V> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.0.fmt(f)
    }
}

/// The elements of the array of this name.
pub(super) fn elements<'a>(object: RawJson<'a>, name: &str) -> Elements<'a> {
    let array = lookup::of_kind(object, name, JsonKind::Array);
    array.unwrap_or(RawJson::EMPTY_OBJECT).elements()
}
