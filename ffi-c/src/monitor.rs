//! The rules of the protocol over lines that others wrote.

use core::ffi::c_char;

use wireline::monitor::{Finding, Monitor, Phase, Request, Slots, Tables, Task, alone};
use wireline::{Level, Violations};

use crate::args::{Out, Sized32, input, pointer, reserved, room, sized_out};
use crate::handle::{begin, get, get_mut, handle};
use crate::message::{received, wireline_item};
use crate::names::{
    WIRELINE_SIDE_CLIENT, WIRELINE_SIDE_SERVER, level_of, method_code, revision_code, side,
    wireline_capabilities, wireline_level, wireline_method, wireline_revisions, wireline_side,
};
use crate::session::{capabilities_code, wireline_rules};
use crate::status::{
    Failed, Outcome, WIRELINE_ERR_ARGUMENT, WIRELINE_ERR_NULL, run, wireline_status,
};

/// What a monitor remembers of a request. What it holds is the monitor's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_monitor_request {
    /// The library's.
    pub words: [u64; 11],
}

/// What a monitor remembers of a task. What it holds is the monitor's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_monitor_task {
    /// The library's.
    pub words: [u64; 2],
}

const _: () = {
    // A request, and a number each for its id and its token.
    assert!(size_of::<Request>() + 2 * size_of::<u32>() <= size_of::<wireline_monitor_request>());
    assert!(align_of::<Request>() <= align_of::<wireline_monitor_request>());
    assert!(size_of::<Request>().is_multiple_of(align_of::<u32>()));
    assert!(size_of::<Task>() <= size_of::<wireline_monitor_task>());
    assert!(align_of::<Task>() <= align_of::<wireline_monitor_task>());
};

/// The memory of a monitor, which stays the monitor's until it is used no more. Zeroed memory
/// with `size` set means none.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_monitor_slots {
    /// `sizeof(wireline_monitor_slots)`.
    pub size: u32,
    /// 0.
    pub reserved: u32,
    /// Requests of both sides together, an array.
    pub requests: *mut wireline_monitor_request,
    /// How many.
    pub request_count: usize,
    /// Tasks of 2025-11-25, an array; may be NULL.
    pub tasks: *mut wireline_monitor_task,
    /// How many.
    pub task_count: usize,
    /// Bytes for ids, tokens and progress, which all of them share evenly; 48 for each is much.
    pub text: *mut c_char,
    /// How many.
    pub text_size: usize,
}

// SAFETY: integers and pointers only, the size first.
unsafe impl Sized32 for wireline_monitor_slots {}

/// The memory that a monitor was lent. No reference to it outlives a call.
#[derive(Debug)]
pub(crate) struct Lent {
    ids: (*mut u32, usize),
    tokens: (*mut u32, usize),
    requests: (*mut Request, usize),
    tasks: (*mut Task, usize),
    text: (*mut u8, usize),
}

impl Lent {
    unsafe fn new(slots: *const wireline_monitor_slots) -> Outcome<Lent> {
        // SAFETY: the caller vouches for the pointers.
        unsafe {
            let it = input(slots)?;
            reserved(it.reserved)?;
            if it.text.is_null() && it.text_size > 0 {
                return Err(Failed(WIRELINE_ERR_NULL));
            }
            if it.request_count > 0 {
                pointer(it.requests)?;
            }
            if it.task_count > 0 {
                pointer(it.tasks)?;
            }
            if it.request_count.max(it.task_count) > usize::from(u16::MAX) {
                return Err(Failed(WIRELINE_ERR_ARGUMENT));
            }
            let text = room(it.text.cast(), it.text_size)?;
            text.fill(0);
            // The requests come first, then the numbers of their ids, then those of their
            // tokens: together no more than so many structs of the caller's.
            let requests: *mut Request = match it.request_count {
                0 => core::ptr::NonNull::dangling().as_ptr(),
                _ => it.requests.cast(),
            };
            let ids: *mut u32 = requests.wrapping_add(it.request_count).cast();
            let tokens = ids.wrapping_add(it.request_count);
            for index in 0..it.request_count {
                requests.add(index).write(Request::FREE);
                ids.add(index).write(0);
                tokens.add(index).write(0);
            }
            let tasks: *mut Task = match it.task_count {
                0 => core::ptr::NonNull::dangling().as_ptr(),
                _ => it.tasks.cast(),
            };
            for index in 0..it.task_count {
                tasks.add(index).write(Task::FREE);
            }
            Ok(Lent {
                ids: (ids, it.request_count),
                tokens: (tokens, it.request_count),
                requests: (requests, it.request_count),
                tasks: (tasks, it.task_count),
                text: (text.as_mut_ptr(), text.len()),
            })
        }
    }
}

