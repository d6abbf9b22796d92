/* Room: none for what is left of a line, and answers that are within the ceiling of the tables. */
#include "harness.h"

#define META                                                                                                           \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}"
#define NOTHING {NULL, 0}

static const wireline_tool TOOL = {WIRELINE_LITERAL("echo"), NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, 0, 0};

static struct {
    wireline_config config;
    wireline_toolkit toolkit;
    wireline_server server;
    wireline_inbound inbound[2];
    char text[128], instructions[301], long_text[601];
    uint64_t memory[WIRELINE_TABLE_WORDS(1, 0, 0, 0, 0)];
    wireline_item item;
    wireline_step step;
    wireline_call call;
    char sent[2048];
    size_t length;
} b;

static void start(uint32_t line) {
    wireline_tables tables;
    wireline_settings settings;
    wireline_slots slots;
    memset(&b, 0, sizeof b);
    memset(b.instructions, 'i', sizeof b.instructions - 1);
    memset(b.long_text, 'x', sizeof b.long_text - 1);
    memset(&tables, 0, sizeof tables);
    tables.size = sizeof tables;
    tables.tools = &TOOL;
    tables.tool_count = 1;
    tables.line = line;
    CHECK_OK(wireline_toolkit_init(WIRELINE_SELF(&b.toolkit), &tables, b.memory, sizeof b.memory, NULL));
    CHECK_OK(wireline_settings_default(&settings, sizeof settings));
    settings.name = S("board");
    settings.version = S("1");
    settings.capabilities = WIRELINE_CAPABILITY_TOOLS | WIRELINE_CAPABILITY_RESOURCES_SUBSCRIBE;
    settings.instructions = S(b.instructions);
    CHECK_OK(wireline_config_init(WIRELINE_SELF(&b.config), &settings));
    memset(&slots, 0, sizeof slots);
    slots.size = sizeof slots;
    slots.inbound = b.inbound;
    slots.inbound_count = 2;
    slots.text = b.text;
    slots.text_size = sizeof b.text;
    CHECK_OK(wireline_server_init(WIRELINE_SELF(&b.server), &b.config, &b.toolkit, &slots));
    b.item.size = sizeof b.item;
    b.step.size = sizeof b.step;
    b.call.size = sizeof b.call;
}

static void take(const wireline_send *send) {
    CHECK_OK(wireline_send_write(send, b.sent, sizeof b.sent, &b.length));
    b.sent[b.length < sizeof b.sent ? b.length : 0] = '\0';
}

static void to(const char *line) {
    CHECK_OK(wireline_parse(line, strlen(line), NULL, &b.item));
    CHECK_OK(wireline_server_serve(&b.server, &b.item, 0, &b.step, &b.call));
    take(&b.step.send);
}

static wireline_handle called(int id) {
    char line[256];
    snprintf(line, sizeof line,
             "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"," META "}}", id);
    to(line);
    CHECK(b.step.event == WIRELINE_EVENT_CALL);
    return b.step.handle;
}

#define HAS(want) check(strstr(b.sent, want) != NULL, __FILE__, __LINE__, "sent %.*s", (int)b.length, b.sent)
#define HAS_NOT(what) check(strstr(b.sent, what) == NULL, __FILE__, __LINE__, "sent %.*s", (int)b.length, b.sent)

