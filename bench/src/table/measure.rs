//! Times, counts and peaks of every row.

use super::rows::{Build, CUTS, ROWS, Row, SIZES};
use super::stats::median_and_spread;
use super::worker::{Verdict, Worker, peak, verdicts};
use super::callgrind;
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
        self.binaries.join(format!("{}{}", build.file(), if native { "-native" } else { "" }))
    }
}

/// One measured row.
pub struct Figure {
    pub row: &'static Row,
    pub corpus: &'static str,
    pub bytes: u64,
    pub messages: u64,
    pub nanos: u64,
    pub spread: f64,
    pub native_nanos: Option<u64>,
    pub instructions_per_byte: Option<f64>,
    pub peak_kib: u64,
}

impl Figure {
    /// MB/s, with an MB of a million bytes.
    pub fn speed(&self) -> f64 {
        self.bytes as f64 * 1000.0 / self.nanos.max(1) as f64
    }

    /// The same, built for this machine's CPU.
    pub fn native_speed(&self) -> Option<f64> {
        self.native_nanos.map(|nanos| self.bytes as f64 * 1000.0 / nanos.max(1) as f64)
    }
}

/// The long line at one size in one cut.
pub struct Linear {
    pub corpus: &'static str,
    pub method: String,
    pub cut: &'static str,
    pub mib: usize,
    pub nanos: u64,
    pub bytes: u64,
}

/// Everything.
pub struct Results {
    pub verdicts: Vec<Verdict>,
    pub figures: Vec<Figure>,
    pub linear: Vec<Linear>,
    /// Time by the clock per time on a CPU; above 1 the runs had to wait for others.
    pub waited: f64,
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
    for (build, native) in
        [(Build::Shipped, false), (Build::Scan, false), (Build::Peers, false), (Build::Shipped, true), (Build::Peers, true)]
    {
        let worker = Worker::start(&places.binary(build, native))?;
        lanes.push(Lane { build, native, worker });
    }
    let mut figures = Vec::new();
    let (mut clock, mut on_cpu) = (0, 0);
    for corpus in corpus::ALL {
        eprintln!("corpus {} ...", corpus.name);
        figures.extend(timed(places, corpus, &mut lanes, &mut clock, &mut on_cpu)?);
    }
    let linear = linear(places, &mut lanes)?;
    drop(lanes);
    for figure in &mut figures {
        eprintln!("{} {}: memory, instructions ...", figure.corpus, figure.row.method);
        let corpus = Corpus::named(figure.corpus).ok_or("corpus")?;
        let binary = places.binary(figure.row.build, false);
        figure.peak_kib = peak(&binary, figure.row.method, &store::path(&places.corpora, corpus))?.0;
        if COUNTED.contains(&figure.corpus) {
            let slice = slice(&places.corpora, corpus, COUNTED_BYTES)?;
            let bytes = std::fs::metadata(&slice).map_err(|e| e.to_string())?.len();
            let (instructions, _) = callgrind::count(&binary, figure.row.method, &slice)?;
            figure.instructions_per_byte = Some(instructions as f64 / bytes as f64);
        }
    }
    Ok(Results { verdicts: verdicts_all, figures, linear, waited: clock as f64 / (on_cpu as f64).max(1.0) })
}

/// The rows of one corpus, taking turns: what disturbs the machine disturbs all alike.
fn timed(
    places: &Places,
    corpus: &'static Corpus,
    lanes: &mut [Lane],
    clock: &mut u64,
    on_cpu: &mut u64,
) -> Result<Vec<Figure>, String> {
    let file = store::path(&places.corpora, corpus);
    let mut bytes = 0;
    for lane in lanes.iter_mut() {
        bytes = lane.worker.load(&file)?;
    }
    let times = u32::try_from((32 << 20) / bytes.max(1)).unwrap_or(1).max(1);
    let rows: Vec<&'static Row> = ROWS.iter().filter(|row| row.on.contains(&corpus.name)).collect();
    let mut tries: Vec<(usize, &'static Row, Vec<u64>)> = Vec::new();
    for (at, lane) in lanes.iter().enumerate() {
        tries.extend(rows.iter().filter(|row| row.build == lane.build).map(|row| (at, *row, Vec::new())));
    }
    let mut agreed: Option<Sum> = None;
    for round in 0..=ROUNDS {
        for (at, row, nanos) in &mut tries {
            let lane = lanes.get_mut(*at).ok_or("lane")?;
            let (taken, cpu, sum) = lane.worker.run(row.method, times)?;
            *clock += taken;
            *on_cpu += cpu;
            if row.reads {
                // Every method must have read the same messages, or it is not the same work.
                if sum.faults > 0 || sum.messages() == 0 || agreed.is_some_and(|first| first != sum) {
                    return Err(format!("{} on {}: read {sum:?}, others {agreed:?}", row.method, corpus.name));
                }
                agreed = Some(sum);
            }
            if round > 0 {
                nanos.push(taken / u64::from(times));
            }
        }
    }
    let messages = agreed.map_or(0, |sum| sum.messages());
    let find = |row: &Row, native: bool| {
        tries
            .iter()
            .find(|(at, other, _)| std::ptr::eq(*other, row) && lanes.get(*at).is_some_and(|lane| lane.native == native))
            .map(|(_, _, nanos)| median_and_spread(nanos))
    };
    rows.iter()
        .map(|row| {
            let (nanos, spread) = find(row, false).ok_or("row without a run")?;
            let native_nanos = find(row, true).map(|(nanos, _)| nanos);
            Ok(Figure {
                row,
                corpus: corpus.name,
                bytes,
                messages,
                nanos,
                spread,
                native_nanos,
                instructions_per_byte: None,
                peak_kib: 0,
            })
        })
        .collect()
}

fn linear(places: &Places, lanes: &mut [Lane]) -> Result<Vec<Linear>, String> {
    let lane = lanes.iter_mut().find(|lane| lane.build == Build::Shipped && !lane.native).ok_or("lane")?;
    let mut all = Vec::new();
    for name in ["line-text", "line-dense"] {
        let corpus = Corpus::named(name).ok_or("corpus")?;
        for mib in SIZES {
            eprintln!("{name}, {mib} MiB ...");
            let file = slice(&places.corpora, corpus, mib << 20)?;
            let bytes = lane.worker.load(&file)?;
            for kind in ["unstored", "stored"] {
                let mut tries: Vec<(&str, String, Vec<u64>)> =
                    CUTS.iter().map(|(suffix, cut)| (*cut, format!("{kind}-{suffix}"), Vec::new())).collect();
                for round in 0..=5 {
                    for (_, method, nanos) in &mut tries {
                        let (taken, _, sum) = lane.worker.run(method, 1)?;
                        if sum.messages() + sum.faults != 1 {
                            return Err(format!("{method} on {name}: read {sum:?}"));
                        }
                        if round > 0 {
                            nanos.push(taken);
                        }
                    }
                }
                all.extend(tries.into_iter().map(|(cut, method, nanos)| {
                    let nanos = median_and_spread(&nanos).0;
                    Linear { corpus: corpus.name, method, cut, mib: *mib, nanos, bytes }
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
    std::fs::write(&path, corpus.generate_to(bytes)).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
}
