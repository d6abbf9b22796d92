/* What the head of the header says of structs, slices, threads and clocks. */
#include "harness.h"

#define ZERO(it)                                                                                                       \
    do {                                                                                                               \
        memset(&(it), 0, sizeof(it));                                                                                  \
        (it).size = sizeof(it);                                                                                        \
    } while (0)
#define META                                                                                                           \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define CALL "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"," META "}}"
#define NOTHING {NULL, 0}

static const wireline_tool TOOL = {WIRELINE_LITERAL("echo"), NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, 0, 0};

static struct {
    wireline_config config;
    wireline_toolkit toolkit;
    uint64_t memory[WIRELINE_TABLE_WORDS(1, 0, 0, 0, 0)];
    struct {
        wireline_server server;
        wireline_inbound inbound[2];
        char text[128];
    } side[2];
    wireline_client client;
    wireline_outbound outbound[2];
    wireline_item item;
    wireline_step step;
    wireline_call call;
    wireline_send send;
    char sent[1024];
    size_t length;
} c;

static void config(void) {
    wireline_settings settings;
    memset(&c, 0, sizeof c);
    c.item.size = sizeof c.item;
    c.step.size = sizeof c.step;
    c.call.size = sizeof c.call;
    CHECK_OK(wireline_settings_default(&settings, sizeof settings));
    settings.name = S("board");
    settings.version = S("1");
    settings.capabilities = WIRELINE_CAPABILITY_TOOLS;
    settings.request_timeout = 1000;
    CHECK_OK(wireline_config_init(WIRELINE_SELF(&c.config), &settings));
}

static void toolkit(void) {
    wireline_tables tables;
    ZERO(tables);
    tables.tools = &TOOL;
    tables.tool_count = 1;
    CHECK_OK(wireline_toolkit_init(WIRELINE_SELF(&c.toolkit), &tables, c.memory, sizeof c.memory, NULL));
}

static void server(size_t which) {
    wireline_slots slots;
    ZERO(slots);
    slots.inbound = c.side[which].inbound;
    slots.inbound_count = 2;
    slots.text = c.side[which].text;
    slots.text_size = sizeof c.side[which].text;
    CHECK_OK(wireline_server_init(WIRELINE_SELF(&c.side[which].server), &c.config, &c.toolkit, &slots));
}

static void read_line(const char *line) {
    wireline_limits limits;
    CHECK_OK(wireline_limits_host(&limits, sizeof limits));
    CHECK_OK(wireline_parse(line, strlen(line), &limits, &c.item));
}

static wireline_handle called(size_t which) {
    read_line(CALL);
    CHECK_OK(wireline_server_serve(&c.side[which].server, &c.item, 0, &c.step, &c.call));
    CHECK(c.step.event == WIRELINE_EVENT_CALL);
    return c.step.handle;
}

static void client(void) {
    wireline_slots slots;
    ZERO(slots);
    slots.outbound = c.outbound;
    slots.outbound_count = 2;
    CHECK_OK(wireline_client_init(WIRELINE_SELF(&c.client), &c.config, &slots));
    CHECK_OK(wireline_client_assume(&c.client, WIRELINE_REVISION_2026_07_28, WIRELINE_CAPABILITY_TOOLS));
}

