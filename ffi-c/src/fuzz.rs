//! The body of the fuzz target `ffi`: calls of the C interface, chosen by bytes.
//!
//! Handles live in memory of their own, are used in any order, initialised or not, copied and
//! used where they do not belong; items are used when their bytes are long gone; what is
//! called JSON is any bytes. A program in C can do all of this without undefined behaviour of
//! its own. Statuses are looked at; the sanitizer looks at the memory.

use core::ffi::{c_char, c_void};
use core::mem::MaybeUninit;
use std::boxed::Box;
use std::vec;
use std::vec::Vec;

use crate::*;

/// Bytes to choose by; zeros, once they are used up.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((byte, rest)) => {
                self.0 = rest;
                *byte
            }
            None => 0,
        }
    }

    fn below(&mut self, bound: u8) -> usize {
        usize::from(self.byte() % bound)
    }

    fn word(&mut self) -> u64 {
        (0..8).fold(0, |word, _| word << 8 | u64::from(self.byte()))
    }

    fn take(&mut self) -> &'a [u8] {
        let len = usize::from(self.byte()).min(self.0.len());
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }
}

/// What messages and values are often made of, so that calls get far.
const TEXTS: &[&str] = &[
    "{}",
    "[1,\"a\",{\"b\":null}]",
    "{\"name\":\"t\",\"arguments\":{\"a\":1}}",
    "7",
    "\"a\\u0062\"",
    "tools/call",
    "ping",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},\"resultType\":\"complete\"}}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"roots\":{}},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"_meta\":{\"progressToken\":3,\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"roots\":{}}}}}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"m\",\"data\":[1]}}\n",
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n",
    "[{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"},1]\n",
];

/// Memory for a C struct, zeroed; never a reference to it.
struct Place<T>(Box<MaybeUninit<T>>);

impl<T> Place<T> {
    fn new() -> Self {
        Place(Box::new(MaybeUninit::zeroed()))
    }

    fn ptr(&mut self) -> *mut T {
        self.0.as_mut_ptr()
    }

    /// The struct with its size set, as C does it.
    fn sized(&mut self) -> *mut T {
        // SAFETY: the memory is there, and structs that are sized begin with it.
        unsafe { self.ptr().cast::<u32>().write(size_of::<T>() as u32) };
        self.ptr()
    }
}

/// Everything that calls work on.
struct World {
    decoder: Place<wireline_decoder>,
    decoder_memory: Vec<u8>,
    stream: Place<wireline_stream>,
    stream_memory: Vec<u8>,
    writer: Place<wireline_json_writer>,
    writer_memory: Vec<u8>,
    message_writer: Place<wireline_message_writer>,
    forward: Place<wireline_forward>,
    pieces: Place<wireline_pieces>,
    iter: Place<wireline_json_iter>,
    config: Place<wireline_config>,
    toolkit: Place<wireline_toolkit>,
    toolkit_memory: Vec<u64>,
    client: Place<wireline_client>,
    server: Place<wireline_server>,
    monitor: Place<wireline_monitor>,
    questions: Place<wireline_questions>,
    inbound: Vec<wireline_inbound>,
    outbound: [Vec<wireline_outbound>; 2],
    text: [Vec<u8>; 2],
    gather: Vec<u8>,
    requests: Vec<wireline_monitor_request>,
    items: [Place<wireline_item>; 3],
    step: Place<wireline_step>,
    call: Place<wireline_call>,
    send: Place<wireline_send>,
    value: wireline_slice,
    string: wireline_string,
    handles: [u64; 4],
    now: u64,
    out: Vec<u8>,
    kept: Vec<Box<[u8]>>,
}

/// Every status is one that has a name.
fn known(status: wireline_status) -> bool {
    assert!(status <= 0, "{status}");
    // SAFETY: names end with NUL and stay.
    let name = unsafe { core::ffi::CStr::from_ptr(wireline_status_name(status)) };
    assert_ne!(name, c"unknown", "{status}");
    status == WIRELINE_OK
}

