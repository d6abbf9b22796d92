//! A serial line, which a pair of pseudo-terminals plays.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{
    ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, Termios, tcgetattr,
    tcsetattr,
};

use crate::support::directory;
use crate::{Bridge, LOST, begins, cancelled, failed, next_line, ping, pong, tell};

/// The device's end, and the path of the host's.
fn port() -> (File, String) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("granted");
    unlockpt(&master).expect("unlocked");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let path = name.into_string().expect("UTF-8");
    (File::from(master), path)
}

/// Holds the host's end open, so that its settings stay.
fn hold(path: &str) -> OwnedFd {
    open(path, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("it opens")
}

/// What a test can compare of a port's settings.
fn settings(port: &OwnedFd) -> String {
    let it: Termios = tcgetattr(port).expect("settings");
    format!(
        "{:?} {:?} {:?} {:?} {}",
        it.input_modes,
        it.output_modes,
        it.control_modes,
        it.local_modes,
        it.output_speed()
    )
}

#[test]
fn the_port_is_raw_while_the_bridge_runs_and_then_as_before() {
    let (mut device, path) = port();
    let held = hold(&path);
    let before = settings(&held);
    let address = format!("serial:{path}?baud=1234567&flow=xonxoff&stop=2");
    let mut bridge = Bridge::start(&[&address]);
    bridge.says("connected to serial:");
    let raw = tcgetattr(&held).expect("settings");
    assert_eq!(raw.output_speed(), 1_234_567);
    assert!(
        raw.control_modes
            .contains(ControlModes::CS8 | ControlModes::CSTOPB)
    );
    assert!(
        !raw.control_modes
            .intersects(ControlModes::HUPCL | ControlModes::PARENB)
    );
    assert!(
        !raw.local_modes
            .intersects(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
    );
    assert!(!raw.output_modes.contains(OutputModes::OPOST));
    assert!(!raw.input_modes.intersects(InputModes::ICRNL));
    assert!(
        raw.input_modes
            .contains(InputModes::IXON | InputModes::IXOFF)
    );

    // The line begins with an end of what the device may hold.
    assert_eq!(next_line(&mut device), "");
    bridge.passes_on(&mut device, &ping(1));
    tell(&mut device, "boot: \x1b[32mok\x03\x04");
    tell(&mut device, &pong(1));
    assert_eq!(bridge.host.line(), pong(1));
    bridge.says("noise: boot: \\x1b[32mok\\x03\\x04\n");
    // Nothing is echoed: the device would take it for an answer of the host's.
    bridge.passes_on(&mut device, &ping(2));
    tell(&mut device, &pong(2));
    bridge.host.finish(&[&pong(2)]);
    assert_eq!(settings(&held), before);
}

#[test]
fn a_port_that_goes_away_is_opened_again() {
    let folder = directory();
    let link = folder.path().join("ttyACM0");
    let plug = |path: &str| {
        let _ = std::fs::remove_file(&link);
        symlink(Path::new(path), &link).expect("a link");
    };
    let address = format!("serial:{}", link.display());
    let mut bridge = Bridge::start(&[&address]);
    bridge.says("No such file or directory; trying again");
    // Asked before the device is there: kept.
    bridge.host.send(&ping(1));
    let (mut device, path) = port();
    plug(&path);
    bridge.says("connected to");
    assert_eq!(next_line(&mut device), "");
    assert_eq!(next_line(&mut device), ping(1));
    tell(&mut device, &pong(1));
    assert_eq!(bridge.host.line(), pong(1));
    // Pulled out in the middle of an answer.
    bridge.passes_on(&mut device, &ping(2));
    let half = &pong(2)[..20];
    std::io::Write::write_all(&mut device, half.as_bytes()).expect("written");
    drop(device);
    std::fs::remove_file(&link).expect("removed");
    assert_eq!(bridge.host.line(), failed(2, LOST));
    bridge.says("lost serial:");

    let (mut device, path) = port();
    plug(&path);
    bridge.says("connected to");
    begins(&mut device);
    assert_eq!(next_line(&mut device), cancelled(2));
    bridge.passes_on(&mut device, &ping(3));
    // The rest of what was cut off is no message.
    tell(&mut device, &pong(2)[20..]);
    tell(&mut device, &pong(3));
    bridge.host.finish(&[&pong(3)]);
}

#[test]
fn garbage_of_every_kind_leaves_the_line_usable() {
    let (mut device, path) = port();
    let _held = hold(&path);
    let mut bridge = Bridge::start(&[&format!("serial:{path}")]);
    assert_eq!(next_line(&mut device), "");
    let mut random = crate::support::Random(0x5eed);
    for id in 0..50 {
        bridge.passes_on(&mut device, &ping(id));
        let mut garbage: Vec<u8> = (0..random.below(1000))
            .map(|_| random.next() as u8)
            .collect();
        // A line of its own each; none can be a message.
        garbage.insert(0, b'#');
        garbage
            .iter_mut()
            .filter(|byte| **byte == b'\n')
            .for_each(|byte| *byte = b' ');
        garbage.push(b'\n');
        std::io::Write::write_all(&mut device, &garbage).expect("written");
        tell(&mut device, &pong(id));
        assert_eq!(bridge.host.line(), pong(id));
    }
    bridge.host.finish(&[]);
}

#[test]
fn a_bad_byte_comes_as_nul_and_breaks_its_line() {
    for parity in ["none", "even", "odd"] {
        let (mut device, path) = port();
        let held = hold(&path);
        let mut before: Termios = tcgetattr(&held).expect("settings");
        // As another program may have left it.
        before.input_modes.insert(
            InputModes::IGNPAR | InputModes::PARMRK | InputModes::IGNBRK | InputModes::BRKINT,
        );
        tcsetattr(&held, OptionalActions::Now, &before).expect("set");
        let mut bridge = Bridge::start(&[&format!("serial:{path}?parity={parity}")]);
        bridge.says("connected to");
        begins(&mut device);
        let modes = tcgetattr(&held).expect("settings").input_modes;
        assert!(modes.contains(InputModes::INPCK), "{parity}: {modes:?}");
        // A byte that is left out, marked, or kept may leave another message behind.
        assert!(
            !modes.intersects(
                InputModes::IGNPAR | InputModes::PARMRK | InputModes::IGNBRK | InputModes::BRKINT
            ),
            "{parity}: {modes:?}"
        );
        // 21, without the digit that was hit.
        bridge.passes_on(&mut device, &ping(1));
        tell(
            &mut device,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"n\":2\0}}",
        );
        bridge.says("not passed on, syntax at byte");
        tell(&mut device, &pong(1));
        bridge.host.finish(&[&pong(1)]);
    }
}

#[test]
fn the_last_bytes_reach_a_slow_device() {
    let (mut device, path) = port();
    let _held = hold(&path);
    let mut bridge = Bridge::start(&[&format!("serial:{path}")]);
    begins(&mut device);
    // More than a terminal takes at once, less than its driver does.
    let line = |n: u32| ping(n).replace("ping", &"x".repeat(900));
    let notification = |n: u32| line(n).replace("\"id\"", "\"params\":{},\"x\"");
    for n in 0..20 {
        bridge.host.send(&notification(n));
    }
    bridge.host.finish(&[]);
    let mut all = vec![0; (0..20).map(|n| notification(n).len() + 1).sum()];
    device = {
        let (sender, read) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let _ = device.read_exact(&mut all);
            let _ = sender.send((device, all));
        });
        let (device, all) = read
            .recv_timeout(crate::support::live::LONG)
            .expect("all of it comes");
        let lines = String::from_utf8(all).expect("UTF-8");
        assert!(
            lines
                .lines()
                .zip(0..)
                .all(|(got, n)| got == notification(n))
        );
        device
    };
    drop(device);
}

