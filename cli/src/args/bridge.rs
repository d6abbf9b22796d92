//! The command line of `wireline bridge`.

use std::time::Duration;

use clap::Args as ClapArgs;

use super::message_size;
use crate::bridge::Address;

pub(super) const ABOUT: &str =
    "Join standard input and output to a device: a serial port or a socket";

pub(super) const LONG: &str = "\
Join standard input and output to a device: a serial port or a socket.

Put it where a host's configuration has the server's command. Messages pass unchanged, a whole line \
at a time; what else the device prints goes to standard error, each line marked, and never to the \
host. When the device goes away, requests that it has not answered are answered with an error, \
and the bridge opens the line again as soon as it can; a session of the legacy era is opened anew \
with the handshake that the host began with.

DEVICE is one of
  serial:PATH[?OPTIONS]   a serial port, put into raw mode and given back as it was; the options are
                          baud=N (115200), flow=none|rtscts|xonxoff (none),
                          parity=none|even|odd (none), stop=1|2 (1), data=8, dtr=on|off, rts=on|off,
                          and settle=MS (0), the time that a board takes to start when the port is
                          opened, joined by `&`
  tcp:HOST:PORT           a TCP connection; an IPv6 address stands in brackets
  unix:PATH               a Unix socket";

pub(super) const AFTER: &str = "\
When standard input ends, what was asked is still answered, within the time of --drain; then the \
bridge ends, and tells the device with `notifications/cancelled` what nobody waits for any more.

Exit status:
  0        standard input ended, or nobody reads standard output any more
  1        the device is gone and is not waited for (--no-retry, --give-up)
  2        wrong usage, or standard input or output failed
  128 + n  ended by signal n

Examples:
  wireline bridge 'serial:/dev/ttyACM0?baud=921600&flow=rtscts'
  wireline bridge --give-up 60 tcp:192.0.2.7:7000
  wireline call --list tools -- wireline bridge serial:/dev/ttyUSB0

docs/uart.md says what the device is to do.";

fn seconds(text: &str) -> Result<Duration, String> {
    let bad = "a time is a number of seconds, such as 10 or 0.5";
    let seconds: f64 = text.parse().map_err(|_| bad)?;
    Duration::try_from_secs_f64(seconds).map_err(|_| bad.into())
}

#[derive(ClapArgs)]
pub(crate) struct Bridge {
    /// The device: serial:PATH[?OPTIONS], tcp:HOST:PORT or unix:PATH
    #[arg(value_name = "DEVICE", value_parser = Address::parse)]
    pub(crate) device: Address,

    /// End when the device cannot be opened or goes away
    #[arg(long, conflicts_with = "give_up")]
    pub(crate) no_retry: bool,

    /// End when the device has been away for this long; by default it is waited for without end
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) give_up: Option<Duration>,

    /// Keep requests for so long while the device is away, before they are answered with an error
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(crate) hold: Duration,

    /// Wait so long for the last answers once standard input has ended
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub(crate) drain: Duration,

    /// Do not repeat the handshake of the legacy era when the device is back
    #[arg(long)]
    pub(crate) no_handshake: bool,

    /// Longest message passed on, either way; K, M and G mean KiB, MiB and GiB
    #[arg(long, value_name = "SIZE", default_value = "4M", value_parser = message_size)]
    pub(crate) max_message: u32,

    /// Requests that may wait for an answer at once; more are answered with an error
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) max_waiting: u16,

    /// Say nothing on standard error: neither noise nor what becomes of the device
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        for bad in ["", "-1", "inf", "NaN", "1s", "1e300"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
