//! Runs the text vectors (`vectors/`) through the line decoder and `parse()`, in every way in.
#![allow(clippy::disallowed_methods, reason = "a test may panic")]

mod support;

use support::pieces::{ALL_WAYS, RANDOM, cuts, random_pieces, small_pieces};
use support::render;
use support::suite::{
    Growing, InPlace, Input, each, every_vector, in_place, of_the_stream, over_chunks, roomy,
    single_lines,
};
use support::vectors::{Head, Item, Text};
use wireline::{FaultKind, Kind, Limits, LineDecoder, parse};

#[test]
fn over_chunks_whole() {
    each("next_in, whole: fixed, growing", |input| {
        over_chunks(
            input,
            &mut roomy(input)[..],
            "next_in, fixed, whole",
            &mut std::iter::once(&input.bytes[..]),
        );
        over_chunks(
            input,
            Growing(Vec::new()),
            "next_in, growing, whole",
            &mut std::iter::once(&input.bytes[..]),
        );
        2
    });
}

#[cfg(feature = "std")]
#[test]
fn over_chunks_into_a_vec() {
    each(
        "next_in, std Vec: whole, small pieces, random cuts",
        |input| {
            over_chunks(
                input,
                Vec::new(),
                "next_in, Vec, whole",
                &mut std::iter::once(&input.bytes[..]),
            );
            over_chunks(
                input,
                Vec::new(),
                "next_in, Vec, small pieces",
                &mut small_pieces(&input.bytes),
            );
            for seed in 0..RANDOM {
                over_chunks(
                    input,
                    Vec::new(),
                    "next_in, Vec, random cuts",
                    &mut random_pieces(&input.bytes, seed).into_iter(),
                );
            }
            2 + RANDOM as usize
        },
    );
}

#[test]
fn over_chunks_byte_by_byte() {
    each("next_in, byte by byte: fixed, growing", |input| {
        over_chunks(
            input,
            &mut roomy(input)[..],
            "next_in, fixed, small pieces",
            &mut small_pieces(&input.bytes),
        );
        over_chunks(
            input,
            Growing(Vec::new()),
            "next_in, growing, small pieces",
            &mut small_pieces(&input.bytes),
        );
        2
    });
}

#[test]
fn over_chunks_at_every_cut() {
    each("next_in, every cut: growing, and fixed in turn", |input| {
        let mut fixed = roomy(input);
        for cut in cuts(&input.bytes) {
            let (a, b) = input.bytes.split_at(cut);
            over_chunks(
                input,
                Growing(Vec::new()),
                &format!("next_in, growing, cut at {cut}"),
                &mut [a, b].into_iter(),
            );
            over_chunks(
                input,
                &mut fixed[..],
                &format!("next_in, fixed, cut at {cut}"),
                &mut [a, b].into_iter(),
            );
        }
        2 * cuts(&input.bytes).len()
    });
}

#[test]
fn over_chunks_at_random_cuts() {
    each("next_in, random cuts: fixed, growing, heapless", |input| {
        let mut runs = 0;
        for seed in 0..if input.bytes.len() <= ALL_WAYS {
            RANDOM
        } else {
            1
        } {
            let pieces = random_pieces(&input.bytes, seed);
            over_chunks(
                input,
                &mut roomy(input)[..],
                "next_in, fixed, random cuts",
                &mut pieces.iter().copied(),
            );
            over_chunks(
                input,
                Growing(Vec::new()),
                "next_in, growing, random cuts",
                &mut pieces.iter().copied(),
            );
            runs += 2;
            if fits_heapless(input) {
                over_chunks(
                    input,
                    heapless::Vec::<u8, 2048>::new(),
                    "next_in, heapless, random cuts",
                    &mut pieces.iter().copied(),
                );
                runs += 1;
            }
        }
        runs
    });
}

/// Whether 2048 bytes are no lower ceiling than the vector's own.
fn fits_heapless(input: &Input<'_>) -> bool {
    (input.longest <= 2046 || input.limits.message <= 2046)
        && input.limits.id <= 512
        && input.limits.method <= 512
}

