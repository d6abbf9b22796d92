//! What each action does.

use wireline::encode::Payload;
use wireline::json::RawJson;
use wireline::mcp::{Method, Side};
use wireline::session::{Change, Failure, Filter, InputRequest, Options, Progress, Role, State};

use super::host::{Host, Line, Log, Waits, What, about};
use super::world::{Action, Pairing, Speaks, World};

/// What is asked for, in results that ask.
const INPUT: [InputRequest<'static>; 1] = [InputRequest {
    key: "r",
    method: Method::RootsList,
    params: Payload::None,
}];

impl World {
    pub fn act(&mut self, action: Action, pairing: &Pairing) {
        let mut breach = self.breach;
        let mut log = Log {
            seen: &pairing.seen,
            breach: &mut breach,
            clean: self.clean,
            trace: None,
        };
        let left = &mut self.left;
        match action {
            Action::Connect => {
                let client = &mut self.client;
                let made = match self.known_legacy {
                    true => client.session.connect_legacy(client.now),
                    false => client.session.connect(client.now),
                };
                match made {
                    Ok(send) => {
                        let sent = client.put(&send, &mut log);
                        self.send(Side::Server, sent);
                    }
                    Err(_) => log.breach("a session cannot be opened"),
                }
            }
            Action::Call => {
                left.calls -= 1;
                let sent = self.client.request("tools/call", What::Call, &mut log);
                self.send(Side::Server, sent);
            }
            Action::Listen => {
                left.listens -= 1;
                let filter = Filter {
                    tools: true,
                    ..Filter::default()
                };
                let made = self.client.session.listen(filter, self.client.now);
                let sent = self.client.asked(made, What::Listen, &mut log);
                self.send(Side::Server, sent);
            }
            Action::Ping(side) => {
                left.pings -= 1;
                match side {
                    Side::Client => {
                        let sent = self.client.ping(&mut log);
                        self.send(Side::Server, sent);
                    }
                    Side::Server => {
                        let sent = self.server.ping(&mut log);
                        self.send(Side::Client, sent);
                    }
                }
            }
            Action::AskForRoots => {
                left.asks -= 1;
                let sent = self.server.request("roots/list", What::Roots, &mut log);
                self.send(Side::Client, sent);
            }
            Action::Cancel(side, index) => {
                left.cancels -= 1;
                match side {
                    Side::Client => {
                        let sent = self.client.cancel(index, &mut log);
                        self.send(Side::Server, sent);
                    }
                    Side::Server => {
                        let sent = self.server.cancel(index, &mut log);
                        self.send(Side::Client, sent);
                    }
                }
            }
            Action::Respond(Side::Client, index) => {
                let sent = respond(&mut self.client, index, &mut log);
                self.send(Side::Server, sent);
            }
            Action::Respond(Side::Server, index) => {
                let sent = respond(&mut self.server, index, &mut log);
                self.send(Side::Client, sent);
            }
            Action::Fail(Side::Client, index) => {
                let sent = fail(&mut self.client, index, &mut log);
                self.send(Side::Server, sent);
            }
            Action::Fail(Side::Server, index) => {
                let sent = fail(&mut self.server, index, &mut log);
                self.send(Side::Client, sent);
            }
            Action::Progress(index) => {
                left.progress -= 1;
                let server = &mut self.server;
                let work = &mut server.work[index];
                work.told += 1;
                let steps = ["0", "1", "2", "3", "4"];
                let progress = Progress::new(steps[usize::from(work.told)]);
                match server.session.progress(work.handle, progress) {
                    Ok(send) => {
                        let sent = server.put(&send, &mut log);
                        self.send(Side::Client, sent);
                    }
                    Err(_) => log.breach("progress was refused"),
                }
            }
            Action::AskForInput(index) => {
                left.asks -= 1;
                let server = &mut self.server;
                let made = server
                    .session
                    .ask(server.work[index].handle, &INPUT, Some("s"));
                let sent = server.answered(index, made, &mut log);
                self.send(Side::Client, sent);
            }
            Action::Retry(index) => self.retry(index, &mut log),
            Action::Accept(index) => {
                let server = &mut self.server;
                let filter = Filter {
                    tools: true,
                    ..Filter::default()
                };
                match server.session.accept(server.work[index].handle, filter) {
                    Ok(send) => {
                        let sent = server.put(&send, &mut log);
                        server.work[index].open = true;
                        self.send(Side::Client, sent);
                    }
                    Err(_) => log.breach("a subscription cannot be accepted"),
                }
            }
            Action::EndSubscription(index) => {
                let server = &mut self.server;
                let made = server.session.end_subscription(server.work[index].handle);
                let sent = server.answered(index, made, &mut log);
                self.send(Side::Client, sent);
            }
            Action::Change => {
                left.changes -= 1;
                let server = &mut self.server;
                let mut cursor = 0;
                let mut sent = Vec::new();
                while let Some(send) = server.session.changed(Change::Tools, &mut cursor) {
                    sent.extend(server.put(&send, &mut log));
                }
                if sent.is_empty() {
                    log.breach("a change that nobody was told of");
                }
                self.send(Side::Client, sent);
            }
            Action::Deliver(to, place) => {
                if place > 0 {
                    left.overtakes -= 1;
                    self.clean = false;
                    log.clean = false;
                }
                let line = self.queue(to).remove(place).unwrap();
                match to {
                    Side::Client => {
                        let sent = self.client.take(&line, &mut log);
                        self.send(Side::Server, sent);
                    }
                    Side::Server => {
                        let sent = self.server.take(&line, &mut log);
                        self.send(Side::Client, sent);
                    }
                }
            }
            Action::Double(to) => {
                left.doubles -= 1;
                self.clean = false;
                let queue = self.queue(to);
                let line = queue[0].clone();
                queue.push_back(line);
            }
            Action::Lose(to) => {
                left.losses -= 1;
                self.clean = false;
                self.lossy = true;
                self.queue(to).pop_front();
            }
            Action::Expire(side) => {
                left.time -= 1;
                self.clean = false;
                match side {
                    Side::Client => {
                        let sent = self.client.expire(&mut log);
                        self.send(Side::Server, sent);
                    }
                    Side::Server => {
                        let sent = self.server.expire(&mut log);
                        self.send(Side::Client, sent);
                    }
                }
            }
            Action::Close(side) => {
                left.closes -= 1;
                self.lossy = true;
                self.clean = false;
                self.queue(side).clear();
                match side {
                    Side::Client => self.client.close(&mut log),
                    Side::Server => self.server.close(&mut log),
                }
            }
            Action::Restart => {
                left.restarts -= 1;
                self.to_client.clear();
                self.to_server.clear();
                if !self.client.closed {
                    self.client.close(&mut log);
                }
                let state = self.client.session.state();
                self.known_legacy = state == State::Failed(Failure::ClosedWhileProbing)
                    && pairing.client == Speaks::Both;
                self.client = pairing.new_client();
                self.server = pairing.new_server();
            }
        }
        self.breach = breach;
    }

