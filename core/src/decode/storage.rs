//! Where a decoder keeps the line that it is gathering.

/// Memory for a line: of fixed size, or growing to a ceiling.
///
/// It is there for `[u8; N]`, `&mut [u8]`, `heapless::Vec<u8, N>`, and with the feature
/// `std` for `Vec<u8>`, which starts empty, grows as lines ask for it, up to the message
/// ceiling of the [`Limits`](crate::Limits), and once nothing waits in it keeps 4 KiB, so
/// that many idle connections cost little. While the beginning of a line waits, it keeps no
/// more than 16 KiB or four times that; while a line that is too long passes, what its id and
/// its method ask for.
pub trait Storage {
    /// The bytes there are now.
    fn bytes(&self) -> &[u8];

    /// The bytes there are now, to be written.
    fn bytes_mut(&mut self) -> &mut [u8];

    /// The most bytes there can ever be.
    fn capacity(&self) -> usize;

    /// Makes room for `need` bytes at least and `most` at most, what is there staying.
    /// Returns whether there is room now; memory of fixed size says no.
    fn grow(&mut self, need: usize, most: usize) -> bool {
        let _ = most;
        need <= self.bytes().len()
    }

    /// Gives memory back, nothing in it being needed any more.
    fn shrink(&mut self) {}

    /// Gives memory back, only the first `least` bytes being needed. Called with the feature
    /// `std`.
    #[cfg(feature = "std")]
    fn shrink_to(&mut self, least: usize) {
        let _ = least;
    }
}

impl<const N: usize> Storage for [u8; N] {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self
    }

    fn capacity(&self) -> usize {
        N
    }
}

impl Storage for &mut [u8] {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self
    }

    fn capacity(&self) -> usize {
        self.len()
    }
}

impl<const N: usize> Storage for heapless::Vec<u8, N> {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self
    }

    fn capacity(&self) -> usize {
        N
    }

    /// Takes all of its capacity at once: it is there anyway.
    fn grow(&mut self, need: usize, _most: usize) -> bool {
        if need > N {
            return false;
        }
        self.resize_default(N).is_ok()
    }
}

/// What a `Vec` starts with, and what it keeps when nothing is in it.
#[cfg(feature = "std")]
pub(super) const IDLE: usize = 4096;

#[cfg(feature = "std")]
impl Storage for std::vec::Vec<u8> {
    fn bytes(&self) -> &[u8] {
        self
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        self
    }

    fn capacity(&self) -> usize {
        usize::MAX
    }

    /// Doubles, from 4 KiB on, or takes what is needed if that is more; an allocation that fails counts as no room.
    fn grow(&mut self, need: usize, most: usize) -> bool {
        let length = self.len();
        let target = length.saturating_mul(2).max(IDLE).min(most).max(need);
        if target > length {
            if self
                .try_reserve_exact(target.saturating_sub(length))
                .is_err()
            {
                return false;
            }
            self.resize(target, 0);
        }
        true
    }

    /// Keeps 4 KiB.
    fn shrink(&mut self) {
        Storage::shrink_to(self, 0);
    }

    /// Keeps 4 KiB, or `least` if that is more.
    fn shrink_to(&mut self, least: usize) {
        let least = least.max(IDLE);
        if self.len() > least {
            self.truncate(least);
            self.shrink_to_fit();
        }
    }
}
