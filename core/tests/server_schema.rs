//! Schemas: what is taken for one, and what fits it. Tables: what is taken for one.

use wireline::json::RawJson;
use wireline::server::{
    Extra, MAX_VARIABLES, Prompt, PromptArgument, Resource, ResourceTemplate, Schema, SchemaFault,
    Table, TableFault, Tables, TemplateError, Tool, Toolkit,
};

/// What is wrong with a value; empty if it fits.
fn check(schema: &str, value: &str) -> String {
    let schema = Schema::new(schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
    let value = RawJson::validate(value.as_bytes()).unwrap();
    match schema.check(value) {
        Ok(()) => String::new(),
        Err(mismatch) => mismatch.to_string(),
    }
}

#[test]
fn values_fit_or_do_not() {
    for (schema, value, expected) in [
        (r#"{}"#, "1", ""),
        (r#"{"type":"null"}"#, "null", ""),
        (r#"{"type":"null"}"#, "0", "not of type null"),
        (r#"{"type":"boolean"}"#, "false", ""),
        (r#"{"type":"boolean"}"#, "0", "not of type boolean"),
        (r#"{"type":"integer"}"#, "-3", ""),
        (r#"{"type":"integer"}"#, "3.0", ""),
        (r#"{"type":"integer"}"#, "30e-1", ""),
        (r#"{"type":"integer"}"#, "3.5", "not of type integer"),
        (r#"{"type":"integer"}"#, "\"3\"", "not of type integer"),
        (r#"{"type":"number"}"#, "3", ""),
        (r#"{"type":"number"}"#, "3.5", ""),
        (r#"{"type":"number"}"#, "[]", "not of type number"),
        (r#"{"type":"string"}"#, "\"\"", ""),
        (r#"{"type":"string"}"#, "null", "not of type string"),
        (r#"{"type":"array"}"#, "[]", ""),
        (r#"{"type":"array"}"#, "{}", "not of type array"),
        (r#"{"type":"object"}"#, "{}", ""),
        (r#"{"type":"object"}"#, "[]", "not of type object"),
        (r#"{"type":["string","null"]}"#, "null", ""),
        (r#"{"type":["string","null"]}"#, "\"a\"", ""),
        (
            r#"{"type":["string","null"]}"#,
            "1",
            "of a type that is not allowed",
        ),
        (
            r#"{"type":["integer"]}"#,
            "1.5",
            "of a type that is not allowed",
        ),
        (r#"{"enum":["a",1,null,true]}"#, "\"\\u0061\"", ""),
        (r#"{"enum":["a",1,null,true]}"#, "1.0", ""),
        (r#"{"enum":["a",1,null,true]}"#, "null", ""),
        (r#"{"enum":["a",1,null,true]}"#, "true", ""),
        (
            r#"{"enum":["a",1,null,true]}"#,
            "\"1\"",
            "not one of the values allowed",
        ),
        (
            r#"{"enum":["a",1,null,true]}"#,
            "false",
            "not one of the values allowed",
        ),
        (
            r#"{"enum":["a"]}"#,
            "[\"a\"]",
            "not one of the values allowed",
        ),
        (r#"{"const":"x"}"#, "\"x\"", ""),
        (r#"{"const":"x"}"#, "\"X\"", "not one of the values allowed"),
        (r#"{"minimum":-1,"maximum":10}"#, "-1", ""),
        (r#"{"minimum":-1,"maximum":10}"#, "10.0", ""),
        (r#"{"minimum":-1,"maximum":10}"#, "-1.01", "less than -1"),
        (r#"{"minimum":-1,"maximum":10}"#, "1e2", "more than 10"),
        (r#"{"minimum":-1,"maximum":10}"#, "1e400", "more than 10"),
        (r#"{"minimum":5}"#, "\"a\"", ""),
        (
            r#"{"minLength":2,"maxLength":3}"#,
            "\"\\u00e9\u{1f600}\"",
            "",
        ),
        (
            r#"{"minLength":2,"maxLength":3}"#,
            "\"\u{1f600}\"",
            "less than 2 characters",
        ),
        (
            r#"{"minLength":2,"maxLength":3}"#,
            "\"abcd\"",
            "more than 3 characters",
        ),
        (
            r#"{"maxLength":0}"#,
            "\"\\ud83d\\ude00\"",
            "more than 0 characters",
        ),
        (r#"{"minLength":2}"#, "1", ""),
        (
            r#"{"items":{"type":"integer"},"minItems":1,"maxItems":2}"#,
            "[1]",
            "",
        ),
        (
            r#"{"items":{"type":"integer"},"minItems":1,"maxItems":2}"#,
            "[]",
            "less than 1 elements",
        ),
        (
            r#"{"items":{"type":"integer"},"minItems":1,"maxItems":2}"#,
            "[1,2,3]",
            "more than 2 elements",
        ),
        (
            r#"{"items":{"type":"integer"}}"#,
            "[1,2,true]",
            "/2: not of type integer",
        ),
        (
            r#"{"items":{"items":{"maximum":1}}}"#,
            "[[1],[],[0,2]]",
            "/2/1: more than 1",
        ),
        (
            r#"{"properties":{"a":{"type":"string"}}}"#,
            r#"{"b":1}"#,
            "",
        ),
        (
            r#"{"properties":{"a":{"type":"string"}}}"#,
            r#"{"\u0061":1}"#,
            "/a: not of type string",
        ),
        (
            r#"{"properties":{"a":{"type":"string"}}}"#,
            r#"{"a":"x","a":1}"#,
            "/a: there twice",
        ),
        (
            r#"{"properties":{"a":{}}}"#,
            r#"{"a":1,"\u0061":1}"#,
            "/a: there twice",
        ),
        (r#"{"properties":{"a":{}}}"#, r#"{"b":1,"b":1}"#, ""),
        (
            r#"{"properties":{"a":{}},"required":["a"]}"#,
            r#"{"b":1}"#,
            "/a: missing",
        ),
        (
            r#"{"required":["a"],"properties":{"a":{}}}"#,
            r#"{"\u0061":null}"#,
            "",
        ),
        (r#"{"properties":{"a":{}},"required":["a"]}"#, "[]", ""),
        (
            r#"{"properties":{"a":{}},"additionalProperties":false}"#,
            r#"{"a":1}"#,
            "",
        ),
        (
            r#"{"properties":{"a":{}},"additionalProperties":false}"#,
            r#"{"a":1,"b":2}"#,
            "/b: not allowed",
        ),
        (
            r#"{"additionalProperties":false}"#,
            r#"{"b":2}"#,
            "/b: not allowed",
        ),
        (r#"{"additionalProperties":true}"#, r#"{"b":2}"#, ""),
        (
            r#"{"properties":{"a":{}},"additionalProperties":{"type":"null"}}"#,
            r#"{"a":1,"b":2}"#,
            "/b: not of type null",
        ),
        (
            r#"{"properties":{"a":{"properties":{"b":{"items":{"const":0}}}}}}"#,
            r#"{"a":{"b":[0,0,1]}}"#,
            "/a/b/2: not one of the values allowed",
        ),
    ] {
        assert_eq!(check(schema, value), expected, "{schema} {value}");
    }
}

#[test]
fn words_that_say_nothing_of_values_pass() {
    let schema = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","$comment":"c","title":"t",
        "description":"\"d\"","default":{"a":[1,{}]},"examples":[[],1.5e3],"deprecated":true,"readOnly":false,
        "writeOnly":true,"x-mcp-header":"H"}"#;
    assert_eq!(check(schema, "1"), "");
}

#[test]
fn a_path_that_is_too_long_is_cut_at_a_character() {
    let name = "\u{e9}".repeat(100);
    let schema =
        format!(r#"{{"properties":{{"{name}":{{"properties":{{"a":{{"type":"null"}}}}}}}}}}"#);
    let said = check(&schema, &format!(r#"{{"{name}":{{"a":1}}}}"#));
    assert!(said.len() <= 120, "{}", said.len());
    assert!(said.starts_with("/\u{e9}\u{e9}"), "{said}");
    assert!(said.ends_with("\u{e9}\u{2026}: not of type null"), "{said}");
}

#[test]
fn an_opaque_schema_takes_everything() {
    let schema = Schema::opaque(r#"{"type":"object","anyOf":[{"required":["a"]}]}"#).unwrap();
    assert!(schema.is_opaque());
    assert!(schema.check(RawJson::EMPTY_OBJECT).is_ok());
    assert_eq!(
        Schema::opaque(r#"["a"]"#).unwrap_err().fault,
        SchemaFault::Value
    );
    assert_eq!(
        Schema::opaque(r#"{"a":}"#).unwrap_err().fault,
        SchemaFault::Syntax
    );
}

#[test]
fn what_is_no_schema_is_refused_where_it_is_wrong() {
    use SchemaFault::{Duplicate, Escape, Keyword, Required, Syntax, TooDeep, Value};
    let deep = r#"{"items":"#.repeat(8) + "{}" + &"}".repeat(8);
    let just = r#"{"items":"#.repeat(7) + "{}" + &"}".repeat(7);
    assert!(Schema::new(&just).is_ok());
    let default = format!(r#"{{"default":{}1{}}}"#, "[".repeat(21), "]".repeat(21));
    for (text, fault, offset) in [
        ("", Value, 0),
        ("true", Value, 0),
        ("[]", Value, 0),
        ("{", Syntax, 1),
        ("{}x", Syntax, 2),
        ("{} {}", Syntax, 3),
        ("{,}", Syntax, 1),
        (r#"{"type":"object",}"#, Syntax, 17),
        (r#"{"type" "object"}"#, Syntax, 8),
        (r#"{"type":"object""#, Syntax, 16),
        (r#"{'type':"object"}"#, Syntax, 1),
        (r#"{"title":"\x"}"#, Syntax, 10),
        (r#"{"title":"\u12g4"}"#, Syntax, 14),
        ("{\"title\":\"a\nb\"}", Syntax, 11),
        (r#"{"default":01}"#, Syntax, 11),
        (r#"{"default":1.}"#, Syntax, 13),
        (r#"{"default":1e}"#, Syntax, 13),
        (r#"{"default":-}"#, Syntax, 12),
        (r#"{"default":tru}"#, Syntax, 11),
        (r#"{"default":[1 2]}"#, Syntax, 14),
        (r#"{"default":{"a":1 }"#, Syntax, 19),
        (r#"{"pattern":"a"}"#, Keyword, 1),
        (r#"{"Type":"object"}"#, Keyword, 1),
        (r#"{"typ":"object"}"#, Keyword, 1),
        (r#"{"types":"object"}"#, Keyword, 1),
        (r#"{"format":"uri"}"#, Keyword, 1),
        (r##"{"$ref":"#"}"##, Keyword, 1),
        (r#"{"properties":{"a":{"oneOf":[]}}}"#, Keyword, 20),
        (r#"{"t\u0079pe":"object"}"#, Escape, 3),
        (r#"{"properties":{"\u0061":{}}}"#, Escape, 16),
        (
            r#"{"properties":{"a":{}},"required":["\u0061"]}"#,
            Escape,
            36,
        ),
        (r#"{"type":"Object"}"#, Value, 8),
        (r#"{"type":7}"#, Syntax, 8),
        (r#"{"type":[]}"#, Value, 9),
        (r#"{"type":["string","string"]}"#, Duplicate, 18),
        (r#"{"type":"object","type":"object"}"#, Duplicate, 17),
        (r#"{"properties":{"a":{},"a":{}}}"#, Duplicate, 22),
        (r#"{"properties":[]}"#, Value, 14),
        (r#"{"properties":{"a":true}}"#, Value, 19),
        (r#"{"required":["a"]}"#, Required, 13),
        (
            r#"{"required":["a","b"],"properties":{"a":{}}}"#,
            Required,
            17,
        ),
        (
            r#"{"properties":{"a":{}},"required":["a","a"]}"#,
            Duplicate,
            39,
        ),
        (r#"{"required":"a"}"#, Value, 12),
        (r#"{"additionalProperties":1}"#, Value, 24),
        (r#"{"additionalProperties":{"type":1}}"#, Syntax, 32),
        (r#"{"enum":[]}"#, Value, 9),
        (r#"{"enum":[1,1]}"#, Duplicate, 11),
        (r#"{"enum":[{}]}"#, Syntax, 9),
        (r#"{"const":[]}"#, Syntax, 9),
        (r#"{"minimum":"1"}"#, Value, 11),
        (r#"{"minimum":1.5}"#, Value, 12),
        (r#"{"maximum":1e3}"#, Value, 12),
        (r#"{"maximum":9999999999999999999}"#, Value, 11),
        (r#"{"minLength":-1}"#, Value, 13),
        (r#"{"maxItems":true}"#, Value, 12),
        (r#"{"items":[]}"#, Value, 9),
        (r#"{"items":true}"#, Value, 9),
        (r#"{"title":1}"#, Value, 9),
        (r#"{"deprecated":"yes"}"#, Value, 14),
        (&deep, TooDeep, 72),
        (&default, TooDeep, 31),
    ] {
        match Schema::new(text) {
            Ok(_) => panic!("{text} is taken"),
            Err(error) => assert_eq!((error.fault, error.offset), (fault, offset), "{text}"),
        }
    }
}

fn fault(tables: Tables<'_>) -> (TableFault, String) {
    let error = Toolkit::new(tables).expect_err("the tables are taken");
    (error.fault, error.entry.into())
}

const OBJECT: Schema<'_> = wireline::schema!({});

#[test]
fn what_is_no_table_is_refused() {
    let tool = |name| Tool::new(name, "", OBJECT);
    let long = "n".repeat(129);
    for name in ["", "a b", "a/b", "\u{e9}", &long] {
        let tools = [tool("ok"), tool(name)];
        let tables = Tables {
            tools: &tools,
            ..Tables::EMPTY
        };
        assert_eq!(fault(tables), (TableFault::ToolName, name.into()));
    }
    let tools = [tool(&long[1..]), tool("A-b_c.9")];
    assert!(
        Toolkit::new(Tables {
            tools: &tools,
            ..Tables::EMPTY
        })
        .is_ok()
    );
    let tools = [tool("a"), tool("b"), tool("a")];
    let tables = Tables {
        tools: &tools,
        ..Tables::EMPTY
    };
    assert_eq!(fault(tables), (TableFault::Duplicate, "a".into()));
    for schema in [
        r#"{"properties":{}}"#,
        r#"{"type":["object"]}"#,
        r#"{"type":"string"}"#,
    ] {
        let schema = Schema::new(schema).unwrap();
        let input = [Tool::new("a", "", schema)];
        let tables = Tables {
            tools: &input,
            ..Tables::EMPTY
        };
        assert_eq!(fault(tables), (TableFault::NotObject, "a".into()));
        let output = [tool("a").with_output(schema)];
        let tables = Tables {
            tools: &output,
            ..Tables::EMPTY
        };
        assert_eq!(fault(tables), (TableFault::NotObject, "a".into()));
    }
    let extra = [tool("a").with_extra(Extra::new(r#"{"title":"x"}"#).unwrap())];
    let tables = Tables {
        tools: &extra,
        ..Tables::EMPTY
    };
    assert_eq!(fault(tables), (TableFault::Extra, "a".into()));
    assert_eq!(
        fault(Tables {
            page: 0,
            ..Tables::EMPTY
        })
        .0,
        TableFault::Size
    );
    for line in [1, 255] {
        assert_eq!(
            fault(Tables {
                line,
                ..Tables::EMPTY
            })
            .0,
            TableFault::Size
        );
    }
    assert!(
        Toolkit::new(Tables {
            line: 256,
            ..Tables::EMPTY
        })
        .is_ok()
    );

    for uri in [
        "log", "1:a", ":a", "a b:c", "a:b c", "a:{b}", "a:\u{e9}", "",
    ] {
        let resources = [Resource::new(uri, "n")];
        let tables = Tables {
            resources: &resources,
            ..Tables::EMPTY
        };
        assert_eq!(fault(tables), (TableFault::Uri, uri.into()));
    }
    let resources = [Resource::new("a:b", "n"), Resource::new("a:b", "m")];
    let tables = Tables {
        resources: &resources,
        ..Tables::EMPTY
    };
    assert_eq!(fault(tables).0, TableFault::Duplicate);
    let resources = [Resource::new("a:b", "")];
    let tables = Tables {
        resources: &resources,
        ..Tables::EMPTY
    };
    assert_eq!(fault(tables).0, TableFault::EmptyName);

    let prompts = [Prompt::new("p"), Prompt::new("p")];
    let tables = Tables {
        prompts: &prompts,
        ..Tables::EMPTY
    };
    assert_eq!(fault(tables).0, TableFault::Duplicate);
    let arguments = [PromptArgument::required("a"), PromptArgument::optional("a")];
    let prompts = [Prompt::new("p").with_arguments(&arguments)];
    let tables = Tables {
        prompts: &prompts,
        ..Tables::EMPTY
    };
    assert_eq!(fault(tables), (TableFault::Duplicate, "a".into()));
}

/// The same names in several tables: the error says which table, and of two the later entry.
#[test]
fn a_table_error_says_where_it_is() {
    let place = |tables| {
        let error = Toolkit::new(tables).expect_err("the tables are taken");
        (error.table, error.index)
    };
    let tools = [Tool::new("a", "", OBJECT), Tool::new("b", "", OBJECT)];
    let twice = [tools[0], tools[1], tools[0]];
    let prompts = [Prompt::new("a"), Prompt::new("b"), Prompt::new("b")];
    let arguments = [PromptArgument::required("a"), PromptArgument::optional("a")];
    let asking = [
        Prompt::new("z"),
        Prompt::new("y").with_arguments(&arguments),
    ];
    let resources = [Resource::new("x:a", "a"), Resource::new("log", "a")];
    let templates = [
        ResourceTemplate::new("x:{a}", "a"),
        ResourceTemplate::new("x:a", "a"),
    ];
    let good = Tables {
        tools: &tools,
        ..Tables::EMPTY
    };
    assert!(Toolkit::new(good).is_ok());
    for (tables, table, index) in [
        (
            Tables {
                tools: &twice,
                ..good
            },
            Some(Table::Tools),
            2,
        ),
        (
            Tables {
                prompts: &prompts,
                ..good
            },
            Some(Table::Prompts),
            2,
        ),
        (
            Tables {
                prompts: &asking,
                ..good
            },
            Some(Table::Prompts),
            1,
        ),
        (
            Tables {
                resources: &resources,
                ..good
            },
            Some(Table::Resources),
            1,
        ),
        (
            Tables {
                templates: &templates,
                ..good
            },
            Some(Table::Templates),
            1,
        ),
        (Tables { page: 0, ..good }, None, 0),
        (Tables { line: 5, ..good }, None, 0),
    ] {
        assert_eq!(place(tables), (table, index));
    }
    let many = vec![tools[0]; 65_536];
    let tables = Tables {
        tools: &many,
        ..good
    };
    assert_eq!(place(tables), (Some(Table::Tools), 65_535));
}

#[test]
fn what_is_no_template_of_level_1_is_refused() {
    use TemplateError::{Adjacent, Count, Duplicate, Level, Scheme, Syntax};
    assert_eq!(MAX_VARIABLES, 4);
    for (uri, error) in [
        ("a:b", Count),
        ("a:{b}/{c}/{d}/{e}/{f}", Count),
        ("a:{b}{c}", Adjacent),
        ("a:{b}/{b}", Duplicate),
        ("{a}:b", Scheme),
        ("a/{b}", Scheme),
        ("a:{+b}", Level),
        ("a:{#b}", Level),
        ("a:{/b}", Level),
        ("a:{?b}", Level),
        ("a:{b,c}", Level),
        ("a:{b:3}", Level),
        ("a:{b*}", Level),
        ("a:{}", Syntax),
        ("a:{b", Syntax),
        ("a:b}", Syntax),
        ("a:{b}}", Syntax),
        ("a:{b c}", Syntax),
        ("a: {b}", Syntax),
        ("a:<{b}>", Syntax),
    ] {
        let templates = [ResourceTemplate::new(uri, "n")];
        let tables = Tables {
            templates: &templates,
            ..Tables::EMPTY
        };
        assert_eq!(fault(tables), (TableFault::Template(error), uri.into()));
    }
    let templates = [ResourceTemplate::new("a:{b}/{c}.{d}-{e}", "n")];
    assert!(
        Toolkit::new(Tables {
            templates: &templates,
            ..Tables::EMPTY
        })
        .is_ok()
    );
}

/// What nobody has looked at does no harm: it says what it may, and goes no deeper than a schema may.
#[test]
fn schemas_that_are_assumed_to_be_valid_do_no_harm() {
    let nested = |levels: usize| {
        let text = "{\"items\":".repeat(levels) + "{\"type\":\"null\"}" + &"}".repeat(levels);
        let value = "[".repeat(levels) + "null" + &"]".repeat(levels);
        let value = RawJson::validate(value.as_bytes()).unwrap();
        Schema::assume_valid(&text, false).check(value).is_ok()
    };
    assert!(nested(7) && !nested(8) && !nested(100));
    let members = "{\"additionalProperties\":".repeat(100) + "{}" + &"}".repeat(100);
    let value = "{\"a\":".repeat(100) + "1" + &"}".repeat(100);
    let value = RawJson::validate(value.as_bytes()).unwrap();
    assert!(Schema::assume_valid(&members, false).check(value).is_err());
    assert!(Schema::assume_valid(&members, true).check(value).is_ok());
    for text in [
        "",
        " ",
        "{",
        "}",
        "x",
        "\"",
        "[",
        "{\"",
        "{\"type\"",
        "{\"type\":",
        "{\"type\":}",
        "{\"enum\":[",
        "é{é",
        "{\"required\":[\"é",
        "{\"properties\":{\"a\":{",
        "{\"minimum\":-}",
        "{\"items\":7}",
        "{\"type\":{}}",
    ] {
        for value in [
            "{}",
            "{\"a\":[1,\"\u{e9}\"]}",
            "[[[]]]",
            "7",
            "\"\"",
            "null",
        ] {
            let value = RawJson::validate(value.as_bytes()).unwrap();
            let _ = Schema::assume_valid(text, false).check(value);
        }
    }
}

#[test]
fn tables_that_are_assumed_to_be_valid_have_a_size() {
    let schema = Schema::assume_valid("{}", false);
    let same = [Tool::new("a b", "", schema), Tool::new("a b", "", schema)];
    let tables = Tables {
        tools: &same,
        ..Tables::EMPTY
    };
    assert!(Toolkit::new(tables).is_err() && Toolkit::assume_valid(tables).is_ok());
    for wrong in [
        Tables { page: 0, ..tables },
        Tables {
            line: 255,
            ..tables
        },
    ] {
        let error = Toolkit::assume_valid(wrong).unwrap_err();
        assert_eq!(error.fault, TableFault::Size);
    }
    let many = vec![same[0]; 65_536];
    let tables = Tables {
        tools: &many,
        ..Tables::EMPTY
    };
    let error = Toolkit::assume_valid(tables).unwrap_err();
    assert_eq!(
        (error.fault, error.table),
        (TableFault::Size, Some(Table::Tools))
    );
}

/// The reader that the compiler runs takes exactly the values that the scanner takes: every
/// text up to five characters of these, and random longer ones.
#[test]
fn the_compilers_reader_agrees_with_the_scanner() {
    const CHARACTERS: &[u8] = b"{}[]\":,\\u0-.e 1n\n";
    let mut seen = (0, 0);
    let mut compare = |text: &[u8]| {
        let text = format!("{{\"default\":{}}}", std::str::from_utf8(text).unwrap());
        let ours = Schema::new(&text).map_err(|error| error.fault);
        let valid = RawJson::validate(text.as_bytes()).is_ok();
        match ours {
            Ok(_) => assert!(valid, "{text}"),
            // The text goes on with further members: in order, but not as a schema.
            Err(SchemaFault::Keyword | SchemaFault::Duplicate | SchemaFault::Escape) => return,
            Err(SchemaFault::TooDeep) => {}
            Err(_) => assert!(!valid, "{text}"),
        }
        seen.0 += 1;
        seen.1 += usize::from(valid);
    };
    for length in 0..=5u32 {
        let base = CHARACTERS.len();
        for number in 0..base.pow(length) {
            let mut rest = number;
            let mut text = [0; 5];
            for slot in &mut text[..length as usize] {
                *slot = CHARACTERS[rest % base];
                rest /= base;
            }
            compare(&text[..length as usize]);
        }
    }
    let mut state = 1u64;
    for _ in 0..200_000 {
        let mut text = Vec::new();
        for _ in 0..12 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            text.extend_from_slice(match state >> 33 & 15 {
                0 => b"{\"a\":",
                1 => b"}",
                2 => b"[",
                3 => b"]",
                4 => b",",
                5 => b"\"b\":",
                6 => b"true",
                7 => b"null",
                8 => b"-1.5e+3",
                9 => b"\"\\ud800\"",
                10 => b" ",
                _ => b"0",
            });
        }
        compare(&text);
    }
    assert!(seen.0 > 1_000_000 && seen.1 > 1_000, "{seen:?}");
}
