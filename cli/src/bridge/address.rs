//! Where a device is.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Which device, and how to talk to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    Serial(Serial),
    /// Host and port, as std resolves them.
    Tcp(String),
    Unix(PathBuf),
}

/// A serial port and its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Serial {
    pub(super) path: PathBuf,
    pub(super) baud: u32,
    pub(super) flow: Flow,
    pub(super) parity: Parity,
    pub(super) two_stop_bits: bool,
    /// The modem's lines, as they are to be; as the driver leaves them otherwise.
    pub(super) dtr: Option<bool>,
    pub(super) rts: Option<bool>,
    /// What a board that opening the port has reset takes to start.
    pub(super) settle: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    None,
    Hardware,
    Software,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parity {
    None,
    Even,
    Odd,
}

/// Longest time that a board may take to start.
const MOST_SETTLE_MS: u64 = 60_000;

impl Address {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let Some((kind, rest)) = text.split_once(':') else {
            return Err("a device begins with serial:, tcp: or unix:".into());
        };
        match kind {
            "serial" => Serial::parse(rest).map(Self::Serial),
            "tcp" => match rest.rsplit_once(':') {
                Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
                    if host.contains(':') && !(host.starts_with('[') && host.ends_with(']')) {
                        return Err(
                            "an IPv6 address stands in brackets, as in tcp:[::1]:7000".into()
                        );
                    }
                    Ok(Self::Tcp(rest.into()))
                }
                _ => Err(
                    "a host and a port of 0 to 65535 come after tcp:, as in tcp:board.local:7000"
                        .into(),
                ),
            },
            "unix" if rest.is_empty() => Err("a path comes after unix:".into()),
            "unix" => Ok(Self::Unix(rest.into())),
            _ => Err(format!(
                "`{kind}:` is not known: a device begins with serial:, tcp: or unix:"
            )),
        }
    }
}

impl Serial {
    fn parse(text: &str) -> Result<Self, String> {
        let (path, options) = text.split_once('?').unwrap_or((text, ""));
        if path.is_empty() {
            return Err("a path comes after serial:, as in serial:/dev/ttyACM0".into());
        }
        let mut serial = Self {
            path: path.into(),
            baud: 115_200,
            flow: Flow::None,
            parity: Parity::None,
            two_stop_bits: false,
            dtr: None,
            rts: None,
            settle: Duration::ZERO,
        };
        for option in options.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let bad = |wanted: &str| format!("{name}={value}: {name} is {wanted}");
            match name {
                "baud" => {
                    serial.baud = value
                        .parse()
                        .ok()
                        .filter(|baud| *baud > 0)
                        .ok_or_else(|| bad("a number of bits a second"))?;
                }
                "flow" => {
                    serial.flow = match value {
                        "none" => Flow::None,
                        "rtscts" => Flow::Hardware,
                        "xonxoff" => Flow::Software,
                        _ => return Err(bad("none, rtscts or xonxoff")),
                    }
                }
                "parity" => {
                    serial.parity = match value {
                        "none" => Parity::None,
                        "even" => Parity::Even,
                        "odd" => Parity::Odd,
                        _ => return Err(bad("none, even or odd")),
                    }
                }
                "stop" => {
                    serial.two_stop_bits = match value {
                        "1" => false,
                        "2" => true,
                        _ => return Err(bad("1 or 2")),
                    }
                }
                "data" => match value {
                    "8" => {}
                    "7" => return Err(bad("8: messages are UTF-8, which 7 bits do not carry")),
                    _ => return Err(bad("8")),
                },
                "dtr" | "rts" => {
                    let on = match value {
                        "on" => true,
                        "off" => false,
                        _ => return Err(bad("on or off")),
                    };
                    let line = if name == "dtr" {
                        &mut serial.dtr
                    } else {
                        &mut serial.rts
                    };
                    *line = Some(on);
                }
                "settle" => {
                    serial.settle = value
                        .parse()
                        .ok()
                        .filter(|settle| *settle <= MOST_SETTLE_MS)
                        .map(Duration::from_millis)
                        .ok_or_else(|| bad("a number of milliseconds up to 60000"))?;
                }
                _ => {
                    return Err(format!(
                        "`{name}` is no option: there are baud, flow, parity, stop, data, dtr, rts and settle"
                    ));
                }
            }
        }
        if serial.rts.is_some() && serial.flow == Flow::Hardware {
            return Err("rts is the driver's where flow is rtscts".into());
        }
        Ok(serial)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Serial(serial) => write!(f, "serial:{}", serial.path.display()),
            Self::Tcp(host) => write!(f, "tcp:{host}"),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let Ok(Address::Serial(plain)) = Address::parse("serial:/dev/ttyACM0") else {
            panic!("a serial port");
        };
        assert_eq!((plain.baud, plain.flow), (115_200, Flow::None));
        let text =
            "serial:/dev/x?baud=921600&flow=rtscts&parity=even&stop=2&data=8&dtr=off&settle=1500";
        let wanted = Serial {
            path: "/dev/x".into(),
            baud: 921_600,
            flow: Flow::Hardware,
            parity: Parity::Even,
            two_stop_bits: true,
            dtr: Some(false),
            rts: None,
            settle: Duration::from_millis(1500),
        };
        assert_eq!(Address::parse(text), Ok(Address::Serial(wanted)));
        let tcp = Address::parse("tcp:[::1]:7000");
        assert_eq!(tcp, Ok(Address::Tcp("[::1]:7000".into())));
        assert_eq!(
            Address::parse("unix:/run/board"),
            Ok(Address::Unix("/run/board".into()))
        );
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said() {
        for (bad, says) in [
            ("/dev/ttyACM0", "begins with serial:"),
            ("usb:1", "`usb:` is not known"),
            ("serial:", "a path comes after serial:"),
            ("serial:/dev/x?baud=fast", "baud=fast: baud is a number"),
            ("serial:/dev/x?baud=0", "a number"),
            ("serial:/dev/x?flow=yes", "none, rtscts or xonxoff"),
            ("serial:/dev/x?speed=9600", "`speed` is no option"),
            ("serial:/dev/x?data=7", "messages are UTF-8"),
            ("serial:/dev/x?dtr=1", "dtr is on or off"),
            ("serial:/dev/x?flow=rtscts&rts=on", "rts is the driver's"),
            ("serial:/dev/x?data=9", "data=9: data is 8"),
            ("serial:/dev/x?settle=60001", "up to 60000"),
            ("tcp:host", "a host and a port"),
            ("tcp:host:70000", "a host and a port"),
            ("tcp:::1:7000", "in brackets"),
            ("unix:", "a path comes after unix:"),
        ] {
            let error = Address::parse(bad).expect_err(bad);
            assert!(error.contains(says), "{bad}: {error}");
        }
    }
}
