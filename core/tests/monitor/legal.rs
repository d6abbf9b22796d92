//! Sessions that are legal by construction: two peers that read what is sent to them later
//! than it passes the monitor, whose tables may be far too small. Nothing is held against
//! either.

use std::collections::VecDeque;

use wireline::mcp::Side;
use wireline::monitor::{Monitor, MonitorSlots, Slots};
use wireline::{Limits, parse};

use super::{D, discovered, expand, opened, watch};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// What one peer has sent and the other has not read.
enum Sent {
    Request(usize),
    Cancel(usize),
    Answer(usize),
}

#[derive(Default)]
struct Peer {
    inbox: VecDeque<Sent>,
    /// Of the other's requests: read, and neither answered nor known to be cancelled.
    owed: Vec<(usize, u32)>,
    /// Its own requests that it believes to be open.
    open: Vec<usize>,
    next: usize,
}

fn request(modern: bool, from: Side, id: usize) -> String {
    match (modern, from) {
        (true, _) => format!(
            "{{@J,\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"t\",\"_meta\":{{@m,@C{{}},\"progressToken\":\"{id}\"}}}}}}"
        ),
        (false, Side::Client) => format!(
            "{{@J,\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"t\",\"_meta\":{{\"progressToken\":\"{id}\"}}}}}}"
        ),
        (false, Side::Server) => format!(
            "{{@J,\"id\":{id},\"method\":\"roots/list\",\"params\":{{\"_meta\":{{\"progressToken\":\"{id}\"}}}}}}"
        ),
    }
}

fn answer(modern: bool, from: Side, id: usize) -> String {
    match (modern, from) {
        (true, _) => format!("{{@J,\"id\":{id},\"result\":{{\"content\":[],@OK}}}}"),
        (false, Side::Server) => format!("{{@J,\"id\":{id},\"result\":{{\"content\":[]}}}}"),
        (false, Side::Client) => format!("{{@J,\"id\":{id},\"result\":{{\"roots\":[]}}}}"),
    }
}

fn session<S: Slots>(slots: S, modern: bool, seed: u64) -> bool {
    let mut random = Random(seed);
    let mut monitor = Monitor::new(slots);
    let prelude = match modern {
        true => discovered(r#"{"tools":{}}"#),
        false => opened(D, r#"{"roots":{}}"#, r#"{"tools":{}}"#),
    };
    watch(&mut monitor, &prelude);
    let mut peers = [Peer::default(), Peer::default()];
    let mut log = Vec::new();
    for step in 0..400 {
        let who = random.below(2);
        let side = [Side::Client, Side::Server][who];
        let may_ask = !modern || side == Side::Client;
        let [mut me, mut other] = std::mem::take(&mut peers);
        if who == 1 {
            std::mem::swap(&mut me, &mut other);
        }
        let mut line = None;
        match random.below(8) {
            0 | 1 if may_ask && step < 350 => {
                let id = me.next;
                me.next += 1;
                me.open.push(id);
                other.inbox.push_back(Sent::Request(id));
                line = Some(request(modern, side, id));
            }
            2 if may_ask && !me.open.is_empty() => {
                let id = me.open.swap_remove(random.below(me.open.len()));
                other.inbox.push_back(Sent::Cancel(id));
                line = Some(format!(
                    "{{@J,\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":{id}}}}}"
                ));
            }
            3 | 4 if !me.owed.is_empty() => {
                let (id, _) = me.owed.swap_remove(random.below(me.owed.len()));
                other.inbox.push_back(Sent::Answer(id));
                line = Some(answer(modern, side, id));
            }
            5 if !me.owed.is_empty() => {
                let at = random.below(me.owed.len());
                let (id, progress) = &mut me.owed[at];
                *progress += 1;
                line = Some(format!(
                    "{{@J,\"method\":\"notifications/progress\",\"params\":{{\"progressToken\":\"{id}\",\"progress\":{progress}}}}}"
                ));
            }
            _ => match me.inbox.pop_front() {
                Some(Sent::Request(id)) => me.owed.push((id, 0)),
                Some(Sent::Cancel(id)) => me.owed.retain(|(owed, _)| *owed != id),
                Some(Sent::Answer(id)) => me.open.retain(|open| *open != id),
                None => {}
            },
        }
        if who == 1 {
            std::mem::swap(&mut me, &mut other);
        }
        peers = [me, other];
        if let Some(line) = line {
            let line = expand(&line);
            log.push(format!("{} {line}", side.name()));
            let finding = monitor.line(side, &parse(line.as_bytes(), &Limits::HOST), 0);
            let broken = finding.violations;
            assert!(
                broken.is_empty(),
                "{broken} with {seed}:\n{}",
                log.join("\n")
            );
        }
    }
    monitor.lost_track()
}

