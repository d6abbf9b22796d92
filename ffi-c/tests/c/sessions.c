/* Sessions of both roles and eras, against bytes that no encoder of ours has written. */
#include "harness.h"

#define MODERN                                                                                                         \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

/* One side, its memory, and what came of the last call. */
typedef struct side {
    wireline_config config;
    wireline_server server;
    wireline_client client;
    wireline_inbound inbound[2];
    wireline_outbound outbound[2];
    char text[128];
    char gather[512];
    wireline_item item;
    wireline_step step;
    char sent[1024];
    size_t length;
} side;

static side s;

static void settings_of(wireline_settings *settings, const char *name, uint32_t revisions, uint32_t capabilities) {
    CHECK_OK(wireline_settings_default(settings, sizeof *settings));
    settings->name = S(name);
    settings->version = S("1.0");
    settings->revisions = revisions;
    settings->capabilities = capabilities;
}

static wireline_slots slots_of(bool batches) {
    wireline_slots slots;
    memset(&slots, 0, sizeof slots);
    slots.size = sizeof slots;
    slots.inbound = s.inbound;
    slots.inbound_count = 2;
    slots.outbound = s.outbound;
    slots.outbound_count = 2;
    slots.text = s.text;
    slots.text_size = sizeof s.text;
    if (batches) {
        slots.gather = s.gather;
        slots.gather_size = sizeof s.gather;
    }
    return slots;
}

static void serve(uint32_t revisions, uint32_t capabilities) {
    wireline_settings settings;
    wireline_slots slots;
    memset(&s, 0, sizeof s);
    s.step.size = sizeof s.step;
    settings_of(&settings, "board", revisions, capabilities);
    CHECK_OK(wireline_config_init(WIRELINE_SELF(&s.config), &settings));
    slots = slots_of(true);
    CHECK_OK(wireline_server_init(WIRELINE_SELF(&s.server), &s.config, NULL, &slots));
}

static void connect(uint32_t revisions, uint32_t capabilities) {
    wireline_settings settings;
    wireline_slots slots;
    memset(&s, 0, sizeof s);
    s.step.size = sizeof s.step;
    settings_of(&settings, "host", revisions, capabilities);
    CHECK_OK(wireline_config_init(WIRELINE_SELF(&s.config), &settings));
    slots = slots_of(false);
    CHECK_OK(wireline_client_init(WIRELINE_SELF(&s.client), &s.config, &slots));
}

/* Writes what is to be sent, whole, and as often in pieces: the same bytes. */
static void take(const wireline_send *send) {
    wireline_pieces pieces;
    char piece[7];
    size_t needed, lines, i, at = 0, written;
    wireline_status status = wireline_send_write(send, NULL, 0, &needed);
    CHECK(needed == 0 ? status == WIRELINE_OK : status == WIRELINE_ERR_TOO_SMALL);
    CHECK(needed < sizeof s.sent);
    if (needed > 0) {
        CHECK_STATUS(wireline_send_write(send, s.sent, needed - 1, &s.length), WIRELINE_ERR_TOO_SMALL);
        CHECK(s.length == needed);
    }
    CHECK_OK(wireline_send_write(send, s.sent, sizeof s.sent, &s.length));
    CHECK(s.length == needed);
    CHECK_OK(wireline_send_lines(send, &lines));
    for (i = 0; i < lines; i++) {
        CHECK_OK(wireline_pieces_init_send(WIRELINE_SELF(&pieces), send, i));
        for (;;) {
            if (wireline_pieces_fill(&pieces, piece, sizeof piece, &written) != WIRELINE_OK || written == 0) {
                break;
            }
            CHECK(at + written <= s.length && memcmp(s.sent + at, piece, written) == 0);
            at += written;
        }
    }
    CHECK(at == s.length);
    CHECK_STATUS(wireline_pieces_init_send(WIRELINE_SELF(&pieces), send, lines), WIRELINE_ERR_NOT_FOUND);
}

static void read_line(const char *line) {
    wireline_limits limits;
    CHECK_OK(wireline_limits_host(&limits, sizeof limits));
    s.item.size = sizeof s.item;
    s.step.size = sizeof s.step;
    CHECK_OK(wireline_parse(line, strlen(line), &limits, &s.item));
}

/* The server takes a line at a time. */
static void to_server(const char *line, uint64_t now) {
    read_line(line);
    CHECK_OK(wireline_server_receive(&s.server, &s.item, now, &s.step));
    take(&s.step.send);
}

static void to_client(const char *line, uint64_t now) {
    read_line(line);
    CHECK_OK(wireline_client_receive(&s.client, &s.item, now, &s.step));
    take(&s.step.send);
}

