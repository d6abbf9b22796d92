//! The version of the header, of the library, and of the package: one and the same.

use crate::args::wireline_slice;

/// The first part of the version. While it is 0, the second one counts as it does later.
pub const WIRELINE_VERSION_MAJOR: u32 = 0;
/// The second part of the version.
pub const WIRELINE_VERSION_MINOR: u32 = 1;
/// The third part of the version.
pub const WIRELINE_VERSION_PATCH: u32 = 0;
/// The version as a number that rises: 1000000 * major + 1000 * minor + patch.
pub const WIRELINE_VERSION_NUMBER: u32 = 1000;
/// The version as text.
pub const WIRELINE_VERSION_STRING: &str = "0.1.0";

/// A part of the version in Cargo.toml.
const fn parse(digits: &str) -> u32 {
    let mut value = 0u32;
    let mut rest = digits.as_bytes();
    while let [digit, more @ ..] = rest {
        value = value
            .wrapping_mul(10)
            .wrapping_add(digit.wrapping_sub(b'0') as u32);
        rest = more;
    }
    value
}

const fn same(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    while let ([a, one_rest @ ..], [b, other_rest @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        (one, other) = (one_rest, other_rest);
    }
    one.is_empty() && other.is_empty()
}

// cbindgen takes literals only, so they are written out above, and compared here.
const _: () = {
    assert!(WIRELINE_VERSION_MAJOR == parse(env!("CARGO_PKG_VERSION_MAJOR")));
    assert!(WIRELINE_VERSION_MINOR == parse(env!("CARGO_PKG_VERSION_MINOR")));
    assert!(WIRELINE_VERSION_PATCH == parse(env!("CARGO_PKG_VERSION_PATCH")));
    assert!(
        WIRELINE_VERSION_NUMBER
            == WIRELINE_VERSION_MAJOR * 1_000_000
                + WIRELINE_VERSION_MINOR * 1_000
                + WIRELINE_VERSION_PATCH
    );
    assert!(WIRELINE_VERSION_MINOR < 1000 && WIRELINE_VERSION_PATCH < 1000);
    assert!(same(WIRELINE_VERSION_STRING, env!("CARGO_PKG_VERSION")));
};

/// Whether a program compiled with a header of this version may use this library: the
/// version is the same up to the patch, or, from 1.0 on, not newer and of one major.
pub(crate) fn accepts(version: u32) -> bool {
    let (ours, theirs) = (WIRELINE_VERSION_NUMBER, version);
    if ours < 1_000_000 {
        theirs / 1000 == ours / 1000
    } else {
        theirs / 1_000_000 == ours / 1_000_000 && theirs / 1000 <= ours / 1000
    }
}

/// The version of the library, as `WIRELINE_VERSION_NUMBER` is that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_version() -> u32 {
    WIRELINE_VERSION_NUMBER
}

/// The version of the library as text.
#[unsafe(no_mangle)]
pub extern "C" fn wireline_version_string() -> wireline_slice {
    wireline_slice::of(WIRELINE_VERSION_STRING.as_bytes())
}
