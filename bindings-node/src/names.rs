//! Method names by number, so that JavaScript makes each string once.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use wireline::mcp::Method;

/// Names beyond these get no number and are decoded each time: a peer that makes up names
/// must not fill the memory.
const MOST: usize = 1024;
const LONGEST: usize = 64;

/// The protocol's own names, which no peer can crowd out.
static KNOWN: LazyLock<FxHashMap<&'static [u8], u16>> = LazyLock::new(|| {
    let names = Method::ALL.iter().map(|method| method.name().as_bytes());
    names.zip(1..).collect()
});

/// The other names that were seen.
#[derive(Default)]
pub(crate) struct Names(FxHashMap<Box<[u8]>, u16>);

impl Names {
    pub(crate) fn new() -> Self {
        Names::default()
    }

    /// The name's number, from 1 on; 0 if it gets none. The text holds no escapes.
    #[inline]
    pub(crate) fn number(&mut self, name: &[u8]) -> u16 {
        match KNOWN.get(name) {
            Some(number) => *number,
            None => self.other(name),
        }
    }

    fn other(&mut self, name: &[u8]) -> u16 {
        if let Some(number) = self.0.get(name) {
            return *number;
        }
        if name.len() > LONGEST || self.0.len() >= MOST {
            return 0;
        }
        let number = (KNOWN.len() + self.0.len()) as u16 + 1;
        self.0.insert(name.into(), number);
        number
    }
}
