//! Long runs of two sessions over byte pipes, with decoders, random cuts, noise between the
//! lines and a clock that jumps both ways. What decides a run is its seed: `WIRELINE_SEED=7
//! cargo test -p wireline --test simulation` runs one again.

#[allow(dead_code, unreachable_pub, reason = "the model uses the rest")]
#[path = "model/checks.rs"]
mod checks;
#[allow(dead_code, unreachable_pub, reason = "the model uses the rest")]
#[path = "model/host.rs"]
mod host;
#[allow(unreachable_pub, reason = "the files see each other")]
#[path = "simulation/noise.rs"]
mod noise;
#[allow(unreachable_pub, reason = "the files see each other")]
#[path = "simulation/run.rs"]
mod run;

use run::{CONFIGS, Outcome, Run};

/// Client and server of a pairing, by their place in [`CONFIGS`].
const PAIRINGS: &[(usize, usize)] = &[
    (0, 0),
    (1, 1),
    (2, 0),
    (2, 1),
    (2, 2),
    (0, 2),
    (1, 2),
    (3, 3),
    (3, 2),
];

fn seeds() -> Vec<u64> {
    match std::env::var("WIRELINE_SEED") {
        Ok(seed) => vec![seed.parse().expect("a number")],
        Err(_) => (0..40).collect(),
    }
}

/// Says which run it was that panicked.
struct Announce(usize, usize, u64);

impl Drop for Announce {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "client {}, server {}: WIRELINE_SEED={}",
                self.0, self.1, self.2
            );
        }
    }
}

#[test]
fn noise_and_cuts_change_nothing() {
    let mut opened = 0;
    let mut outcome = Outcome::default();
    let mut noisy_lines = 0;
    for &(client, server) in PAIRINGS {
        for seed in seeds() {
            let announce = Announce(client, server, seed);
            let quiet = Run::new(&CONFIGS[0][client], &CONFIGS[1][server], seed, None).finish();
            for noise in [1, 2] {
                let noise = Some(seed * 2 + noise);
                let noisy =
                    Run::new(&CONFIGS[0][client], &CONFIGS[1][server], seed, noise).finish();
                let differs = quiet
                    .trace
                    .iter()
                    .zip(&noisy.trace)
                    .position(|(one, other)| one != other);
                if let Some(at) = differs {
                    let from = at.saturating_sub(5);
                    let show = |trace: &[String]| trace[from..(at + 3).min(trace.len())].to_vec();
                    panic!(
                        "{:#?}\nwith noise:\n{:#?}",
                        show(&quiet.trace),
                        show(&noisy.trace)
                    );
                }
                assert_eq!(quiet.trace.len(), noisy.trace.len());
                noisy_lines += noisy.noise;
            }
            opened += usize::from(quiet.ready);
            outcome.add(&quiet);
            drop(announce);
        }
    }
    println!("{opened} runs opened; {noisy_lines} lines of noise; {outcome:?}");
    if std::env::var_os("WIRELINE_SEED").is_none() {
        assert!(opened > 200, "{opened}");
        assert!(noisy_lines > 10_000, "{noisy_lines}");
        outcome.must_be_varied();
    }
}
