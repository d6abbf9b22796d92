/* What may not be said: numbers and codes out of place, reserved members, text that is not what it should be. */
#include "harness.h"

static struct {
    wireline_settings settings;
    wireline_config config;
    wireline_client client;
    wireline_outbound outbound[2];
    wireline_inbound inbound[2];
    char text[120];
    wireline_item item;
    wireline_step step;
    wireline_send send;
    char sent[1024];
    size_t length;
} r;

static void settings(void) {
    CHECK_OK(wireline_settings_default(&r.settings, sizeof r.settings));
    r.settings.name = S("host");
    r.settings.version = S("1");
}

static wireline_slots slots_of(void) {
    wireline_slots slots;
    memset(&slots, 0, sizeof slots);
    slots.size = sizeof slots;
    slots.inbound = r.inbound;
    slots.inbound_count = 2;
    slots.outbound = r.outbound;
    slots.outbound_count = 2;
    slots.text = r.text;
    slots.text_size = sizeof r.text;
    return slots;
}

/* A client of the modern era, with a request that waits for its answer. */
static wireline_handle waiting(void) {
    wireline_slots slots;
    wireline_handle handle = 0;
    memset(&r, 0, sizeof r);
    settings();
    CHECK_OK(wireline_config_init(WIRELINE_SELF(&r.config), &r.settings));
    slots = slots_of();
    CHECK_OK(wireline_client_init(WIRELINE_SELF(&r.client), &r.config, &slots));
    CHECK_OK(wireline_client_assume(&r.client, WIRELINE_REVISION_2026_07_28,
                                    WIRELINE_CAPABILITY_TOOLS | WIRELINE_CAPABILITY_RESOURCES_SUBSCRIBE));
    CHECK_OK(wireline_client_request(&r.client, S("tools/call"), S("{\"name\":\"x\"}"), NULL, 0, &handle, &r.send));
    return handle;
}

static uint32_t outbound(void) {
    wireline_session_info info;
    info.size = sizeof info;
    CHECK_OK(wireline_client_info(&r.client, &info));
    return info.outbound;
}

static void limits(void) {
    static const struct {
        uint32_t message;
        uint16_t id, method;
        uint8_t depth;
        wireline_status status;
    } rows[] = {
        {64, 1, 1, 4, WIRELINE_OK},
        {UINT32_MAX, 16384, 16384, 127, WIRELINE_OK},
        {63, 1, 1, 4, WIRELINE_ERR_ARGUMENT},
        {64, 0, 1, 4, WIRELINE_ERR_ARGUMENT},
        {64, 16385, 1, 4, WIRELINE_ERR_ARGUMENT},
        {64, 1, 0, 4, WIRELINE_ERR_ARGUMENT},
        {64, 1, 16385, 4, WIRELINE_ERR_ARGUMENT},
        {64, 1, 1, 3, WIRELINE_ERR_ARGUMENT},
        {64, 1, 1, 128, WIRELINE_ERR_ARGUMENT},
        {64, 1, 1, 200, WIRELINE_ERR_ARGUMENT},
    };
    wireline_limits limits;
    wireline_decoder decoder;
    wireline_item item;
    char buffer[256];
    size_t i, needed;
    item.size = sizeof item;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        CHECK_OK(wireline_limits_host(&limits, sizeof limits));
        limits.message = rows[i].message;
        limits.id = rows[i].id;
        limits.method = rows[i].method;
        limits.depth = rows[i].depth;
        CHECK_STATUS(wireline_decoder_init(WIRELINE_SELF(&decoder), buffer, sizeof buffer, &limits), rows[i].status);
        CHECK_STATUS(wireline_stream_needed(&limits, &needed), rows[i].status);
        CHECK_STATUS(wireline_parse("{}", 2, &limits, &item), rows[i].status);
    }
}

static void refused_settings(void) {
    wireline_config config;
    settings();
    r.settings.probe_timeout = 1;
    r.settings.too_long_code = WIRELINE_CODE_CONTENT_TOO_LARGE;
    CHECK_OK(wireline_config_init(WIRELINE_SELF(&config), &r.settings));
    r.settings.probe_timeout = 0;
    CHECK_STATUS(wireline_config_init(WIRELINE_SELF(&config), &r.settings), WIRELINE_ERR_ARGUMENT);
    settings();
    r.settings.too_long_code = 5;
    CHECK_STATUS(wireline_config_init(WIRELINE_SELF(&config), &r.settings), WIRELINE_ERR_ARGUMENT);
}