static void sent(int line, const char *want) {
    check(same(s.sent, s.length, want), __FILE__, line, "sent %.*s", (int)s.length, s.sent);
}
#define SENT(want) sent(__LINE__, want)

#define EVENT(wanted)                                                                                                  \
    check(s.step.event == WIRELINE_EVENT_##wanted, __FILE__, __LINE__, "event %u, not " #wanted, (unsigned)s.step.event)

static bool broke(uint32_t rule) {
    return (s.step.broken.words[rule / 32] >> (rule % 32) & 1u) != 0;
}

static void legacy_server(void) {
    wireline_send send;
    wireline_progress progress;
    wireline_session_info info;
    wireline_incoming incoming;
    wireline_handle first, second;
    memset(&progress, 0, sizeof progress);
    progress.size = sizeof progress;
    info.size = sizeof info;
    incoming.size = sizeof incoming;
    serve(WIRELINE_REVISIONS_ALL, WIRELINE_CAPABILITY_TOOLS);
    to_server("{\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"roots\":{}},"
              "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}},\"jsonrpc\":\"2.0\",\"id\":0}",
              0);
    EVENT(STATE);
    CHECK(s.step.state == WIRELINE_STATE_OPENING);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
         "\"serverInfo\":{\"name\":\"board\",\"version\":\"1.0\"}}}\n");
    to_server("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", 1);
    EVENT(STATE);
    CHECK(s.step.state == WIRELINE_STATE_READY && s.step.revision == WIRELINE_REVISION_2025_11_25);
    SENT("");
    CHECK_OK(wireline_server_info(&s.server, &info));
    CHECK(info.state == WIRELINE_STATE_READY && info.revision == WIRELINE_REVISION_2025_11_25);
    CHECK(info.peer_capabilities == WIRELINE_CAPABILITY_ROOTS && info.inbound == 0);
    to_server("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}", 2);
    EVENT(NONE);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"result\":{}}\n");

    /* Two calls at a time, one of them with progress, and a third that has no room. */
    to_server("{\"jsonrpc\":\"2.0\",\"id\":7.0,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"_meta\":{\"progressToken\":"
              "\"t\\u0031\"}}}",
              3);
    EVENT(REQUEST);
    first = s.step.handle;
    CHECK(first != 0 && s.step.method == WIRELINE_METHOD_TOOLS_CALL && s.step.revision == WIRELINE_REVISION_2025_11_25);
    SENT("");
    to_server("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":{\"name\":\"b\"}}", 4);
    EVENT(REQUEST);
    second = s.step.handle;
    to_server("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"b\"}}", 4);
    EVENT(NONE);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":9,\"error\":{\"code\":-32603,\"message\":\"Too many requests at once\",\"data\":{"
         "\"limit\":2}}}\n");
    CHECK_OK(wireline_server_incoming(&s.server, first, &incoming));
    CHECK(incoming.wants_progress == 1 && incoming.method == WIRELINE_METHOD_TOOLS_CALL);
    progress.progress = S("0.5");
    progress.total = S("1");
    progress.message = S("half\nway");
    CHECK_OK(wireline_server_progress(&s.server, first, &progress, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"t\\u0031\",\"progress\":0.5,"
         "\"total\":1,\"message\":\"half\\nway\"}}\n");
    CHECK_STATUS(wireline_server_progress(&s.server, first, &progress, &send), WIRELINE_ERR_PROGRESS);
    progress.progress = S("0.6");
    CHECK_OK(wireline_server_progress(&s.server, second, &progress, &send));
    take(&send);
    SENT("");
    CHECK_STATUS(wireline_server_respond(&s.server, first, S("[]"), &send), WIRELINE_ERR_PAYLOAD);
    CHECK_STATUS(wireline_server_respond(&s.server, first, S("{"), &send), WIRELINE_ERR_JSON);
    CHECK_OK(wireline_server_respond(&s.server, first, S("{\"content\":[]}"), &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":7.0,\"result\":{\"content\":[]}}\n");
    CHECK_STATUS(wireline_server_respond(&s.server, first, S("{}"), &send), WIRELINE_ERR_STALE_HANDLE);
    to_server("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":8,\"reason\":\"no\"}}", 5);
    EVENT(CANCELLED);
    CHECK(s.step.handle == second);
    SENT("");
    CHECK_STATUS(wireline_server_respond(&s.server, second, S("{}"), &send), WIRELINE_ERR_STALE_HANDLE);
    CHECK_STATUS(wireline_server_incoming(&s.server, second, &incoming), WIRELINE_ERR_STALE_HANDLE);
    to_server("{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"tools/list\"}", 6);
    EVENT(REQUEST);
    CHECK_OK(wireline_server_fail(&s.server, s.step.handle, -32000, S("not now"), S("[1]"), &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":10,\"error\":{\"code\":-32000,\"message\":\"not now\",\"data\":[1]}}\n");
    to_server("{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"prompts/list\"}", 7);
    EVENT(NONE);
    CHECK(memcmp(s.sent, "{\"jsonrpc\":\"2.0\",\"id\":11,\"error\":{\"code\":-32601,", 47) == 0);
    to_server("noise", 7);
    EVENT(IGNORED);
    CHECK(s.step.ignored == WIRELINE_IGNORED_FAULT);
    SENT("");
    to_server("{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":5}", 7);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":12,\"error\":{\"code\":-32600,\"message\":\"Invalid Request\",\"data\":{\"fault\":"
         "\"bad-method\",\"offset\":34}}}\n");
}

static void server_asks(void) {
    wireline_send send;
    wireline_options options;
    wireline_handle handle, late;
    wireline_status status;
    uint64_t due;
    bool more;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    serve(WIRELINE_REVISIONS_LEGACY, WIRELINE_CAPABILITY_TOOLS | WIRELINE_CAPABILITY_TOOLS_LIST_CHANGED);
    CHECK_STATUS(wireline_server_request(&s.server, S("roots/list"), absent(), NULL, 0, &handle, &send),
                 WIRELINE_ERR_NOT_READY);
    to_server("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
              "\"capabilities\":{\"roots\":{}},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
              100);
    to_server("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", 100);
    status = wireline_server_request(&s.server, S("sampling/createMessage"), S("{}"), NULL, 100, &handle, &send);
    CHECK(wireline_status_rule(status) != 0 && strcmp(wireline_status_name(status), "rule") == 0);
    CHECK(wireline_rule_text(wireline_status_rule(status)).len > 0);
    CHECK_OK(wireline_server_request(&s.server, S("roots/list"), absent(), NULL, 100, &handle, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"roots/list\"}\n");
    to_server("{\"result\":{\"roots\":[]},\"jsonrpc\":\"2.0\",\"id\":0}", 200);
    EVENT(ENDED);
    CHECK(s.step.handle == handle && s.step.ended == WIRELINE_ENDED_RESULT);
    CHECK_TEXT(s.item.result, "{\"roots\":[]}");

    /* Deadlines, in order, and what comes too late. */
    options.has_timeouts = 1;
    options.soft_timeout = 1000;
    CHECK_OK(wireline_server_request(&s.server, S("roots/list"), absent(), &options, 1000, &handle, &send));
    CHECK_OK(wireline_server_ping(&s.server, 1000, &late, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n");
    CHECK_OK(wireline_server_poll_timeout(&s.server, &due));
    CHECK(due == 2000);
    CHECK_OK(wireline_server_expire(&s.server, 1999, &s.step, &more));
    CHECK(!more);
    CHECK_OK(wireline_server_expire(&s.server, 2000, &s.step, &more));
    CHECK(more);
    EVENT(ENDED);
    CHECK(s.step.ended == WIRELINE_ENDED_TIMED_OUT && s.step.handle == handle);
    take(&s.step.send);
    SENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1,\"reason\":\"no answer in time\"}}\n");
    to_server("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"roots\":[]}}", 2001);
    EVENT(IGNORED);
    CHECK(s.step.ignored == WIRELINE_IGNORED_LATE);
    to_server("{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}", 2001);
    EVENT(IGNORED);
    CHECK(s.step.ignored == WIRELINE_IGNORED_UNKNOWN_ID && broke(18));
    CHECK_OK(wireline_server_cancel(&s.server, late, S("enough"), &s.step));
    EVENT(ENDED);
    CHECK(s.step.ended == WIRELINE_ENDED_CANCELLED && s.step.handle == late);
    take(&s.step.send);
    SENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2,\"reason\":\"enough\"}}\n");
    CHECK_STATUS(wireline_server_cancel(&s.server, late, absent(), &s.step), WIRELINE_ERR_STALE_HANDLE);
    CHECK_OK(wireline_server_poll_timeout(&s.server, &due));
    CHECK(due == UINT64_MAX);

    /* Changes, and the end of the input. */
    {
        size_t cursor = 0;
        CHECK_OK(wireline_server_changed(&s.server, WIRELINE_CHANGE_TOOLS, absent(), &cursor, &send, &more));
        CHECK(more);
        take(&send);
        SENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n");
        CHECK_OK(wireline_server_changed(&s.server, WIRELINE_CHANGE_TOOLS, absent(), &cursor, &send, &more));
        CHECK(!more);
        CHECK_STATUS(wireline_server_changed(&s.server, 9, absent(), &cursor, &send, &more), WIRELINE_ERR_ARGUMENT);
    }
    CHECK_OK(wireline_server_ping(&s.server, 3000, &handle, &send));
    CHECK_OK(wireline_server_close(&s.server, &s.step, &more));
    CHECK(more);
    EVENT(ENDED);
    CHECK(s.step.ended == WIRELINE_ENDED_CLOSED && s.step.handle == handle);
    CHECK_OK(wireline_server_close(&s.server, &s.step, &more));
    CHECK(more);
    EVENT(STATE);
    CHECK(s.step.state == WIRELINE_STATE_CLOSED);
    CHECK_OK(wireline_server_close(&s.server, &s.step, &more));
    CHECK(!more);
}

static void batches(void) {
    static const char batch[] = "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"},{\"jsonrpc\":\"2.0\",\"method\":\"x\"},"
                                "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]\n";
    static char memory[512];
    wireline_decoder decoder;
    wireline_limits limits;
    wireline_send send;
    wireline_slice line;
    wireline_handle handle = 0;
    size_t at = 0, used;
    serve(WIRELINE_REVISIONS_LEGACY, WIRELINE_CAPABILITY_TOOLS);
    to_server("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\","
              "\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
              0);
    to_server("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", 0);
    CHECK_OK(wireline_limits_host(&limits, sizeof limits));
    limits.batches = 1;
    CHECK_OK(wireline_decoder_init(WIRELINE_SELF(&decoder), memory, sizeof memory, &limits));
    for (;;) {
        CHECK_OK(wireline_decoder_next_in(&decoder, batch + at, sizeof batch - 1 - at, &used, &s.item));
        at += used;
        if (s.item.type == WIRELINE_ITEM_NONE) {
            break;
        }
        CHECK_OK(wireline_server_receive(&s.server, &s.item, 0, &s.step));
        take(&s.step.send);
        SENT("");
        if (s.step.event == WIRELINE_EVENT_REQUEST) {
            handle = s.step.handle;
        }
        CHECK_OK(wireline_server_take_batch(&s.server, &line));
        CHECK(line.ptr == NULL);
    }
    CHECK_OK(wireline_server_respond(&s.server, handle, S("{\"tools\":[]}"), &send));
    take(&send);
    SENT("");
    CHECK_OK(wireline_server_take_batch(&s.server, &line));
    CHECK_TEXT(line, "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}]\n");
    CHECK_OK(wireline_server_take_batch(&s.server, &line));
    CHECK(line.ptr == NULL);
}

static void modern_server(void) {
    wireline_send send;
    wireline_questions questions;
    wireline_input_request request;
    wireline_filter filter;
    wireline_reply reply;
    wireline_incoming incoming;
    wireline_slice notifications;
    wireline_handle subscription;
    size_t cursor = 0;
    bool more;
    memset(&request, 0, sizeof request);
    request.size = sizeof request;
    memset(&filter, 0, sizeof filter);
    filter.size = sizeof filter;
    memset(&reply, 0, sizeof reply);
    reply.size = sizeof reply;
    incoming.size = sizeof incoming;
    serve(WIRELINE_REVISIONS_ALL, WIRELINE_CAPABILITY_TOOLS | WIRELINE_CAPABILITY_TOOLS_LIST_CHANGED |
                                      WIRELINE_CAPABILITY_LOGGING);
    to_server("{\"jsonrpc\":\"2.0\",\"id\":\"d\",\"method\":\"server/discover\",\"params\":{" MODERN "}}", 0);
    EVENT(NONE);
    CHECK(strstr(s.sent, "\"id\":\"d\",\"result\":{\"resultType\":\"complete\"") != NULL);
    CHECK(strstr(s.sent, "\"supportedVersions\":[") != NULL && strstr(s.sent, "2026-07-28") != NULL);

    to_server("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" MODERN "}}", 0);
    EVENT(REQUEST);
    CHECK(s.step.revision == WIRELINE_REVISION_2026_07_28);
    reply.result = S("{\"tools\":[]}");
    reply.has_cache = 1;
    reply.cache_public = 1;
    reply.cache_ttl = 5000;
    CHECK_OK(wireline_server_respond_with(&s.server, s.step.handle, &reply, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"_meta\":{"
         "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"board\",\"version\":\"1.0\"}},\"tools\":[],\"ttlMs\":5000,"
         "\"cacheScope\":\"public\"}}\n");

    /* Without _meta, or of a revision that nobody knows. */
    to_server("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
              "\"io.modelcontextprotocol/protocolVersion\":\"2099-01-01\","
              "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
              0);
    EVENT(NONE);
    CHECK(strstr(s.sent, "\"id\":2,\"error\":{\"code\":-32022,") != NULL);
    to_server("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
              "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}",
              0);
    EVENT(NONE);
    CHECK(strstr(s.sent, "\"id\":2,\"error\":{\"code\":-32602,") != NULL && broke(43) && !broke(42));

    /* Input that is asked for. */
    to_server("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"_meta\":{"
              "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
              "\"io.modelcontextprotocol/logLevel\":\"warning\","
              "\"io.modelcontextprotocol/clientCapabilities\":{\"roots\":{}}}}}",
              0);
    EVENT(REQUEST);
    CHECK_OK(wireline_server_incoming(&s.server, s.step.handle, &incoming));
    CHECK(incoming.capabilities == WIRELINE_CAPABILITY_ROOTS && incoming.log_level == WIRELINE_LOG_WARNING);
    CHECK_OK(wireline_server_log(&s.server, s.step.handle, WIRELINE_LOG_INFO, absent(), S("\"x\""), &send));
    take(&send);
    SENT("");
    CHECK_OK(wireline_server_log(&s.server, s.step.handle, WIRELINE_LOG_ERROR, S("led"), S("{\"a\":1}"), &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"error\",\"logger\":\"led\","
         "\"data\":{\"a\":1}}}\n");
    request.method = WIRELINE_METHOD_CREATE_MESSAGE;
    request.key = S("k");
    CHECK_OK(wireline_questions_init(WIRELINE_SELF(&questions), &request, 1));
    CHECK_STATUS(wireline_server_ask(&s.server, s.step.handle, &questions, absent(), &send), WIRELINE_ERR_RULE - 95);
    CHECK_STATUS(wireline_server_ask(&s.server, s.step.handle, NULL, absent(), &send), WIRELINE_ERR_RULE - 93);
    request.method = WIRELINE_METHOD_ROOTS_LIST;
    CHECK_OK(wireline_questions_init(WIRELINE_SELF(&questions), &request, 1));
    CHECK_OK(wireline_server_ask(&s.server, s.step.handle, &questions, S("s\"1"), &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"resultType\":\"input_required\",\"_meta\":{"
         "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"board\",\"version\":\"1.0\"}},\"inputRequests\":{\"k\":{"
         "\"method\":\"roots/list\",\"params\":{}}},\"requestState\":\"s\\\"1\"}}\n");

    /* A subscription, from its acknowledgement to its end. */
    to_server("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
              "\"toolsListChanged\":true,\"promptsListChanged\":true}," MODERN "}}",
              0);
    EVENT(REQUEST);
    CHECK(s.step.method == WIRELINE_METHOD_SUBSCRIPTIONS_LISTEN);
    subscription = s.step.handle;
    CHECK_OK(wireline_json_member(s.item.params, S("notifications"), &notifications));
    CHECK_OK(wireline_filter_read(notifications, &filter));
    CHECK(filter.tools == 1 && filter.prompts == 1 && filter.resources == 0 && filter.uris.ptr == NULL);
    filter.resources = 1;
    CHECK_STATUS(wireline_server_accept(&s.server, subscription, &filter, &send), WIRELINE_ERR_RULE - 130);
    filter.resources = 0;
    CHECK_OK(wireline_server_accept(&s.server, subscription, &filter, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":{"
         "\"io.modelcontextprotocol/subscriptionId\":4},\"notifications\":{\"toolsListChanged\":true}}}\n");
    CHECK_OK(wireline_server_changed(&s.server, WIRELINE_CHANGE_TOOLS, absent(), &cursor, &send, &more));
    CHECK(more);
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{"
         "\"io.modelcontextprotocol/subscriptionId\":4}}}\n");
    CHECK_STATUS(wireline_server_changed_for(&s.server, subscription, WIRELINE_CHANGE_PROMPTS, absent(), &send),
                 WIRELINE_ERR_RULE - 131);
    CHECK_OK(wireline_server_end_subscription(&s.server, subscription, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"resultType\":\"complete\",\"_meta\":{"
         "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"board\",\"version\":\"1.0\"},"
         "\"io.modelcontextprotocol/subscriptionId\":4}}}\n"
         "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":4}}\n");
}

static void modern_client(void) {
    static const char call[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"_meta\":{"
        "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{"
        "\"roots\":{}},\"io.modelcontextprotocol/clientInfo\":{\"name\":\"host\",\"version\":\"1.0\"},\"progressToken\":1},\"name\":\"x\"}}\n";
    wireline_send send;
    wireline_options options;
    wireline_filter filter;
    wireline_handle handle, subscription;
    wireline_string state;
    wireline_slice value;
    uint64_t due;
    bool more;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.progress = 1;
    memset(&filter, 0, sizeof filter);
    filter.size = sizeof filter;
    filter.tools = 1;
    connect(WIRELINE_REVISIONS_ALL, WIRELINE_CAPABILITY_ROOTS);
    CHECK_OK(wireline_client_connect(&s.client, 1000, &send));
    take(&send);
    CHECK(memcmp(s.sent, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"server/discover\",\"params\":{\"_meta\":{", 68) == 0);
    CHECK_STATUS(wireline_client_connect(&s.client, 1000, &send), WIRELINE_ERR_NOT_READY);
    CHECK_STATUS(wireline_client_request(&s.client, S("tools/list"), absent(), NULL, 1000, &handle, &send),
                 WIRELINE_ERR_NOT_READY);
    CHECK_OK(wireline_client_poll_timeout(&s.client, &due));
    CHECK(due == 11000);
    to_client("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
              "\"capabilities\":{\"tools\":{}},\"ttlMs\":0,\"cacheScope\":\"private\",\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}",
              1001);
    EVENT(STATE);
    CHECK(s.step.state == WIRELINE_STATE_READY && s.step.revision == WIRELINE_REVISION_2026_07_28);

    CHECK_OK(wireline_client_request(&s.client, S("tools/call"), S("{\"name\":\"x\"}"), &options, 2000, &handle, &send));
    take(&send);
    SENT(call);
    CHECK_OK(wireline_client_poll_timeout(&s.client, &due));
    CHECK(due == 62000);
    to_client("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":0.5}}", 50000);
    EVENT(PROGRESS);
    CHECK(s.step.handle == handle);
    CHECK_OK(wireline_client_poll_timeout(&s.client, &due));
    CHECK(due == 110000);

    /* It needs input, and is sent again under the same handle. */
    to_client("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"k\":{\"method\":"
              "\"roots/list\"}},\"requestState\":\"s\\n1\"}}",
              50001);
    EVENT(INPUT_REQUIRED);
    CHECK(s.step.handle == handle && s.step.round == 1);
    CHECK_OK(wireline_json_member(s.item.result, S("requestState"), &value));
    CHECK_OK(wireline_json_string(value, &state));
    CHECK_OK(wireline_client_retry(&s.client, handle, S("{\"name\":\"x\"}"), S("{\"k\":{\"roots\":[]}}"), state, NULL, 50002, &send));
    take(&send);
    CHECK(strstr(s.sent, "\"id\":2,\"method\":\"tools/call\"") != NULL);
    CHECK(strstr(s.sent, "\"inputResponses\":{\"k\":{\"roots\":[]}}") != NULL);
    CHECK(strstr(s.sent, "\"requestState\":\"s\\n1\"") != NULL);
    to_client("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resultType\":\"complete\",\"content\":[]}}", 50003);
    EVENT(ENDED);
    CHECK(s.step.ended == WIRELINE_ENDED_RESULT && s.step.handle == handle);

    /* A server of the modern era sends no requests. */
    to_client("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"roots/list\"}", 50004);
    EVENT(IGNORED);
    CHECK(broke(8));
    SENT("");

    CHECK_OK(wireline_client_listen(&s.client, &filter, 60000, &subscription, &send));
    take(&send);
    CHECK(strstr(s.sent, "\"id\":3,\"method\":\"subscriptions/listen\"") != NULL);
    CHECK(strstr(s.sent, "\"notifications\":{\"toolsListChanged\":true}") != NULL);
    to_client("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":{"
              "\"io.modelcontextprotocol/subscriptionId\":3},\"notifications\":{\"toolsListChanged\":true}}}",
              60001);
    EVENT(SUBSCRIBED);
    CHECK(s.step.handle == subscription);
    to_client("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{"
              "\"io.modelcontextprotocol/subscriptionId\":3}}}",
              60002);
    EVENT(NOTIFICATION);
    CHECK(s.step.method == WIRELINE_METHOD_TOOLS_LIST_CHANGED);
    CHECK_OK(wireline_client_close(&s.client, &s.step, &more));
    CHECK(more);
    EVENT(ENDED);
    CHECK(s.step.handle == subscription && s.step.ended == WIRELINE_ENDED_CLOSED);

    /* A verdict of earlier spares the probe. */
    connect(WIRELINE_REVISIONS_ALL, 0);
    CHECK_STATUS(wireline_client_assume(&s.client, WIRELINE_REVISION_2025_11_25, 0), WIRELINE_ERR_NOT_READY);
    CHECK_STATUS(wireline_client_assume(&s.client, WIRELINE_REVISIONS_ALL, 0), WIRELINE_ERR_ARGUMENT);
    CHECK_OK(wireline_client_assume(&s.client, WIRELINE_REVISION_2026_07_28, WIRELINE_CAPABILITY_TOOLS));
    CHECK_OK(wireline_client_request(&s.client, S("tools/list"), absent(), NULL, 0, &handle, &send));
    CHECK_STATUS(wireline_client_ping(&s.client, 0, &handle, &send), WIRELINE_ERR_RULE - 74);
}

static void dual_client(void) {
    wireline_send send;
    wireline_handle handle;
    wireline_session_info info;
    wireline_options options;
    bool more;
    info.size = sizeof info;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    connect(WIRELINE_REVISIONS_ALL, WIRELINE_CAPABILITY_ROOTS);
    CHECK_OK(wireline_client_connect(&s.client, 0, &send));
    /* A server that has never heard of it: the session falls back. */
    to_client("{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32601,\"message\":\"?\"}}", 10);
    EVENT(STATE);
    CHECK(s.step.state == WIRELINE_STATE_OPENING);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{"
         "\"roots\":{}},\"clientInfo\":{\"name\":\"host\",\"version\":\"1.0\"}}}\n");
    to_client("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
              "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}",
              20);
    EVENT(STATE);
    CHECK(s.step.state == WIRELINE_STATE_READY && s.step.revision == WIRELINE_REVISION_2025_06_18);
    SENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    CHECK_OK(wireline_client_info(&s.client, &info));
    CHECK(info.peer_capabilities == WIRELINE_CAPABILITY_TOOLS);

    /* The server asks, and is answered. */
    to_client("{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"roots/list\"}", 30);
    EVENT(REQUEST);
    CHECK(s.step.method == WIRELINE_METHOD_ROOTS_LIST);
    CHECK_OK(wireline_client_respond(&s.client, s.step.handle, S("{\"roots\":[]}"), &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"result\":{\"roots\":[]}}\n");

    /* An answer that is none; an error; an answer too long. */
    CHECK_OK(wireline_client_request(&s.client, S("tools/list"), absent(), NULL, 40, &handle, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}\n");
    to_client("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{},\"error\":{\"code\":1,\"message\":\"\"}}", 50);
    EVENT(ENDED);
    CHECK(s.step.ended == WIRELINE_ENDED_BAD_RESPONSE && s.step.handle == handle);
    CHECK_OK(wireline_client_request(&s.client, S("tools/call"), S("{\"name\":\"x\"}"), NULL, 60, &handle, &send));
    to_client("{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32000,\"message\":\"no\"}}", 70);
    EVENT(ENDED);
    CHECK(s.step.ended == WIRELINE_ENDED_ERROR);
    CHECK_STATUS(wireline_client_request(&s.client, S("prompts/list"), absent(), NULL, 80, &handle, &send),
                 WIRELINE_ERR_RULE - 63);
    CHECK_STATUS(wireline_client_request(&s.client, S("tools/list"), S("[]"), NULL, 80, &handle, &send),
                 WIRELINE_ERR_PAYLOAD);
    options.log_level = 99;
    CHECK_STATUS(wireline_client_request(&s.client, S("tools/list"), absent(), &options, 80, &handle, &send),
                 WIRELINE_ERR_ARGUMENT);

    /* Two at a time and no more; each ends once. */
    CHECK_OK(wireline_client_request(&s.client, S("tools/list"), absent(), NULL, 100, &handle, &send));
    CHECK_OK(wireline_client_request(&s.client, S("tools/list"), absent(), NULL, 200, &handle, &send));
    CHECK_STATUS(wireline_client_request(&s.client, S("tools/list"), absent(), NULL, 200, &handle, &send),
                 WIRELINE_ERR_TABLE_FULL);
    CHECK_OK(wireline_client_expire(&s.client, 60100, &s.step, &more));
    CHECK(more && s.step.ended == WIRELINE_ENDED_TIMED_OUT);
    CHECK_OK(wireline_client_expire(&s.client, 60100, &s.step, &more));
    CHECK(!more);
    CHECK_OK(wireline_client_expire(&s.client, 60200, &s.step, &more));
    CHECK(more && s.step.handle == handle);

    /* Silence while probing means the same. */
    connect(WIRELINE_REVISIONS_ALL, 0);
    CHECK_OK(wireline_client_connect(&s.client, 0, &send));
    CHECK_OK(wireline_client_expire(&s.client, 10000, &s.step, &more));
    CHECK(more);
    EVENT(STATE);
    take(&s.step.send);
    CHECK(strstr(s.sent, "\"method\":\"initialize\"") != NULL);

    /* A server that closes when it is probed. */
    connect(WIRELINE_REVISIONS_ALL, 0);
    CHECK_OK(wireline_client_connect(&s.client, 0, &send));
    do {
        CHECK_OK(wireline_client_close(&s.client, &s.step, &more));
    } while (more && s.step.size != 0 && s.step.event != WIRELINE_EVENT_STATE);
    CHECK(more && s.step.state == WIRELINE_STATE_FAILED && s.step.failure == WIRELINE_FAILURE_CLOSED_WHILE_PROBING);
    connect(WIRELINE_REVISIONS_ALL, 0);
    CHECK_OK(wireline_client_connect_legacy(&s.client, 0, &send));
    take(&send);
    CHECK(strstr(s.sent, "\"method\":\"initialize\"") != NULL);
}

/* Bodies in pieces: whose they are is known before they are whole. */
static void routes(void) {
    static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}\n";
    wireline_stream stream;
    wireline_send send;
    wireline_route route;
    wireline_handle handle, which;
    char memory[192];
    size_t used;
    connect(WIRELINE_REVISIONS_ALL, 0);
    CHECK_OK(wireline_client_assume(&s.client, WIRELINE_REVISION_2026_07_28, WIRELINE_CAPABILITY_TOOLS));
    CHECK_OK(wireline_client_request(&s.client, S("tools/list"), absent(), NULL, 0, &handle, &send));
    CHECK_OK(wireline_stream_init(WIRELINE_SELF(&stream), memory, sizeof memory, NULL));
    s.item.size = sizeof s.item;
    CHECK_OK(wireline_stream_step(&stream, line, sizeof line - 1, &used, &s.item));
    CHECK(s.item.type == WIRELINE_ITEM_HEAD);
    CHECK_OK(wireline_client_route(&s.client, &s.item, &route, &which));
    CHECK(route == WIRELINE_ROUTE_KNOWN && which == handle);
    CHECK_STATUS(wireline_client_receive(&s.client, &s.item, 0, &s.step), WIRELINE_ERR_ITEM);
}

static void tasks(void) {
    wireline_send send;
    wireline_reply reply;
    wireline_progress progress;
    memset(&reply, 0, sizeof reply);
    reply.size = sizeof reply;
    reply.result = S("{\"task\":{\"taskId\":\"1\"}}");
    memset(&progress, 0, sizeof progress);
    progress.size = sizeof progress;
    progress.progress = S("1");
    serve(WIRELINE_REVISIONS_LEGACY, WIRELINE_CAPABILITY_TOOLS | WIRELINE_CAPABILITY_SERVER_TASKS_TOOLS);
    to_server("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
              "\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
              0);
    to_server("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", 0);
    to_server("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"task\":{},\"_meta\":{"
              "\"progressToken\":5}}}",
              0);
    EVENT(REQUEST);
    CHECK_OK(wireline_server_respond_with_task(&s.server, s.step.handle, &reply, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"task\":{\"taskId\":\"1\"}}}\n");
    CHECK_OK(wireline_server_progress(&s.server, s.step.handle, &progress, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":5,\"progress\":1}}\n");
    CHECK_OK(wireline_server_end_task(&s.server, s.step.handle));
    CHECK_STATUS(wireline_server_progress(&s.server, s.step.handle, &progress, &send), WIRELINE_ERR_STALE_HANDLE);
}

static void refused_settings(void) {
    wireline_settings settings;
    wireline_config config;
    settings_of(&settings, "n", WIRELINE_REVISIONS_ALL, 0);
    settings.capabilities = 0x80000000u;
    CHECK_STATUS(wireline_config_init(WIRELINE_SELF(&config), &settings), WIRELINE_ERR_ARGUMENT);
    settings_of(&settings, "n", 0x40, 0);
    CHECK_STATUS(wireline_config_init(WIRELINE_SELF(&config), &settings), WIRELINE_ERR_ARGUMENT);
    settings_of(&settings, "n", 0, 0);
    CHECK_STATUS(wireline_config_init(WIRELINE_SELF(&config), &settings), WIRELINE_ERR_ARGUMENT);
    settings_of(&settings, "", WIRELINE_REVISIONS_ALL, 0);
    CHECK_STATUS(wireline_config_init(WIRELINE_SELF(&config), &settings), WIRELINE_ERR_ARGUMENT);
    settings_of(&settings, "\xff", WIRELINE_REVISIONS_ALL, 0);
    CHECK_STATUS(wireline_config_init(WIRELINE_SELF(&config), &settings), WIRELINE_ERR_UTF8);
    settings_of(&settings, "n", WIRELINE_REVISIONS_ALL, 0);
    settings.one_era = 2;
    CHECK_STATUS(wireline_config_init(WIRELINE_SELF(&config), &settings), WIRELINE_ERR_ARGUMENT);
    settings_of(&settings, "n", WIRELINE_REVISIONS_ALL, 0);
    settings.extra_capabilities = S("[]");
    CHECK_STATUS(wireline_config_init(WIRELINE_SELF(&config), &settings), WIRELINE_ERR_TYPE);
    settings.extra_capabilities = S("{");
    CHECK_STATUS(wireline_config_init(WIRELINE_SELF(&config), &settings), WIRELINE_ERR_JSON);
}

void test_sessions(void) {
    refused_settings();
    legacy_server();
    server_asks();
    batches();
    modern_server();
    modern_client();
    dual_client();
    routes();
    tasks();
}