fn slice(bytes: &[u8]) -> wireline_slice {
    wireline_slice {
        ptr: bytes.as_ptr().cast::<c_char>(),
        len: bytes.len(),
    }
}

/// Runs a program of calls.
pub fn ffi(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut world = World::new(&mut bytes);
    for _ in 0..200 {
        if bytes.0.is_empty() {
            break;
        }
        // SAFETY: every pointer is to memory that lasts as long as the world.
        unsafe { world.act(&mut bytes) };
    }
}

/// The handle and what follows it in each init function.
macro_rules! this {
    ($place:expr, $type:ty) => {
        ($place.ptr(), size_of::<$type>(), WIRELINE_VERSION_NUMBER)
    };
}

impl World {
    fn new(bytes: &mut Bytes<'_>) -> Self {
        let buffer = [0, 16, 64, 256, 300, 1024][bytes.below(6)];
        World {
            decoder: Place::new(),
            decoder_memory: vec![0xa5; buffer],
            stream: Place::new(),
            stream_memory: vec![0xa5; 192 + bytes.below(64)],
            writer: Place::new(),
            writer_memory: vec![0xa5; bytes.below(100)],
            message_writer: Place::new(),
            forward: Place::new(),
            pieces: Place::new(),
            iter: Place::new(),
            config: Place::new(),
            toolkit: Place::new(),
            toolkit_memory: vec![0; 40],
            client: Place::new(),
            server: Place::new(),
            monitor: Place::new(),
            questions: Place::new(),
            inbound: vec![wireline_inbound { words: [0; 9] }; bytes.below(3)],
            outbound: [(); 2].map(|()| vec![wireline_outbound { words: [0; 6] }; bytes.below(3)]),
            text: [(); 2].map(|()| vec![0; bytes.below(200)]),
            gather: vec![0; bytes.below(255)],
            requests: vec![wireline_monitor_request { words: [0; 11] }; bytes.below(4)],
            items: [Place::new(), Place::new(), Place::new()],
            step: Place::new(),
            call: Place::new(),
            send: Place::new(),
            value: slice(b"{\"a\":[1]}"),
            string: wireline_string {
                ptr: core::ptr::null(),
                len: 0,
            },
            handles: [0; 4],
            now: 0,
            out: vec![0; 160],
            kept: Vec::new(),
        }
    }

    /// A text: one of those above, or bytes of the program's own.
    fn text(&mut self, bytes: &mut Bytes<'_>) -> wireline_slice {
        match bytes.byte() {
            0 => wireline_slice {
                ptr: core::ptr::null(),
                len: 0,
            },
            1 => self.value,
            2 => wireline_slice {
                ptr: self.string.ptr,
                len: self.string.len,
            },
            // What a handle keeps of it may be used until the end.
            3..=127 => {
                self.kept.push(bytes.take().into());
                self.kept.last().map_or(slice(&[]), |text| slice(text))
            }
            choice => slice(TEXTS[usize::from(choice) % TEXTS.len()].as_bytes()),
        }
    }

    fn handle(&mut self, bytes: &mut Bytes<'_>) -> u64 {
        match bytes.byte() {
            choice @ 0..=200 => self.handles[usize::from(choice) % 4],
            _ => bytes.word(),
        }
    }

    fn id(&mut self, bytes: &mut Bytes<'_>) -> wireline_id {
        match bytes.below(6) {
            0 => wireline_id_none(),
            1 => wireline_id_null(),
            2 => wireline_id_integer(bytes.word() as i64),
            3 => wireline_id_text(self.text(bytes)),
            4 => wireline_id_received(self.text(bytes)),
            _ => wireline_id {
                r#type: u32::from(bytes.byte()),
                reserved: 0,
                integer: 5,
                text: self.text(bytes),
            },
        }
    }