#[test]
fn in_place_whole_and_byte_by_byte() {
    each(
        "spare/commit/next, whole and byte by byte: fixed, growing, heapless",
        |input| {
            let whole = || std::iter::once(&input.bytes[..]);
            in_place(
                input,
                &mut roomy(input)[..],
                InPlace::of(input),
                "in place, fixed, whole",
                &mut whole(),
            );
            in_place(
                input,
                Growing(Vec::new()),
                InPlace::of(input),
                "in place, growing, whole",
                &mut whole(),
            );
            in_place(
                input,
                &mut roomy(input)[..],
                InPlace::of(input),
                "in place, fixed, small pieces",
                &mut small_pieces(&input.bytes),
            );
            in_place(
                input,
                Growing(Vec::new()),
                InPlace::of(input),
                "in place, growing, small pieces",
                &mut small_pieces(&input.bytes),
            );
            if !fits_heapless(input) {
                return 4;
            }
            let heapless = heapless::Vec::<u8, 2048>::new;
            in_place(
                input,
                heapless(),
                InPlace::of(input),
                "in place, heapless, whole",
                &mut whole(),
            );
            in_place(
                input,
                heapless(),
                InPlace::of(input),
                "in place, heapless, small pieces",
                &mut small_pieces(&input.bytes),
            );
            6
        },
    );
}

#[test]
fn in_place_asking_after_every_byte() {
    each(
        "spare/commit/next with pending() after every piece",
        |input| {
            in_place(
                input,
                &mut roomy(input)[..],
                InPlace {
                    ask: true,
                    ..InPlace::of(input)
                },
                "in place, asking, fixed",
                &mut small_pieces(&input.bytes),
            );
            in_place(
                input,
                Growing(Vec::new()),
                InPlace {
                    ask: true,
                    ..InPlace::of(input)
                },
                "in place, asking, growing",
                &mut small_pieces(&input.bytes),
            );
            for seed in 0..RANDOM {
                let pieces = random_pieces(&input.bytes, seed);
                in_place(
                    input,
                    &mut roomy(input)[..],
                    InPlace {
                        ask: true,
                        ..InPlace::of(input)
                    },
                    "in place, asking, random cuts",
                    &mut pieces.into_iter(),
                );
            }
            2 + RANDOM as usize
        },
    );
}

#[test]
fn in_place_at_every_cut() {
    each("spare/commit/next, every cut: growing", |input| {
        for cut in cuts(&input.bytes) {
            let (a, b) = input.bytes.split_at(cut);
            let way = format!("in place, growing, cut at {cut}");
            in_place(
                input,
                Growing(Vec::new()),
                InPlace::of(input),
                &way,
                &mut [a, b].into_iter(),
            );
        }
        cuts(&input.bytes).len()
    });
}

/// A buffer of N bytes takes messages of N − 2 bytes: where a vector sets a ceiling, a buffer of that size must do the same.
#[test]
fn in_place_the_buffer_is_the_ceiling() {
    let count = std::cell::Cell::new(0);
    each("spare/commit/next, the buffer as ceiling", |input| {
        let Some(message) = input.vector.settings.message else {
            return 0;
        };
        // Such a buffer lowers the ceilings of id and method as well, which some vectors would notice.
        let quarter = (message as usize + 2) / 4;
        let token = |item: &Item| {
            ["id", "hint", "method"]
                .iter()
                .filter_map(|key| item.get(key).map(<[u8]>::len))
                .max()
        };
        if input
            .vector
            .expected
            .iter()
            .filter_map(token)
            .max()
            .unwrap_or(0)
            > quarter
        {
            return 0;
        }
        let how = InPlace {
            limits: input.limits.with_message(u32::MAX),
            small: true,
            ask: false,
        };
        let mut memory = vec![0; message as usize + 2];
        let mut runs = 0;
        for (way, pieces) in [
            ("whole", vec![&input.bytes[..]]),
            ("byte by byte", small_pieces(&input.bytes).collect()),
        ] {
            in_place(
                input,
                &mut memory[..],
                how,
                &format!("in place, the buffer as ceiling, {way}"),
                &mut pieces.into_iter(),
            );
            runs += 1;
        }
        for seed in 0..RANDOM {
            let pieces = random_pieces(&input.bytes, seed);
            in_place(
                input,
                &mut memory[..],
                how,
                "in place, the buffer as ceiling, random cuts",
                &mut pieces.into_iter(),
            );
            runs += 1;
        }
        count.set(count.get() + 1);
        runs
    });
    assert!(
        count.get() > 20,
        "only {} vectors have a ceiling",
        count.get()
    );
}

#[test]
fn single_lines_through_parse() {
    let runs = every_vector("parse()", |vector| {
        let limits = render::limits(&vector.settings);
        let mut runs = 0;
        for (line, expected) in single_lines(vector) {
            // Where the input ended inside a line, parse() sees the end of a text instead.
            if of_the_stream(expected) || !line.ended && !vector.settings.eof_completes_line {
                continue;
            }
            let got = render::item(&parse(line.text, &limits));
            let mut expected = expected.clone();
            if expected
                .get("flags")
                .is_some_and(|flags| flags.starts_with(b"bom"))
            {
                expected.remove("flags");
            }
            assert_eq!(
                got,
                expected,
                "\n{}:{} {} through parse(): {}",
                vector.file,
                vector.line,
                vector.name,
                Text(line.text)
            );
            runs += 1;
        }
        runs
    });
    println!("parse(): {runs} lines");
    assert!(runs > 900);
}

