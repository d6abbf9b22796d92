//! The recording format: one JSON object per line, described in `docs/recording.md`.

mod magic;
mod read;
mod write;

pub(crate) use magic::{HEAD, Magic};
pub(crate) use read::{Reader, Record};
pub(crate) use write::Writer;

/// The version that this program writes, and the newest that it reads.
const VERSION: u64 = 1;

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::stream::{Direction, Event, Exit, Micros};

    /// What a recording of these pieces gives back, piece by piece.
    fn round_trip(pieces: &[&[u8]]) -> Vec<Vec<u8>> {
        let mut writer = Writer::new(Vec::new());
        writer.start(1_700_000_000_000, "cat").unwrap();
        for (index, piece) in pieces.iter().enumerate() {
            writer
                .bytes(Micros(index as u64 * 1001), Direction::ToServer, piece)
                .unwrap();
        }
        let text = writer.into_inner();
        assert!(
            std::str::from_utf8(&text)
                .unwrap()
                .chars()
                .all(|c| c == '\n' || !crate::escape::steers(c))
        );
        let mut reader = Reader::new(Cursor::new(text), "test");
        assert!(matches!(reader.next().unwrap(), Some(Record::Start)));
        let mut back: Vec<Vec<u8>> = Vec::new();
        while let Some(record) = reader.next().unwrap() {
            let Record::Bytes {
                at,
                direction,
                bytes,
                continued,
            } = record
            else {
                panic!("bytes wanted")
            };
            assert_eq!(direction, Direction::ToServer);
            if !continued {
                back.push(Vec::new());
            }
            assert_eq!(at, Some(Micros((back.len() as u64 - 1) * 1001)));
            back.last_mut().unwrap().extend_from_slice(bytes);
        }
        back
    }

    #[test]
    fn any_bytes_and_every_cut_survive() {
        let all: Vec<u8> = (0..=255).collect();
        let noise: Vec<u8> = (0..70_000_u32)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8)
            .collect();
        let long = "é".repeat(30_000);
        let cases: &[&[&[u8]]] = &[
            &[b"{\"a\":1}\n"],
            &[b"{\"a\":1}\n{\"b\":2}\r\n", b"\n\n", b"\r", b"\n"],
            &["{\"a\":\"é".as_bytes(), "😀\u{2028}\u{85}\"}\n".as_bytes()],
            &[b"\xe2", b"\x82", b"\xac\n", b"a\xc3", b"\xa9b\n"],
            &[&all, &noise],
            &[long.as_bytes()],
        ];
        for pieces in cases {
            assert_eq!(round_trip(pieces), *pieces);
        }
    }

    #[test]
    fn text_with_a_bad_byte_stays_readable() {
        let mut writer = Writer::new(Vec::new());
        writer
            .bytes(Micros(1), Direction::ToClient, b"{\"name\":\"a\xffb\"}\n")
            .unwrap();
        let text = String::from_utf8(writer.into_inner()).unwrap();
        assert!(
            text.contains("\\\"name\\\"") && text.contains("\"b64\":\"/w==\""),
            "{text}"
        );
    }

    #[test]
    fn events_survive() {
        let events = [
            Event::Eof(Direction::ToServer),
            Event::Closed(Direction::ToClient),
            Event::Lost(Direction::ToClient, 12345),
            Event::Exit(Exit::Code(3)),
            Event::Exit(Exit::Signal(9)),
        ];
        let mut writer = Writer::new(Vec::new());
        for event in events {
            writer.event(Micros(2500), event).unwrap();
        }
        let mut reader = Reader::new(Cursor::new(writer.into_inner()), "test");
        for want in events {
            let Some(Record::Event { at, event }) = reader.next().unwrap() else {
                panic!("event wanted")
            };
            assert_eq!((at, event), (Some(Micros(2500)), want));
        }
        assert!(reader.next().unwrap().is_none());
    }
}