    fn retry(&mut self, index: usize, log: &mut Log<'_>) {
        let client = &mut self.client;
        let raw = |text: &'static [u8]| RawJson::validate(text).unwrap();
        let made = client.session.retry(
            client.open[index].handle,
            raw(br#"{"name":"t"}"#),
            raw(br#"{"r":{"roots":[]}}"#),
            raw(b"\"s\"").as_json_str(),
            Options::new().with_progress(),
            client.now,
        );
        match made {
            Ok(send) => {
                let sent = client.put(&send, log);
                let id = about(&sent[0]).unwrap();
                if client.open.iter().any(|it| it.id == id) {
                    log.breach("a repeated request with an old id");
                }
                client.open[index].id = id;
                client.open[index].waits = Waits::Answer;
                self.send(Side::Server, sent);
            }
            Err(_) => log.breach("a request cannot be repeated"),
        }
    }
}

fn respond<R: Role + Clone + std::fmt::Debug>(
    host: &mut Host<R>,
    index: usize,
    log: &mut Log<'_>,
) -> Vec<Line> {
    let work = &host.work[index];
    let made = host.session.respond(work.handle, work.what.result());
    host.answered(index, made, log)
}

fn fail<R: Role + Clone + std::fmt::Debug>(
    host: &mut Host<R>,
    index: usize,
    log: &mut Log<'_>,
) -> Vec<Line> {
    let made = host
        .session
        .fail(host.work[index].handle, -32603, "no", None);
    host.answered(index, made, log)
}