    fn room(&mut self, bytes: &mut Bytes<'_>) -> (*mut c_void, usize) {
        // Exactly so much is there: a byte more is a fault that the sanitizer sees.
        self.out = vec![0; bytes.below(200)];
        (self.out.as_mut_ptr().cast(), self.out.len())
    }

    /// What a step says is kept, so that its handle can be used.
    unsafe fn stepped(&mut self, status: wireline_status, bytes: &mut Bytes<'_>) {
        if known(status) {
            // SAFETY: a call that is done has written it.
            let step = unsafe { &*self.step.ptr() };
            if step.handle != 0 {
                self.handles[bytes.below(4)] = step.handle;
            }
            // SAFETY: as above.
            unsafe { self.send.ptr().write(step.send) };
        }
    }

    unsafe fn act(&mut self, b: &mut Bytes<'_>) {
        let (mut used, mut count, mut flag) = (0usize, 0usize, false);
        let which = b.below(3);
        // SAFETY: as the caller says.
        unsafe {
            match b.below(40) {
                0 => {
                    let (this, size, version) = this!(self.decoder, wireline_decoder);
                    let memory = self.decoder_memory.as_mut_ptr().cast();
                    let mut limits = Place::<wireline_limits>::new();
                    known(wireline_limits_host(
                        limits.ptr(),
                        size_of::<wireline_limits>(),
                    ));
                    (*limits.ptr()).batches = b.byte() % 3;
                    (*limits.ptr()).message = b.word() as u32;
                    (*limits.ptr()).max_discard = u32::from(b.byte()) * 8;
                    let len = self.decoder_memory.len();
                    known(wireline_decoder_init(
                        this,
                        size,
                        version,
                        memory,
                        len,
                        limits.ptr(),
                    ));
                }
                1 => {
                    let mut span = Place::<wireline_span>::new();
                    if known(wireline_decoder_spare(self.decoder.ptr(), span.ptr())) {
                        let span = &*span.ptr();
                        assert!(span.len > 0);
                        let text = self.text(b);
                        let len = text.len.min(span.len);
                        if len > 0 {
                            core::ptr::copy(text.ptr.cast::<u8>(), span.ptr.cast::<u8>(), len);
                        }
                        known(wireline_decoder_commit(self.decoder.ptr(), len));
                    }
                }
                2 => {
                    _ = known(wireline_decoder_commit(
                        self.decoder.ptr(),
                        b.word() as usize,
                    ))
                }
                3 => {
                    _ = known(wireline_decoder_next(
                        self.decoder.ptr(),
                        self.items[which].sized(),
                    ))
                }
                4 => {
                    let text = self.text(b);
                    let item = self.items[which].sized();
                    let status = wireline_decoder_next_in(
                        self.decoder.ptr(),
                        text.ptr.cast(),
                        text.len,
                        &raw mut used,
                        item,
                    );
                    if known(status) {
                        assert!(used <= text.len);
                    }
                }
                5 => {
                    _ = known(wireline_decoder_finish(
                        self.decoder.ptr(),
                        self.items[which].sized(),
                    ))
                }
                6 => {
                    let mut pending = Place::<wireline_pending>::new();
                    known(wireline_decoder_pending(
                        self.decoder.ptr(),
                        pending.sized(),
                    ));
                    known(wireline_decoder_is_closed(
                        self.decoder.ptr(),
                        &raw mut flag,
                    ));
                }
                7 => {
                    let text = self.text(b);
                    let item = self.items[which].sized();
                    known(wireline_parse(
                        text.ptr.cast(),
                        text.len,
                        core::ptr::null(),
                        item,
                    ));
                }
                8 => {
                    let (this, size, version) = this!(self.stream, wireline_stream);
                    let (memory, len) = (self.stream_memory.as_mut_ptr(), self.stream_memory.len());
                    known(wireline_stream_init(
                        this,
                        size,
                        version,
                        memory.cast(),
                        len,
                        core::ptr::null(),
                    ));
                }
                9 => {
                    let text = self.text(b);
                    let item = self.items[which].sized();
                    let status = wireline_stream_step(
                        self.stream.ptr(),
                        text.ptr.cast(),
                        text.len,
                        &raw mut used,
                        item,
                    );
                    if known(status) {
                        assert!(used <= text.len);
                    }
                }
                10 => {
                    _ = known(wireline_stream_finish(
                        self.stream.ptr(),
                        self.items[which].sized(),
                    ))
                }
                11 => {
                    let mut meta = Place::<wireline_meta>::new();
                    let mut error = Place::<wireline_error>::new();
                    let item = self.items[which].ptr();
                    if known(wireline_item_meta(item, meta.sized())) {
                        self.value = (*meta.ptr()).object;
                    }
                    known(wireline_item_error(item, error.sized()));
                    if (*item).size != 0 {
                        self.value = (*item).params;
                        self.string = (*item).method;
                    }
                }
                12 => {
                    let name = self.text(b);
                    known(wireline_json_member(self.value, name, &raw mut self.value));
                    known(wireline_json_element(
                        self.value,
                        b.below(4),
                        &raw mut self.value,
                    ));
                }
                13 => {
                    let text = self.text(b);
                    known(wireline_json_validate(
                        text.ptr.cast(),
                        text.len,
                        &raw mut self.value,
                        core::ptr::null_mut(),
                    ));
                }
                14 => {
                    let text = self.text(b);
                    self.value = text;
                    known(wireline_json_string(self.value, &raw mut self.string));
                    let (out, len) = self.room(b);
                    if known(wireline_string_unescape(
                        self.string,
                        out,
                        len,
                        &raw mut count,
                    )) {
                        assert!(count <= len);
                    }
                    known(wireline_string_equals(self.string, text, &raw mut flag));
                    known(wireline_json_compact(self.value, out, len, &raw mut count));
                    let (mut integer, mut natural) = (0, 0);
                    known(wireline_json_integer(self.value, &raw mut integer));
                    known(wireline_json_unsigned(self.value, &raw mut natural));
                }
                15 => {
                    let (this, size, version) = this!(self.iter, wireline_json_iter);
                    known(wireline_json_iter_init(this, size, version, self.value));
                }
                16 => {
                    let mut value = self.value;
                    known(wireline_json_iter_next(
                        self.iter.ptr(),
                        &raw mut flag,
                        &raw mut self.string,
                        &raw mut value,
                    ));
                }
                17 => {
                    let (this, size, version) = this!(self.writer, wireline_json_writer);
                    let (memory, len) = (self.writer_memory.as_mut_ptr(), self.writer_memory.len());
                    known(wireline_json_writer_init(
                        this,
                        size,
                        version,
                        memory.cast(),
                        len,
                    ));
                }
                18 => {
                    let (writer, text) = (self.writer.ptr(), self.text(b));
                    known(match b.below(12) {
                        0 => wireline_json_writer_begin_object(writer),
                        1 => wireline_json_writer_end_object(writer),
                        2 => wireline_json_writer_begin_array(writer),
                        3 => wireline_json_writer_end_array(writer),
                        4 => wireline_json_writer_key(writer, text),
                        5 => wireline_json_writer_string(writer, text),
                        6 => wireline_json_writer_raw(writer, text),
                        7 => wireline_json_writer_decimal(writer, text),
                        8 => wireline_json_writer_base64(writer, text.ptr.cast(), text.len),
                        9 => wireline_json_writer_integer(writer, b.word() as i64),
                        10 => wireline_json_writer_null(writer),
                        _ => wireline_json_writer_finish(writer, &raw mut self.value),
                    });
                }
                19 | 20 => {
                    let mut message = Place::<wireline_outgoing>::new();
                    message.sized();
                    let it = &mut *message.ptr();
                    it.kind = u32::from(b.byte() % 6);
                    it.id = self.id(b);
                    it.method = self.text(b);
                    it.payload = self.text(b);
                    it.message = self.text(b);
                    it.profile = b.byte() % 3;
                    let (out, len) = self.room(b);
                    if known(wireline_write(it, out, len, &raw mut count)) {
                        assert!(count <= len && self.out[..count].ends_with(b"\n"));
                        assert!(
                            self.out[..count - 1]
                                .iter()
                                .all(|byte| !b"\r\n".contains(byte))
                        );
                    }
                    let (this, size, version) = this!(self.pieces, wireline_pieces);
                    known(wireline_pieces_init(this, size, version, it));
                    it.payload = self.text(b);
                    let (this, size, version) = this!(self.message_writer, wireline_message_writer);
                    known(wireline_message_writer_init(this, size, version, it));
                }
                21 => {
                    let (out, len) = self.room(b);
                    if known(wireline_pieces_fill(
                        self.pieces.ptr(),
                        out,
                        len,
                        &raw mut count,
                    )) {
                        assert!(count <= len);
                    }
                }
                22 => {
                    let text = self.text(b);
                    let writer = self.message_writer.ptr();
                    let (out, len) = self.room(b);
                    let (input, input_len) = (text.ptr.cast(), text.len);
                    let (used, count) = (&raw mut used, &raw mut count);
                    known(match b.below(8) {
                        0 | 1 => wireline_message_writer_body(
                            writer, input, input_len, used, out, len, count,
                        ),
                        2 => wireline_message_writer_text(
                            writer, input, input_len, used, out, len, count,
                        ),
                        3 => wireline_message_writer_base64(
                            writer, input, input_len, used, out, len, count,
                        ),
                        4 => wireline_message_writer_begin_text(writer),
                        5 => wireline_message_writer_begin_base64(writer),
                        6 => wireline_message_writer_end_string(writer),
                        _ => wireline_message_writer_finish(writer, out, len, count),
                    });
                }
                23 => {
                    let mut ids = Place::<wireline_renumber>::new();
                    ids.sized();
                    (*ids.ptr()).id = self.id(b);
                    (*ids.ptr()).progress_token = self.id(b);
                    let (out, len) = self.room(b);
                    let item = self.items[which].ptr();
                    if known(wireline_write_renumbered(
                        item,
                        ids.ptr(),
                        out,
                        len,
                        &raw mut count,
                    )) {
                        assert!(count <= len);
                    }
                    let (this, size, version) = this!(self.pieces, wireline_pieces);
                    known(wireline_pieces_init_renumbered(
                        this,
                        size,
                        version,
                        item,
                        ids.ptr(),
                    ));
                }
                24 => {
                    let (this, size, version) = this!(self.forward, wireline_forward);
                    let token = self.id(b);
                    known(wireline_forward_init(this, size, version, token));
                }
                25 => {
                    let (forward, item, id) =
                        (self.forward.ptr(), self.items[which].ptr(), self.id(b));
                    let text = self.text(b);
                    let (out, len) = self.room(b);
                    known(match b.below(4) {
                        0 => wireline_forward_head(forward, item, id, out, len, &raw mut count),
                        1 => wireline_forward_body(
                            forward,
                            u32::from(b.byte() % 5),
                            text.ptr.cast(),
                            text.len,
                            &raw mut used,
                            out,
                            len,
                            &raw mut count,
                        ),
                        2 => wireline_forward_end(forward, item, id, out, len, &raw mut count),
                        _ => wireline_forward_give_up(forward, out, len, &raw mut count),
                    });
                }
                26 => self.configure(b),
                27 => self.open(b),
                28 | 29 => {
                    let item = self.items[which].ptr();
                    let (step, call) = (self.step.sized(), self.call.sized());
                    self.now = self.now.wrapping_add(u64::from(b.byte()) * 500);
                    let status = match b.below(3) {
                        0 => wireline_client_receive(self.client.ptr(), item, self.now, step),
                        1 => wireline_server_receive(self.server.ptr(), item, self.now, step),
                        _ => wireline_server_serve(self.server.ptr(), item, self.now, step, call),
                    };
                    self.stepped(status, b);
                }
                30 => {
                    let (handle, text, other) = (self.handle(b), self.text(b), self.text(b));
                    let (server, client, send) =
                        (self.server.ptr(), self.client.ptr(), self.send.ptr());
                    known(match b.below(12) {
                        0 => wireline_server_respond(server, handle, text, send),
                        1 => wireline_server_finish_text(
                            server,
                            handle,
                            text,
                            b.byte() & 1 != 0,
                            send,
                        ),
                        2 => {
                            wireline_server_fail(server, handle, b.word() as i64, text, other, send)
                        }
                        3 => wireline_server_not_found(server, handle, send),
                        4 => wireline_server_end_subscription(server, handle, send),
                        5 => wireline_server_log(
                            server,
                            handle,
                            u32::from(b.byte() % 10),
                            text,
                            other,
                            send,
                        ),
                        6 => wireline_server_ask(server, handle, self.questions.ptr(), text, send),
                        7 => wireline_server_acknowledge(server, handle, send),
                        8 => wireline_client_respond(client, handle, text, send),
                        9 => wireline_client_retry(
                            client,
                            handle,
                            text,
                            other,
                            self.string,
                            core::ptr::null(),
                            self.now,
                            send,
                        ),
                        10 => wireline_server_notify(server, text, other, send),
                        _ => wireline_client_notify(client, text, other, send),
                    });
                }
                31 => {
                    let (text, other) = (self.text(b), self.text(b));
                    let handle = &raw mut self.handles[b.below(4)];
                    let (client, send, now) = (self.client.ptr(), self.send.ptr(), self.now);
                    known(match b.below(5) {
                        0 => wireline_client_connect(client, now, send),
                        1 => wireline_client_request(
                            client,
                            text,
                            other,
                            core::ptr::null(),
                            now,
                            handle,
                            send,
                        ),
                        2 => wireline_client_ping(client, now, handle, send),
                        3 => wireline_server_request(
                            self.server.ptr(),
                            text,
                            other,
                            core::ptr::null(),
                            now,
                            handle,
                            send,
                        ),
                        _ => wireline_client_assume(
                            client,
                            WIRELINE_REVISION_2026_07_28,
                            b.word() as u32,
                        ),
                    });
                }
                32 => {
                    let (handle, text) = (self.handle(b), self.text(b));
                    let status = match b.below(2) {
                        0 => wireline_client_cancel(
                            self.client.ptr(),
                            handle,
                            text,
                            self.step.sized(),
                        ),
                        _ => wireline_server_cancel(
                            self.server.ptr(),
                            handle,
                            text,
                            self.step.sized(),
                        ),
                    };
                    self.stepped(status, b);
                }
                33 => {
                    self.now = self.now.wrapping_add(u64::from(b.byte()) << b.below(20));
                    let (step, more) = (self.step.sized(), &raw mut flag);
                    let status = match b.below(4) {
                        0 => wireline_client_expire(self.client.ptr(), self.now, step, more),
                        1 => wireline_server_expire(self.server.ptr(), self.now, step, more),
                        2 => wireline_client_close(self.client.ptr(), step, more),
                        _ => wireline_server_close(self.server.ptr(), step, more),
                    };
                    if flag {
                        self.stepped(status, b);
                    }
                }
                34 => {
                    let (handle, text) = (self.handle(b), self.text(b));
                    let mut progress = Place::<wireline_progress>::new();
                    progress.sized();
                    (*progress.ptr()).progress = text;
                    (*progress.ptr()).message = self.text(b);
                    known(wireline_server_progress(
                        self.server.ptr(),
                        handle,
                        progress.ptr(),
                        self.send.ptr(),
                    ));
                }
                35 => {
                    let (out, len) = self.room(b);
                    if known(wireline_send_write(
                        self.send.ptr(),
                        out,
                        len,
                        &raw mut count,
                    )) {
                        assert!(count <= len && (count == 0 || self.out[..count].ends_with(b"\n")));
                    }
                    let (this, size, version) = this!(self.pieces, wireline_pieces);
                    known(wireline_pieces_init_send(
                        this,
                        size,
                        version,
                        self.send.ptr(),
                        b.below(3),
                    ));
                }
                36 => {
                    let text = self.text(b);
                    let mut cursor = usize::from(b.byte());
                    let change = u32::from(b.byte() % 6);
                    known(wireline_server_changed(
                        self.server.ptr(),
                        change,
                        text,
                        &raw mut cursor,
                        self.send.ptr(),
                        &raw mut flag,
                    ));
                    known(wireline_server_take_batch(
                        self.server.ptr(),
                        &raw mut self.value,
                    ));
                }
                37 => {
                    let mut finding = Place::<wireline_finding>::new();
                    let item = self.items[which].ptr();
                    let side = u32::from(b.byte() % 4);
                    known(wireline_monitor_line(
                        self.monitor.ptr(),
                        side,
                        item,
                        self.now,
                        u64::from(b.byte()),
                        finding.sized(),
                    ));
                    known(wireline_monitor_end(
                        self.monitor.ptr(),
                        side,
                        self.now,
                        finding.sized(),
                        &raw mut flag,
                    ));
                }
                38 => self.misuse(b),
                _ => {
                    let mut filter = Place::<wireline_filter>::new();
                    known(wireline_filter_read(self.value, filter.sized()));
                    let handle = self.handle(b);
                    known(wireline_server_accept(
                        self.server.ptr(),
                        handle,
                        filter.ptr(),
                        self.send.ptr(),
                    ));
                }
            }
        }
    }