/* What is sent in a string is the inside of one, and nothing gets out of it. */
static void states(void) {
    static const char *const bad[] = {
        "x\",\"evil\":true,\"y\":\"", "\"", "\\", "a\\", "\\x", "\\u12", "a\nb", "\x1f", "\xff", "\xc3", "\\\"\"",
    };
    static const char asks[] =
        "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"s\"}}";
    const wireline_slice params = S("{\"name\":\"x\"}");
    wireline_handle handle = waiting();
    wireline_string state, none;
    wireline_options options;
    size_t i;
    memset(&none, 0, sizeof none);
    r.item.size = sizeof r.item;
    r.step.size = sizeof r.step;
    CHECK_OK(wireline_parse(asks, sizeof asks - 1, NULL, &r.item));
    CHECK_OK(wireline_client_receive(&r.client, &r.item, 0, &r.step));
    CHECK(r.step.event == WIRELINE_EVENT_INPUT_REQUIRED && r.step.handle == handle);
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        state.ptr = bad[i];
        state.len = strlen(bad[i]);
        CHECK_STATUS(wireline_client_retry(&r.client, handle, params, absent(), state, NULL, 0, &r.send), WIRELINE_ERR_JSON);
    }
    CHECK_STATUS(wireline_client_retry(&r.client, handle, params, S("7"), none, NULL, 0, &r.send), WIRELINE_ERR_PAYLOAD);
    CHECK_STATUS(wireline_client_retry(&r.client, handle, params, S("[]"), none, NULL, 0, &r.send), WIRELINE_ERR_PAYLOAD);
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.meta = S("5");
    CHECK(wireline_client_retry(&r.client, handle, params, absent(), none, &options, 0, &r.send) != WIRELINE_OK);
    /* It still waits, and a state with every kind of escape comes back as it came. */
    state.ptr = "a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\xc3\xa9";
    state.len = strlen(state.ptr);
    CHECK_OK(wireline_client_retry(&r.client, handle, params, S("{}"), state, NULL, 0, &r.send));
    CHECK_OK(wireline_send_write(&r.send, r.sent, sizeof r.sent - 1, &r.length));
    r.sent[r.length] = '\0';
    CHECK(strstr(r.sent, "\"inputResponses\":{},\"requestState\":\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\xc3\xa9\"}}\n") != NULL);
}

/* Tables that are refused are not touched: the session that has them goes on. */
static void failed_init(void) {
    wireline_slots slots;
    char lines[64];
    (void)waiting();
    CHECK(outbound() == 1);
    memset(r.text, 7, sizeof r.text);
#define REFUSED(change, status)                                                                                        \
    do {                                                                                                               \
        slots = slots_of();                                                                                            \
        change;                                                                                                        \
        CHECK_STATUS(wireline_client_init(WIRELINE_SELF(&r.client), &r.config, &slots), status);                       \
        CHECK(outbound() == 1 && r.text[0] == 7 && r.text[sizeof r.text - 1] == 7);                                    \
    } while (0)
    REFUSED(slots.text_size = SIZE_MAX, WIRELINE_ERR_ARGUMENT);
    REFUSED((slots.gather = lines, slots.gather_size = SIZE_MAX), WIRELINE_ERR_ARGUMENT);
    REFUSED(slots.gather_size = 1, WIRELINE_ERR_NULL);
    REFUSED(slots.inbound_count = 65536, WIRELINE_ERR_ARGUMENT);
    REFUSED(slots.outbound_count = 65536, WIRELINE_ERR_ARGUMENT);
    REFUSED(slots.outbound = (wireline_outbound *)(void *)((char *)slots.outbound + 4), WIRELINE_ERR_ALIGN);
    REFUSED(slots.text = NULL, WIRELINE_ERR_NULL);
    REFUSED(slots.reserved = 1, WIRELINE_ERR_ARGUMENT);
#undef REFUSED
}

