/*
 * What a program can get wrong: every function with NULL, misaligned, zeroed and moved handles, handles
 * of another type, structs of another size, headers of another version. Each such call must say so, and
 * change nothing. The table is compared with the header, so that no function is left out.
 */
#include "harness.h"

/* What a pointer, slice or string argument is. */
enum kind {
    END,
    /* handles */
    DECODER, STREAM, ITER, JSON_WRITER, MESSAGE_WRITER, FORWARD, PIECES,
    /* memory for one that is to be made */
    NEW,
    /* structs that begin with their size, written */
    ITEM_OUT, META_OUT, ERROR_OUT, LIMITS_OUT, PENDING_OUT, COUNTERS,
    /* structs that begin with their size, read */
    MESSAGE_IN, ERROR_IN, HEAD_IN, END_IN, OUTGOING, RENUMBER,
    /* the same, but NULL is a value */
    LIMITS_IN,
    /* a struct whose size is an argument */
    PRESET,
    /* a result of fixed size */
    OUT,
    /* the same, but NULL is a value */
    OUT_MAYBE,
    /* bytes whose length is an argument */
    BYTES, ROOM,
    /* slices and strings by value */
    VALUE, TEXT, TEXT_MAYBE, STRING
};

enum { MAX_ARGS = 6 };

typedef struct function {
    const char *name;
    wireline_status (*call)(void **p);
    unsigned char kinds[MAX_ARGS + 1];
} function;

/* What the size and the version given to init functions are off by. */
static size_t off_size;
static uint32_t version;

#define SLICE(i) (*(wireline_slice *)p[i])
#define STR(i) (*(wireline_string *)p[i])
/* A pointer of the table as an argument; the table says what it is. */
#define P(i) p[i]
#define CALL(name, ...)                                                                            \
    static wireline_status call_##name(void **p) {                                                 \
        return wireline_##name(__VA_ARGS__);                                                       \
    }
#define SELF(type) P(0), sizeof(type) + off_size, version
/* The id that calls use. */
static wireline_id one(void) {
    return wireline_id_integer(1);
}