static void ceilings(void) {
    wireline_send send;
    wireline_reply reply;
    wireline_handle handle;
    char line[1024];
    start(400);
    /* What the session answers by itself. */
    snprintf(line, sizeof line,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
             "\"io.modelcontextprotocol/protocolVersion\":\"%0300d\","
             "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
             1);
    to(line);
    CHECK(b.length > 0 && b.length <= 400);
    HAS("\"code\":-32022,");
    HAS("\"supported\":[\"2026-07-28\"]");
    HAS("\"requested\":\"\"");
    to("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"server/discover\",\"params\":{" META "}}");
    CHECK(b.length <= 400);
    HAS("\"supportedVersions\":");
    HAS_NOT("instructions");
    snprintf(line, sizeof line,
             "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
             "\"resourceSubscriptions\":[\"x:%0300d\"]}," META "}}",
             1);
    to(line);
    CHECK(b.length <= 400 && b.step.event == WIRELINE_EVENT_NONE);
    HAS("\"id\":3,\"error\":{\"code\":-32603,");
    /* What the program answers. */
    memset(&reply, 0, sizeof reply);
    reply.size = sizeof reply;
    snprintf(line, sizeof line, "{\"content\":[],\"text\":\"%s\"}", b.long_text);
    reply.result = S(line);
    handle = called(4);
    CHECK_OK(wireline_server_fail(&b.server, handle, -32000, S(b.long_text), absent(), &send));
    take(&send);
    CHECK(b.length <= 400);
    HAS("\"id\":4,\"error\":{\"code\":-32603,");
    handle = called(5);
    CHECK_OK(wireline_server_respond(&b.server, handle, S(line), &send));
    take(&send);
    CHECK(b.length <= 400);
    HAS("\"isError\":true");
    handle = called(6);
    CHECK_OK(wireline_server_respond_with(&b.server, handle, &reply, &send));
    take(&send);
    CHECK(b.length <= 400);
    HAS("\"isError\":true");
    /* Without a ceiling all of it leaves. */
    start(0);
    to("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"server/discover\",\"params\":{" META "}}");
    HAS("\"instructions\":\"iii");
    handle = called(4);
    CHECK_OK(wireline_server_fail(&b.server, handle, -32000, S(b.long_text), absent(), &send));
    take(&send);
    HAS("\"error\":{\"code\":-32000,\"message\":\"xxx");
}

/* What a text was finished with is written, whatever calls come before it is. */
static void texts(void) {
    wireline_send one, two, copy, refused;
    wireline_handle first, second;
    start(0);
    first = called(1);
    second = called(2);
    CHECK_OK(wireline_server_finish_text(&b.server, first, S("first"), false, &one));
    CHECK_STATUS(wireline_server_finish_text(&b.server, first, S("wrong"), true, &refused), WIRELINE_ERR_STALE_HANDLE);
    CHECK_OK(wireline_server_finish_text(&b.server, second, S("second"), true, &two));
    copy = one;
    memset(&one, 0, sizeof one);
    take(&copy);
    HAS("\"id\":1,");
    HAS("{\"type\":\"text\",\"text\":\"first\"}]}}");
    take(&two);
    HAS("\"id\":2,");
    HAS("{\"type\":\"text\",\"text\":\"second\"}],\"isError\":true}}");
}

/* Results of an extension's kind. */
static void kinds(void) {
    wireline_send send;
    wireline_reply reply;
    wireline_handle handle;
    start(0);
    memset(&reply, 0, sizeof reply);
    reply.size = sizeof reply;
    reply.result = S("{\"taskId\":\"1\"}");
    handle = called(1);
    reply.result_type = S("input_required");
    CHECK_STATUS(wireline_server_finish(&b.server, handle, &reply, &send), WIRELINE_ERR_RULE - 91);
    reply.result_type = S("");
    CHECK_STATUS(wireline_server_finish(&b.server, handle, &reply, &send), WIRELINE_ERR_ARGUMENT);
    reply.result_type = S("task");
    CHECK_OK(wireline_server_finish(&b.server, handle, &reply, &send));
    take(&send);
    HAS("\"result\":{\"resultType\":\"task\",");
    handle = called(2);
    reply.result_type = absent();
    CHECK_OK(wireline_server_finish(&b.server, handle, &reply, &send));
    take(&send);
    HAS("\"result\":{\"resultType\":\"complete\",");
}

