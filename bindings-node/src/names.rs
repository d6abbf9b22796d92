//! Method names by number, so that JavaScript makes each string once.

use rustc_hash::FxHashMap;
use wireline::mcp::Method;

/// Names beyond these get no number and are decoded each time: a peer that makes up names
/// must not fill the memory.
const MOST: usize = 1024;
const LONGEST: usize = 64;

/// The names seen so far. Those of the protocol come first, so that no peer can crowd
/// them out.
pub(crate) struct Names(FxHashMap<Box<[u8]>, u16>);

impl Names {
    pub(crate) fn new() -> Self {
        let mut names = Names(FxHashMap::default());
        for method in Method::ALL {
            names.number(method.name().as_bytes());
        }
        names
    }

    /// The name's number, from 1 on; 0 if it gets none. The text holds no escapes.
    #[inline]
    pub(crate) fn number(&mut self, name: &[u8]) -> u16 {
        match self.0.get(name) {
            Some(number) => *number,
            None => self.add(name),
        }
    }

    #[cold]
    fn add(&mut self, name: &[u8]) -> u16 {
        if name.len() > LONGEST || self.0.len() >= MOST {
            return 0;
        }
        let number = self.0.len() as u16 + 1;
        self.0.insert(name.into(), number);
        number
    }
}
