//! The README's table of faults is the one in the code. `WIRELINE_WRITE=1` writes it anew.

use std::fmt::Write as _;
use std::path::Path;

use wireline::{FaultClass, FaultKind};

fn table() -> String {
    let mut table = String::from(
        "\n| kind | class | what it says | an answer may carry the id |\n|---|---|---|---|\n",
    );
    for kind in FaultKind::ALL {
        let (class, id) = match kind.class() {
            FaultClass::Noise => ("noise", "no"),
            FaultClass::Text => ("text", "no, it is a hint"),
            FaultClass::Limit => ("limit", "yes, if the rest is valid JSON"),
            FaultClass::Envelope => ("envelope", "yes, if the rest is valid JSON"),
            _ => ("stream", "no"),
        };
        let id = match kind {
            FaultKind::IdTooLong | FaultKind::BadId | FaultKind::NotObject => "it has none",
            FaultKind::EmptyBatch | FaultKind::Batch => "it has none",
            FaultKind::TooDeep => {
                "yes, if the rest is valid JSON; beyond the ceiling only strings and the number of brackets are looked at"
            }
            FaultKind::Duplicate => {
                "yes, if the rest is valid JSON and it is not the id that stands twice"
            }
            _ => id,
        };
        writeln!(
            table,
            "| `{}` | {class} | {} | {id} |",
            kind.name(),
            kind.reason()
        )
        .unwrap();
    }
    table.push('\n');
    table
}

#[test]
fn fault_table_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- faults:begin -->\n", "<!-- faults:end -->");
    let (head, rest) = text
        .split_once(begin)
        .expect("README.md has the table's begin");
    let (old, tail) = rest.split_once(end).expect("README.md has the table's end");
    let new = table();
    if std::env::var_os("WIRELINE_WRITE").is_some() {
        std::fs::write(&path, format!("{head}{begin}{new}{end}{tail}")).unwrap();
    } else {
        assert_eq!(
            old, new,
            "WIRELINE_WRITE=1 cargo test -p wireline --test readme"
        );
    }
}
