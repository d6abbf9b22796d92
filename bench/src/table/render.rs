//! The table for people and the copy for programs.

use super::machine::{Machine, version};
use super::measure::{Figure, Linear, ROUNDS, Results};
use super::rows::{Build, CUTS, SIZES};
use super::worker::Verdict;
use crate::corpus;
use std::fmt::Write;

/// Instructions of the fastest counted peer per instruction of ours: the gate.
pub const GATE: f64 = 1.3;

impl Results {
    /// Whether this row reads every message and refused all bad lines.
    pub fn counts(&self, figure: &Figure) -> bool {
        figure.row.build == Build::Peers
            && figure.row.reads
            && self
                .wrong(figure.row.method)
                .is_some_and(<[String]>::is_empty)
    }

    fn wrong(&self, method: &str) -> Option<&[String]> {
        self.verdicts
            .iter()
            .find(|v| v.method == method)
            .map(|v| v.wrong.as_slice())
    }

    fn of<'r>(&'r self, corpus: &'r str) -> impl Iterator<Item = &'r Figure> {
        self.figures.iter().filter(move |f| f.corpus == corpus)
    }

    fn ours<'r>(&'r self, corpus: &'r str, build: Build, method: &str) -> Option<&'r Figure> {
        self.of(corpus)
            .find(|f| f.row.build == build && f.row.method == method)
    }