CALL(limits_embedded, P(0), sizeof(wireline_limits) + off_size)
CALL(limits_host, P(0), sizeof(wireline_limits) + off_size)
CALL(decoder_init, SELF(wireline_decoder), P(1), 256, P(2))
CALL(decoder_spare, P(0), P(1))
CALL(decoder_commit, P(0), 0)
CALL(decoder_next, P(0), P(1))
CALL(decoder_next_in, P(0), P(1), 4, P(2), P(3))
CALL(decoder_finish, P(0), P(1))
CALL(decoder_pending, P(0), P(1))
CALL(decoder_is_closed, P(0), P(1))
CALL(decoder_position, P(0), P(1), P(2))
CALL(decoder_limits, P(0), P(1))
CALL(decoder_reset, P(0))
CALL(parse, P(0), 4, P(1), P(2))
CALL(counters_record, P(0), P(1))
CALL(stream_needed, P(0), P(1))
CALL(stream_init, SELF(wireline_stream), P(1), 512, P(2))
CALL(stream_step, P(0), P(1), 4, P(2), P(3))
CALL(stream_finish, P(0), P(1))
CALL(stream_is_closed, P(0), P(1))
CALL(stream_reset, P(0))
CALL(item_meta, P(0), P(1))
CALL(item_error, P(0), P(1))
CALL(json_validate, P(0), 4, P(1), P(2))
CALL(json_kind_of, SLICE(0), P(1))
CALL(json_member, SLICE(0), SLICE(1), P(2))
CALL(json_count, SLICE(0), P(1))
CALL(json_string, SLICE(0), P(1))
CALL(json_compact, SLICE(0), P(1), 64, P(2))
CALL(json_iter_init, SELF(wireline_json_iter), SLICE(1))
CALL(json_iter_next, P(0), P(1), P(2), P(3))
CALL(string_equals, STR(0), SLICE(1), P(2))
CALL(string_unescape, STR(0), P(1), 64, P(2))
CALL(id_equals, SLICE(0), SLICE(1), P(2))
CALL(json_writer_init, SELF(wireline_json_writer), P(1), 64)
CALL(json_writer_begin_object, P(0))
CALL(json_writer_end_object, P(0))
CALL(json_writer_begin_array, P(0))
CALL(json_writer_end_array, P(0))
CALL(json_writer_key, P(0), SLICE(1))
CALL(json_writer_string, P(0), SLICE(1))
CALL(json_writer_base64, P(0), P(1), 4)
CALL(json_writer_integer, P(0), 1)
CALL(json_writer_unsigned, P(0), 1)
CALL(json_writer_decimal, P(0), SLICE(1))
CALL(json_writer_bool, P(0), true)
CALL(json_writer_null, P(0))
CALL(json_writer_raw, P(0), SLICE(1))
CALL(json_writer_length, P(0), P(1))
CALL(write, P(0), P(1), 64, P(2))
CALL(write_request, one(), SLICE(0), SLICE(1), P(2), 64, P(3))
CALL(write_notification, SLICE(0), SLICE(1), P(2), 64, P(3))
CALL(write_result, one(), SLICE(0), P(1), 64, P(2))
CALL(write_error, one(), 1, SLICE(0), SLICE(1), P(2), 64, P(3))
CALL(write_renumbered, P(0), P(1), P(2), 64, P(3))
CALL(write_with_id, P(0), one(), P(1), 64, P(2))
CALL(message_writer_init, SELF(wireline_message_writer), P(1))
CALL(message_writer_body, P(0), P(1), 0, P(2), P(3), 64, P(4))
CALL(message_writer_text, P(0), P(1), 4, P(2), P(3), 64, P(4))
CALL(message_writer_base64, P(0), P(1), 4, P(2), P(3), 64, P(4))
CALL(message_writer_begin_text, P(0))
CALL(message_writer_begin_base64, P(0))
CALL(message_writer_end_string, P(0))
CALL(message_writer_finish, P(0), P(1), 64, P(2))
CALL(message_writer_abort, P(0), P(1), 64, P(2))
CALL(forward_init, SELF(wireline_forward), one())
CALL(forward_head, P(0), P(1), one(), P(2), 64, P(3))
CALL(forward_body, P(0), WIRELINE_PART_PARAMS, P(1), 4, P(2), P(3), 64, P(4))
CALL(forward_end, P(0), P(1), one(), P(2), 64, P(3))
CALL(forward_give_up, P(0), P(1), 64, P(2))
CALL(pieces_init, SELF(wireline_pieces), P(1))
CALL(pieces_init_renumbered, SELF(wireline_pieces), P(1), P(2))
CALL(pieces_fill, P(0), P(1), 64, P(2))
CALL(pieces_remaining, P(0), P(1))
CALL(method_of, STR(0), P(1))
CALL(method_may_send, WIRELINE_METHOD_PING, WIRELINE_SIDE_CLIENT, WIRELINE_REVISION_2025_11_25, P(0))
CALL(capability_path, WIRELINE_CAPABILITY_TOOLS, P(0))
CALL(revision_of, STR(0), P(1))
CALL(log_level_of, STR(0), P(1))
CALL(json_writer_finish, P(0), P(1))
CALL(json_element, SLICE(0), 0, P(1))
CALL(json_integer, SLICE(0), P(1))
CALL(json_unsigned, SLICE(0), P(1))
CALL(json_bool, SLICE(0), P(1))

#define ROW(name, ...) {"wireline_" #name, call_##name, {__VA_ARGS__, END}}

