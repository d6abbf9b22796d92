//! Counts and sizes, in memory that does not grow with the stream.

use std::collections::BTreeMap;
use std::io::Write;

use wireline::{FaultKind, Kind, Level, Rule};

use crate::stream::{Direction, Micros};

/// Sizes by power of two, each cut in 64: quantiles are right within one part in 64.
#[derive(Clone)]
struct Histogram {
    counts: Vec<u64>,
    total: u64,
    min: u64,
    max: u64,
}

const FINE: u32 = 6;

impl Histogram {
    fn new() -> Self {
        let counts = vec![0; slot(u64::MAX) + 1];
        Self {
            counts,
            total: 0,
            min: u64::MAX,
            max: 0,
        }
    }

    fn add(&mut self, size: u64) {
        self.counts[slot(size)] += 1;
        self.total += 1;
        self.min = self.min.min(size);
        self.max = self.max.max(size);
    }

    fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
        self.total += other.total;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// The size that `percent` of a hundred messages do not pass.
    fn quantile(&self, percent: u64) -> u64 {
        let rank = (u128::from(self.total) * u128::from(percent))
            .div_ceil(100)
            .max(1);
        let mut seen = 0_u128;
        for (index, &count) in self.counts.iter().enumerate() {
            seen += u128::from(count);
            if seen >= rank {
                return middle(index).clamp(self.min, self.max);
            }
        }
        self.max
    }
}

fn slot(size: u64) -> usize {
    let power = (u64::BITS - size.leading_zeros()).saturating_sub(FINE + 1);
    ((power as usize) << FINE) + (size >> power) as usize
}

fn middle(slot: usize) -> u64 {
    let power = (slot >> FINE).saturating_sub(1) as u32;
    let top = (slot - ((power as usize) << FINE)) as u64;
    let low = top << power;
    low + ((1_u64 << power) - 1) / 2
}

#[derive(Clone)]
struct Side {
    bytes: u64,
    lines: u64,
    /// As a recording tells it, which may be any number.
    lost: u64,
    messages: [u64; KINDS.len()],
    faults: Vec<u64>,
    /// Of each rule and level: how often it was broken.
    broken: BTreeMap<(Rule, Level), u64>,
    sizes: Histogram,
}

const KINDS: [Kind; 4] = [Kind::Request, Kind::Notification, Kind::Result, Kind::Error];

impl Side {
    fn new() -> Self {
        Self {
            bytes: 0,
            lines: 0,
            lost: 0,
            messages: [0; KINDS.len()],
            faults: vec![0; FaultKind::ALL.len()],
            broken: BTreeMap::new(),
            sizes: Histogram::new(),
        }
    }

    fn merge(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.lost = self.lost.saturating_add(other.lost);
        for (mine, theirs) in self.messages.iter_mut().zip(&other.messages) {
            *mine += theirs;
        }
        for (mine, theirs) in self.faults.iter_mut().zip(&other.faults) {
            *mine += theirs;
        }
        for (rule, count) in &other.broken {
            *self.broken.entry(*rule).or_default() += count;
        }
        self.sizes.merge(&other.sizes);
    }

    fn total_broken(&self) -> u64 {
        self.broken.values().sum()
    }

    fn broken_of(&self, level: Level) -> u64 {
        let of_level = self.broken.iter().filter(|((_, it), _)| *it == level);
        of_level.map(|(_, count)| count).sum()
    }

    fn total_faults(&self) -> u64 {
        self.faults.iter().sum()
    }

    fn total_messages(&self) -> u64 {
        self.messages.iter().sum()
    }
}

pub(crate) struct Summary {
    sides: [Side; 2],
    duration: Option<Micros>,
    plain: bool,
    /// Lines are held against rules.
    pub(crate) judged: bool,
}

impl Summary {
    pub(crate) fn new() -> Self {
        Self {
            sides: [Side::new(), Side::new()],
            duration: None,
            plain: false,
            judged: true,
        }
    }

    pub(crate) fn bytes(&mut self, direction: Direction, bytes: usize) {
        self.sides[direction.index()].bytes += bytes as u64;
    }