/* Structs that are arguments, zeroed but for their size: which of them are complete, and what the others lack. */
static void zeroed(void) {
    static unsigned char buffer[256];
    wireline_limits limits;
    wireline_settings settings;
    wireline_decoder decoder;
    wireline_slots slots;
    wireline_tables tables;
    wireline_monitor_slots monitor_slots;
    wireline_monitor monitor;
    wireline_options options;
    wireline_filter filter;
    wireline_renumber renumber;
    wireline_reply reply;
    wireline_progress progress;
    wireline_outgoing outgoing;
    wireline_handle handle;
    config();
    toolkit();

    /* Complete: nothing special. */
    ZERO(slots);
    CHECK_OK(wireline_server_init(WIRELINE_SELF(&c.side[0].server), &c.config, &c.toolkit, &slots));
    ZERO(tables);
    CHECK_OK(wireline_toolkit_init(WIRELINE_SELF(&c.toolkit), &tables, NULL, 0, NULL));
    ZERO(monitor_slots);
    CHECK_OK(wireline_monitor_init(WIRELINE_SELF(&monitor), &monitor_slots, 0));
    config();
    toolkit();
    client();
    ZERO(options);
    CHECK_OK(wireline_client_request(&c.client, S("tools/list"), absent(), &options, 0, &handle, &c.send));
    ZERO(filter);
    CHECK_OK(wireline_client_listen(&c.client, &filter, 0, &handle, &c.send));
    ZERO(renumber);
    read_line(CALL);
    CHECK_OK(wireline_write_renumbered(&c.item, &renumber, c.sent, sizeof c.sent, &c.length));
    CHECK(same(c.sent, c.length, CALL "\n"));

    /* A client has to have a slot for what it asks. */
    ZERO(slots);
    CHECK_OK(wireline_client_init(WIRELINE_SELF(&c.client), &c.config, &slots));
    CHECK_STATUS(wireline_client_connect(&c.client, 0, &c.send), WIRELINE_ERR_TABLE_FULL);

    /* Filled by a function of their own: zeroed they are refused. */
    ZERO(limits);
    CHECK_STATUS(wireline_decoder_init(WIRELINE_SELF(&decoder), buffer, sizeof buffer, &limits), WIRELINE_ERR_ARGUMENT);
    ZERO(settings);
    CHECK(wireline_config_init(WIRELINE_SELF(&c.config), &settings) != WIRELINE_OK);

    /* With something that they are about. */
    config();
    toolkit();
    server(0);
    handle = called(0);
    ZERO(progress);
    CHECK(wireline_server_progress(&c.side[0].server, handle, &progress, &c.send) != WIRELINE_OK);
    ZERO(reply);
    CHECK(wireline_server_finish(&c.side[0].server, handle, &reply, &c.send) != WIRELINE_OK);
    reply.result = S("{\"content\":[]}");
    CHECK_OK(wireline_server_finish(&c.side[0].server, handle, &reply, &c.send));
    ZERO(outgoing);
    CHECK(wireline_write(&outgoing, c.sent, sizeof c.sent, &c.length) != WIRELINE_OK);
}

/* Several sessions may have one configuration and one toolkit, in several threads: they are read alone. */
static void shared(void) {
    wireline_config before;
    wireline_toolkit tables_before;
    uint64_t memory_before[sizeof c.memory / sizeof *c.memory];
    wireline_handle first, second;
    config();
    toolkit();
    memcpy(&before, &c.config, sizeof before);
    memcpy(&tables_before, &c.toolkit, sizeof tables_before);
    memcpy(memory_before, c.memory, sizeof memory_before);
    server(0);
    server(1);
    client();
    first = called(0);
    second = called(1);
    CHECK_OK(wireline_server_finish_text(&c.side[1].server, second, S("two"), false, &c.send));
    CHECK_OK(wireline_server_finish_text(&c.side[0].server, first, S("one"), false, &c.send));
    CHECK_OK(wireline_send_write(&c.send, c.sent, sizeof c.sent, &c.length));
    CHECK(c.length > 0);
    read_line("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{" META "}}");
    CHECK_OK(wireline_server_serve(&c.side[0].server, &c.item, 0, &c.step, &c.call));
    CHECK_OK(wireline_send_write(&c.step.send, c.sent, sizeof c.sent, &c.length));
    CHECK(unchanged(&before, &c.config, sizeof before));
    CHECK(unchanged(&tables_before, &c.toolkit, sizeof tables_before));
    CHECK(unchanged(memory_before, c.memory, sizeof memory_before));
}

/* Whether a slice lies in these bytes. */
static bool within(const char *ptr, const void *bytes, size_t length) {
    return ptr >= (const char *)bytes && ptr < (const char *)bytes + length;
}