    /// The counted peer with the least of something.
    pub fn best<'r>(
        &'r self,
        corpus: &'r str,
        of: impl Fn(&Figure) -> Option<f64>,
    ) -> Option<(&'r Figure, f64)> {
        self.of(corpus)
            .filter(|f| self.counts(f))
            .filter_map(|f| of(f).map(|value| (f, value)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The whole report in Markdown.
pub fn markdown(
    results: &Results,
    machine: &Machine,
    lock: &str,
) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    let o = &mut out;
    writeln!(
        o,
        "CPU: {} ({} cores); {}.",
        machine.cpu, machine.cores, machine.rustc
    )?;
    writeln!(
        o,
        "MB is 10^6 bytes. Times: median of {ROUNDS} runs of each method, taking turns; spread: what the middle half of them span, of the median."
    )?;
    if results.busy() {
        writeln!(
            o,
            "Other processes were running ({:.2} times as long by the clock as on a CPU): times are those on a CPU.",
            results.waited
        )?;
    }
    writeln!(
        o,
        "Built for baseline x86-64 with run-time detection as each crate ships it; `native`: built with `-C target-cpu=native`."
    )?;
    writeln!(
        o,
        "Ir/B: instructions per byte by callgrind on {} MiB. Peak: resident memory when the corpus is read from a file.\n",
        super::measure::COUNTED_BYTES >> 20
    )?;
    for c in corpus::ALL {
        let first = results.of(c.name).next();
        let (bytes, messages) = first.map_or((0, 0), |f| (f.bytes, f.messages));
        writeln!(
            o,
            "* `{}`: {}; {} bytes, {} messages, sha256 `{}`",
            c.name,
            c.about,
            thousands(bytes),
            thousands(messages),
            c.sha256
        )?;
    }
    writeln!(
        o,
        "\n| corpus | method | MB/s | messages/s | spread | native MB/s | Ir/B | peak MiB | counts |"
    )?;
    writeln!(o, "|---|---|---:|---:|---:|---:|---:|---:|---|")?;
    for c in corpus::ALL {
        for f in results.of(c.name) {
            row(o, results, f, lock)?;
        }
    }
    refused(o, results)?;
    linear(o, results)?;
    bars(o, results)?;
    Ok(out)
}

fn row(o: &mut String, results: &Results, f: &Figure, lock: &str) -> std::fmt::Result {
    let own = f.row.build != Build::Peers;
    let name = if own {
        format!("**wireline** {}", f.row.label)
    } else {
        format!(
            "{} {}: {}",
            f.row.package,
            version(lock, f.row.package).unwrap_or("?"),
            f.row.label
        )
    };
    let (nanos, spread) = results.time(&f.times);
    let rate = (f.messages as f64 * 1e9 / nanos.max(1) as f64) as u64;
    let native = f.native.map_or_else(
        || "–".into(),
        |times| format!("{:.0}", results.speed(f.bytes, &times)),
    );
    let instructions = f
        .instructions_per_byte
        .map_or_else(|| "–".into(), |v| format!("{v:.2}"));
    let counts = match (own, f.row.reads) {
        (true, _) => "ours",
        (false, false) => "no: part of the work",
        (false, true) if results.counts(f) => "yes",
        (false, true) => "no: see below",
    };
    writeln!(
        o,
        "| {} | {name} | {:.0} | {} | {:.0} % | {native} | {instructions} | {:.1} | {counts} |",
        f.corpus,
        results.speed(f.bytes, &f.times),
        thousands(rate),
        spread * 100.0,
        f.peak_kib as f64 / 1024.0,
    )
}

fn refused(o: &mut String, results: &Results) -> std::fmt::Result {
    writeln!(o, "\nReject vectors, run through each method as wrapped:\n")?;
    let ours = |method: &str| {
        let mut rows = results.figures.iter().map(|f| f.row);
        rows.any(|row| row.method == method && row.build != Build::Peers)
    };
    let shown = |method: &str| {
        let mut rows = results.figures.iter().map(|f| f.row);
        rows.any(|row| row.method == method && row.reads)
    };
    let right = |v: &&Verdict| ours(&v.method) && v.wrong.is_empty();
    let ways: Vec<String> = results
        .verdicts
        .iter()
        .filter(right)
        .map(|v| format!("`{}`", v.method))
        .collect();
    if let Some(first) = results.verdicts.first() {
        writeln!(
            o,
            "* wireline ({}): all {} judged right",
            ways.join(", "),
            first.vectors
        )?;
    }
    let rest = results.verdicts.iter().filter(|v| !right(v));
    for v in rest.filter(|v| shown(&v.method)) {
        if v.wrong.is_empty() {
            writeln!(
                o,
                "* `{}`: all {} judged right: counts",
                v.method, v.vectors
            )?;
        } else {
            let some: Vec<&str> = v.wrong.iter().take(6).map(String::as_str).collect();
            let more = v.wrong.len().saturating_sub(some.len());
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            writeln!(
                o,
                "* `{}`: {} of {} judged wrong: does not count (accepts: {}{more})",
                v.method,
                v.wrong.len(),
                v.vectors,
                some.join("; ")
            )?;
        }
    }
    Ok(())
}

fn linear(o: &mut String, results: &Results) -> std::fmt::Result {
    writeln!(
        o,
        "\nOne line, by size and cut, MB/s (linear: the same in every column):\n"
    )?;
    let sizes: Vec<String> = SIZES.iter().map(|mib| format!("{mib} MiB")).collect();
    writeln!(
        o,
        "| line | cut | {} |\n|---|---|{}|",
        sizes.join(" | "),
        "---:|".repeat(sizes.len()).trim_end_matches('|')
    )?;
    for corpus in ["line-text", "line-dense"] {
        for kind in ["unstored", "stored"] {
            for (suffix, cut) in CUTS {
                let method = format!("{kind}-{suffix}");
                let cells: Vec<String> = results
                    .linear
                    .iter()
                    .filter(|l| l.corpus == corpus && l.method == method)
                    .map(|l| format!("{:.0}", results.speed(l.bytes, &l.times)))
                    .collect();
                writeln!(o, "| {corpus}, {kind} | {cut} | {} |", cells.join(" | "))?;
            }
        }
    }
    Ok(())
}

/// A bar, what came, and whether it is enough.
pub struct Bar {
    pub what: String,
    pub wanted: f64,
    pub got: f64,
    pub unit: &'static str,
    /// A gate fails `gate`; the rest are targets.
    pub gate: bool,
}

/// Every bar for which there are figures.
pub fn all_bars(results: &Results) -> Vec<Bar> {
    let mut all = Vec::new();
    for corpus in ["small", "mixed"] {
        let Some(own) = results.ours(corpus, Build::Shipped, "whole") else {
            continue;
        };
        if let (Some(mine), Some((peer, theirs))) = (
            own.instructions_per_byte,
            results.best(corpus, |f| f.instructions_per_byte),
        ) {
            let what = format!("{corpus}: instructions of {} : ours", peer.row.method);
            all.push(Bar {
                what,
                wanted: GATE,
                got: theirs / mine,
                unit: "x",
                gate: true,
            });
        }
        if let Some((peer, nanos)) = results.best(corpus, |f| Some(results.time(&f.times).0 as f64))
        {
            let what = format!("{corpus}: time of {} : ours", peer.row.method);
            all.push(Bar {
                what,
                wanted: 2.0,
                got: nanos / results.time(&own.times).0.max(1) as f64,
                unit: "x",
                gate: false,
            });
        }
        for method in ["bytes", "bytes-fill"] {
            if let Some(f) = results.ours(corpus, Build::Shipped, method) {
                all.push(Bar {
                    what: format!("{corpus}: {}", f.row.label),
                    wanted: 80.0,
                    got: results.speed(f.bytes, &f.times),
                    unit: "MB/s",
                    gate: false,
                });
            }
        }
    }
    if let (Some(whole), Some(pieces)) = (
        results.ours("small", Build::Shipped, "whole"),
        results.ours("small", Build::Shipped, "pieces"),
    ) {
        let got = results.speed(pieces.bytes, &pieces.times)
            / results.speed(whole.bytes, &whole.times)
            * 100.0;
        all.push(Bar {
            what: "small: 64 KiB pieces : whole".into(),
            wanted: 80.0,
            got,
            unit: "%",
            gate: false,
        });
    }
    for (corpus, wanted) in [("line-text", 1000.0), ("line-dense", 200.0)] {
        if let Some(f) = results.ours(corpus, Build::Shipped, "unstored") {
            all.push(Bar {
                what: format!("{corpus}: {}", f.row.label),
                wanted,
                got: results.speed(f.bytes, &f.times),
                unit: "MB/s",
                gate: false,
            });
        }
    }
    let per_byte = |l: &Linear| results.time(&l.times).0 as f64 / l.bytes.max(1) as f64;
    let worst = results
        .linear
        .iter()
        .map(|l| {
            let first = results
                .linear
                .iter()
                .find(|f| f.corpus == l.corpus && f.method == l.method);
            per_byte(l) / first.map_or(1.0, per_byte)
        })
        .fold(1.0, f64::max);
    if !results.linear.is_empty() {
        let what = "long line: time per byte at 16 MiB : at 32 and 64 MiB, worst cut".into();
        all.push(Bar {
            what,
            wanted: 0.7,
            got: 1.0 / worst,
            unit: "x",
            gate: false,
        });
    }
    all
}

fn bars(o: &mut String, results: &Results) -> std::fmt::Result {
    writeln!(o, "\n| bar | wanted | got | |\n|---|---:|---:|---|")?;
    for bar in all_bars(results) {
        let kind = if bar.gate { "gate" } else { "target" };
        let met = if bar.got >= bar.wanted {
            "met"
        } else {
            "MISSED"
        };
        writeln!(
            o,
            "| {} | {} {} | {:.2} {} | {kind} {met} |",
            bar.what, bar.wanted, bar.unit, bar.got, bar.unit
        )?;
    }
    Ok(())
}
