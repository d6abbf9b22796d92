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
    DECODER, STREAM, ITER, JSON_WRITER, MESSAGE_WRITER, FORWARD, PIECES, CONFIG, CLIENT, SERVER, TOOLKIT,
    QUESTIONS, MONITOR,
    /* the same, but NULL is a value */
    TOOLKIT_MAYBE, QUESTIONS_MAYBE,
    /* memory for one that is to be made */
    NEW,
    /* structs that begin with their size, written */
    ITEM_OUT, META_OUT, ERROR_OUT, LIMITS_OUT, PENDING_OUT, COUNTERS, STEP, WANTED, INFO, INCOMING, FILTER_OUT,
    FINDING, MONITOR_INFO,
    /* structs that begin with their size, read */
    MESSAGE_IN, ERROR_IN, HEAD_IN, END_IN, OUTGOING, RENUMBER, SETTINGS, SLOTS, TABLES, REPLY, PROGRESS, FILTER,
    INPUT_REQUEST, MONITOR_SLOTS,
    /* the same, but NULL is a value */
    LIMITS_IN, OPTIONS_MAYBE,
    /* what is to be sent: written, and read */
    SEND_OUT, SEND_IN,
    /* a struct whose size is an argument */
    PRESET, DEFAULTS,
    /* a result of fixed size */
    OUT,
    /* the same, but NULL is a value */
    OUT_MAYBE,
    /* bytes whose length is an argument */
    BYTES, ROOM, ALIGNED,
    /* slices and strings by value */
    VALUE, TEXT, TEXT_MAYBE, STRING,
    /* plain text that may be absent */
    TEXT_ABSENT
};

enum { MAX_ARGS = 8 };

typedef struct function {
    const char *name;
    wireline_status (*call)(void **p);
    /* What the call comes to when nothing is wrong with its arguments. */
    wireline_status status;
    unsigned char kinds[MAX_ARGS + 1];
} function;

/* What the size and the version given to init functions are off by. */
static size_t off_size;
static uint32_t version;

#include "misuse_calls.h"