    /// A configuration and tables, anew: whoever uses the old ones is made anew as well.
    unsafe fn configure(&mut self, b: &mut Bytes<'_>) {
        let mut settings = Place::<wireline_settings>::new();
        let mut tables = Place::<wireline_tables>::new();
        let tool = wireline_tool {
            name: slice(b"t"),
            description: self.text(b),
            input_schema: self.text(b),
            output_schema: wireline_slice {
                ptr: core::ptr::null(),
                len: 0,
            },
            title: wireline_slice {
                ptr: core::ptr::null(),
                len: 0,
            },
            extra: self.text(b),
            hints: u32::from(b.byte()),
            flags: u32::from(b.byte() % 4),
        };
        // SAFETY: as the caller says; the sessions that borrow these are forgotten first.
        unsafe {
            self.client = Place::new();
            self.server = Place::new();
            self.pieces = Place::new();
            self.send = Place::new();
            self.step = Place::new();
            known(wireline_settings_default(
                settings.ptr(),
                size_of::<wireline_settings>(),
            ));
            let it = &mut *settings.ptr();
            it.name = slice(b"n");
            it.version = slice(b"1");
            it.capabilities = b.word() as u32 & 0x3fff_ffff;
            it.revisions = u32::from(b.byte() % 33);
            it.extra_capabilities = self.text(b);
            let (this, size, version) = this!(self.config, wireline_config);
            known(wireline_config_init(this, size, version, it));
            tables.sized();
            let it = &mut *tables.ptr();
            it.tools = &raw const tool;
            it.tool_count = b.below(2);
            it.line = u32::from(b.byte()) * 4;
            it.other_methods = b.byte() % 3;
            let (this, size, version) = this!(self.toolkit, wireline_toolkit);
            let memory = self.toolkit_memory.as_mut_ptr().cast();
            let mut why = Place::<wireline_table_error>::new();
            let len = b.below(41) * 8;
            known(match b.below(2) {
                0 => wireline_toolkit_init(this, size, version, it, memory, len, why.ptr()),
                _ => wireline_toolkit_init_trusted(this, size, version, it, memory, len),
            });
        }
    }