/* What an item points to: the decoder's buffer, the caller's chunk, or the text that was parsed. */
static void slices(void) {
    static unsigned char buffer[256];
    static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    wireline_decoder decoder;
    wireline_limits limits;
    uint64_t line_number, offset;
    size_t used;
    bool closed;
    config();
    CHECK_OK(wireline_decoder_init(WIRELINE_SELF(&decoder), buffer, sizeof buffer, NULL));
    CHECK_OK(wireline_decoder_next_in(&decoder, line, sizeof line - 1, &used, &c.item));
    CHECK(c.item.type == WIRELINE_ITEM_MESSAGE && (c.item.flags & WIRELINE_FLAG_IN_CHUNK) != 0);
    CHECK(within(c.item.method.ptr, line, sizeof line));
    /* In two pieces it is gathered in the buffer. */
    CHECK_OK(wireline_decoder_next_in(&decoder, line, 10, &used, &c.item));
    CHECK(c.item.type == WIRELINE_ITEM_NONE);
    CHECK_OK(wireline_decoder_next_in(&decoder, line + 10, sizeof line - 11, &used, &c.item));
    CHECK(c.item.type == WIRELINE_ITEM_MESSAGE && (c.item.flags & WIRELINE_FLAG_IN_CHUNK) == 0);
    CHECK(within(c.item.method.ptr, buffer, sizeof buffer));
    /* Calls that take a const handle leave it. */
    CHECK_OK(wireline_decoder_is_closed(&decoder, &closed));
    limits.size = sizeof limits;
    CHECK_OK(wireline_decoder_limits(&decoder, &limits));
    CHECK_OK(wireline_decoder_position(&decoder, &line_number, &offset));
    CHECK_TEXT(c.item.method, "ping");
    read_line(CALL);
    CHECK_TEXT(c.item.method, "tools/call");
}

/* Where a body's piece lies: in the input, or in the handle, until the next call that is not const. */
static void bodies(void) {
    static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":{\"b\":[1,2]}}\n";
    static char memory[256];
    wireline_stream stream;
    char body[32];
    size_t at = 0, used, length = 0, cut;
    bool closed, in_input = false;
    for (cut = 1; cut < sizeof line - 1; cut++) {
        config();
        CHECK_OK(wireline_stream_init(WIRELINE_SELF(&stream), memory, sizeof memory, NULL));
        for (at = length = 0; at < sizeof line - 1; at += used) {
            CHECK_OK(wireline_stream_step(&stream, line + at, (at < cut ? cut : sizeof line - 1) - at, &used, &c.item));
            CHECK_OK(wireline_stream_is_closed(&stream, &closed));
            if (c.item.type == WIRELINE_ITEM_BODY) {
                bool there = within(c.item.text.ptr, line, sizeof line);
                in_input = in_input || there;
                CHECK(there || within(c.item.text.ptr, &stream, sizeof stream));
                CHECK(length + c.item.text.len <= sizeof body);
                memcpy(body + length, c.item.text.ptr, c.item.text.len);
                length += c.item.text.len;
            }
        }
        CHECK(in_input && same(body, length, "{\"b\":[1,2]}"));
    }
}

/* A counter of 32 bits that wraps is a clock that goes back, and stands still until it has caught up. */
static void clocks(void) {
    const uint64_t asked = UINT32_MAX - UINT64_C(500);
    wireline_handle handle;
    uint64_t due;
    bool more;
    config();
    client();
    CHECK_OK(wireline_client_request(&c.client, S("tools/list"), absent(), NULL, asked, &handle, &c.send));
    CHECK_OK(wireline_client_poll_timeout(&c.client, &due));
    CHECK(due == asked + 1000);
    CHECK_OK(wireline_client_expire(&c.client, (uint32_t)(asked + 5000), &c.step, &more));
    CHECK(!more);
    CHECK_OK(wireline_client_expire(&c.client, asked + 1000, &c.step, &more));
    CHECK(more && c.step.event == WIRELINE_EVENT_ENDED && c.step.ended == WIRELINE_ENDED_TIMED_OUT);
}

void test_conventions(void) {
    zeroed();
    shared();
    slices();
    bodies();
    clocks();
}