/* Functions that take numbers or structs by value, and are right whatever these are. */
static const char *const ANYTHING[] = {
    "wireline_version", "wireline_version_string", "wireline_status_name", "wireline_status_reason",
    "wireline_fault_name", "wireline_fault_reason", "wireline_fault_class_of", "wireline_kind_name",
    "wireline_method_name", "wireline_method_revisions", "wireline_revision_name",
    "wireline_log_level_name", "wireline_code_name", "wireline_rule_text", "wireline_rule_level",
    "wireline_rule_level_in", "wireline_rule_sides", "wireline_rule_revisions", "wireline_id_none", "wireline_id_null",
    "wireline_id_integer", "wireline_id_text", "wireline_id_received", "wireline_status_rule",
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
    wireline_config config;
    wireline_client client;
    wireline_server server;
    wireline_toolkit toolkit;
    wireline_questions questions;
    wireline_monitor monitor;
    wireline_monitor_slots monitor_slots;
    wireline_finding finding;
    wireline_monitor_info monitor_info;
    wireline_settings settings, defaults;
    wireline_slots slots;
    wireline_tables tables;
    wireline_reply reply;
    wireline_progress progress;
    wireline_filter filter, filter_out;
    wireline_options options;
    wireline_input_request input_request;
    wireline_step step;
    wireline_call wanted;
    wireline_session_info info;
    wireline_incoming incoming;
    wireline_send send, send_out;
    wireline_inbound inbound[2];
    wireline_outbound outbound[2];
    char ids[128];
    uint64_t table_memory[WIRELINE_TABLE_WORDS(1, 0, 0, 0, 0)];
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
    wireline_slice value, text, none, nothing;
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

static void make_sessions(void) {
    static const wireline_tool tool = {WIRELINE_LITERAL("t"), WIRELINE_LITERAL(""), WIRELINE_LITERAL("{\"type\":\"object\"}"),
                                       {NULL, 0}, {NULL, 0}, {NULL, 0}, 0, 0};
    wireline_slots slots;
    CHECK_OK(wireline_settings_default(&w.settings, sizeof w.settings));
    w.settings.name = S("n");
    w.settings.version = S("1");
    w.settings.capabilities = WIRELINE_CAPABILITY_LOGGING;
    CHECK_OK(wireline_config_init(WIRELINE_SELF(&w.config), &w.settings));
    memset(&slots, 0, sizeof slots);
    slots.size = sizeof slots;
    slots.inbound = w.inbound;
    slots.inbound_count = 2;
    slots.outbound = w.outbound;
    slots.outbound_count = 2;
    slots.text = w.ids;
    slots.text_size = sizeof w.ids;
    CHECK_OK(wireline_client_init(WIRELINE_SELF(&w.client), &w.config, &slots));
    w.slots.size = sizeof w.slots;
    w.tables.size = sizeof w.tables;
    w.tables.tools = &tool;
    w.tables.tool_count = 1;
    CHECK_OK(wireline_toolkit_init(WIRELINE_SELF(&w.toolkit), &w.tables, w.table_memory, sizeof w.table_memory, NULL));
    /* Without tables of its own: it has nothing to answer. */
    slots.outbound_count = 0;
    slots.inbound_count = 0;
    CHECK_OK(wireline_server_init(WIRELINE_SELF(&w.server), &w.config, &w.toolkit, &slots));
    w.reply.size = sizeof w.reply;
    w.reply.result = S("{}");
    w.progress.size = sizeof w.progress;
    w.progress.progress = S("1");
    w.filter.size = sizeof w.filter;
    w.filter_out.size = sizeof w.filter_out;
    w.options.size = sizeof w.options;
    w.input_request.size = sizeof w.input_request;
    w.input_request.method = WIRELINE_METHOD_ROOTS_LIST;
    w.input_request.key = S("k");
    CHECK_OK(wireline_questions_init(WIRELINE_SELF(&w.questions), &w.input_request, 1));
    w.monitor_slots.size = sizeof w.monitor_slots;
    CHECK_OK(wireline_monitor_init(WIRELINE_SELF(&w.monitor), &w.monitor_slots, 0));
    w.finding.size = sizeof w.finding;
    w.monitor_info.size = sizeof w.monitor_info;
    w.step.size = sizeof w.step;
    w.wanted.size = sizeof w.wanted;
    w.info.size = sizeof w.info;
    w.incoming.size = sizeof w.incoming;
    /* Something to be sent, out of another client. */
    {
        static wireline_client other;
        static wireline_config config;
        static wireline_outbound outbound;
        memset(&slots, 0, sizeof slots);
        slots.size = sizeof slots;
        slots.outbound = &outbound;
        slots.outbound_count = 1;
        CHECK_OK(wireline_config_init(WIRELINE_SELF(&config), &w.settings));
        CHECK_OK(wireline_client_init(WIRELINE_SELF(&other), &config, &slots));
        CHECK_OK(wireline_client_connect(&other, 0, &w.send));
    }
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
    w.nothing = absent();
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
    make_sessions();
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
    } else if (strcmp(f->name, "wireline_write_result") == 0 || strcmp(f->name, "wireline_server_respond") == 0 ||
               strcmp(f->name, "wireline_client_respond") == 0 || strcmp(f->name, "wireline_server_log") == 0) {
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
    case CONFIG: return &w.config;
    case CLIENT: return &w.client;
    case SERVER: return &w.server;
    case TOOLKIT: case TOOLKIT_MAYBE: return &w.toolkit;
    case QUESTIONS: case QUESTIONS_MAYBE: return &w.questions;
    case MONITOR: return &w.monitor;
    case MONITOR_SLOTS: return &w.monitor_slots;
    case FINDING: return &w.finding;
    case MONITOR_INFO: return &w.monitor_info;
    case STEP: return &w.step;
    case WANTED: return &w.wanted;
    case INFO: return &w.info;
    case INCOMING: return &w.incoming;
    case FILTER_OUT: return &w.filter_out;
    case SETTINGS: return &w.settings;
    case SLOTS: return &w.slots;
    case TABLES: return &w.tables;
    case REPLY: return &w.reply;
    case PROGRESS: return &w.progress;
    case FILTER: return &w.filter;
    case INPUT_REQUEST: return &w.input_request;
    case OPTIONS_MAYBE: return &w.options;
    case SEND_OUT: return &w.send_out;
    case SEND_IN: return &w.send;
    case DEFAULTS: return &w.defaults;
    case ALIGNED: return w.table_memory;
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
    case TEXT_ABSENT: return &w.nothing;
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
    case CONFIG: return sizeof(wireline_config);
    case CLIENT: return sizeof(wireline_client);
    case SERVER: return sizeof(wireline_server);
    case MONITOR: return sizeof(wireline_monitor);
    case TOOLKIT: case TOOLKIT_MAYBE: return sizeof(wireline_toolkit);
    case QUESTIONS: case QUESTIONS_MAYBE: return sizeof(wireline_questions);
    default: return 0;
    }
}