static const function TABLE[] = {
    ROW(limits_embedded, PRESET),
    ROW(limits_host, PRESET),
    ROW(decoder_init, NEW, ROOM, LIMITS_IN),
    ROW(decoder_spare, DECODER, OUT),
    ROW(decoder_commit, DECODER),
    ROW(decoder_next, DECODER, ITEM_OUT),
    ROW(decoder_next_in, DECODER, BYTES, OUT, ITEM_OUT),
    ROW(decoder_finish, DECODER, ITEM_OUT),
    ROW(decoder_pending, DECODER, PENDING_OUT),
    ROW(decoder_is_closed, DECODER, OUT),
    ROW(decoder_position, DECODER, OUT, OUT),
    ROW(decoder_limits, DECODER, LIMITS_OUT),
    ROW(decoder_reset, DECODER),
    ROW(parse, BYTES, LIMITS_IN, ITEM_OUT),
    ROW(counters_record, COUNTERS, MESSAGE_IN),
    ROW(stream_needed, LIMITS_IN, OUT),
    ROW(stream_init, NEW, ROOM, LIMITS_IN),
    ROW(stream_step, STREAM, BYTES, OUT, ITEM_OUT),
    ROW(stream_finish, STREAM, ITEM_OUT),
    ROW(stream_is_closed, STREAM, OUT),
    ROW(stream_reset, STREAM),
    ROW(item_meta, MESSAGE_IN, META_OUT),
    ROW(item_error, ERROR_IN, ERROR_OUT),
    ROW(json_validate, BYTES, OUT, OUT_MAYBE),
    ROW(json_kind_of, VALUE, OUT),
    ROW(json_member, VALUE, TEXT, OUT),
    ROW(json_element, VALUE, OUT),
    ROW(json_count, VALUE, OUT),
    ROW(json_integer, VALUE, OUT),
    ROW(json_unsigned, VALUE, OUT),
    ROW(json_bool, VALUE, OUT),
    ROW(json_string, VALUE, OUT),
    ROW(json_compact, VALUE, ROOM, OUT),
    ROW(json_iter_init, NEW, VALUE),
    ROW(json_iter_next, ITER, OUT, OUT_MAYBE, OUT),
    ROW(string_equals, STRING, TEXT, OUT),
    ROW(string_unescape, STRING, ROOM, OUT),
    ROW(id_equals, TEXT, TEXT, OUT),
    ROW(json_writer_init, NEW, ROOM),
    ROW(json_writer_begin_object, JSON_WRITER),
    ROW(json_writer_end_object, JSON_WRITER),
    ROW(json_writer_begin_array, JSON_WRITER),
    ROW(json_writer_end_array, JSON_WRITER),
    ROW(json_writer_key, JSON_WRITER, TEXT),
    ROW(json_writer_string, JSON_WRITER, TEXT),
    ROW(json_writer_base64, JSON_WRITER, BYTES),
    ROW(json_writer_integer, JSON_WRITER),
    ROW(json_writer_unsigned, JSON_WRITER),
    ROW(json_writer_decimal, JSON_WRITER, TEXT),
    ROW(json_writer_bool, JSON_WRITER),
    ROW(json_writer_null, JSON_WRITER),
    ROW(json_writer_raw, JSON_WRITER, TEXT),
    ROW(json_writer_length, JSON_WRITER, OUT),
    ROW(json_writer_finish, JSON_WRITER, OUT),
    ROW(write, OUTGOING, ROOM, OUT),
    ROW(write_request, TEXT, TEXT_MAYBE, ROOM, OUT),
    ROW(write_notification, TEXT, TEXT_MAYBE, ROOM, OUT),
    ROW(write_result, TEXT_MAYBE, ROOM, OUT),
    ROW(write_error, TEXT, TEXT_MAYBE, ROOM, OUT),
    ROW(write_renumbered, MESSAGE_IN, RENUMBER, ROOM, OUT),
    ROW(write_with_id, MESSAGE_IN, ROOM, OUT),
    ROW(message_writer_init, NEW, OUTGOING),
    ROW(message_writer_body, MESSAGE_WRITER, BYTES, OUT, ROOM, OUT),
    ROW(message_writer_text, MESSAGE_WRITER, BYTES, OUT, ROOM, OUT),
    ROW(message_writer_base64, MESSAGE_WRITER, BYTES, OUT, ROOM, OUT),
    ROW(message_writer_begin_text, MESSAGE_WRITER),
    ROW(message_writer_begin_base64, MESSAGE_WRITER),
    ROW(message_writer_end_string, MESSAGE_WRITER),
    ROW(message_writer_finish, MESSAGE_WRITER, ROOM, OUT),
    ROW(message_writer_abort, MESSAGE_WRITER, ROOM, OUT),
    ROW(forward_init, NEW),
    ROW(forward_head, FORWARD, HEAD_IN, ROOM, OUT),
    ROW(forward_body, FORWARD, BYTES, OUT, ROOM, OUT),
    ROW(forward_end, FORWARD, END_IN, ROOM, OUT),
    ROW(forward_give_up, FORWARD, ROOM, OUT),
    ROW(pieces_init, NEW, OUTGOING),
    ROW(pieces_init_renumbered, NEW, MESSAGE_IN, RENUMBER),
    ROW(pieces_fill, PIECES, ROOM, OUT),
    ROW(pieces_remaining, PIECES, OUT),
    ROW(method_of, STRING, OUT),
    ROW(method_may_send, OUT),
    ROW(revision_of, STRING, OUT),
    ROW(capability_path, OUT),
    ROW(log_level_of, STRING, OUT),
};