/// Bytes committed where nothing is taken out: the line they belong to is lost and said to be, its neighbours are not.
#[test]
fn overrun_loses_one_line_and_says_so() {
    let limits = Limits::EMBEDDED;
    let line = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    let mut decoder = LineDecoder::new([0u8; 256], limits);
    // An interrupt that goes on while nobody takes anything out.
    for &byte in line.iter().cycle().take(line.len() * 8) {
        decoder.spare()[0] = byte;
        decoder.commit(1);
    }
    let mut messages = 0;
    let mut faults = Vec::new();
    let mut take = |decoder: &mut LineDecoder<[u8; 256]>| {
        while let Some(result) = decoder.next() {
            match result {
                Ok(message) => {
                    assert_eq!(message.as_bytes(), &line[..line.len() - 1]);
                    messages += 1;
                }
                Err(rejected) => {
                    assert!(rejected.id().is_none(), "{rejected:?}");
                    faults.push(rejected.kind());
                }
            }
        }
    };
    take(&mut decoder);
    for &byte in line {
        decoder.spare()[0] = byte;
        decoder.commit(1);
        take(&mut decoder);
    }
    assert_eq!(faults, [FaultKind::Overrun]);
    assert_eq!(
        messages,
        256 / line.len() + 1,
        "what had come whole before, and what came after"
    );
}

/// What something else framed may hold line ends; a text of nothing but white space is cut.
#[test]
fn parse_takes_line_ends_for_white_space() {
    let pretty = b"{\n  \"jsonrpc\": \"2.0\",\r\n  \"id\": 1,\n  \"method\": \"ping\",\n  \"params\": {\n    \"a\": [\n    ]\n  }\n}\n";
    let message = parse(pretty, &Limits::HOST).unwrap();
    assert_eq!(message.kind(), Kind::Request);
    assert_eq!(
        message.params().unwrap().as_str(),
        "{\n    \"a\": [\n    ]\n  }"
    );
    for blank in [&b""[..], b"\n", b" \t\r\n "] {
        let cut = parse(blank, &Limits::HOST).unwrap_err();
        assert_eq!(
            (cut.kind(), cut.offset(), cut.length()),
            (FaultKind::Cut, blank.len() as u64, blank.len() as u64)
        );
    }
    let string = parse(
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\nng\"}",
        &Limits::HOST,
    )
    .unwrap_err();
    assert_eq!((string.kind(), string.offset()), (FaultKind::Syntax, 36));
}

/// What is wrong with a line can be asked before the line ends, as far as it does not depend on the end.
#[test]
fn pending_tells_the_first_fault() {
    let told = every_vector("pending()", |vector| {
        let mut told = 0;
        let input = Input::new(vector, vector.input.clone());
        for (line, expected) in single_lines(vector) {
            // A CR may belong to a line end, and what could be a mark is one at the start of a stream.
            let open = line.text.ends_with(b"\r") || line.text.starts_with(b"\xef");
            if open || line.text.len() > ALL_WAYS {
                continue;
            }
            let mut decoder = LineDecoder::new(Growing(Vec::new()), input.limits);
            let mut rest = line.text;
            assert!(decoder.next_in(&mut rest).is_none() || decoder.is_closed());
            let pending = decoder.pending();
            let fault = pending.fault.map(|(kind, at)| (kind.name(), at));
            let whose = format!("{} {}: {}", vector.file, vector.name, Text(line.text));
            match &expected.head {
                Head::Message { .. } => assert_eq!(fault, None, "{whose}"),
                Head::Fault { kind, at, .. } => match kind.as_str() {
                    "not-json" | "syntax" | "trailing" | "duplicate" | "lone-surrogate"
                    | "too-deep" => {
                        assert_eq!(fault, Some((kind.as_str(), *at)), "{whose}");
                    }
                    "truncated" | "cut" | "no-kind" | "conflict" | "not-object" | "batch"
                    | "empty-batch" => {
                        assert_eq!(fault, None, "{whose}");
                    }
                    _ => {}
                },
            }
            told += 1;
            if expected.fault_kind() != Some("runaway") {
                assert_eq!(pending.bytes, line.text.len() as u64, "{whose}");
            }
        }
        told
    });
    println!("pending(): {told} lines");
}