    /// Sessions and a monitor, anew.
    unsafe fn open(&mut self, b: &mut Bytes<'_>) {
        let mut slots = Place::<wireline_slots>::new();
        let mut request = Place::<wireline_input_request>::new();
        // SAFETY: as the caller says.
        unsafe {
            slots.sized();
            let it = &mut *slots.ptr();
            it.outbound = self.outbound[0].as_mut_ptr();
            it.outbound_count = self.outbound[0].len();
            let (this, size, version) = this!(self.client, wireline_client);
            known(wireline_client_init(
                this,
                size,
                version,
                self.config.ptr(),
                it,
            ));
            it.inbound = self.inbound.as_mut_ptr();
            it.inbound_count = self.inbound.len();
            it.outbound = self.outbound[1].as_mut_ptr();
            it.outbound_count = self.outbound[1].len();
            it.text = self.text[0].as_mut_ptr().cast();
            it.text_size = self.text[0].len();
            it.gather = self.gather.as_mut_ptr().cast();
            it.gather_size = self.gather.len();
            let (this, size, version) = this!(self.server, wireline_server);
            let toolkit = match b.below(2) {
                0 => core::ptr::null(),
                _ => self.toolkit.ptr().cast_const(),
            };
            known(wireline_server_init(
                this,
                size,
                version,
                self.config.ptr(),
                toolkit,
                it,
            ));
            let mut slots = Place::<wireline_monitor_slots>::new();
            slots.sized();
            let it = &mut *slots.ptr();
            it.requests = self.requests.as_mut_ptr();
            it.request_count = self.requests.len();
            it.text = self.text[1].as_mut_ptr().cast();
            it.text_size = self.text[1].len();
            let (this, size, version) = this!(self.monitor, wireline_monitor);
            known(wireline_monitor_init(
                this,
                size,
                version,
                it,
                u64::from(b.byte()),
            ));
            request.sized();
            let it = &mut *request.ptr();
            it.method = u32::from(b.byte() % 40);
            it.key = self.text(b);
            it.params = self.text(b);
            // What is to be sent may speak of the old ones.
            self.send = Place::new();
            self.pieces = Place::new();
            self.step = Place::new();
            let (this, size, version) = this!(self.questions, wireline_questions);
            known(wireline_questions_init(this, size, version, it, b.below(2)));
        }
    }

