//! All that two sessions can do to each other, within bounds: real sessions of every pairing
//! of eras, and between them channels with the lines that their encoder wrote, which lose,
//! double and reorder. `docs/model.md` has the counts; `WIRELINE_WRITE=1` writes it anew.

#[allow(unreachable_pub, reason = "the files see each other")]
#[path = "model/acts.rs"]
mod acts;
#[allow(unreachable_pub, reason = "the files see each other")]
#[path = "model/checks.rs"]
mod checks;
#[allow(dead_code, unreachable_pub, reason = "the simulation uses the rest")]
#[path = "model/host.rs"]
mod host;
#[allow(unreachable_pub, reason = "the files see each other")]
#[path = "model/world.rs"]
mod world;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use host::{Sight, Sightings};
use stateright::{Checker, Model};
use world::{Budget, Pairing, Speaks};

const NONE: Budget = Budget {
    calls: 0,
    listens: 0,
    asks: 0,
    pings: 0,
    cancels: 0,
    progress: 0,
    changes: 0,
    time: 0,
    losses: 0,
    doubles: 0,
    overtakes: 0,
    closes: 0,
    restarts: 0,
};

/// What may happen how often, by name.
const SCENARIOS: &[(&str, Budget)] = &[
    (
        "traffic",
        Budget {
            calls: 3,
            cancels: 2,
            progress: 1,
            ..NONE
        },
    ),
    (
        "questions",
        Budget {
            calls: 1,
            listens: 1,
            asks: 2,
            cancels: 1,
            changes: 1,
            ..NONE
        },
    ),
    (
        "pings",
        Budget {
            calls: 1,
            asks: 1,
            pings: 2,
            ..NONE
        },
    ),
    (
        "bad channels",
        Budget {
            calls: 2,
            cancels: 1,
            losses: 1,
            doubles: 1,
            overtakes: 1,
            ..NONE
        },
    ),
    (
        "bad subscriptions",
        Budget {
            listens: 1,
            changes: 1,
            cancels: 1,
            doubles: 1,
            overtakes: 1,
            ..NONE
        },
    ),
    (
        "time",
        Budget {
            calls: 1,
            asks: 1,
            progress: 1,
            time: 2,
            doubles: 1,
            ..NONE
        },
    ),
    (
        "ends",
        Budget {
            calls: 1,
            asks: 1,
            listens: 1,
            cancels: 1,
            closes: 2,
            restarts: 1,
            ..NONE
        },
    ),
];

use Speaks::{Both, Legacy, Modern};

const PAIRINGS: &[(Speaks, Speaks)] = &[
    (Legacy, Legacy),
    (Modern, Modern),
    (Both, Legacy),
    (Both, Modern),
    (Both, Both),
    (Legacy, Both),
    (Modern, Both),
    (Legacy, Modern),
    (Modern, Legacy),
];

/// Explores one pairing in one scenario, and says how many states it has.
fn explore(client: Speaks, server: Speaks, budget: Budget, seen: &Arc<Sightings>) -> usize {
    let pairing = Pairing {
        client,
        server,
        budget,
        seen: seen.clone(),
    };
    let checker = pairing.checker().threads(2).spawn_dfs().join();
    checker.assert_properties();
    checker.unique_state_count()
}

/// What must have happened in a pairing, so that its silence means something.
fn must_be_seen(client: Speaks, server: Speaks) -> Vec<Sight> {
    use Sight::{
        Cancelled, Closed, DuplicateId, Error, Failed, FellBack, InputRequired, Late,
        PeerCancelled, Progress, ReadyLegacy, ReadyModern, Result, Subscribed, TableFull, TimedOut,
        TooManyRounds, UnknownTarget,
    };
    let mut sights = vec![Failed];
    if (client, server) == (Legacy, Modern) || (client, server) == (Modern, Legacy) {
        return sights;
    }
    sights.extend([
        Result,
        Error,
        TimedOut,
        Cancelled,
        Closed,
        Progress,
        PeerCancelled,
        Late,
        DuplicateId,
        UnknownTarget,
        TableFull,
    ]);
    if client != Legacy && server != Legacy {
        sights.extend([ReadyModern, InputRequired, Subscribed, TooManyRounds]);
    }
    if client != Modern && server != Modern {
        sights.push(ReadyLegacy);
    }
    if client == Both {
        sights.push(FellBack);
    }
    sights
}

#[test]
fn sessions_of_every_pairing_keep_their_promises() {
    let began = Instant::now();
    let mut table = String::from("\n| client × server |");
    for (name, _) in SCENARIOS {
        write!(table, " {name} |").unwrap();
    }
    table.push_str("\n|---|");
    table.push_str(&"---:|".repeat(SCENARIOS.len()));
    table.push('\n');
    let mut total = 0;
    for &(client, server) in PAIRINGS {
        let seen = Arc::new(Sightings::default());
        write!(table, "| {} × {} |", client.name(), server.name()).unwrap();
        for (name, budget) in SCENARIOS {
            let before = began.elapsed();
            let states = explore(client, server, *budget, &seen);
            total += states;
            write!(table, " {states} |").unwrap();
            println!(
                "{} × {}, {name}: {states} states, {:?}",
                client.name(),
                server.name(),
                began.elapsed() - before
            );
        }
        table.push('\n');
        for sight in must_be_seen(client, server) {
            assert!(
                seen.has(sight),
                "{client:?} × {server:?} never saw {sight:?}"
            );
        }
        let ready = seen.has(Sight::ReadyLegacy) || seen.has(Sight::ReadyModern);
        let apart = (client, server) == (Legacy, Modern) || (client, server) == (Modern, Legacy);
        assert_eq!(ready, !apart, "{client:?} × {server:?}");
    }
    writeln!(table, "\n{total} states in all.\n").unwrap();
    println!("{total} states in {:?}", began.elapsed());
    current(&table);
}

fn current(new: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/model.md");
    let text = std::fs::read_to_string(&path).expect("docs/model.md");
    let (begin, end) = ("<!-- states:begin -->\n", "<!-- states:end -->");
    let (head, rest) = text.split_once(begin).expect("the table's begin");
    let (old, tail) = rest.split_once(end).expect("the table's end");
    if std::env::var_os("WIRELINE_WRITE").is_some() {
        std::fs::write(&path, format!("{head}{begin}{new}{end}{tail}")).unwrap();
    } else {
        assert_eq!(
            old, new,
            "WIRELINE_WRITE=1 cargo test -p wireline --test model"
        );
    }
}