/* A handle that could not be made anew is what it was, and so is what it was lent. */
static void failed_inits(void) {
    static char memory[512], lent[512];
    static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}";
    static wireline_tables tables;
    wireline_decoder decoder, decoder_was;
    wireline_stream stream, stream_was;
    wireline_json_iter iter, iter_was;
    wireline_json_writer writer, writer_was;
    wireline_message_writer message_writer, message_writer_was;
    wireline_forward forward, forward_was;
    wireline_pieces pieces, pieces_was;
    wireline_config config, config_was;
    wireline_server server, server_was;
    wireline_toolkit toolkit, toolkit_was;
    wireline_questions questions, questions_was;
    wireline_monitor monitor, monitor_was;
    wireline_monitor_slots monitor_slots;
    wireline_monitor_request requests[2], requests_were[2];
    wireline_slots slots;
    wireline_limits limits;
    wireline_outgoing message;
    wireline_input_request request[2];
    wireline_renumber renumber;
    wireline_id bad_id = wireline_id_integer(1);
    (void)waiting();
    bad_id.type = 99;
    CHECK_OK(wireline_limits_embedded(&limits, sizeof limits));
    limits.depth = 200;
    memset(&message, 0, sizeof message);
    message.size = sizeof message;
    message.kind = WIRELINE_KIND_NOTIFICATION;
    message.method = S("a");
    memset(request, 0, sizeof request);
    request[0].size = request[1].size = sizeof request[0];
    request[0].key = request[1].key = S("k");
    request[0].method = WIRELINE_METHOD_ROOTS_LIST;
    memset(&monitor_slots, 0, sizeof monitor_slots);
    monitor_slots.size = sizeof monitor_slots;
    monitor_slots.requests = requests;
    monitor_slots.request_count = 2;
    monitor_slots.text = memory;
    monitor_slots.text_size = sizeof memory;
    memset(&tables, 0, sizeof tables);
    tables.size = sizeof tables;
    memset(&renumber, 0, sizeof renumber);
    renumber.size = sizeof renumber;
    renumber.id = bad_id;