/* No room is one thing, nothing left another. */
static void rooms(void) {
    static const char streamed[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a\",\"params\":{}}\n";
    wireline_outgoing message;
    wireline_message_writer writer;
    wireline_pieces pieces;
    wireline_forward forward, given_up;
    wireline_stream stream;
    wireline_item item;
    char out[256], memory[256];
    size_t used, written, at = 0, total = 0;
    memset(&message, 0, sizeof message);
    message.size = sizeof message;
    message.kind = WIRELINE_KIND_NOTIFICATION;
    message.method = S("a");

    CHECK_OK(wireline_pieces_init(WIRELINE_SELF(&pieces), &message));
    written = 77;
    CHECK_STATUS(wireline_pieces_fill(&pieces, NULL, 0, &written), WIRELINE_ERR_TOO_SMALL);
    CHECK(written == 77);
    CHECK_OK(wireline_pieces_fill(&pieces, out, sizeof out, &written));
    CHECK(same(out, written, "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n"));
    CHECK_OK(wireline_pieces_fill(&pieces, NULL, 0, &written));
    CHECK(written == 0);

    CHECK_OK(wireline_message_writer_init(WIRELINE_SELF(&writer), &message));
    CHECK_OK(wireline_message_writer_abort(&writer, NULL, 0, &written));
    CHECK(written == 0);
    CHECK_OK(wireline_message_writer_init(WIRELINE_SELF(&writer), &message));
    CHECK_STATUS(wireline_message_writer_body(&writer, "{}", 2, &used, NULL, 0, &written), WIRELINE_ERR_TOO_SMALL);
    CHECK_OK(wireline_message_writer_body(&writer, "{}", 2, &used, out, sizeof out, &total));
    CHECK(used == 2);
    CHECK_STATUS(wireline_message_writer_finish(&writer, NULL, 0, &written), WIRELINE_ERR_TOO_SMALL);
    CHECK_OK(wireline_message_writer_finish(&writer, out + total, sizeof out - total, &written));
    CHECK(same(out, total + written, "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":{}}\n"));
    CHECK_OK(wireline_message_writer_finish(&writer, NULL, 0, &written));
    CHECK(written == 0);
    CHECK_OK(wireline_message_writer_init(WIRELINE_SELF(&writer), &message));
    CHECK_OK(wireline_message_writer_body(&writer, "{", 1, &used, out, sizeof out, &written));
    CHECK_STATUS(wireline_message_writer_abort(&writer, NULL, 0, &written), WIRELINE_ERR_TOO_SMALL);
    /* It has not been given up by that. */
    CHECK_OK(wireline_message_writer_body(&writer, "}", 1, &used, out, sizeof out, &written));
    CHECK_OK(wireline_message_writer_abort(&writer, out, 1, &written));
    CHECK(written == 1 && out[0] == '\n');

    CHECK_OK(wireline_forward_init(WIRELINE_SELF(&forward), wireline_id_none()));
    CHECK_OK(wireline_stream_init(WIRELINE_SELF(&stream), memory, sizeof memory, NULL));
    item.size = sizeof item;
    total = 0;
    do {
        CHECK_OK(wireline_stream_step(&stream, streamed + at, sizeof streamed - 1 - at, &used, &item));
        at += used;
        written = 0;
        if (item.type == WIRELINE_ITEM_HEAD) {
            CHECK_STATUS(wireline_forward_head(&forward, &item, wireline_id_integer(1), NULL, 0, &written),
                         WIRELINE_ERR_TOO_SMALL);
            CHECK_OK(wireline_forward_head(&forward, &item, wireline_id_integer(1), out, sizeof out, &written));
            total += written;
            CHECK_OK(wireline_forward_head(&forward, &item, wireline_id_integer(1), NULL, 0, &written));
            CHECK(written == 0);
            CHECK_OK(wireline_forward_init(WIRELINE_SELF(&given_up), wireline_id_none()));
            CHECK_OK(wireline_forward_give_up(&given_up, NULL, 0, &written));
            CHECK_OK(wireline_forward_head(&given_up, &item, wireline_id_integer(1), out + total, 1, &written));
            CHECK_STATUS(wireline_forward_give_up(&given_up, NULL, 0, &written), WIRELINE_ERR_TOO_SMALL);
            CHECK_OK(wireline_forward_give_up(&given_up, out + total, 1, &written));
            CHECK(written == 1 && out[total] == '\n');
        } else if (item.type == WIRELINE_ITEM_BODY) {
            CHECK_STATUS(wireline_forward_body(&forward, item.part, item.text.ptr, item.text.len, &used, NULL, 0, &written),
                         WIRELINE_ERR_TOO_SMALL);
            CHECK_OK(wireline_forward_body(&forward, item.part, item.text.ptr, item.text.len, &used, out + total,
                                           sizeof out - total, &written));
            CHECK(used == item.text.len);
            total += written;
        } else if (item.type == WIRELINE_ITEM_END) {
            CHECK_STATUS(wireline_forward_end(&forward, &item, wireline_id_integer(1), NULL, 0, &written),
                         WIRELINE_ERR_TOO_SMALL);
            CHECK_OK(wireline_forward_end(&forward, &item, wireline_id_integer(1), out + total, sizeof out - total, &written));
            total += written;
            CHECK_OK(wireline_forward_end(&forward, &item, wireline_id_integer(1), NULL, 0, &written));
            CHECK(written == 0);
        }
    } while (item.type != WIRELINE_ITEM_NONE);
    CHECK(same(out, total, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":{}}\n"));
}

void test_room(void) {
    ceilings();
    texts();
    kinds();
    rooms();
}