/// A part of what was lent.
///
/// # Safety
///
/// The caller of `init` vouches that it lasts as long as the monitor and is its alone; `new`
/// has written a value into each place.
unsafe fn part<'a, T>((ptr, len): (*mut T, usize)) -> &'a mut [T] {
    // SAFETY: as said.
    unsafe { core::slice::from_raw_parts_mut(ptr, len) }
}

impl Slots for Lent {
    fn tables(&mut self) -> Tables<'_> {
        // SAFETY: `new` has laid them out, and they do not overlap.
        unsafe {
            Tables::new(
                part(self.ids),
                part(self.tokens),
                part(self.requests),
                part(self.tasks),
                part(self.text),
            )
        }
    }
}

/// Judges a conversation that others have, both sides of it, line by line: what a tap, a test
/// or a gateway wants to know.
#[repr(C)]
pub struct wireline_monitor {
    /// The library's.
    pub opaque: u64,
    /// The library's.
    pub words: [usize; 76],
}

handle!(wireline_monitor, Monitor<Lent>, 0x574c_0016);

/// Makes a monitor that has seen nothing yet. `crossing_time` is for how many milliseconds two
/// lines may have passed one another; 0 for what is usual. The memory of `slots` stays the
/// monitor's. Write `WIRELINE_SELF(monitor)` for the first three arguments.
///
/// Errors: NULL, ALIGN, SIZE, VERSION; ARGUMENT for more than 65535 requests or tasks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_monitor_init(
    monitor: *mut wireline_monitor,
    size: usize,
    version: u32,
    slots: *const wireline_monitor_slots,
    crossing_time: u64,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let new = begin(monitor, size, version)?;
        let mut made = Monitor::new(Lent::new(slots)?);
        if crossing_time != 0 {
            made = made.with_crossing_time(crossing_time);
        }
        new.put(made);
        Ok(())
    })
}

/// What a line breaks.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_finding {
    /// `sizeof(wireline_finding)`.
    pub size: u32,
    /// The rules that are broken.
    pub broken: wireline_rules,
    /// How binding the weightiest of them is, in the revision; NONE if none is broken.
    pub worst: wireline_level,
    /// The revision that they were judged by; 0 where that is not known.
    pub revision: wireline_revisions,
    /// The method of the message, or of the request that it answers or names.
    pub method: wireline_method,
    /// Who sent the request that the message answers or names; 0 for none.
    pub request_from: wireline_side,
    /// What its line is called: the `at` that `wireline_monitor_line` was given, or its
    /// number among the items of its direction, from 1.
    pub request_at: u64,
    /// 1: a table was full, or lines were missing. From the first such line on, nothing is
    /// held against a message for naming what is not known.
    pub lost_track: u32,
    /// 0.
    pub reserved: u32,
}

// SAFETY: integers only, the size first.
unsafe impl Sized32 for wireline_finding {}

impl wireline_finding {
    fn of(finding: &Finding) -> Self {
        wireline_finding {
            size: wireline_finding::SIZE,
            broken: wireline_rules::of(finding.violations),
            worst: level_of(finding.worst()),
            revision: finding.revision.map_or(0, revision_code),
            method: method_code(finding.method),
            request_from: finding.request.map_or(0, |it| match it.from {
                wireline::mcp::Side::Client => WIRELINE_SIDE_CLIENT,
                wireline::mcp::Side::Server => WIRELINE_SIDE_SERVER,
            }),
            request_at: finding.request.map_or(0, |it| it.at),
            lost_track: finding.lost_track.into(),
            reserved: 0,
        }
    }
}

/// Judges a line of one side: `from` is CLIENT or SERVER of the `WIRELINE_SIDE_` codes, `now`
/// in milliseconds. `at` is what the line is to be called when a later one speaks of it, such
/// as its place in a recording; 0 for its number among the items of its direction. Set
/// `finding->size` first.
///
/// Errors: ARGUMENT; ITEM, unless the item is a MESSAGE or a FAULT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_monitor_line(
    monitor: *mut wireline_monitor,
    from: wireline_side,
    item: *const wireline_item,
    now: u64,
    at: u64,
    finding: *mut wireline_finding,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let monitor = get_mut(monitor)?;
        let item = received(item)?;
        let out = sized_out(finding)?;
        let from = side(from)?;
        let found = match at {
            0 => monitor.line(from, &item, now),
            at => monitor.line_at(from, &item, now, at),
        };
        out.set(wireline_finding::of(&found));
        Ok(())
    })
}