#[test]
fn one_port_is_for_one_program() {
    let (mut device, path) = port();
    let held = hold(&path);
    let mut first = Bridge::start(&[&format!("serial:{path}?stop=2")]);
    begins(&mut device);
    let mut second = Bridge::start(&["--no-retry", &format!("serial:{path}")]);
    second.says("another program uses it");
    assert_eq!(second.host.ends().code(), Some(1));
    // Its settings are those of who has it.
    let modes = tcgetattr(&held).expect("settings").control_modes;
    assert!(modes.contains(ControlModes::CSTOPB));
    first.passes_on(&mut device, &ping(1));
    tell(&mut device, &pong(1));
    first.host.finish(&[&pong(1)]);

    flock(&held, FlockOperation::NonBlockingLockExclusive).expect("it is free again");
    let mut third = Bridge::start(&[&format!("serial:{path}")]);
    third.says("another program uses it; trying again");
    flock(&held, FlockOperation::Unlock).expect("unlocked");
    third.says("connected to");
    third.host.finish(&[]);
}

#[test]
fn closing_the_port_resets_no_board() {
    let (mut device, path) = port();
    let held = hold(&path);
    let mut modes: Termios = tcgetattr(&held).expect("settings");
    modes.control_modes.insert(ControlModes::HUPCL);
    tcsetattr(&held, OptionalActions::Now, &modes).expect("set");
    let mut bridge = Bridge::start(&[&format!("serial:{path}")]);
    begins(&mut device);
    bridge.host.finish(&[]);
    let after = tcgetattr(&held).expect("settings").control_modes;
    modes.control_modes.remove(ControlModes::HUPCL);
    assert_eq!(after, modes.control_modes);
}

#[test]
fn a_board_is_given_time_to_start() {
    let (mut device, path) = port();
    let held = hold(&path);
    let before = settings(&held);
    let mut bridge = Bridge::start(&[&format!("serial:{path}?settle=2500")]);
    let until = std::time::Instant::now() + crate::support::live::LONG;
    while settings(&held) == before {
        assert!(std::time::Instant::now() < until, "it is never opened");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::io::Write::write_all(&mut device, b"boot> ").expect("written");
    begins(&mut device);
    // A prompt without an end would have swallowed the answer.
    bridge.passes_on(&mut device, &ping(1));
    tell(&mut device, &pong(1));
    assert_eq!(bridge.host.line(), pong(1));
    bridge.host.finish(&[]);
}

#[test]
fn the_modems_lines_are_set_where_there_are_any() {
    // A pseudo-terminal has none, which shows that they were asked for.
    for (option, says) in [("dtr=off", "DTR: "), ("rts=on", "RTS: ")] {
        let (_device, path) = port();
        let held = hold(&path);
        let before = settings(&held);
        let mut bridge = Bridge::start(&["--no-retry", &format!("serial:{path}?{option}")]);
        bridge.says(says);
        assert_eq!(bridge.host.ends().code(), Some(1));
        assert_eq!(settings(&held), before);
    }
}
