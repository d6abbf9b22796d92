//! Starts a server, says which tools it has, and has it switch its LED:
//! `cargo build --examples && cargo run --example client -- target/debug/examples/device`.

use std::error::Error;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use wireline::client::{List, Listing, Pending, Turn, Update};
use wireline::json::from_fn;
use wireline::mcp::{view, write::CallToolParams};
use wireline::session::{
    Client, Config, Event, Implementation, Memory, Options, Send, Session, State,
};
use wireline::{Limits, LineDecoder};

/// Reads on a thread of its own, so that a server that is silent does not stop the clock.
pub(crate) fn chunks(mut from: impl Read + std::marker::Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut buffer = [0; 65536];
        while let Ok(n @ 1..) = from.read(&mut buffer) {
            if sender.send(buffer[..n].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
}

pub(crate) fn talk(
    rx: &Receiver<Vec<u8>>,
    tx: &mut impl Write,
) -> Result<Vec<String>, Box<dyn Error>> {
    let (start, mut said) = (Instant::now(), Vec::new());
    let config = Config::new(Implementation::new("example", "1.0"));
    let mut session: Session<'_, Client, _> = Session::new(&config, Memory::<0, 2, 0>::new());
    let (mut decoder, mut line) = (LineDecoder::new([0; 65536], Limits::HOST), [0; 1024]);
    let mut tools = Listing::<128>::new(List::Tools);
    let arguments = from_fn(|w| {
        w.begin_object().member("on", &true).end_object();
    });
    let params = CallToolParams::new("led_set").arguments(&arguments);
    let mut call: Option<Pending<CallToolParams<'_>>> = None;
    let mut transmit = |send: Send<'_>| {
        let n = send.write(&mut line)?;
        Ok::<_, Box<dyn Error>>(tx.write_all(&line[..n])?)
    };
    transmit(session.connect(0)?)?;
    loop {
        let now = start.elapsed().as_millis() as u64;
        let wait = session
            .poll_timeout()
            .map_or(60_000, |due| due.saturating_sub(now));
        let chunk = match rx.recv_timeout(Duration::from_millis(wait)) {
            Ok(chunk) => chunk,
            Err(RecvTimeoutError::Timeout) => Vec::new(),
            Err(RecvTimeoutError::Disconnected) => return Err("the server went away".into()),
        };
        let now = start.elapsed().as_millis() as u64;
        // What was asked may have waited too long for its answer.
        while let Some(step) = session.expire(now) {
            transmit(step.send)?;
            if let Event::Ended { why, .. } = step.event {
                return Err(why.name().into());
            }
        }
        let mut chunk = &chunk[..];
        while let Some(item) = decoder.next_in(&mut chunk) {
            let step = session.receive(&item.result(), now);
            transmit(step.send)?;
            if let Some(Turn::Page { entries, .. }) = tools.take(&step.event) {
                said.extend(entries.filter_map(|it| Some(view::Tool::new(it).name()?.to_string())));
            }
            if let Some(pending) = &call {
                match pending.take(&step.event) {
                    Some(Update::Result(result)) => {
                        let text = result
                            .content()
                            .find_map(|it| Some(it.as_text()?.to_string()));
                        said.extend(text);
                        return Ok(said);
                    }
                    Some(other) => return Err(format!("{other:?}").into()),
                    None => {}
                }
            } else if matches!(session.state(), State::Ready(_)) {
                if let Some(send) = tools.next(&mut session, now)? {
                    transmit(send)?;
                } else if tools.is_over() {
                    let (pending, send) = session.call(&params, Options::new(), now)?;
                    transmit(send)?;
                    call = Some(pending);
                }
            }
        }
        if let State::Failed(why) = session.state() {
            return Err(format!("no session came about: {why:?}").into());
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut command = std::env::args().skip(1);
    let mut server = Command::new(command.next().ok_or("which server?")?)
        .args(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let rx = chunks(server.stdout.take().ok_or("")?);
    let mut tx = server.stdin.take().ok_or("")?;
    for line in talk(&rx, &mut tx)? {
        println!("{line}");
    }
    drop(tx);
    server.wait()?;
    Ok(())
}