/// Tells that lines of a side are missing. Errors: ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_monitor_gap(
    monitor: *mut wireline_monitor,
    from: wireline_side,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let monitor = get_mut(monitor)?;
        monitor.gap(side(from)?);
        Ok(())
    })
}

/// A side has closed its direction. Call it until `*more` is false, and look at the finding
/// only while it is true: each is of a request that was never answered, or the like. With a
/// `from` of 0, both sides have. Errors: ARGUMENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_monitor_end(
    monitor: *mut wireline_monitor,
    from: wireline_side,
    now: u64,
    finding: *mut wireline_finding,
    more: *mut bool,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let monitor = get_mut(monitor)?;
        let (out, more) = (sized_out(finding)?, Out::new(more)?);
        let found = match from {
            0 => monitor.finish(now),
            from => monitor.end(side(from)?, now),
        };
        more.set(found.is_some());
        if let Some(found) = found {
            out.set(wireline_finding::of(&found));
        }
        Ok(())
    })
}

/// The monitor as new, but for its counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_monitor_reset(monitor: *mut wireline_monitor) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        get_mut(monitor)?.reset();
        Ok(())
    })
}

/// For `phase` of `wireline_monitor_info`: no `initialize` yet.
pub const WIRELINE_PHASE_IDLE: u32 = 1;
/// It was sent, and not answered.
pub const WIRELINE_PHASE_SENT: u32 = 2;
/// It was answered; `notifications/initialized` has not come.
pub const WIRELINE_PHASE_ANSWERED: u32 = 3;
/// The handshake is done.
pub const WIRELINE_PHASE_READY: u32 = 4;
/// It was refused.
pub const WIRELINE_PHASE_FAILED: u32 = 5;

/// What a monitor has seen. Counts stop at their greatest value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct wireline_monitor_info {
    /// `sizeof(wireline_monitor_info)`.
    pub size: u32,
    /// Where the handshake of the legacy era is: one of the `WIRELINE_PHASE_` codes.
    pub phase: u32,
    /// The revision that was agreed on, or that of the modern era if it is in use; 0 for none.
    pub revision: wireline_revisions,
    /// 1: track was lost of something.
    pub lost_track: u32,
    /// What the client has declared that it can do.
    pub client_capabilities: wireline_capabilities,
    /// What the server has declared that it can do.
    pub server_capabilities: wireline_capabilities,
    /// Lines that are messages.
    pub messages: u64,
    /// Lines that are none.
    pub rejected: u64,
    /// Messages of which track was lost.
    pub untracked: u64,
    /// Rules broken, by `WIRELINE_LEVEL_` code.
    pub broken: [u64; 4],
}

// SAFETY: integers only, the size first.
unsafe impl Sized32 for wireline_monitor_info {}

/// What a monitor has seen. Set `info->size` first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_monitor_seen(
    monitor: *const wireline_monitor,
    info: *mut wireline_monitor_info,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let monitor = get(monitor)?;
        let out = sized_out(info)?;
        let tally = monitor.tally();
        out.set(wireline_monitor_info {
            size: wireline_monitor_info::SIZE,
            phase: match monitor.phase() {
                Phase::Idle => WIRELINE_PHASE_IDLE,
                Phase::Sent => WIRELINE_PHASE_SENT,
                Phase::Answered => WIRELINE_PHASE_ANSWERED,
                Phase::Ready => WIRELINE_PHASE_READY,
                _ => WIRELINE_PHASE_FAILED,
            },
            revision: monitor.revision().map_or(0, revision_code),
            lost_track: monitor.lost_track().into(),
            client_capabilities: capabilities_code(
                monitor.capabilities(wireline::mcp::Side::Client),
            ),
            server_capabilities: capabilities_code(
                monitor.capabilities(wireline::mcp::Side::Server),
            ),
            messages: tally.messages,
            rejected: tally.rejected,
            untracked: tally.untracked,
            broken: [
                0,
                tally.broken(Level::Fact),
                tally.broken(Level::Should),
                tally.broken(Level::Must),
            ],
        });
        Ok(())
    })
}

/// The rules that a line breaks by itself, whatever came before it. Errors: ITEM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wireline_item_broken(
    item: *const wireline_item,
    broken: *mut wireline_rules,
) -> wireline_status {
    // SAFETY: the conventions ask the caller to vouch for its pointers.
    run(|| unsafe {
        let item = received(item)?;
        let out = Out::new(broken)?;
        let found: Violations = alone(&item);
        out.set(wireline_rules::of(found));
        Ok(())
    })
}