    pub(crate) fn lines(&mut self, direction: Direction, lines: u64) {
        self.sides[direction.index()].lines += lines;
    }

    pub(crate) fn lost(&mut self, direction: Direction, bytes: u64) {
        let lost = &mut self.sides[direction.index()].lost;
        *lost = lost.saturating_add(bytes);
    }

    pub(crate) fn close(&mut self, duration: Option<Micros>, plain: bool) {
        self.duration = duration;
        self.plain = plain;
    }

    pub(crate) fn message(&mut self, direction: Direction, kind: Kind, size: usize) {
        let side = &mut self.sides[direction.index()];
        if let Some(index) = KINDS.iter().position(|&k| k == kind) {
            side.messages[index] += 1;
        }
        side.sizes.add(size as u64);
    }

    pub(crate) fn fault(&mut self, direction: Direction, kind: FaultKind) {
        if let Some(index) = FaultKind::ALL.iter().position(|&k| k == kind) {
            self.sides[direction.index()].faults[index] += 1;
        }
    }

    pub(crate) fn broken(&mut self, direction: Direction, rule: Rule, level: Level) {
        let side = &mut self.sides[direction.index()];
        *side.broken.entry((rule, level)).or_default() += 1;
    }

    /// No fault, and no rule broken that is a MUST; with `strict`, none at all.
    pub(crate) fn clean(&self, strict: bool) -> bool {
        self.sides.iter().all(|side| {
            let counting = |level: &Level| strict || *level == Level::Must;
            side.total_faults() == 0 && !side.broken.keys().any(|(_, level)| counting(level))
        })
    }

    fn total(&self) -> Side {
        let mut total = self.sides[0].clone();
        total.merge(&self.sides[1]);
        total
    }

    /// One column for a plain stream; both directions and their sum for a recording.
    pub(crate) fn text(&self, out: &mut Vec<u8>) {
        let total = self.total();
        let [to_server, to_client] = &self.sides;
        let sides: &[&Side] = if self.plain {
            &[&total]
        } else {
            &[to_server, to_client, &total]
        };
        let mut row = |name: &str, value: &dyn Fn(&Side) -> Option<u64>| {
            let _ = write!(out, "{name:<20}");
            for side in sides {
                match value(side) {
                    Some(n) => {
                        let _ = write!(out, "{:>16}", grouped(n));
                    }
                    None => out.extend_from_slice(b"               -"),
                }
            }
            out.push(b'\n');
        };
        row("bytes", &|side| Some(side.bytes));
        if total.lost > 0 {
            row("bytes not reported", &|side| Some(side.lost));
        }
        row("lines", &|side| Some(side.lines));
        row("messages", &|side| Some(side.total_messages()));
        for (index, kind) in KINDS.iter().enumerate() {
            row(&format!("  {}", kind.name()), &|side| {
                side.messages.get(index).copied()
            });
        }
        row("message size, min", &|side| {
            (side.sizes.total > 0).then_some(side.sizes.min)
        });
        row("  median", &|side| {
            (side.sizes.total > 0).then(|| side.sizes.quantile(50))
        });
        row("  90 %", &|side| {
            (side.sizes.total > 0).then(|| side.sizes.quantile(90))
        });
        row("  max", &|side| {
            (side.sizes.total > 0).then_some(side.sizes.max)
        });
        row("faults", &|side| Some(side.total_faults()));
        for (index, kind) in FaultKind::ALL.iter().enumerate() {
            if total.faults[index] > 0 {
                row(&format!("  {}", kind.name()), &|side| {
                    side.faults.get(index).copied()
                });
            }
        }
        if !self.judged {
            return;
        }
        row("rules broken", &|side| Some(side.total_broken()));
        for &(rule, level) in total.broken.keys() {
            row(&format!("  {rule} {}", level.name()), &|side| {
                Some(side.broken.get(&(rule, level)).copied().unwrap_or(0))
            });
        }
    }

