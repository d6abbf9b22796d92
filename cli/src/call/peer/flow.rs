//! What comes, and what follows from it.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use wireline::encode::Payload;
use wireline::json::{JsonStr, RawJson};
use wireline::mcp::Method;
use wireline::session::{Ended, Event, Handle, Options, Send, SessionError, State, Step};
use wireline::{Message, Rejected};

use super::super::host::{Answer, shown};
use super::super::trouble::{self, Trouble};
use super::super::{Happening, notice};
use super::{Outcome, Peer, object};
use crate::stream::Direction;

impl Peer<'_> {
    /// Waits for one thing to happen, and deals with it.
    pub(super) fn turn(&mut self) -> Result<(), Trouble> {
        let now = self.now();
        let mut expired = false;
        while let Some(step) = self.session.expire(now) {
            self.step(step)?;
            expired = true;
        }
        if expired {
            return Ok(());
        }
        let happening = match self.session.poll_timeout() {
            Some(due) => {
                let within = Duration::from_millis(due.saturating_sub(self.now()));
                match self.events.recv_timeout(within) {
                    Ok(happening) => happening,
                    Err(RecvTimeoutError::Timeout) => return Ok(()),
                    Err(RecvTimeoutError::Disconnected) => Happening::End(self.generation),
                }
            }
            None => self
                .events
                .recv()
                .unwrap_or(Happening::End(self.generation)),
        };
        self.happened(happening)
    }

    pub(super) fn happened(&mut self, happening: Happening) -> Result<(), Trouble> {
        match happening {
            Happening::Bytes(generation, bytes) if generation == self.generation => {
                self.bytes(&bytes)?;
            }
            Happening::End(generation) if generation == self.generation => self.end()?,
            // Of a server that is no more, or an interrupt: whoever waits looks at the count.
            _ => {}
        }
        self.trouble.take().map_or(Ok(()), Err)
    }

    fn bytes(&mut self, mut bytes: &[u8]) -> Result<(), Trouble> {
        let Some(mut decoder) = self.decoder.take() else {
            return Ok(());
        };
        let mut outcome = Ok(());
        while let Some(item) = decoder.next_in(&mut bytes) {
            outcome = self.item(&item.result());
            if outcome.is_err() {
                break;
            }
        }
        self.decoder = Some(decoder);
        outcome
    }

    fn end(&mut self) -> Result<(), Trouble> {
        if let Some(mut decoder) = self.decoder.take() {
            while let Some(item) = decoder.finish() {
                self.item(&item)?;
            }
        }
        self.gone = true;
        while let Some(step) = self.session.close() {
            self.step(step)?;
        }
        Ok(())
    }

    fn item(&mut self, item: &Result<Message<'_>, Rejected<'_>>) -> Result<(), Trouble> {
        if let Err(fault) = item {
            if self.noise.0 == 0 {
                let excerpt = String::from_utf8_lossy(fault.excerpt());
                self.noise.1 = format!("{} ({fault})", shown(&excerpt));
            }
            self.noise.0 += 1;
        }
        if let Some(trace) = &mut self.trace {
            match item {
                Ok(message) => trace.line(Direction::ToClient, message.as_bytes()),
                Err(fault) => {
                    trace.line(Direction::ToClient, fault.excerpt());
                    trace.mark(&format!("that is no message: {fault}"));
                }
            }
        }
        let now = self.now();
        let step = self.session.receive(item, now);
        self.step(step)?;
        // The answers to a batch, if the last one has been given.
        if let Some(line) = self.session.take_batch() {
            let line = line.to_vec();
            self.write(line);
        }
        Ok(())
    }

    fn write(&mut self, line: Vec<u8>) {
        if let Some(trace) = &mut self.trace {
            trace.line(Direction::ToServer, &line);
        }
        self.process.write(line);
    }

    pub(super) fn step(&mut self, step: Step<'_>) -> Result<(), Trouble> {
        self.send(&step.send)?;
        if let Some(trace) = &mut self.trace {
            for rule in step.broken.iter() {
                trace.mark(&format!("the server broke {rule}: {}", rule.text()));
            }
        }
        match step.event {
            Event::State { state, message } => {
                if let Some(result) = message.and_then(|message| message.result()) {
                    self.opened = Some(result.as_str().into());
                }
                if let State::Failed(why) = state {
                    self.failed = Some((why, trouble::unopened(why, message.as_ref())));
                }
                self.tell_state(state);
                Ok(())
            }
            Event::Request(incoming) => {
                let params = incoming.message.params().unwrap_or(RawJson::EMPTY_OBJECT);
                let answer = self.host_answer(incoming.method, params);
                let send = match &answer {
                    Answer::Result(result) => self.session.respond(incoming.handle, object(result)),
                    Answer::Error(code, message) => {
                        self.session
                            .fail(incoming.handle, *code, message, Payload::None)
                    }
                };
                match send {
                    Ok(send) => self.send(&send),
                    // It was cancelled meanwhile.
                    Err(SessionError::StaleHandle) => Ok(()),
                    Err(error) => Err(Trouble::session(error)),
                }
            }
            Event::Notification { method, message } => {
                self.notified.push(method);
                if method == Some(Method::LogMessage) && self.notices {
                    notice::log(message.params());
                }
                Ok(())
            }
            Event::Progress { message, .. } => {
                if self.notices {
                    notice::progress(message.params());
                }
                Ok(())
            }
            Event::Ended { handle, why } => {
                self.ended.push((handle, outcome(&why)));
                Ok(())
            }
            Event::InputRequired {
                handle, message, ..
            } => self.input(handle, message),
            Event::Subscribed { handle, .. } => {
                self.subscribed.push(handle);
                Ok(())
            }
            Event::ConnectionError(message) => {
                if let Some(error) = message.error() {
                    notice::connection_error(&error);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Answers for the user, the model and the roots. The user may take a while.
    fn host_answer(&mut self, method: Option<Method>, params: RawJson<'_>) -> Answer {
        let begun = Instant::now();
        let answer = self.host.answer(method, params);
        self.asking += begun.elapsed();
        answer
    }

    /// A request of ours needs input: it is gathered, and the request sent again.
    fn input(&mut self, handle: Handle, message: Message<'_>) -> Result<(), Trouble> {
        let result = message.result().unwrap_or(RawJson::EMPTY_OBJECT);
        let mut answers = Vec::from(b"{");
        for (key, request) in result
            .get("inputRequests")
            .into_iter()
            .flat_map(|requests| requests.members())
        {
            let method = request
                .get("method")
                .and_then(|method| method.as_json_str())
                .and_then(Method::from_json_str);
            let params = request.get("params").unwrap_or(RawJson::EMPTY_OBJECT);
            match self.host_answer(method, params) {
                Answer::Result(answer) => {
                    if answers.len() > 1 {
                        answers.push(b',');
                    }
                    // The key as it came, escapes and all.
                    answers.push(b'"');
                    answers.extend_from_slice(key.raw_bytes());
                    answers.extend_from_slice(b"\":");
                    answers.extend_from_slice(answer.as_bytes());
                }
                Answer::Error(_, message) => {
                    // There is no way to say no: the request is given up.
                    self.trouble = Some(Trouble::no_answer(&message));
                    return self.cancel(handle, "the input is not to be had");
                }
            }
        }
        answers.push(b'}');
        let params = match &self.current {
            Some((current, params)) if *current == handle => params.clone(),
            _ => "{}".into(),
        };
        let answers = String::from_utf8_lossy(&answers).into_owned();
        let state: Option<JsonStr<'_>> = result.get("requestState").and_then(|it| it.as_json_str());
        let now = self.now();
        let options = Options::new().with_progress();
        let options = match self.level {
            Some(level) => options.with_log_level(level),
            None => options,
        };
        let send = self
            .session
            .retry(
                handle,
                object(&params),
                object(&answers),
                state,
                options,
                now,
            )
            .map_err(Trouble::session)?;
        self.send(&send)
    }

    pub(super) fn send(&mut self, send: &Send<'_>) -> Result<(), Trouble> {
        for line in send.lines() {
            let mut bytes = vec![
                0;
                line.line_len()
                    .map_err(|error| Trouble::session(error.into()))?
            ];
            let length = line
                .write(&mut bytes)
                .map_err(|error| Trouble::session(error.into()))?;
            bytes.truncate(length);
            self.write(bytes);
        }
        Ok(())
    }
}

fn outcome(why: &Ended<'_>) -> Outcome {
    match why {
        Ended::Result(message) => Outcome::Result(
            message
                .result()
                .unwrap_or(RawJson::EMPTY_OBJECT)
                .as_str()
                .into(),
        ),
        Ended::Error(message) => match message.error() {
            Some(error) => Outcome::Error(error.raw().as_str().into()),
            None => Outcome::None("the answer was not a valid one"),
        },
        Ended::BadResponse => Outcome::None("the answer was not a valid one"),
        Ended::TooLong => Outcome::None("the answer was longer than --max-message allows"),
        Ended::TooManyRounds => Outcome::None("the server asked for input too often"),
        Ended::TimedOut => Outcome::None("the answer did not come in time"),
        Ended::Cancelled => Outcome::None("the request was cancelled"),
        Ended::Closed => Outcome::None("the server ended before it answered"),
        _ => Outcome::None("there was no answer"),
    }
}
