//! The copy of the report for programs.

use super::machine::{Machine, version};
use super::measure::{Results, Times};
use super::render::all_bars;
use super::rows::Build;
use crate::corpus;
use std::fmt::Write;

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn list<T>(of: impl IntoIterator<Item = T>, write: impl Fn(T) -> String) -> String {
    let items: Vec<String> = of.into_iter().map(write).collect();
    format!("[\n    {}\n  ]", items.join(",\n    "))
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "null".into(), |v| format!("{v:.3}"))
}

fn times(times: &Times) -> String {
    let ((clock, clock_spread), (cpu, cpu_spread)) = (times.clock, times.cpu);
    format!(
        "\"nanoseconds\": {clock}, \"spread\": {clock_spread:.4}, \"cpu_nanoseconds\": {cpu}, \"cpu_spread\": {cpu_spread:.4}"
    )
}

/// Everything that `markdown` shows, unrounded.
pub fn json(results: &Results, machine: &Machine, lock: &str) -> String {
    let corpora = list(corpus::ALL, |c| {
        format!(
            "{{\"name\": {}, \"sha256\": {}}}",
            quoted(c.name),
            quoted(c.sha256)
        )
    });
    let rows = list(&results.figures, |f| {
        let package = if f.row.build == Build::Peers {
            version(lock, f.row.package).unwrap_or("?")
        } else {
            "this"
        };
        format!(
            "{{\"corpus\": {}, \"build\": {}, \"method\": {}, \"package\": {}, \"version\": {}, \"bytes\": {}, \"messages\": {}, {}, \"native\": {}, \"instructions_per_byte\": {}, \"peak_kib\": {}, \"counts\": {}}}",
            quoted(f.corpus),
            quoted(f.row.build.file()),
            quoted(f.row.method),
            quoted(f.row.package),
            quoted(package),
            f.bytes,
            f.messages,
            times(&f.times),
            f.native
                .map_or_else(|| "null".into(), |t| format!("{{{}}}", times(&t))),
            number(f.instructions_per_byte),
            f.peak_kib,
            results.counts(f),
        )
    });
    let verdicts = list(&results.verdicts, |v| {
        let wrong: Vec<String> = v.wrong.iter().map(|w| quoted(w)).collect();
        format!(
            "{{\"method\": {}, \"vectors\": {}, \"wrong\": [{}]}}",
            quoted(&v.method),
            v.vectors,
            wrong.join(", ")
        )
    });
    let linear = list(&results.linear, |l| {
        format!(
            "{{\"corpus\": {}, \"method\": {}, \"cut\": {}, \"mib\": {}, \"bytes\": {}, {}}}",
            quoted(l.corpus),
            quoted(&l.method),
            quoted(l.cut),
            l.mib,
            l.bytes,
            times(&l.times)
        )
    });
    let bars = list(all_bars(results), |b| {
        format!(
            "{{\"bar\": {}, \"wanted\": {}, \"got\": {:.3}, \"unit\": {}, \"gate\": {}}}",
            quoted(&b.what),
            b.wanted,
            b.got,
            quoted(b.unit),
            b.gate
        )
    });
    format!(
        "{{\n  \"cpu\": {},\n  \"cores\": {},\n  \"rustc\": {},\n  \"clock_per_cpu_time\": {:.3},\n  \"corpora\": {corpora},\n  \"rows\": {rows},\n  \"rejects\": {verdicts},\n  \"long_line\": {linear},\n  \"bars\": {bars}\n}}\n",
        quoted(&machine.cpu),
        machine.cores,
        quoted(&machine.rustc),
        results.waited,
    )
}
