//! Times, counts and peaks of every row.

use super::callgrind;
use super::rows::{Build, CUTS, ROWS, Row, SIZES};
use super::stats::median_and_spread;
use super::worker::{Verdict, Worker, peak, verdicts};
use crate::corpus::{self, Corpus};
use crate::store;
use crate::sum::Sum;
use std::path::{Path, PathBuf};

/// Runs of which the median is taken; one more before them warms up.
pub const ROUNDS: usize = 11;

/// Bytes of a corpus that callgrind sees.
pub const COUNTED_BYTES: usize = 4 << 20;

/// Corpora of which instructions are counted.
pub const COUNTED: &[&str] = &["small", "mixed"];

/// Where things lie.
pub struct Places {
    pub binaries: PathBuf,
    pub corpora: PathBuf,
    pub vectors: Vec<PathBuf>,
}

impl Places {
    fn binary(&self, build: Build, native: bool) -> PathBuf {
        self.binaries.join(format!(
            "{}{}",
            build.file(),
            if native { "-native" } else { "" }
        ))
    }
}

/// One measured row.
pub struct Figure {
    pub row: &'static Row,
    pub corpus: &'static str,
    pub bytes: u64,
    pub messages: u64,
    pub times: Times,
    pub native: Option<Times>,
    pub instructions_per_byte: Option<f64>,
    pub peak_kib: u64,
}

/// Medians and spreads of the runs.
#[derive(Clone, Copy)]
pub struct Times {
    /// By the clock, in nanoseconds.
    pub clock: (u64, f64),
    /// On a CPU: the same on a quiet machine.
    pub cpu: (u64, f64),
}

/// The runs of one row, in nanoseconds.
#[derive(Default)]
struct Runs {
    clock: Vec<u64>,
    cpu: Vec<u64>,
}

impl Runs {
    fn times(&self) -> Times {
        Times {
            clock: median_and_spread(&self.clock),
            cpu: median_and_spread(&self.cpu),
        }
    }
}

/// The long line at one size in one cut.
pub struct Linear {
    pub corpus: &'static str,
    pub method: String,
    pub cut: &'static str,
    pub mib: usize,
    pub bytes: u64,
    pub times: Times,
}

/// Everything.
pub struct Results {
    pub verdicts: Vec<Verdict>,
    pub figures: Vec<Figure>,
    pub linear: Vec<Linear>,
    /// Time by the clock per time on a CPU; above 1 the runs had to wait for others.
    pub waited: f64,
}

impl Results {
    /// Whether the clock tells more about other processes than about the methods.
    pub fn busy(&self) -> bool {
        self.waited > 1.01
    }

    /// Nanoseconds and spread: by the clock, or on a CPU if the machine was busy.
    pub fn time(&self, times: &Times) -> (u64, f64) {
        if self.busy() { times.cpu } else { times.clock }
    }

    /// MB/s, with an MB of a million bytes.
    pub fn speed(&self, bytes: u64, times: &Times) -> f64 {
        bytes as f64 * 1000.0 / self.time(times).0.max(1) as f64
    }
}

struct Lane {
    build: Build,
    native: bool,
    worker: Worker,
}

/// Measures all of it.
pub fn all(places: &Places) -> Result<Results, String> {
    let mut verdicts_all = Vec::new();
    for build in [Build::Shipped, Build::Peers] {
        verdicts_all.extend(verdicts(&places.binary(build, false), &places.vectors)?);
    }
    let mut lanes = Vec::new();
    for (build, native) in [
        (Build::Shipped, false),
        (Build::Scan, false),
        (Build::Peers, false),
        (Build::Shipped, true),
        (Build::Peers, true),
    ] {
        let worker = Worker::start(&places.binary(build, native))?;
        lanes.push(Lane {
            build,
            native,
            worker,
        });
    }
    let mut figures = Vec::new();
    let mut waited = (0, 0);
    for corpus in corpus::ALL {
        eprintln!("corpus {} ...", corpus.name);
        figures.extend(timed(places, corpus, &mut lanes, &mut waited)?);
    }
    let linear = linear(places, &mut lanes)?;
    drop(lanes);
    for figure in &mut figures {
        eprintln!(
            "{} {}: memory, instructions ...",
            figure.corpus, figure.row.method
        );
        let corpus = Corpus::named(figure.corpus).ok_or("corpus")?;
        let binary = places.binary(figure.row.build, false);
        figure.peak_kib = peak(
            &binary,
            figure.row.method,
            &store::path(&places.corpora, corpus),
        )?
        .0;
        if COUNTED.contains(&figure.corpus) {
            let slice = slice(&places.corpora, corpus, COUNTED_BYTES)?;
            let bytes = std::fs::metadata(&slice).map_err(|e| e.to_string())?.len();
            let (instructions, _) = callgrind::count(&binary, figure.row.method, &slice)?;
            figure.instructions_per_byte = Some(instructions as f64 / bytes as f64);
        }
    }
    Ok(Results {
        verdicts: verdicts_all,
        figures,
        linear,
        waited: waited.0 as f64 / (waited.1 as f64).max(1.0),
    })
}