#define KEEPS(handle, bad, status)                                                                                     \
    do {                                                                                                               \
        memcpy(&handle##_was, &handle, sizeof handle);                                                                 \
        memcpy(lent, memory, sizeof memory);                                                                           \
        CHECK_STATUS(bad, status);                                                                                     \
        CHECK(unchanged(&handle##_was, &handle, sizeof handle) && unchanged(lent, memory, sizeof memory));             \
    } while (0)
    memset(memory, 7, sizeof memory);
    CHECK_OK(wireline_decoder_init(WIRELINE_SELF(&decoder), memory, 256, NULL));
    KEEPS(decoder, wireline_decoder_init(WIRELINE_SELF(&decoder), memory, 128, &limits), WIRELINE_ERR_ARGUMENT);
    KEEPS(decoder, wireline_decoder_init(WIRELINE_SELF(&decoder), memory, SIZE_MAX, NULL), WIRELINE_ERR_ARGUMENT);
    KEEPS(decoder, wireline_decoder_init(WIRELINE_SELF(&decoder), NULL, 0, NULL), WIRELINE_ERR_NULL);
    memset(memory, 7, sizeof memory);
    CHECK_OK(wireline_stream_init(WIRELINE_SELF(&stream), memory, sizeof memory, NULL));
    KEEPS(stream, wireline_stream_init(WIRELINE_SELF(&stream), memory, 8, NULL), WIRELINE_ERR_TOO_SMALL);
    KEEPS(stream, wireline_stream_init(WIRELINE_SELF(&stream), memory, sizeof memory, &limits), WIRELINE_ERR_ARGUMENT);
    CHECK_OK(wireline_json_iter_init(WIRELINE_SELF(&iter), S("[1]")));
    KEEPS(iter, wireline_json_iter_init(WIRELINE_SELF(&iter), S("1")), WIRELINE_ERR_TYPE);
    CHECK_OK(wireline_json_writer_init(WIRELINE_SELF(&writer), memory, sizeof memory));
    KEEPS(writer, wireline_json_writer_init(WIRELINE_SELF(&writer), NULL, 8), WIRELINE_ERR_NULL);
    CHECK_OK(wireline_message_writer_init(WIRELINE_SELF(&message_writer), &message));
    CHECK_OK(wireline_pieces_init(WIRELINE_SELF(&pieces), &message));
    message.method = S("\xff");
    KEEPS(message_writer, wireline_message_writer_init(WIRELINE_SELF(&message_writer), &message), WIRELINE_ERR_UTF8);
    KEEPS(pieces, wireline_pieces_init(WIRELINE_SELF(&pieces), &message), WIRELINE_ERR_UTF8);
    KEEPS(pieces, wireline_pieces_init_send(WIRELINE_SELF(&pieces), &r.send, 9), WIRELINE_ERR_NOT_FOUND);
    r.item.size = sizeof r.item;
    CHECK_OK(wireline_parse(line, strlen(line), NULL, &r.item));
    KEEPS(pieces, wireline_pieces_init_renumbered(WIRELINE_SELF(&pieces), &r.item, &renumber), WIRELINE_ERR_ARGUMENT);
    CHECK_OK(wireline_forward_init(WIRELINE_SELF(&forward), wireline_id_none()));
    KEEPS(forward, wireline_forward_init(WIRELINE_SELF(&forward), bad_id), WIRELINE_ERR_ARGUMENT);
    CHECK_OK(wireline_config_init(WIRELINE_SELF(&config), &r.settings));
    r.settings.extra_capabilities = S("[]");
    KEEPS(config, wireline_config_init(WIRELINE_SELF(&config), &r.settings), WIRELINE_ERR_TYPE);
    slots = slots_of();
    CHECK_OK(wireline_server_init(WIRELINE_SELF(&server), &config, NULL, &slots));
    memset(&toolkit, 0, sizeof toolkit);
    KEEPS(server, wireline_server_init(WIRELINE_SELF(&server), &config, &toolkit, &slots), WIRELINE_ERR_UNINITIALISED);
    slots.reserved = 1;
    KEEPS(server, wireline_server_init(WIRELINE_SELF(&server), &config, NULL, &slots), WIRELINE_ERR_ARGUMENT);
    CHECK_OK(wireline_toolkit_init(WIRELINE_SELF(&toolkit), &tables, NULL, 0, NULL));
    tables.other_methods = 2;
    KEEPS(toolkit, wireline_toolkit_init(WIRELINE_SELF(&toolkit), &tables, memory, sizeof memory, NULL),
          WIRELINE_ERR_ARGUMENT);
    KEEPS(toolkit, wireline_toolkit_init_trusted(WIRELINE_SELF(&toolkit), &tables, memory, sizeof memory),
          WIRELINE_ERR_ARGUMENT);
    CHECK_OK(wireline_questions_init(WIRELINE_SELF(&questions), request, 1));
    KEEPS(questions, wireline_questions_init(WIRELINE_SELF(&questions), request, 2), WIRELINE_ERR_ARGUMENT);
    memset(memory, 7, sizeof memory);
    CHECK_OK(wireline_monitor_init(WIRELINE_SELF(&monitor), &monitor_slots, 0));
    memcpy(requests_were, requests, sizeof requests);
    monitor_slots.task_count = 1;
    KEEPS(monitor, wireline_monitor_init(WIRELINE_SELF(&monitor), &monitor_slots, 0), WIRELINE_ERR_NULL);
    monitor_slots.task_count = 0;
    monitor_slots.text_size = SIZE_MAX;
    KEEPS(monitor, wireline_monitor_init(WIRELINE_SELF(&monitor), &monitor_slots, 0), WIRELINE_ERR_ARGUMENT);
    CHECK(unchanged(requests_were, requests, sizeof requests));
#undef KEEPS
}

static void filters(void) {
    wireline_filter filter;
    wireline_handle handle;
    (void)waiting();
    memset(&filter, 0, sizeof filter);
    filter.size = sizeof filter;
    filter.uris = S("5");
    CHECK_STATUS(wireline_client_listen(&r.client, &filter, 0, &handle, &r.send), WIRELINE_ERR_TYPE);
    filter.uris = S("{}");
    CHECK_STATUS(wireline_client_listen(&r.client, &filter, 0, &handle, &r.send), WIRELINE_ERR_TYPE);
    filter.uris = S("[\"x:a\"]");
    CHECK_OK(wireline_client_listen(&r.client, &filter, 0, &handle, &r.send));
}

/* A method that is not there is none that is empty. */
static void methods(void) {
    wireline_outgoing message;
    wireline_pieces pieces;
    wireline_message_writer writer;
    wireline_id id = wireline_id_integer(1);
    memset(&message, 0, sizeof message);
    message.size = sizeof message;
    message.kind = WIRELINE_KIND_NOTIFICATION;
    CHECK_STATUS(wireline_write(&message, r.sent, sizeof r.sent, &r.length), WIRELINE_ERR_NULL);
    CHECK_STATUS(wireline_pieces_init(WIRELINE_SELF(&pieces), &message), WIRELINE_ERR_NULL);
    CHECK_STATUS(wireline_message_writer_init(WIRELINE_SELF(&writer), &message), WIRELINE_ERR_NULL);
    message.kind = WIRELINE_KIND_REQUEST;
    message.id = id;
    CHECK_STATUS(wireline_write(&message, r.sent, sizeof r.sent, &r.length), WIRELINE_ERR_NULL);
    message.method = S("");
    CHECK_OK(wireline_write(&message, r.sent, sizeof r.sent, &r.length));
    CHECK_STATUS(wireline_write_request(id, absent(), absent(), r.sent, sizeof r.sent, &r.length), WIRELINE_ERR_NULL);
    CHECK_STATUS(wireline_write_notification(absent(), absent(), r.sent, sizeof r.sent, &r.length), WIRELINE_ERR_NULL);
    id.reserved = 1;
    CHECK_STATUS(wireline_write_request(id, S("a"), absent(), r.sent, sizeof r.sent, &r.length), WIRELINE_ERR_ARGUMENT);
    id.type = WIRELINE_ID_NULL;
    CHECK_STATUS(wireline_write_error(id, 1, S(""), absent(), r.sent, sizeof r.sent, &r.length), WIRELINE_ERR_ARGUMENT);
}

/* What a call of a writer could not take, the end says again, unless something else was first. */
static void writers(void) {
    wireline_json_writer writer;
    wireline_slice text, no_memory;
    char room[64];
    no_memory.ptr = NULL;
    no_memory.len = 3;
#define WRITER CHECK_OK(wireline_json_writer_init(WIRELINE_SELF(&writer), room, sizeof room))
    WRITER;
    CHECK_OK(wireline_json_writer_begin_array(&writer));
    CHECK_STATUS(wireline_json_writer_string(&writer, S("\xff")), WIRELINE_ERR_UTF8);
    CHECK_OK(wireline_json_writer_string(&writer, S("b")));
    CHECK_OK(wireline_json_writer_end_array(&writer));
    CHECK_STATUS(wireline_json_writer_finish(&writer, &text), WIRELINE_ERR_UTF8);
    CHECK_STATUS(wireline_json_writer_finish(&writer, &text), WIRELINE_ERR_UNINITIALISED);
    WRITER;
    CHECK_STATUS(wireline_json_writer_raw(&writer, S("{")), WIRELINE_ERR_JSON);
    CHECK_OK(wireline_json_writer_null(&writer));
    CHECK_STATUS(wireline_json_writer_finish(&writer, &text), WIRELINE_ERR_JSON);
    WRITER;
    CHECK_STATUS(wireline_json_writer_base64(&writer, NULL, 3), WIRELINE_ERR_NULL);
    CHECK_OK(wireline_json_writer_null(&writer));
    CHECK_STATUS(wireline_json_writer_finish(&writer, &text), WIRELINE_ERR_NULL);
    WRITER;
    CHECK_OK(wireline_json_writer_null(&writer));
    CHECK_OK(wireline_json_writer_null(&writer));
    CHECK_STATUS(wireline_json_writer_string(&writer, no_memory), WIRELINE_ERR_NULL);
    CHECK_STATUS(wireline_json_writer_finish(&writer, &text), WIRELINE_ERR_MISPLACED);
    CHECK_OK(wireline_json_writer_init(WIRELINE_SELF(&writer), room, 2));
    CHECK_OK(wireline_json_writer_begin_array(&writer));
    CHECK_OK(wireline_json_writer_integer(&writer, 12345));
    CHECK_STATUS(wireline_json_writer_decimal(&writer, S("\xff")), WIRELINE_ERR_UTF8);
    CHECK_STATUS(wireline_json_writer_finish(&writer, &text), WIRELINE_ERR_UTF8);
#undef WRITER
}

/* Slices that printf cannot take as they are. */
static void shown(int precision, const char *text, int wanted, const char *wanted_text) {
    CHECK(precision == wanted && text != NULL && strcmp(text, wanted_text) == 0);
}

static void printed(void) {
    wireline_slice slice = absent();
    shown(WIRELINE_ARG(slice), 0, "");
    slice.len = 5;
    shown(WIRELINE_ARG(slice), 0, "");
    slice.ptr = "text";
    shown(WIRELINE_ARG(slice), 5, "text");
    slice.len = INT_MAX;
    shown(WIRELINE_ARG(slice), INT_MAX, "text");
    slice.len = (size_t)INT_MAX + 1;
    shown(WIRELINE_ARG(slice), INT_MAX, "text");
    slice.len = SIZE_MAX;
    shown(WIRELINE_ARG(slice), INT_MAX, "text");
}

void test_refused(void) {
    limits();
    refused_settings();
    states();
    failed_init();
    failed_inits();
    filters();
    methods();
    writers();
    printed();
}
