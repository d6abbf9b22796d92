//! A binary with methods to measure: runs them as `table` says, or counts one.

use crate::sum::Sum;
use crate::{rejects, vectors};
use cpu_time::ProcessTime;
use std::hint::black_box;
use std::io::{BufRead, Read, Write};
use std::process::ExitCode;
use std::time::Instant;

/// One way to read a stream of messages.
pub struct Method {
    pub name: &'static str,
    /// Reads the whole of it.
    pub run: fn(&[u8]) -> Sum,
    /// Reads it piece by piece from something that gives 64 KiB at a time;
    /// without one, lines are collected in a buffer and read one by one.
    pub stream: Option<fn(&mut dyn Read) -> Sum>,
}

/// The commands of a worker.
pub fn main(methods: &[Method]) -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let find = |name: &str| {
        methods
            .iter()
            .find(|m| m.name == name)
            .ok_or_else(|| format!("no method {name}"))
    };
    let done = match words.as_slice() {
        ["list"] => {
            methods.iter().for_each(|m| println!("{}", m.name));
            Ok(())
        }
        ["serve"] => serve(methods),
        ["count", name, file] => find(name).and_then(|m| count(m, file)),
        ["peak", name, file] => find(name).and_then(|m| peak(m, file)),
        ["rejects", files @ ..] => judge(methods, files),
        _ => Err(
            "usage: list | serve | count METHOD FILE | peak METHOD FILE | rejects [VECTORS...]"
                .into(),
        ),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// Waits for `load FILE` and `run METHOD TIMES` on standard input. Every worker
/// stays alive for the whole table, so that methods of different builds can take turns.
fn serve(methods: &[Method]) -> Result<(), String> {
    let mut data = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["load", file] => {
                data.clear();
                data.shrink_to_fit();
                data = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
                println!("{}", data.len());
            }
            ["run", name, times] => {
                let method = methods
                    .iter()
                    .find(|m| m.name == *name)
                    .ok_or_else(|| format!("no method {name}"))?;
                let times: u32 = times
                    .parse()
                    .map_err(|_| format!("not a number: {times}"))?;
                let start = (Instant::now(), ProcessTime::now());
                let mut sum = Sum::default();
                for _ in 0..times {
                    sum = counted(method.run, black_box(&data));
                }
                let nanos = start.0.elapsed().as_nanos();
                let on_cpu = start.1.elapsed().as_nanos();
                println!("{nanos} {on_cpu} {}", sum.to_line());
            }
            _ => return Err(format!("not understood: {line}")),
        }
        std::io::stdout().flush().map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// The region that callgrind counts; found by its symbol.
#[unsafe(no_mangle)]
#[inline(never)]
pub fn counted(run: fn(&[u8]) -> Sum, data: &[u8]) -> Sum {
    run(data)
}

fn count(method: &Method, file: &str) -> Result<(), String> {
    let data = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
    let sum = counted(method.run, black_box(&data));
    println!("{}", black_box(sum).to_line());
    Ok(())
}

/// Reads a file of any size and prints the most memory that it took.
fn peak(method: &Method, file: &str) -> Result<(), String> {
    let mut source = std::fs::File::open(file).map_err(|e| format!("{file}: {e}"))?;
    let sum = match method.stream {
        Some(stream) => stream(&mut source),
        None => by_lines(method.run, &mut source)?,
    };
    let status = std::fs::read_to_string("/proc/self/status").map_err(|e| e.to_string())?;
    let most = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.trim().strip_suffix(" kB"))
        .ok_or("no VmHWM in /proc/self/status")?;
    println!("{most} {}", sum.to_line());
    Ok(())
}

fn by_lines(run: fn(&[u8]) -> Sum, source: &mut dyn Read) -> Result<Sum, String> {
    let mut reader = std::io::BufReader::with_capacity(65_536, source);
    let mut line = Vec::new();
    let mut total = Sum::default();
    while reader
        .read_until(b'\n', &mut line)
        .map_err(|e| e.to_string())?
        > 0
    {
        let sum = run(&line);
        for (all, one) in total.kinds.iter_mut().zip(sum.kinds) {
            *all += one;
        }
        total.faults += sum.faults;
        total.ids = total.ids.wrapping_add(sum.ids);
        total.methods = total.methods.wrapping_add(sum.methods);
        line.clear();
    }
    Ok(total)
}

const FIRST: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}\n";

/// For each method, the names of bad lines that it takes and of good lines that it refuses.
fn judge(methods: &[Method], files: &[&str]) -> Result<(), String> {
    let mut vectors = rejects::all();
    for file in files {
        let text = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
        vectors.extend(vectors::bad_lines(file, &text)?);
    }
    for method in methods {
        let mut wrong = Vec::new();
        for vector in &vectors {
            // Behind a good line, since some bytes may only stand at the start of a stream.
            let stream = [FIRST, &vector.line, b"\n"].concat();
            let sum = (method.run)(&stream);
            let taken = sum.messages() == 2 && sum.faults == 0;
            if taken != vector.good {
                wrong.push(vector.name.as_str());
            }
        }
        println!("{}\t{}\t{}", method.name, vectors.len(), wrong.join("; "));
    }
    Ok(())
}
