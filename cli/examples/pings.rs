//! How many pipelined pings a second a server answers, and how much memory it takes.
//!
//! ```text
//! pings COUNT 'wireline serve' 'Python SDK 2: python3 server.py' …
//! ```
//!
//! Each command is run by `sh`; a name may stand before it, and is shown in its place. After a
//! handshake and a trial, pings are written as fast as the server takes them, while the answers
//! are read on another thread; they may come in any order, and each must come once. There are
//! COUNT of them, or as many as by the trial the server answers in five seconds, if that is less.
//! The clock runs from the first ping to the last answer. On a busy machine, the pings for each
//! second of the server's own CPU time say more.

use std::error::Error;
use std::io::{Read, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use wireline::{Kind, Limits, LineDecoder};

const CHUNK: usize = 64 * 1024;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let count = args.next().and_then(|count| count.parse::<u64>().ok());
    let (Some(count @ 1..), commands) = (count, args.collect::<Vec<_>>()) else {
        eprintln!("usage: pings COUNT COMMAND…");
        return ExitCode::from(2);
    };
    println!("| server | pings | seconds | pings/s | of its CPU time | VmHWM, KiB |");
    println!("|---|--:|--:|--:|--:|--:|");
    let mut code = ExitCode::SUCCESS;
    for command in commands {
        let (name, command) = match command.split_once(": ") {
            Some((name, command)) => (name.to_owned(), command),
            None => (format!("`{command}`"), &*command),
        };
        match measure(command, count) {
            Ok(Measured {
                count,
                seconds,
                cpu,
                peak,
            }) => {
                let peak = peak.map_or("-".into(), |peak| peak.to_string());
                let rate = count as f64 / seconds;
                let of_cpu = cpu.map_or("-".into(), |cpu| format!("{:.0}", count as f64 / cpu));
                println!("| {name} | {count} | {seconds:.3} | {rate:.0} | {of_cpu} | {peak} |");
            }
            Err(error) => {
                println!("| {name} | - | {error} | - | - | - |");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

const OPENING: &[u8] = br#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"pings","version":"1"}}}
"#;
const OPENED: &[u8] = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}
"#;

/// Pings of the trial, and the seconds that the rest may take by it.
const TRIAL: u64 = 500;
const SECONDS: f64 = 5.0;

struct Measured {
    count: u64,
    seconds: f64,
    /// Seconds of CPU time, of all its threads, where the system tells.
    cpu: Option<f64>,
    /// KiB.
    peak: Option<u64>,
}

fn measure(command: &str, count: u64) -> Result<Measured, Box<dyn Error>> {
    let mut server = Command::new("sh")
        .args(["-c", &format!("exec {command}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (Some(mut to), Some(mut from)) = (server.stdin.take(), server.stdout.take()) else {
        return Err("no pipes".into());
    };
    let mut decoder = LineDecoder::new(Vec::new(), Limits::HOST);
    let mut chunk = vec![0; CHUNK];
    to.write_all(OPENING)?;
    answers(&mut from, &mut decoder, &mut chunk, 0, 1)?;
    to.write_all(OPENED)?;

    let begun = Instant::now();
    let mut trial = Vec::new();
    for id in 1..=TRIAL {
        push(&mut trial, id);
    }
    to.write_all(&trial)?;
    answers(&mut from, &mut decoder, &mut chunk, 1, TRIAL)?;
    let rate = TRIAL as f64 / begun.elapsed().as_secs_f64();
    let count = count.min((rate * SECONDS) as u64).max(TRIAL);

    let first = TRIAL + 1;
    let before = cpu(server.id());
    let begun = Instant::now();
    let writer = std::thread::spawn(move || {
        let mut lines = Vec::with_capacity(CHUNK + 64);
        let last = first + count - 1;
        for id in first..=last {
            push(&mut lines, id);
            if lines.len() >= CHUNK || id == last {
                to.write_all(&lines)?;
                lines.clear();
            }
        }
        Ok::<_, std::io::Error>(to)
    });
    let answered = answers(&mut from, &mut decoder, &mut chunk, first, count);
    let seconds = begun.elapsed().as_secs_f64();
    let cpu = cpu(server.id())
        .zip(before)
        .map(|(after, before)| after - before);
    let peak = peak(server.id());
    if answered.is_err() {
        let _ = server.kill();
    }
    let to = writer.join().map_err(|_| "the writer broke")?;
    answered?;
    drop(to?);
    server.wait()?;
    Ok(Measured {
        count,
        seconds,
        cpu,
        peak,
    })
}

fn push(lines: &mut Vec<u8>, id: u64) {
    let _ = writeln!(lines, r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
}

/// Reads the answers to `count` requests, whose ids begin at `first`: each once, in any order.
fn answers(
    from: &mut impl Read,
    decoder: &mut LineDecoder<Vec<u8>>,
    chunk: &mut [u8],
    first: u64,
    count: u64,
) -> Result<(), Box<dyn Error>> {
    let mut open = vec![true; usize::try_from(count)?];
    let mut left = count;
    while left > 0 {
        let length = from.read(chunk)?;
        if length == 0 {
            return Err(format!("ended {left} answers too early").into());
        }
        let mut rest = chunk.get(..length).unwrap_or(&[]);
        while let Some(item) = decoder.next_in(&mut rest) {
            let message = item.result().map_err(|fault| fault.to_string())?;
            // Servers log as they like.
            if message.kind() == Kind::Notification {
                continue;
            }
            let place = message
                .id()
                .and_then(|id| usize::try_from(id.as_i64()?).ok())
                .and_then(|id| open.get_mut(id.checked_sub(usize::try_from(first).ok()?)?));
            match place {
                Some(place) if *place && message.kind() == Kind::Result => *place = false,
                _ => return Err(format!("no answer that is due: {}", message.as_str()).into()),
            }
            left -= 1;
        }
    }
    Ok(())
}

/// The most memory that was ever resident, where the system tells.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Seconds that a process's threads have run so far, where the system tells.
fn cpu(process: u32) -> Option<f64> {
    let mut nanoseconds = 0;
    for thread in std::fs::read_dir(format!("/proc/{process}/task")).ok()? {
        let text = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += text.split_whitespace().next()?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 / 1e9)
}