    /// The heading of `text`, shown above it.
    pub(crate) fn heading(&self, out: &mut Vec<u8>) {
        let title = match self.duration {
            Some(Micros(us)) => format!("{}.{:03} s", us / 1_000_000, us / 1000 % 1000),
            None => String::from("summary"),
        };
        if self.plain {
            out.extend_from_slice(title.as_bytes());
        } else {
            let _ = write!(out, "{title:<20}");
            for direction in Direction::BOTH {
                let _ = write!(
                    out,
                    "{:>16}",
                    format!("{} {}", direction.arrow(), direction.receiver())
                );
            }
            let _ = write!(out, "{:>16}", "both");
        }
    }

    pub(crate) fn json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"type\":\"summary\"");
        if let Some(Micros(us)) = self.duration {
            let _ = write!(out, ",\"duration_ms\":{}.{:03}", us / 1000, us % 1000);
        }
        out.push(b',');
        push_side(out, &self.total(), self.judged);
        if !self.plain {
            out.extend_from_slice(b",\"directions\":{");
            for direction in Direction::BOTH {
                if direction != Direction::BOTH[0] {
                    out.push(b',');
                }
                let _ = write!(out, "\"{}\":{{", direction.name());
                push_side(out, &self.sides[direction.index()], self.judged);
                out.push(b'}');
            }
            out.push(b'}');
        }
        out.push(b'}');
    }
}

fn push_side(out: &mut Vec<u8>, side: &Side, judged: bool) {
    let _ = write!(
        out,
        "\"bytes\":{},\"bytes_lost\":{},\"lines\":{},\"messages\":{{\"total\":{}",
        side.bytes,
        side.lost,
        side.lines,
        side.total_messages()
    );
    for (kind, count) in KINDS.iter().zip(side.messages) {
        let _ = write!(out, ",\"{}\":{count}", kind.name());
    }
    let _ = write!(out, "}},\"faults\":{{\"total\":{}", side.total_faults());
    for (kind, &count) in FaultKind::ALL.iter().zip(&side.faults) {
        if count > 0 {
            let _ = write!(out, ",\"{}\":{count}", kind.name());
        }
    }
    out.push(b'}');
    if judged {
        push_violations(out, side);
    }
    if side.sizes.total > 0 {
        let _ = write!(
            out,
            ",\"sizes\":{{\"min\":{},\"median\":{},\"p90\":{},\"max\":{}}}",
            side.sizes.min,
            side.sizes.quantile(50),
            side.sizes.quantile(90),
            side.sizes.max
        );
    }
}

fn push_violations(out: &mut Vec<u8>, side: &Side) {
    let _ = write!(out, ",\"violations\":{{\"total\":{}", side.total_broken());
    for level in [Level::Must, Level::Should, Level::Fact] {
        let _ = write!(out, ",\"{}\":{}", level.name(), side.broken_of(level));
    }
    out.extend_from_slice(b",\"rules\":{");
    let mut before = None;
    for &(rule, _) in side.broken.keys() {
        if before == Some(rule) {
            continue;
        }
        let of_rule = side.broken.iter().filter(|((it, _), _)| *it == rule);
        let count: u64 = of_rule.map(|(_, count)| count).sum();
        let comma = if before.is_some() { "," } else { "" };
        let _ = write!(out, "{comma}\"{rule}\":{count}");
        before = Some(rule);
    }
    out.extend_from_slice(b"}}");
}

/// With a comma after every third digit from the right.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_rise_and_hold_their_sizes() {
        let mut last = 0;
        for size in (0..100_000).chain((17..64).map(|power| (1 << power) + 12345)) {
            let index = slot(size);
            assert!(index >= last, "{size}");
            last = index;
            let error = middle(index).abs_diff(size);
            assert!(error <= size / 64, "{size} {}", middle(index));
        }
        assert!(slot(u64::MAX) < 4096);
        let _ = middle(slot(u64::MAX));
    }

    #[test]
    fn quantiles() {
        let mut sizes = Histogram::new();
        (1..=100).for_each(|size| sizes.add(size));
        assert_eq!(
            (sizes.quantile(50), sizes.quantile(90), sizes.min, sizes.max),
            (50, 90, 1, 100)
        );
        let mut one = Histogram::new();
        one.add(1_000_003);
        assert_eq!(one.quantile(50), 1_000_003);
    }

    #[test]
    fn grouping() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1234567), "1,234,567");
    }
}