/* Functions that take numbers or structs by value, and are right whatever these are. */
static const char *const ANYTHING[] = {
    "wireline_version", "wireline_version_string", "wireline_status_name", "wireline_status_reason",
    "wireline_fault_name", "wireline_fault_reason", "wireline_fault_class_of", "wireline_kind_name",
    "wireline_method_name", "wireline_method_revisions", "wireline_revision_name",
    "wireline_log_level_name", "wireline_code_name", "wireline_rule_text", "wireline_rule_level",
    "wireline_rule_sides", "wireline_rule_revisions", "wireline_id_none", "wireline_id_null",
    "wireline_id_integer", "wireline_id_text", "wireline_id_received",
    /* inline, in the header */
    "wireline_slice_of", "wireline_string_is",
};

/* Everything that a call can read or write. */
typedef struct world {
    wireline_decoder decoder;
    wireline_stream stream;
    wireline_json_iter iter;
    wireline_json_writer json_writer;
    wireline_message_writer message_writer;
    wireline_forward forward;
    wireline_pieces pieces;
    wireline_item items[MAX_ARGS], message, error, head, end;
    wireline_meta meta;
    wireline_error error_out;
    wireline_limits limits, preset;
    wireline_pending pending;
    wireline_counters counters;
    wireline_outgoing outgoing;
    wireline_renumber renumber;
    uint64_t blank[128];
    uint64_t outs[MAX_ARGS][8];
    char room[MAX_ARGS][512];
    char decoder_memory[256], stream_memory[512], head_memory[512], writer_memory[64];
    wireline_slice value, text, none;
    wireline_string string;
} world;

static world w, before;