#[test]
fn legal_sessions_break_nothing() {
    let mut lost = [0; 4];
    for seed in 1..=80 {
        for modern in [false, true] {
            lost[0] += u32::from(session(MonitorSlots::<256, 0, 6000>::new(), modern, seed));
            lost[1] += u32::from(session(MonitorSlots::<12, 0, 288>::new(), modern, seed));
            lost[2] += u32::from(session(MonitorSlots::<3, 0, 72>::new(), modern, seed));
            lost[3] += u32::from(session(MonitorSlots::<1, 0, 24>::new(), modern, seed));
        }
    }
    assert_eq!((lost[0], lost[3]), (0, 160));
    assert!(lost[1] > 0 && lost[1] < 160, "{lost:?}");
}

/// Lines of all kinds in any order, with gaps, ends and new beginnings: whatever is told,
/// nothing fails, and twice the same gives twice the same.
#[test]
fn any_order_of_lines_is_taken() {
    let lines: Vec<(Side, String)> = [
        opened(D, r#"{"roots":{},"sampling":{}}"#, r#"{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}"#),
        discovered(r#"{"tools":{"listChanged":true}}"#),
        String::from(r#"
            > {@J,"id":1,"method":"tools/call","params":{"name":"t","task":{},"_meta":{"progressToken":1}}}
            < {@J,"id":1,"result":{"task":{"taskId":"T","status":"working","createdAt":"","lastUpdatedAt":"","ttl":1}}}
            > {@J,"id":2,"method":"tasks/get","params":{"taskId":"T"}}
            < {@J,"id":2,"result":{"taskId":"T","status":"completed","createdAt":"","lastUpdatedAt":"","ttl":1}}
            > {@J,"id":1,"method":"tools/list","params":{"cursor":"2",@M}}
            < {@J,"id":1,"result":{"tools":[],"nextCursor":"2","ttlMs":0,"cacheScope":"public",@OK}}
            > {@J,"id":3,"method":"tools/call","params":{"name":"t",@M<{"elicitation":{}}>}}
            < {@J,"id":3,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}},"requestState":"s"}}
            > {@J,"id":4,"method":"tools/call","params":{"name":"t","inputResponses":{},"requestState":"s",@M}}
            > {@J,"id":"L","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},@M}}
            < {@J,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"L"},"notifications":{"toolsListChanged":true}}}
            < {@J,"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"L"}}}
            < {@J,"method":"notifications/progress","params":{"progressToken":1,"progress":1e9999999999}}
            < {@J,"method":"notifications/progress","params":{"progressToken":1,"progress":-0}}
            > {@J,"method":"notifications/cancelled","params":{"requestId":1}}
            < {@J,"method":"notifications/cancelled","params":{"requestId":"L"}}
            < {@J,"id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}
            > {@J,"id":1,"error":{"code":-99999999999999999999,"message":""}}
            < {@J,"error":{"code":-32700,"message":""}}
            < {@J,"id":7,"error":{"code":-32022,"message":"","data":{"supported":[1,"2025-11-25"],"requested":""}}}
            < noise
            > {"id":7,"method":"x"}
            > {"id":7,
            > []
            < [{"a":1}]"#),
    ]
    .iter()
    .flat_map(|part| part.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>())
    .map(|line| {
        let side = if line.starts_with('>') { Side::Client } else { Side::Server };
        (side, expand(line[1..].trim_start()))
    })
    .collect();
    let mut told = 0;
    for seed in 1..=200 {
        let mut random = Random(seed);
        let mut pair = [
            Monitor::new(MonitorSlots::<5, 2, 280>::new()),
            Monitor::new(MonitorSlots::<5, 2, 280>::new()),
        ];
        for _ in 0..200 {
            let (what, at, now) = (
                random.below(60),
                random.below(lines.len()),
                random.below(5000) as u64,
            );
            let found: Vec<_> = pair
                .iter_mut()
                .map(|monitor| match what {
                    0 => {
                        monitor.gap(lines[at].0);
                        None
                    }
                    1 => monitor.end(lines[at].0, now),
                    2 => monitor.finish(now),
                    3 => {
                        monitor.reset();
                        None
                    }
                    _ => {
                        let (side, line) = &lines[at];
                        Some(monitor.line(*side, &parse(line.as_bytes(), &Limits::HOST), now))
                    }
                })
                .collect();
            assert_eq!(found[0], found[1]);
            told += found[0].map_or(0, |finding| finding.violations.len());
        }
        let tally = pair[0].tally();
        assert!(tally.messages + tally.rejected <= 200);
    }
    assert!(told > 1000, "{told}");
}
