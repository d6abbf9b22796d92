//! What a loop that reads every message must read: kind, id and method.
//!
//! Every method folds them into the same sum, so that no compiler can leave the
//! reading out and any two methods can be checked against each other.

/// The kind of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Request,
    Notification,
    Result,
    Error,
}

/// Counts of messages, and a digest of their ids and methods.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Sum {
    pub kinds: [u64; 4],
    pub faults: u64,
    pub ids: u64,
    pub methods: u64,
}

impl Sum {
    /// One message of this kind.
    #[inline]
    pub fn kind(&mut self, kind: Kind) {
        let slot = match kind {
            Kind::Request => 0,
            Kind::Notification => 1,
            Kind::Result => 2,
            Kind::Error => 3,
        };
        self.kinds[slot] += 1;
    }

    /// A line that was refused.
    #[inline]
    pub fn fault(&mut self) {
        self.faults += 1;
    }

    /// A number as an id.
    #[inline]
    pub fn id_number(&mut self, id: i64) {
        self.ids = self.ids.wrapping_add(id as u64);
    }

    /// A string as an id, its escapes decoded.
    #[inline]
    pub fn id_text(&mut self, id: &str) {
        self.ids = self.ids.wrapping_add(fold(id));
    }

    /// A method, its escapes decoded.
    #[inline]
    pub fn method(&mut self, method: &str) {
        self.methods = self.methods.wrapping_add(fold(method));
    }

    /// Messages that were understood.
    pub fn messages(&self) -> u64 {
        self.kinds.iter().sum()
    }

    /// As one line of text.
    pub fn to_line(&self) -> String {
        let [a, b, c, d] = self.kinds;
        format!(
            "{a} {b} {c} {d} {} {} {}",
            self.faults, self.ids, self.methods
        )
    }

    /// From `to_line`.
    pub fn from_line(line: &str) -> Option<Self> {
        let mut numbers = line.split_whitespace().map(|n| n.parse::<u64>().ok());
        let mut next = || numbers.next().flatten();
        Some(Self {
            kinds: [next()?, next()?, next()?, next()?],
            faults: next()?,
            ids: next()?,
            methods: next()?,
        })
    }
}

#[inline]
fn fold(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let first = bytes.first().copied().unwrap_or(0);
    let last = bytes.last().copied().unwrap_or(0);
    (bytes.len() as u64) << 16 | u64::from(first) << 8 | u64::from(last)
}