static bool is_sized(unsigned char kind) {
    return kind >= ITEM_OUT && kind <= OPTIONS_MAYBE;
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

/* Where the reserved members of an argument are: the first bytes of them, up to a 0. */
static const size_t *reserved_of(unsigned char kind) {
#define AT(name, ...) static const size_t name[] = {__VA_ARGS__, 0}
    AT(counters, offsetof(wireline_counters, reserved));
    AT(outgoing, offsetof(wireline_outgoing, reserved), offsetof(wireline_outgoing, reserved) + 6,
       offsetof(wireline_outgoing, id.reserved));
    AT(renumber, offsetof(wireline_renumber, reserved), offsetof(wireline_renumber, id.reserved));
    AT(slots, offsetof(wireline_slots, reserved));
    AT(tables, offsetof(wireline_tables, reserved), offsetof(wireline_tables, reserved) + 4);
    AT(reply, offsetof(wireline_reply, reserved), offsetof(wireline_reply, reserved2));
    AT(progress, offsetof(wireline_progress, reserved));
    AT(filter, offsetof(wireline_filter, reserved));
    AT(monitor_slots, offsetof(wireline_monitor_slots, reserved));
    AT(options, offsetof(wireline_options, reserved) + 1, offsetof(wireline_options, reserved2));
#undef AT
    static const size_t none[] = {0};
    switch (kind) {
    case COUNTERS: return counters;
    case OUTGOING: return outgoing;
    case RENUMBER: return renumber;
    case SLOTS: return slots;
    case TABLES: return tables;
    case REPLY: return reply;
    case PROGRESS: return progress;
    case FILTER: return filter;
    case MONITOR_SLOTS: return monitor_slots;
    case OPTIONS_MAYBE: return options;
    default: return none;
    }
}

/* The call says that, and nothing has changed; but a writer of JSON says it at its end once more. */
static void refused(const function *f, void **p, wireline_status wanted, const char *what, size_t i) {
    wireline_status got;
    before = w;
    got = f->call(p);
    check(got == wanted, __FILE__, __LINE__, "%s, argument %zu %s: %s, not %s", f->name, i, what,
          wireline_status_name(got), wireline_status_name(wanted));
    if (f->kinds[0] == JSON_WRITER && i > 0 && strcmp(f->name, "wireline_json_writer_length") != 0 &&
        strcmp(f->name, "wireline_json_writer_finish") != 0) {
        wireline_slice text;
        CHECK_OK(wireline_json_writer_null(&w.json_writer));
        CHECK_STATUS(wireline_json_writer_finish(&w.json_writer, &text), wanted);
        return;
    }
    check(unchanged(&w, &before, sizeof w), __FILE__, __LINE__, "%s, argument %zu %s: something changed",
          f->name, i, what);
}

static void misuse(const function *f) {
    static uint64_t elsewhere[512];
    void *p[MAX_ARGS] = {NULL};
    size_t i;
    wireline_status got;

    set_up(f, p);
    got = f->call(p);
    check(got == f->status, __FILE__, __LINE__, "%s, all in order: %s", f->name, wireline_status_name(got));

    for (i = 0; f->kinds[i] != END; i++) {
        unsigned char kind = f->kinds[i];
        size_t handle = handle_size(kind);
        const size_t *at;

        set_up(f, p);
        if (kind == VALUE || kind == TEXT || kind == TEXT_MAYBE || kind == STRING || kind == TEXT_ABSENT) {
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
            if ((kind == TEXT || kind == TEXT_ABSENT) && strcmp(f->name, "wireline_json_writer_raw") != 0 &&
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
        if (kind == LIMITS_IN || kind == OUT_MAYBE || kind == OPTIONS_MAYBE || kind == TOOLKIT_MAYBE ||
            kind == QUESTIONS_MAYBE) {
            CHECK_STATUS(f->call(p), f->status);
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
        for (at = reserved_of(kind); *at != 0; at++) {
            set_up(f, p);
            ((unsigned char *)p[i])[*at] = 1;
            refused(f, p, WIRELINE_ERR_ARGUMENT, "with a reserved member that is not 0", i);
        }
        if (kind >= MESSAGE_IN && kind <= END_IN) {
            /* An item that is none. */
            set_up(f, p);
            memset(p[i], 0, sizeof(wireline_item));
            *(uint32_t *)p[i] = sizeof(wireline_item);
            refused(f, p, WIRELINE_ERR_ITEM, "zeroed but for its size", i);
        }
        if (kind == PRESET || kind == DEFAULTS || kind == NEW) {
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
            CHECK_STATUS(f->call(p), f->status);
        }
        if (kind == SEND_IN) {
            set_up(f, p);
            memset(p[i], 0, sizeof(wireline_send));
            refused(f, p, WIRELINE_ERR_UNINITIALISED, "zeroed", i);
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
            check(unchanged(elsewhere, argument(kind, i), handle), __FILE__, __LINE__,
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
