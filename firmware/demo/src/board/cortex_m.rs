//! What the Cortex-M boards share.

use core::arch::asm;

use super::Register;

const SET_ENABLE: Register = Register(0xE000_E100);
const CLEAR_ENABLE: Register = Register(0xE000_E180);

/// Lets an interrupt through, or not.
pub(super) fn enable(interrupt: u32, yes: bool) {
    let register = if yes { SET_ENABLE } else { CLEAR_ENABLE };
    register.write(1 << interrupt);
}

/// Runs something that no interrupt gets into.
pub(crate) fn masked(what: impl FnOnce()) {
    // SAFETY: sets and clears PRIMASK, which nothing else touches.
    unsafe { asm!("cpsid i") };
    what();
    // SAFETY: as above.
    unsafe { asm!("cpsie i") };
}

/// Waits for an interrupt, also for one that is masked.
pub(crate) fn sleep() {
    // SAFETY: only waits.
    unsafe { asm!("wfi") };
}