/// The rows of one corpus, taking turns: what disturbs the machine disturbs all alike.
fn timed(
    places: &Places,
    corpus: &'static Corpus,
    lanes: &mut [Lane],
    waited: &mut (u64, u64),
) -> Result<Vec<Figure>, String> {
    let file = store::path(&places.corpora, corpus);
    let mut bytes = 0;
    for lane in lanes.iter_mut() {
        bytes = lane.worker.load(&file)?;
    }
    let times = u32::try_from((32 << 20) / bytes.max(1)).unwrap_or(1).max(1);
    let rows: Vec<&'static Row> = ROWS
        .iter()
        .filter(|row| row.on.contains(&corpus.name))
        .collect();
    let mut tries: Vec<(usize, &'static Row, Runs)> = Vec::new();
    for (at, lane) in lanes.iter().enumerate() {
        tries.extend(
            rows.iter()
                .filter(|row| row.build == lane.build)
                .map(|row| (at, *row, Runs::default())),
        );
    }
    let mut agreed: Option<Sum> = None;
    for round in 0..=ROUNDS {
        for (at, row, runs) in &mut tries {
            let lane = lanes.get_mut(*at).ok_or("lane")?;
            let (clock, cpu, sum) = lane.worker.run(row.method, times)?;
            if row.reads {
                // Every method must have read the same messages, or it is not the same work.
                if sum.faults > 0 || sum.messages() == 0 || agreed.is_some_and(|first| first != sum)
                {
                    return Err(format!(
                        "{} on {}: read {sum:?}, others {agreed:?}",
                        row.method, corpus.name
                    ));
                }
                agreed = Some(sum);
            }
            if round > 0 {
                runs.clock.push(clock / u64::from(times));
                runs.cpu.push(cpu / u64::from(times));
                waited.0 += clock;
                waited.1 += cpu;
            }
        }
    }
    let messages = agreed.map_or(0, |sum| sum.messages());
    let find = |row: &Row, native: bool| {
        tries
            .iter()
            .find(|(at, other, _)| {
                std::ptr::eq(*other, row)
                    && lanes.get(*at).is_some_and(|lane| lane.native == native)
            })
            .map(|(_, _, runs)| runs.times())
    };
    rows.iter()
        .map(|row| {
            Ok(Figure {
                row,
                corpus: corpus.name,
                bytes,
                messages,
                times: find(row, false).ok_or("row without a run")?,
                native: find(row, true),
                instructions_per_byte: None,
                peak_kib: 0,
            })
        })
        .collect()
}

fn linear(places: &Places, lanes: &mut [Lane]) -> Result<Vec<Linear>, String> {
    let lane = lanes
        .iter_mut()
        .find(|lane| lane.build == Build::Shipped && !lane.native)
        .ok_or("lane")?;
    let mut all = Vec::new();
    for name in ["line-text", "line-dense"] {
        let corpus = Corpus::named(name).ok_or("corpus")?;
        for mib in SIZES {
            eprintln!("{name}, {mib} MiB ...");
            let file = slice(&places.corpora, corpus, mib << 20)?;
            let bytes = lane.worker.load(&file)?;
            for kind in ["unstored", "stored"] {
                let mut tries: Vec<(&str, String, Runs)> = CUTS
                    .iter()
                    .map(|(suffix, cut)| (*cut, format!("{kind}-{suffix}"), Runs::default()))
                    .collect();
                for round in 0..=5 {
                    for (_, method, runs) in &mut tries {
                        let (clock, cpu, sum) = lane.worker.run(method, 1)?;
                        if sum.messages() + sum.faults != 1 {
                            return Err(format!("{method} on {name}: read {sum:?}"));
                        }
                        if round > 0 {
                            runs.clock.push(clock);
                            runs.cpu.push(cpu);
                        }
                    }
                }
                all.extend(tries.into_iter().map(|(cut, method, runs)| Linear {
                    corpus: corpus.name,
                    method,
                    cut,
                    mib: *mib,
                    bytes,
                    times: runs.times(),
                }));
            }
        }
    }
    Ok(all)
}

/// A corpus at another size, made anew.
pub fn slice(folder: &Path, corpus: &Corpus, bytes: usize) -> Result<PathBuf, String> {
    let path = folder.join(format!("{}-{bytes}.ndjson", corpus.name));
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    std::fs::write(&path, corpus.generate_to(bytes))
        .map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
}