static const char REQUEST[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}\n";
static const char ERROR[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":1,\"message\":\"\"}}\n";
static const char STREAMED[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\",\"params\":{}}\n";

static void make_head(wireline_stream *stream) {
    size_t at = 0, used;
    wireline_item it;
    CHECK_OK(wireline_stream_init(WIRELINE_SELF(stream), w.head_memory, sizeof w.head_memory, NULL));
    it.size = sizeof it;
    do {
        CHECK_OK(wireline_stream_step(stream, STREAMED + at, sizeof STREAMED - 1 - at, &used, &it));
        at += used;
        if (it.type == WIRELINE_ITEM_HEAD) {
            w.head = it;
        } else if (it.type == WIRELINE_ITEM_END) {
            w.end = it;
        }
    } while (it.type != WIRELINE_ITEM_NONE);
}

/* A world in which every call of the table is right. */
static void make(const function *f) {
    static wireline_stream stream;
    size_t i;
    memset(&w, 0, sizeof w);
    memset(w.outs, 0xa5, sizeof w.outs);
    w.value = S("{\"a\":[1,true,\"x\"]}");
    w.text = S("\"ab\"");
    w.none = absent();
    w.string.ptr = "2025-06-18";
    w.string.len = 10;
    CHECK_OK(wireline_limits_embedded(&w.limits, sizeof w.limits));
    CHECK_OK(wireline_decoder_init(WIRELINE_SELF(&w.decoder), w.decoder_memory, sizeof w.decoder_memory, NULL));
    CHECK_OK(wireline_stream_init(WIRELINE_SELF(&w.stream), w.stream_memory, sizeof w.stream_memory, NULL));
    CHECK_OK(wireline_json_iter_init(WIRELINE_SELF(&w.iter), w.value));
    CHECK_OK(wireline_json_writer_init(WIRELINE_SELF(&w.json_writer), w.writer_memory, sizeof w.writer_memory));
    w.outgoing.size = sizeof w.outgoing;
    w.outgoing.kind = WIRELINE_KIND_REQUEST;
    w.outgoing.id = one();
    w.outgoing.method = S("ping");
    CHECK_OK(wireline_message_writer_init(WIRELINE_SELF(&w.message_writer), &w.outgoing));
    CHECK_OK(wireline_forward_init(WIRELINE_SELF(&w.forward), wireline_id_none()));
    CHECK_OK(wireline_pieces_init(WIRELINE_SELF(&w.pieces), &w.outgoing));
    w.renumber.size = sizeof w.renumber;
    w.renumber.id = one();
    w.message.size = sizeof w.message;
    CHECK_OK(wireline_parse(REQUEST, sizeof REQUEST - 1, NULL, &w.message));
    w.error.size = sizeof w.error;
    CHECK_OK(wireline_parse(ERROR, sizeof ERROR - 1, NULL, &w.error));
    make_head(&stream);
    w.meta.size = sizeof w.meta;
    w.error_out.size = sizeof w.error_out;
    w.pending.size = sizeof w.pending;
    w.counters.size = sizeof w.counters;
    for (i = 0; i < MAX_ARGS; i++) {
        w.items[i].size = sizeof w.items[i];
    }
    if (strcmp(f->name, "wireline_json_element") == 0 || strcmp(f->name, "wireline_json_count") == 0) {
        w.value = S("[1]");
    } else if (strcmp(f->name, "wireline_json_integer") == 0 || strcmp(f->name, "wireline_json_unsigned") == 0) {
        w.value = S("7");
    } else if (strcmp(f->name, "wireline_json_bool") == 0) {
        w.value = S("true");
    } else if (strcmp(f->name, "wireline_json_string") == 0) {
        w.value = S("\"x\"");
    } else if (strcmp(f->name, "wireline_json_member") == 0) {
        w.text = S("a");
    } else if (strcmp(f->name, "wireline_log_level_of") == 0) {
        w.string.ptr = "error";
        w.string.len = 5;
    } else if (strcmp(f->name, "wireline_json_writer_finish") == 0) {
        CHECK_OK(wireline_json_writer_null(&w.json_writer));
    } else if (strcmp(f->name, "wireline_message_writer_text") == 0 ||
               strcmp(f->name, "wireline_message_writer_base64") == 0 ||
               strcmp(f->name, "wireline_message_writer_end_string") == 0 ||
               strcmp(f->name, "wireline_message_writer_begin_text") == 0 ||
               strcmp(f->name, "wireline_message_writer_begin_base64") == 0) {
        size_t used, written;
        CHECK_OK(wireline_message_writer_body(&w.message_writer, "{\"a\":", 5, &used, w.room[0], 512, &written));
        if (strstr(f->name, "begin") == NULL) {
            CHECK_OK(strstr(f->name, "base64") != NULL ? wireline_message_writer_begin_base64(&w.message_writer)
                                                       : wireline_message_writer_begin_text(&w.message_writer));
        }
    } else if (strcmp(f->name, "wireline_write_result") == 0) {
        w.none = S("{}");
    } else if (strcmp(f->name, "wireline_message_writer_finish") == 0) {
        size_t used, written;
        CHECK_OK(wireline_message_writer_body(&w.message_writer, "{}", 2, &used, w.room[0], 512, &written));
    }
}

static void *argument(unsigned char kind, size_t i) {
    switch (kind) {
    case DECODER: return &w.decoder;
    case STREAM: return &w.stream;
    case ITER: return &w.iter;
    case JSON_WRITER: return &w.json_writer;
    case MESSAGE_WRITER: return &w.message_writer;
    case FORWARD: return &w.forward;
    case PIECES: return &w.pieces;
    case NEW: return w.blank;
    case ITEM_OUT: return &w.items[i];
    case META_OUT: return &w.meta;
    case ERROR_OUT: return &w.error_out;
    case LIMITS_OUT: case LIMITS_IN: return &w.limits;
    case PENDING_OUT: return &w.pending;
    case COUNTERS: return &w.counters;
    case MESSAGE_IN: return &w.message;
    case ERROR_IN: return &w.error;
    case HEAD_IN: return &w.head;
    case END_IN: return &w.end;
    case OUTGOING: return &w.outgoing;
    case RENUMBER: return &w.renumber;
    case PRESET: return &w.preset;
    case OUT: case OUT_MAYBE: return w.outs[i];
    case BYTES: return "[1] ";
    case ROOM: return w.room[i];
    case VALUE: return &w.value;
    case TEXT: return &w.text;
    case TEXT_MAYBE: return &w.none;
    case STRING: return &w.string;
    default: abort();
    }
}

static size_t handle_size(unsigned char kind) {
    switch (kind) {
    case DECODER: return sizeof(wireline_decoder);
    case STREAM: return sizeof(wireline_stream);
    case ITER: return sizeof(wireline_json_iter);
    case JSON_WRITER: return sizeof(wireline_json_writer);
    case MESSAGE_WRITER: return sizeof(wireline_message_writer);
    case FORWARD: return sizeof(wireline_forward);
    case PIECES: return sizeof(wireline_pieces);
    default: return 0;
    }
}

static bool is_sized(unsigned char kind) {
    return kind >= ITEM_OUT && kind <= LIMITS_IN;
}

static void set_up(const function *f, void **p) {
    size_t i;
    make(f);
    for (i = 0; f->kinds[i] != END; i++) {
        p[i] = argument(f->kinds[i], i);
    }
    off_size = 0;
    version = WIRELINE_VERSION_NUMBER;
}

/* The call says that, and nothing has changed. */
static void refused(const function *f, void **p, wireline_status wanted, const char *what, size_t i) {
    wireline_status got;
    before = w;
    got = f->call(p);
    check(got == wanted, __FILE__, __LINE__, "%s, argument %zu %s: %s, not %s", f->name, i, what,
          wireline_status_name(got), wireline_status_name(wanted));
    check(memcmp(&w, &before, sizeof w) == 0, __FILE__, __LINE__, "%s, argument %zu %s: something changed",
          f->name, i, what);
}

static void misuse(const function *f) {
    static uint64_t elsewhere[512];
    void *p[MAX_ARGS] = {NULL};
    size_t i;
    wireline_status got;

    set_up(f, p);
    got = f->call(p);
    check(got == WIRELINE_OK, __FILE__, __LINE__, "%s, all in order: %s", f->name, wireline_status_name(got));

    for (i = 0; f->kinds[i] != END; i++) {
        unsigned char kind = f->kinds[i];
        size_t handle = handle_size(kind);

        set_up(f, p);
        if (kind == VALUE || kind == TEXT || kind == TEXT_MAYBE || kind == STRING) {
            wireline_slice bad;
            bad.ptr = NULL;
            bad.len = 3;
            p[i] = &bad;
            if (strcmp(f->name, "wireline_string_equals") == 0 && kind == STRING) {
                /* An absent string equals nothing. */
                CHECK_OK(f->call(p));
            } else {
                refused(f, p, WIRELINE_ERR_NULL, "NULL with a length", i);
            }
            if (kind == TEXT && strcmp(f->name, "wireline_json_writer_raw") != 0 &&
                strcmp(f->name, "wireline_id_equals") != 0) {
                set_up(f, p);
                bad.ptr = "\xff\xfe";
                bad.len = 2;
                p[i] = &bad;
                refused(f, p, WIRELINE_ERR_UTF8, "not UTF-8", i);
            }
            if (kind == TEXT_MAYBE) {
                set_up(f, p);
                bad = S("{\"a\":}");
                p[i] = &bad;
                refused(f, p, WIRELINE_ERR_JSON, "not JSON", i);
            }
            continue;
        }
        p[i] = NULL;
        if (kind == LIMITS_IN || kind == OUT_MAYBE) {
            CHECK_OK(f->call(p));
        } else if ((kind == BYTES || kind == ROOM) &&
                   (strcmp(f->name, "wireline_message_writer_body") == 0 && kind == BYTES)) {
            /* Of length 0. */
            CHECK_OK(f->call(p));
        } else {
            refused(f, p, WIRELINE_ERR_NULL, "NULL", i);
        }
        if (kind != BYTES && kind != ROOM && kind != OUT && kind != OUT_MAYBE) {
            set_up(f, p);
            p[i] = (char *)p[i] + 1;
            refused(f, p, WIRELINE_ERR_ALIGN, "misaligned", i);
        }
        if (is_sized(kind)) {
            uint32_t sizes[3];
            size_t j;
            set_up(f, p);
            sizes[0] = *(uint32_t *)p[i] + 8;
            sizes[1] = *(uint32_t *)p[i] - 8;
            sizes[2] = 0;
            for (j = 0; j < 3; j++) {
                set_up(f, p);
                *(uint32_t *)p[i] = sizes[j];
                refused(f, p, WIRELINE_ERR_SIZE, "of another size", i);
            }
        }
        if (kind >= MESSAGE_IN && kind <= END_IN) {
            /* An item that is none. */
            set_up(f, p);
            memset(p[i], 0, sizeof(wireline_item));
            *(uint32_t *)p[i] = sizeof(wireline_item);
            refused(f, p, WIRELINE_ERR_ITEM, "zeroed but for its size", i);
        }
        if (kind == PRESET || kind == NEW) {
            set_up(f, p);
            off_size = 8;
            refused(f, p, WIRELINE_ERR_SIZE, "too large", i);
            set_up(f, p);
            off_size = (size_t)0 - 8;
            refused(f, p, WIRELINE_ERR_SIZE, "too small", i);
        }
        if (kind == NEW) {
            const uint32_t versions[] = {0, 999, WIRELINE_VERSION_NUMBER + 1000, WIRELINE_VERSION_NUMBER + 1000000,
                                         UINT32_MAX};
            size_t j;
            for (j = 0; j < sizeof versions / sizeof *versions; j++) {
                set_up(f, p);
                version = versions[j];
                refused(f, p, WIRELINE_ERR_VERSION, "of another version", i);
            }
            set_up(f, p);
            version = WIRELINE_VERSION_NUMBER + 1;
            CHECK_OK(f->call(p));
        }
        if (handle != 0) {
            unsigned char other = kind == DECODER ? STREAM : DECODER;
            set_up(f, p);
            memset(p[i], 0, handle);
            refused(f, p, WIRELINE_ERR_UNINITIALISED, "zeroed", i);

            set_up(f, p);
            memcpy(elsewhere, p[i], handle);
            p[i] = elsewhere;
            refused(f, p, WIRELINE_ERR_MOVED, "moved", i);
            check(memcmp(elsewhere, argument(kind, i), handle) == 0, __FILE__, __LINE__,
                  "%s changed a moved handle", f->name);

            set_up(f, p);
            memset(elsewhere, 0, sizeof elsewhere);
            memcpy(elsewhere, argument(other, i), handle_size(other));
            p[i] = elsewhere;
            refused(f, p, WIRELINE_ERR_UNINITIALISED, "of another type", i);
        }
    }
}

/* How often a text stands in another. */
static size_t count(const char *text, const char *end, const char *what) {
    size_t found = 0, len = strlen(what);
    for (; text + len <= end; text++) {
        found += strncmp(text, what, len) == 0;
    }
    return found;
}

/* Every function of the header is in the table, with as many pointers and slices as it has. */
static void complete(const char *header) {
    buffer text = read_file(header);
    const char *at = text.ptr, *end, *name;
    size_t functions = 0, i;
    const size_t rows = sizeof TABLE / sizeof *TABLE, others = sizeof ANYTHING / sizeof *ANYTHING;
    while ((at = strstr(at, "wireline_")) != NULL) {
        size_t len = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
        const char *line = at;
        bool known = false;
        name = at;
        at += len;
        if (*at != '(') {
            continue;
        }
        while (line > text.ptr && line[-1] != '\n') {
            line -= 1;
        }
        /* A declaration begins its line with a type; comments and code do not. */
        if (*line < 'a' || *line > 'z' || strncmp(line, "return", 6) == 0) {
            continue;
        }
        functions += 1;
        end = strchr(at, ')');
        for (i = 0; i < rows; i++) {
            if (strlen(TABLE[i].name) == len && strncmp(TABLE[i].name, name, len) == 0) {
                size_t pointers = count(at, end, "*"), values = 0, listed = 0, j;
                const char *slice;
                for (slice = at; slice < end; slice++) {
                    values += strncmp(slice, "wireline_slice ", 15) == 0 && slice[15] != '*';
                    values += strncmp(slice, "wireline_string ", 16) == 0 && slice[16] != '*';
                }
                for (j = 0; TABLE[i].kinds[j] != END; j++) {
                    listed += 1;
                }
                check(listed == pointers + values, header, 0, "%s has %zu arguments to get wrong, the table %zu",
                      TABLE[i].name, pointers + values, listed);
                known = true;
            }
        }
        for (i = 0; i < others; i++) {
            known = known || (strlen(ANYTHING[i]) == len && strncmp(ANYTHING[i], name, len) == 0);
        }
        check(known, header, 0, "%.*s is in no table of misuse.c", (int)len, name);
    }
    check(functions == rows + others, header, 0, "%zu functions in the header, %zu in the tables", functions,
          rows + others);
    printf("%zu functions, %zu of them misused\n", functions, rows);
    free(text.ptr);
}

void test_misuse(const char *header) {
    size_t i;
    complete(header);
    for (i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        misuse(&TABLE[i]);
    }
}
