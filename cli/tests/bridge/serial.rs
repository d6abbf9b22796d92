//! A serial line, which a pair of pseudo-terminals plays.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{ControlModes, InputModes, LocalModes, OutputModes, Termios, tcgetattr};

use crate::support::directory;
use crate::{Bridge, LOST, failed, next_line, ping, pong, tell};

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
    assert_eq!(next_line(&mut device), "");
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