    /// Handles where they do not belong, and sizes that are none.
    unsafe fn misuse(&mut self, b: &mut Bytes<'_>) {
        let mut item = Place::<wireline_item>::new();
        let mut due = 0u64;
        // SAFETY: as the caller says.
        unsafe {
            let mut moved = Place::<wireline_decoder>::new();
            core::ptr::copy_nonoverlapping(self.decoder.ptr(), moved.ptr(), 1);
            let status = wireline_decoder_next(moved.ptr(), item.sized());
            assert!(status == WIRELINE_ERR_MOVED || status == WIRELINE_ERR_UNINITIALISED);
            let mut moved = Place::<wireline_server>::new();
            core::ptr::copy_nonoverlapping(self.server.ptr(), moved.ptr(), 1);
            let status = wireline_server_poll_timeout(moved.ptr(), &raw mut due);
            assert!(status == WIRELINE_ERR_MOVED || status == WIRELINE_ERR_UNINITIALISED);
            (*item.ptr()).size = u32::from(b.byte());
            let status = wireline_decoder_next(self.decoder.ptr(), item.ptr());
            assert!(status == WIRELINE_ERR_SIZE || status == WIRELINE_ERR_UNINITIALISED);
            known(wireline_client_poll_timeout(
                self.client.ptr(),
                &raw mut due,
            ));
        }
    }
}
