//! Users' own types through `serde`, in both directions.
#![cfg(feature = "serde")]

#[path = "support/values.rs"]
mod values;

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use values::*;
use wireline::encode::{
    FromJsonError, MAX_NESTED, Outgoing, Pieces, Serde, WriteError, write_json,
};
use wireline::json::RawJson;

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Flat<'a> {
    text: &'a str,
    flag: bool,
    small: i8,
    large: u64,
    float: f64,
    single: f32,
    maybe: Option<u16>,
    letter: char,
    pair: (i64, bool),
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
enum Choice {
    Unit,
    Newtype(i32),
    Tuple(i32, bool),
    Struct { a: u8, b: Option<bool> },
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Wrapped(u8);

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Marker;

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Nested {
    choices: Vec<Choice>,
    wrapped: Wrapped,
    marker: Marker,
    unit: (),
    array: [i16; 2],
    map: BTreeMap<String, i64>,
    numbered: BTreeMap<i32, bool>,
}

fn any_choice() -> impl Strategy<Value = Choice> {
    prop_oneof![
        Just(Choice::Unit),
        any::<i32>().prop_map(Choice::Newtype),
        any::<(i32, bool)>().prop_map(|(a, b)| Choice::Tuple(a, b)),
        any::<(u8, Option<bool>)>().prop_map(|(a, b)| Choice::Struct { a, b }),
    ]
}

fn any_nested() -> impl Strategy<Value = Nested> {
    (
        proptest::collection::vec(any_choice(), 0..4),
        any::<(u8, [i16; 2])>(),
        proptest::collection::btree_map(any_text(), any::<i64>(), 0..4),
        proptest::collection::btree_map(any::<i32>(), any::<bool>(), 0..4),
    )
        .prop_map(|(choices, (wrapped, array), map, numbered)| Nested {
            choices,
            wrapped: Wrapped(wrapped),
            marker: Marker,
            unit: (),
            array,
            map,
            numbered,
        })
}

/// Every text of a struct whose strings need no escape, and what it holds.
fn plain() -> impl Strategy<Value = (String, i8, u64, f64, f32, Option<u16>, char)> {
    (
        "[ !#-\\[\\]-~é\u{2028}]{0,12}",
        any::<i8>(),
        any::<u64>(),
        any::<f64>().prop_filter("finite", |f| f.is_finite()),
        any::<f32>().prop_filter("finite", |f| f.is_finite()),
        any::<Option<u16>>(),
        "[ -!#-\\[\\]-~é]".prop_map(|text| text.chars().next().unwrap()),
    )
}

proptest! {
    #[test]
    fn what_is_written_is_what_serde_json_reads(nested in any_nested(), sizes in any_sizes()) {
        let text = check_every_way(&Serde(&nested));
        prop_assert_eq!(&serde_json::from_slice::<Nested>(&text).unwrap(), &nested);
        prop_assert_eq!(
            serde_json::from_slice::<Value>(&text).unwrap(),
            serde_json::to_value(&nested).unwrap()
        );
        let serde = Serde(&nested);
        let message = Outgoing::notification("m").params(&serde);
        prop_assert_eq!(drained(message.pieces().unwrap(), &sizes), line(&message).unwrap());
        let mut buffer = vec![0; text.len()];
        prop_assert_eq!(write_json(&nested, &mut buffer), Ok(&text[..]));
    }

    #[test]
    fn flat_structs_go_round((text, small, large, float, single, maybe, letter) in plain()) {
        let flat = Flat {
            text: &text, flag: true, small, large, float, single, maybe, letter, pair: (i64::MIN, false),
        };
        let ours = written(&Serde(&flat)).unwrap();
        let raw = RawJson::validate(&ours).unwrap();
        prop_assert_eq!(raw.deserialize::<Flat<'_>>().unwrap(), flat.clone());
        let theirs = serde_json::to_vec(&flat).unwrap();
        let raw = RawJson::validate(&theirs).unwrap();
        prop_assert_eq!(raw.deserialize::<Flat<'_>>().unwrap(), flat);
    }

    #[test]
    fn nested_types_are_read_too(nested in any_nested(), seed: u64) {
        // Escapes are resolved in the room lent; integers as keys are strings in JSON.
        let value = serde_json::to_value(&nested).unwrap();
        let text = loose(&value, &mut spaces(seed));
        let raw = RawJson::validate(text.as_bytes()).unwrap();
        let mut room = vec![0; text.len()];
        #[derive(Deserialize, Debug, PartialEq)]
        struct Part {
            choices: Vec<Choice>,
            wrapped: Wrapped,
            marker: Marker,
            array: [i16; 2],
            map: BTreeMap<String, i64>,
        }
        prop_assert_eq!(
            raw.deserialize_in::<Part>(&mut room).unwrap(),
            Part {
                choices: nested.choices,
                wrapped: nested.wrapped,
                marker: Marker,
                array: nested.array,
                map: nested.map,
            }
        );
    }

    #[test]
    fn unknown_members_are_passed_over_whatever_they_hold(extra in any_object(), seed: u64) {
        #[derive(Deserialize, Debug, PartialEq)]
        struct One { wanted: u8 }
        let mut value = extra;
        let members = value.as_object_mut().unwrap();
        members.insert("wanted".into(), 5.into());
        let text = loose(&value, &mut spaces(seed));
        let raw = RawJson::validate(text.as_bytes()).unwrap();
        prop_assert_eq!(raw.deserialize::<One>(), Ok(One { wanted: 5 }));
    }
}

#[test]
fn floats_that_are_not_finite_are_refused_at_the_call() {
    let mut buffer = [0; 64];
    for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(write_json(&float, &mut buffer), Err(WriteError::BadNumber));
        assert_eq!(
            write_json(&[Some(float)], &mut buffer),
            Err(WriteError::BadNumber)
        );
        assert_eq!(
            write_json(&(float as f32), &mut buffer),
            Err(WriteError::BadNumber)
        );
        let map = BTreeMap::from([("value", float)]);
        let payload = Serde(&map);
        let answer = Outgoing::result(1, &payload);
        assert_eq!(answer.write(&mut buffer), Err(WriteError::BadNumber));
        assert_eq!(
            answer.write(&mut []),
            Err(WriteError::BadNumber),
            "before the size"
        );
        assert_eq!(
            answer.pieces().err(),
            Some(WriteError::BadNumber),
            "nothing has left"
        );
        assert_eq!(Pieces::new(&payload).err(), Some(WriteError::BadNumber));
    }
}

#[test]
fn floats_keep_their_value() {
    for float in [
        0.0,
        -0.0,
        0.1,
        1e21,
        1e-7,
        f64::MIN,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        1.0 / 3.0,
    ] {
        let text = written(&Serde(&float)).unwrap();
        let read: f64 = std::str::from_utf8(&text).unwrap().parse().unwrap();
        assert_eq!(read.to_bits(), float.to_bits());
    }
    for float in [f32::MIN, f32::MAX, 1e-45, 0.1, 16_777_216.0] {
        let text = written(&Serde(&float)).unwrap();
        let read: f32 = std::str::from_utf8(&text).unwrap().parse().unwrap();
        assert_eq!(read.to_bits(), float.to_bits());
    }
}

#[test]
fn what_json_has_no_form_for_is_refused() {
    let mut buffer = [0; 64];
    let key = BTreeMap::from([((1, 2), 3)]);
    assert_eq!(write_json(&key, &mut buffer), Err(WriteError::Unsupported));
    let key = BTreeMap::from([(Some("a"), 3)]);
    assert_eq!(write_json(&key, &mut buffer), Err(WriteError::Unsupported));
    struct Failing;
    impl Serialize for Failing {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("no"))
        }
    }
    assert_eq!(
        write_json(&[Failing], &mut buffer),
        Err(WriteError::Unsupported)
    );
    let key = BTreeMap::from([('"', i64::MIN), ('a', 2)]);
    assert_eq!(
        write_json(&key, &mut buffer),
        Ok(&br#"{"\"":-9223372036854775808,"a":2}"#[..])
    );
    let key = BTreeMap::from([(i64::MIN, 1), (7, 2)]);
    assert_eq!(
        write_json(&key, &mut buffer),
        Ok(&br#"{"-9223372036854775808":1,"7":2}"#[..])
    );
    let key = BTreeMap::from([(u64::MAX, 1)]);
    assert_eq!(
        write_json(&key, &mut buffer),
        Ok(&br#"{"18446744073709551615":1}"#[..])
    );
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, FromJsonError> {
    RawJson::validate(text.as_bytes()).unwrap().deserialize()
}

#[test]
fn a_borrowed_string_with_an_escape_is_an_error_without_room() {
    #[derive(Deserialize, Debug, PartialEq)]
    struct Args<'a> {
        text: &'a str,
    }
    assert_eq!(read(r#"{"text":"plain"}"#), Ok(Args { text: "plain" }));
    let escaped = r#"{"text":"a\nb\ud83d\ude00"}"#;
    assert_eq!(read::<Args<'_>>(escaped), Err(FromJsonError::Escaped));
    assert_eq!(read::<String>(r#""\u0041""#), Err(FromJsonError::Escaped));
    let raw = RawJson::validate(escaped.as_bytes()).unwrap();
    let mut room = [0; 16];
    assert_eq!(
        raw.deserialize_in::<Args<'_>>(&mut room),
        Ok(Args { text: "a\nb😀" })
    );
    assert_eq!(
        raw.deserialize_in::<Args<'_>>(&mut [0; 15]),
        Err(FromJsonError::Escaped)
    );
    // An unpaired surrogate is no text.
    let lone = RawJson::validate(br#"{"text":"\ud800"}"#).unwrap();
    assert_eq!(
        lone.deserialize_in::<Args<'_>>(&mut [0; 64]),
        Err(FromJsonError::Escaped)
    );
    // Names are compared by meaning.
    assert_eq!(
        read(r#"{"te\u0078t":"plain","\ud800":"\n"}"#),
        Ok(Args { text: "plain" })
    );
    let long = format!("{{\"{}\\u0041\":1,\"text\":\"plain\"}}", "x".repeat(100));
    assert_eq!(read(&long), Ok(Args { text: "plain" }));
}

#[test]
fn a_variant_is_known_whatever_escapes_its_name_holds() {
    #[derive(Deserialize, PartialEq, Debug)]
    enum Side {
        Left,
        Right,
    }
    assert_eq!(read(r#""\u004ceft""#), Ok(Side::Left));
    assert_eq!(read(r#"{"Right":null}"#), Ok(Side::Right));
    assert_eq!(read(r#"{"\u0052ight":null}"#), Ok(Side::Right));
    assert!(read::<Side>(r#""\u004cost""#).is_err());
}

#[test]
fn names_are_handed_out_as_they_are_meant_or_not_at_all() {
    type Map = BTreeMap<String, u8>;
    let long = "x".repeat(100);
    let text = format!("{{\"{long}\\u0041\":1}}");
    let raw = RawJson::validate(text.as_bytes()).unwrap();
    let meant = BTreeMap::from([(format!("{long}A"), 1)]);
    // A name with an escape needs room, but for a short one.
    assert_eq!(raw.deserialize::<Map>(), Err(FromJsonError::Escaped));
    assert_eq!(raw.deserialize_in::<Map>(&mut [0; 128]), Ok(meant));
    assert_eq!(
        read::<Map>(r#"{"\u0041":1}"#),
        Ok(BTreeMap::from([("A".to_owned(), 1)]))
    );
    let edge = |length: usize| read::<Map>(&format!("{{\"{}\\n\":1}}", "x".repeat(length)));
    assert_eq!(edge(63).unwrap().keys().next().unwrap().len(), 64);
    assert_eq!(edge(64), Err(FromJsonError::Escaped));
    // One that is no Unicode text is never text.
    let lone = RawJson::validate(br#"{"\ud800":1}"#).unwrap();
    assert_eq!(lone.deserialize::<Map>(), Err(FromJsonError::Escaped));
    let value = lone.deserialize_in::<Value>(&mut [0; 64]);
    assert_eq!(value.unwrap_err(), FromJsonError::Escaped);
    assert_eq!(
        lone.deserialize::<std::collections::HashMap<Unit, u8>>()
            .unwrap()
            .len(),
        1,
        "a name that is not looked at"
    );
    // Borrowed, where there is room.
    let raw = RawJson::validate(br#"{"\u0041":1}"#).unwrap();
    let mut room = [0; 8];
    let borrowed: BTreeMap<&str, u8> = raw.deserialize_in(&mut room).unwrap();
    assert_eq!(borrowed, BTreeMap::from([("A", 1)]));

    // A struct's own names are known, however long and however they are spelled.
    #[derive(Deserialize, Debug, PartialEq)]
    struct Long {
        #[serde(
            rename = "a.name.that.is.longer.than.the.sixty.four.bytes.which.a.short.one.may.have"
        )]
        field: u8,
        #[serde(default, rename = "b\\u0041")]
        other: u8,
    }
    let text =
        r#"{"\u0061.name.that.is.longer.than.the.sixty.four.bytes.which.a.short.one.may.have":7}"#;
    assert_eq!(read(text), Ok(Long { field: 7, other: 0 }));
    // Spelled like a field, but not it.
    let text = r#"{"a.name.that.is.longer.than.the.sixty.four.bytes.which.a.short.one.may.have":7,"b\u0041":9,"\ud800\u0041":9}"#;
    assert_eq!(read(text), Ok(Long { field: 7, other: 0 }));
    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Strict {}
    assert_eq!(
        read::<Strict>(r#"{"\ud800":1}"#),
        Err(FromJsonError::Mismatch)
    );
    // What is gathered beside the fields is a map like any other.
    #[derive(Deserialize, Debug, PartialEq)]
    struct Rest {
        a: u8,
        #[serde(flatten)]
        rest: Map,
    }
    assert_eq!(
        read::<Rest>(r#"{"a":1,"\ud800":1}"#),
        Err(FromJsonError::Escaped)
    );
    assert_eq!(
        read::<Rest>(r#"{"\u0061":1,"\u0062":2}"#),
        Ok(Rest {
            a: 1,
            rest: BTreeMap::from([("b".to_owned(), 2)])
        })
    );
    // Variants are known, too.
    #[derive(Deserialize, Debug, PartialEq)]
    enum Of {
        #[serde(
            rename = "a.name.that.is.longer.than.the.sixty.four.bytes.which.a.short.one.may.have"
        )]
        Long(u8),
    }
    let text =
        r#"{"\u0061.name.that.is.longer.than.the.sixty.four.bytes.which.a.short.one.may.have":7}"#;
    assert_eq!(read(text), Ok(Of::Long(7)));
    assert_eq!(read::<Of>(r#"{"\ud800":7}"#), Err(FromJsonError::Mismatch));
}

/// A key that takes any name and looks at none.
#[derive(PartialEq, Eq, Hash)]
struct Unit;

impl<'de> Deserialize<'de> for Unit {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Unit)
    }
}

#[test]
fn what_does_not_fit_the_type_is_an_error() {
    let mismatch = Err(FromJsonError::Mismatch);
    assert_eq!(read::<u8>("256"), mismatch);
    assert_eq!(read::<u8>("-1"), Err(FromJsonError::Mismatch));
    assert_eq!(
        read::<i64>("9223372036854775808"),
        Err(FromJsonError::Mismatch)
    );
    assert_eq!(read::<u64>("18446744073709551615"), Ok(u64::MAX));
    assert_eq!(
        read::<i32>("1.0"),
        Ok(1),
        "an integer, however it is spelled"
    );
    assert_eq!(read::<i32>("1.5"), Err(FromJsonError::Mismatch));
    assert_eq!(read::<i32>("\"1\""), Err(FromJsonError::Mismatch));
    assert_eq!(
        read::<f64>("1e999"),
        Err(FromJsonError::Mismatch),
        "no infinity"
    );
    assert_eq!(read::<f32>("1e39"), Err(FromJsonError::Mismatch));
    assert_eq!(read::<f64>("null"), Err(FromJsonError::Mismatch), "no NaN");
    assert_eq!(read::<f64>("2"), Ok(2.0));
    assert_eq!(read::<bool>("1"), Err(FromJsonError::Mismatch));
    assert_eq!(read::<()>("false"), Err(FromJsonError::Mismatch));
    assert_eq!(read::<char>("\"ab\""), Err(FromJsonError::Mismatch));
    assert_eq!(read::<(u8, u8)>("[1]"), Err(FromJsonError::Mismatch));
    assert_eq!(read::<(u8, u8)>("[1,2,3]"), Err(FromJsonError::Mismatch));
    assert_eq!(read::<(u8, u8)>("{}"), Err(FromJsonError::Mismatch));
    assert_eq!(read::<Choice>("\"Other\""), Err(FromJsonError::Mismatch));
    assert_eq!(
        read::<Choice>("{\"Newtype\":1,\"Unit\":null}"),
        Err(FromJsonError::Mismatch)
    );
    assert_eq!(read::<Choice>("{\"Unit\":null}"), Ok(Choice::Unit));
    assert_eq!(read::<Choice>("7"), Err(FromJsonError::Mismatch));
    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        a: u8,
    }
    assert_eq!(read::<Strict>("{\"a\":1}"), Ok(Strict { a: 1 }));
    assert_eq!(
        read::<Strict>("{\"a\":1,\"b\":2}"),
        Err(FromJsonError::Mismatch)
    );
    assert_eq!(
        read::<Strict>("{\"a\":1,\"\\u0061\":2}"),
        Err(FromJsonError::Mismatch),
        "twice"
    );
    assert_eq!(read::<Strict>("{}"), Err(FromJsonError::Mismatch));
    assert_eq!(
        read::<BTreeMap<u8, u8>>("{\"1\":2}"),
        Err(FromJsonError::Mismatch),
        "no panic"
    );
}

#[test]
fn nesting_is_bounded() {
    let depth = usize::from(MAX_NESTED);
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    #[derive(Deserialize, Debug, PartialEq)]
    struct Ignoring {}
    let text = |depth: usize| format!("{{\"a\":{},\"b\":\"[[[[\"}}", nested(depth));
    assert_eq!(read::<Ignoring>(&text(depth - 1)), Ok(Ignoring {}));
    assert_eq!(read::<Ignoring>(&text(depth)), Err(FromJsonError::TooDeep));
    assert_eq!(
        read::<Value>(&nested(depth)).unwrap().to_string(),
        nested(depth)
    );
    // Breadth is not depth.
    let wide = format!("[{}[]]", "[],".repeat(1000));
    assert_eq!(read::<Vec<Vec<u8>>>(&wide).unwrap().len(), 1001);
}

/// Any value at all can be asked for what it is.
#[test]
fn self_describing_types_are_read() {
    let text = r#"{"a":[null,true,-1,18446744073709551615,1.5,"x"],"b":{}}"#;
    let ours: Value = read(text).unwrap();
    assert_eq!(ours, serde_json::from_str::<Value>(text).unwrap());
}

/// Why reading does not go through `serde-json-core`: it gives escapes as text.
#[test]
fn serde_json_core_hands_out_escapes_as_text() {
    let (text, _): (&str, usize) = serde_json_core::from_slice(br#""a\nb""#).unwrap();
    assert_eq!(text, "a\\nb");
    let keys = std::panic::catch_unwind(|| {
        serde_json_core::from_slice::<BTreeMap<u8, u8>>(br#"{"1":2}"#).is_ok()
    });
    assert!(keys.is_err(), "a map whose keys are no strings panics");
}
