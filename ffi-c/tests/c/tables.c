/* A server that answers from tables, and tables that are wrong. */
#include "harness.h"

#define META                                                                                                           \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define NOTHING {NULL, 0}

static const wireline_tool TOOLS[] = {
    {WIRELINE_LITERAL("led_set"), WIRELINE_LITERAL("Switch the LED"),
     WIRELINE_LITERAL("{\"type\":\"object\",\"properties\":{\"on\":{\"type\":\"boolean\"}},\"required\":[\"on\"]}"), NOTHING,
     WIRELINE_LITERAL("LED"), NOTHING, WIRELINE_HINT_IDEMPOTENT | WIRELINE_HINT_NOT_OPEN_WORLD, 0},
    {WIRELINE_LITERAL("raw"), WIRELINE_LITERAL(""), WIRELINE_LITERAL("{\"type\":\"object\",\"patternProperties\":{}}"), NOTHING,
     NOTHING, WIRELINE_LITERAL("{\"_meta\":{\"a\":1}}"), 0, WIRELINE_TOOL_OPAQUE_INPUT},
    {WIRELINE_LITERAL("any"), WIRELINE_LITERAL(""), NOTHING, NOTHING, NOTHING, NOTHING, 0, 0},
};
static const wireline_resource RESOURCES[] = {
    {WIRELINE_LITERAL("board://log"), WIRELINE_LITERAL("log"), NOTHING, WIRELINE_LITERAL("text/plain"), NOTHING, NOTHING, 12, 1, 0},
};
static const wireline_template TEMPLATES[] = {
    {WIRELINE_LITERAL("board://pins/{pin}/{what}"), WIRELINE_LITERAL("pin"), NOTHING, NOTHING, NOTHING, NOTHING},
};
static const wireline_prompt_argument ARGUMENTS[] = {
    {WIRELINE_LITERAL("pin"), WIRELINE_LITERAL("Which"), NOTHING, 1, 0},
    {WIRELINE_LITERAL("tone"), NOTHING, NOTHING, 0, 0},
};
static const wireline_prompt PROMPTS[] = {
    {WIRELINE_LITERAL("other"), NOTHING, NOTHING, NOTHING, NULL, 0},
    {WIRELINE_LITERAL("explain"), WIRELINE_LITERAL("Explains"), NOTHING, NOTHING, ARGUMENTS, 2},
};

static struct {
    wireline_config config;
    wireline_toolkit toolkit;
    wireline_server server;
    wireline_inbound inbound[2];
    char text[128];
    uint64_t memory[WIRELINE_TABLE_WORDS(3, 1, 1, 2, 2)];
    wireline_item item;
    wireline_step step;
    wireline_call call;
    char sent[2048];
    size_t length;
} b;

static wireline_tables tables_of(void) {
    wireline_tables tables;
    memset(&tables, 0, sizeof tables);
    tables.size = sizeof tables;
    tables.tools = TOOLS;
    tables.tool_count = 3;
    tables.resources = RESOURCES;
    tables.resource_count = 1;
    tables.templates = TEMPLATES;
    tables.template_count = 1;
    tables.prompts = PROMPTS;
    tables.prompt_count = 2;
    return tables;
}

static void start(uint32_t line, uint8_t other_methods) {
    wireline_tables tables = tables_of();
    wireline_settings settings;
    wireline_slots slots;
    wireline_capabilities capabilities = 0;
    size_t needed;
    memset(&b, 0, sizeof b);
    tables.line = line;
    tables.other_methods = other_methods;
    CHECK_OK(wireline_toolkit_needed(&tables, &needed));
    CHECK(needed <= sizeof b.memory);
    CHECK_STATUS(wireline_toolkit_init(WIRELINE_SELF(&b.toolkit), &tables, b.memory, needed - 1, NULL), WIRELINE_ERR_TOO_SMALL);
    CHECK_STATUS(wireline_toolkit_init(WIRELINE_SELF(&b.toolkit), &tables, (char *)b.memory + 4, needed, NULL),
                 WIRELINE_ERR_ALIGN);
    CHECK_OK(wireline_toolkit_init(WIRELINE_SELF(&b.toolkit), &tables, b.memory, needed, NULL));
    CHECK_OK(wireline_toolkit_capabilities(&b.toolkit, &capabilities));
    CHECK(capabilities == (WIRELINE_CAPABILITY_TOOLS | WIRELINE_CAPABILITY_RESOURCES | WIRELINE_CAPABILITY_PROMPTS));
    CHECK_OK(wireline_settings_default(&settings, sizeof settings));
    settings.name = S("board");
    settings.version = S("1");
    settings.capabilities = capabilities | WIRELINE_CAPABILITY_COMPLETIONS | WIRELINE_CAPABILITY_RESOURCES_SUBSCRIBE |
                            WIRELINE_CAPABILITY_TOOLS_LIST_CHANGED;
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

#define SENT(want)                                                                                                     \
    check(same(b.sent, b.length, want), __FILE__, __LINE__, "sent %.*s", (int)b.length, b.sent)
#define HAS(want) check(strstr(b.sent, want) != NULL, __FILE__, __LINE__, "sent %.*s", (int)b.length, b.sent)
#define EVENT(wanted)                                                                                                  \
    check(b.step.event == WIRELINE_EVENT_##wanted, __FILE__, __LINE__, "event %u, not " #wanted, (unsigned)b.step.event)

static void legacy(void) {
    wireline_send send;
    wireline_reply reply;
    memset(&reply, 0, sizeof reply);
    reply.size = sizeof reply;
    start(0, 0);
    to("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
       "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}");
    EVENT(STATE);
    HAS("\"capabilities\":{");
    to("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    to("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
    EVENT(NONE);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[{\"name\":\"led_set\",\"title\":\"LED\",\"description\":\"Switch the LED\","
         "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"on\":{\"type\":\"boolean\"}},\"required\":[\"on\"]},\"annotations\":{"
         "\"idempotentHint\":true,\"openWorldHint\":false}},{\"name\":\"raw\",\"inputSchema\":{\"type\":\"object\","
         "\"patternProperties\":{}},\"_meta\":{\"a\":1}},{\"name\":\"any\",\"inputSchema\":{\"type\":\"object\"}}]}}\n");
    to("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/list\"}");
    SENT("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resources\":[{\"uri\":\"board://log\",\"name\":\"log\",\"mimeType\":\"text/plain\","
         "\"size\":12}]}}\n");
    to("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/templates/list\"}");
    SENT("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"resourceTemplates\":[{\"uriTemplate\":\"board://pins/{pin}/{what}\",\"name\":\"pin\""
         "}]}}\n");
    to("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"prompts/list\"}");
    SENT("{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"prompts\":[{\"name\":\"other\"},{\"name\":\"explain\",\"description\":\"Explains\","
         "\"arguments\":[{\"name\":\"pin\",\"description\":\"Which\",\"required\":true},{\"name\":\"tone\"}]}]}}\n");

    /* Calls: a good one, one that fails, one with wrong arguments, one of nothing. */
    to("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"led\\u005fset\",\"arguments\":{\"on\":true}}}");
    EVENT(CALL);
    CHECK(b.call.target == WIRELINE_TARGET_TOOL && b.call.index == 0);
    CHECK_TEXT(b.call.arguments, "{\"on\":true}");
    SENT("");
    CHECK_OK(wireline_server_finish_text(&b.server, b.step.handle, S("it is \"on\""), false, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"it is \\\"on\\\"\"}]}}\n");
    CHECK_STATUS(wireline_server_finish_text(&b.server, b.step.handle, S("x"), false, &send), WIRELINE_ERR_STALE_HANDLE);
    to("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\",\"params\":{\"name\":\"any\"}}");
    EVENT(CALL);
    CHECK(b.call.index == 2);
    CHECK_TEXT(b.call.arguments, "{}");
    CHECK_OK(wireline_server_finish_text(&b.server, b.step.handle, S("broken"), true, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":6,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"broken\"}],\"isError\":true}}\n");
    to("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"led_set\",\"arguments\":{\"on\":1}}}");
    EVENT(NONE);
    HAS("\"isError\":true");
    HAS("/on: not of type boolean");
    to("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":{\"name\":\"led\"}}");
    EVENT(NONE);
    HAS("\"id\":8,\"error\":{\"code\":-32602,");

    /* Resources: one of the table, one that a template matches, none. */
    to("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"resources/read\",\"params\":{\"uri\":\"board://log\"}}");
    EVENT(READ);
    CHECK(b.call.target == WIRELINE_TARGET_RESOURCE && b.call.index == 0 && b.call.variable_count == 0);
    reply.result = S("{\"contents\":[{\"uri\":\"board://log\",\"text\":\"x\"}]}");
    CHECK_STATUS(wireline_server_finish_text(&b.server, b.step.handle, S("x"), false, &send), WIRELINE_ERR_RULE - 104);
    CHECK_OK(wireline_server_finish(&b.server, b.step.handle, &reply, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{\"contents\":[{\"uri\":\"board://log\",\"text\":\"x\"}]}}\n");
    to("{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"resources/read\",\"params\":{\"uri\":\"board://pins/7/level\"}}");
    EVENT(READ);
    CHECK(b.call.target == WIRELINE_TARGET_TEMPLATE && b.call.variable_count == 2);
    CHECK(wireline_string_is(b.call.uri, "board://pins/7/level"));
    CHECK(wireline_string_is(b.call.variables[0], "7") && wireline_string_is(b.call.variables[1], "level"));
    CHECK_OK(wireline_server_not_found(&b.server, b.step.handle, &send));
    take(&send);
    HAS("\"id\":10,\"error\":{\"code\":-32002,");
    to("{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"resources/read\",\"params\":{\"uri\":\"board://x\"}}");
    EVENT(NONE);
    HAS("\"id\":11,\"error\":{\"code\":-32002,");
    to("{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"board://log\"}}");
    EVENT(SUBSCRIBE);
    CHECK_OK(wireline_server_acknowledge(&b.server, b.step.handle, &send));
    take(&send);
    SENT("{\"jsonrpc\":\"2.0\",\"id\":12,\"result\":{}}\n");

    /* A prompt, and completions. */
    to("{\"jsonrpc\":\"2.0\",\"id\":13,\"method\":\"prompts/get\",\"params\":{\"name\":\"explain\",\"arguments\":{\"pin\":\"7\"}}}");
    EVENT(GET);
    CHECK(b.call.target == WIRELINE_TARGET_PROMPT && b.call.index == 1);
    CHECK_TEXT(b.call.arguments, "{\"pin\":\"7\"}");
    CHECK_OK(wireline_server_fail(&b.server, b.step.handle, -32603, S("no"), absent(), &send));
    to("{\"jsonrpc\":\"2.0\",\"id\":14,\"method\":\"prompts/get\",\"params\":{\"name\":\"explain\"}}");
    EVENT(NONE);
    HAS("\"id\":14,\"error\":{\"code\":-32602,");
    to("{\"jsonrpc\":\"2.0\",\"id\":15,\"method\":\"completion/complete\",\"params\":{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"explain\"},"
       "\"argument\":{\"name\":\"tone\",\"value\":\"so\"},\"context\":{\"arguments\":{\"pin\":\"7\"}}}}");
    EVENT(COMPLETE);
    CHECK(b.call.target == WIRELINE_TARGET_PROMPT && b.call.index == 1);
    CHECK_TEXT(b.call.name, "tone");
    CHECK(wireline_string_is(b.call.value, "so"));
    CHECK_TEXT(b.call.arguments, "{\"pin\":\"7\"}");
    reply.result = S("{\"completion\":{\"values\":[\"soft\"]}}");
    CHECK_OK(wireline_server_finish(&b.server, b.step.handle, &reply, &send));
    to("{\"jsonrpc\":\"2.0\",\"id\":16,\"method\":\"completion/complete\",\"params\":{\"ref\":{\"type\":\"ref/resource\",\"uri\":"
       "\"board://pins/{pin}/{what}\"},\"argument\":{\"name\":\"what\",\"value\":\"\"}}}");
    EVENT(COMPLETE);
    CHECK(b.call.target == WIRELINE_TARGET_TEMPLATE && b.call.index == 0);
    CHECK_TEXT(b.call.name, "what");
    to("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":16}}");
    EVENT(CANCELLED);
    CHECK_STATUS(wireline_server_finish(&b.server, b.step.handle, &reply, &send), WIRELINE_ERR_STALE_HANDLE);
    to("{\"jsonrpc\":\"2.0\",\"id\":17,\"method\":\"own/method\"}");
    EVENT(NONE);
    HAS("\"id\":17,\"error\":{\"code\":-32601,");
}

static void modern(void) {
    wireline_send send;
    wireline_slice cursor;
    char line[256];
    start(500, 1);
    to("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"own/method\",\"params\":{" META "}}");
    EVENT(REQUEST);
    CHECK(b.step.method == WIRELINE_METHOD_UNKNOWN && b.step.revision == WIRELINE_REVISION_2026_07_28);
    CHECK_OK(wireline_server_respond(&b.server, b.step.handle, S("{}"), &send));

    /* Pages that fit into lines of 500 bytes. */
    to("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{" META "}}");
    CHECK(b.length <= 500);
    HAS("\"resultType\":\"complete\"");
    HAS("\"nextCursor\":");
    CHECK_OK(wireline_parse(b.sent, b.length, NULL, &b.item));
    CHECK_OK(wireline_json_member(b.item.result, S("nextCursor"), &cursor));
    snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\",\"params\":{\"cursor\":%.*s," META "}}",
             WIRELINE_ARG(cursor));
    to(line);
    HAS("\"name\":\"any\"");
    CHECK(strstr(b.sent, "nextCursor") == NULL && strstr(b.sent, "led_set") == NULL);
    to("{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\",\"params\":{\"cursor\":\"x\"," META "}}");
    HAS("\"error\":{\"code\":-32602,");

    /* An answer over the ceiling is replaced. */
    to("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"any\"," META "}}");
    EVENT(CALL);
    {
        static char text[600];
        wireline_slice slice;
        memset(text, 'x', sizeof text);
        slice.ptr = text;
        slice.len = sizeof text;
        CHECK_OK(wireline_server_finish_text(&b.server, b.step.handle, slice, false, &send));
        take(&send);
        CHECK(b.length <= 500);
        HAS("\"isError\":true");
    }
    to("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true,"
       "\"resourceSubscriptions\":[\"board://log\"]}," META "}}");
    EVENT(LISTEN);
    CHECK(b.call.filter.tools == 1);
    CHECK_TEXT(b.call.filter.uris, "[\"board://log\"]");
    HAS("notifications/subscriptions/acknowledged");
    CHECK_OK(wireline_server_set_toolkit(&b.server, &b.toolkit));
}

/* One entry is wrong: the call says which, and why. */
static void wrong(const wireline_tables *tables, uint32_t table, size_t index, const char *reason) {
    static uint64_t memory[WIRELINE_TABLE_WORDS(4, 4, 4, 4, 8)];
    wireline_toolkit toolkit;
    wireline_table_error why;
    char text[128];
    memset(&why, 0xff, sizeof why);
    CHECK_STATUS(wireline_toolkit_init(WIRELINE_SELF(&toolkit), tables, memory, sizeof memory, &why), WIRELINE_ERR_TABLE);
    snprintf(text, sizeof text, "%.*s", WIRELINE_ARG(why.reason));
    check(why.table == table && why.index == index && strstr(text, reason) != NULL, __FILE__, __LINE__,
          "table %u, entry %zu: %s; not table %u, entry %zu: %s", why.table, why.index, text, table, index, reason);
}

static void wrong_tables(void) {
    wireline_tool tools[3];
    wireline_resource resource = RESOURCES[0];
    wireline_template template_ = TEMPLATES[0];
    wireline_prompt prompts[2];
    wireline_prompt_argument arguments[2];
    wireline_tables tables;
    wireline_slice no_memory;
    no_memory.ptr = NULL;
    no_memory.len = 5;
#define FRESH                                                                                                          \
    (memcpy(tools, TOOLS, sizeof tools), memcpy(prompts, PROMPTS, sizeof prompts),                                     \
     memcpy(arguments, ARGUMENTS, sizeof arguments), resource = RESOURCES[0], template_ = TEMPLATES[0],                \
     tables = tables_of(), tables.tools = tools, tables.resources = &resource, tables.templates = &template_,          \
     tables.prompts = prompts)
    FRESH;
    tools[1].name = S("led set");
    wrong(&tables, WIRELINE_TABLE_TOOLS, 1, "1 to 128");
    FRESH;
    tools[2].name = absent();
    wrong(&tables, WIRELINE_TABLE_TOOLS, 2, "1 to 128");
    FRESH;
    tools[2].name = no_memory;
    wrong(&tables, WIRELINE_TABLE_TOOLS, 2, "no memory");
    FRESH;
    tools[2].name = S("led_set");
    wrong(&tables, WIRELINE_TABLE_TOOLS, 2, "same name");
    FRESH;
    tools[0].description = S("\xff");
    wrong(&tables, WIRELINE_TABLE_TOOLS, 0, "not UTF-8");
    FRESH;
    tools[0].input_schema = S("{\"type\":\"object\",\"pattern\":\"x\"}");
    wrong(&tables, WIRELINE_TABLE_TOOLS, 0, "not supported");
    FRESH;
    tools[0].input_schema = S("{\"type\":\"string\"}");
    wrong(&tables, WIRELINE_TABLE_TOOLS, 0, "\"type\":\"object\"");
    FRESH;
    tools[1].output_schema = S("{");
    wrong(&tables, WIRELINE_TABLE_TOOLS, 1, "not JSON");
    FRESH;
    tools[1].extra = S("{\"name\":1}");
    wrong(&tables, WIRELINE_TABLE_TOOLS, 1, "repeat");
    FRESH;
    tools[0].hints = WIRELINE_HINT_READ_ONLY | WIRELINE_HINT_NOT_READ_ONLY;
    wrong(&tables, WIRELINE_TABLE_TOOLS, 0, "given and denied");
    FRESH;
    tools[0].flags = 4;
    wrong(&tables, WIRELINE_TABLE_TOOLS, 0, "means nothing");
    FRESH;
    resource.uri = S("log");
    wrong(&tables, WIRELINE_TABLE_RESOURCES, 0, "URI");
    FRESH;
    resource.has_bytes = 2;
    wrong(&tables, WIRELINE_TABLE_RESOURCES, 0, "neither 0 nor 1");
    FRESH;
    template_.uri_template = S("a:{b}{c}");
    wrong(&tables, WIRELINE_TABLE_TEMPLATES, 0, "side by side");
    FRESH;
    template_.name = absent();
    wrong(&tables, WIRELINE_TABLE_TEMPLATES, 0, "empty name");
    FRESH;
    prompts[0].name = absent();
    wrong(&tables, WIRELINE_TABLE_PROMPTS, 0, "empty name");
    FRESH;
    arguments[1].name = arguments[0].name;
    prompts[1].arguments = arguments;
    wrong(&tables, WIRELINE_TABLE_PROMPTS, 1, "same name");
    /* Names that are one text in memory, in two tables: an error is of the table that it is in. */
    FRESH;
    prompts[0].name = prompts[1].name = tools[0].name;
    wrong(&tables, WIRELINE_TABLE_PROMPTS, 1, "same name");
    FRESH;
    prompts[1].name = tools[0].name;
    prompts[1].extra = S("{\"name\":1}");
    wrong(&tables, WIRELINE_TABLE_PROMPTS, 1, "repeat");
    FRESH;
    tools[1].name = template_.uri_template = S("a:{b}{c}");
    tables.tool_count = 1;
    wrong(&tables, WIRELINE_TABLE_TEMPLATES, 0, "side by side");
    FRESH;
    resource.reserved = 1;
    wrong(&tables, WIRELINE_TABLE_RESOURCES, 0, "reserved");
    FRESH;
    arguments[1].reserved = 1;
    prompts[1].arguments = arguments;
    wrong(&tables, WIRELINE_TABLE_PROMPTS, 1, "reserved");
    FRESH;
    tables.line = 100;
    wrong(&tables, WIRELINE_TABLE_NONE, 0, "256 bytes");
    {
        wireline_toolkit toolkit;
        size_t needed;
        FRESH;
        tables.tools = NULL;
        CHECK_STATUS(wireline_toolkit_needed(&tables, &needed), WIRELINE_ERR_NULL);
        tables = tables_of();
        tables.other_methods = 2;
        CHECK_STATUS(wireline_toolkit_init(WIRELINE_SELF(&toolkit), &tables, b.memory, sizeof b.memory, NULL),
                     WIRELINE_ERR_ARGUMENT);
        tables = tables_of();
        tables.reserved[4] = 1;
        CHECK_STATUS(wireline_toolkit_init(WIRELINE_SELF(&toolkit), &tables, b.memory, sizeof b.memory, NULL),
                     WIRELINE_ERR_ARGUMENT);
        /* What has no entries needs no memory. */
        memset(&tables, 0, sizeof tables);
        tables.size = sizeof tables;
        CHECK_OK(wireline_toolkit_needed(&tables, &needed));
        CHECK(needed == 0);
        CHECK_OK(wireline_toolkit_init(WIRELINE_SELF(&toolkit), &tables, NULL, 0, NULL));
        tables.tools = TOOLS;
        tables.tool_count = 1;
        CHECK_STATUS(wireline_toolkit_init(WIRELINE_SELF(&toolkit), &tables, NULL, 0, NULL), WIRELINE_ERR_NULL);
        tables = tables_of();
        tables.tool_count = SIZE_MAX;
        CHECK_STATUS(wireline_toolkit_needed(&tables, &needed), WIRELINE_ERR_ARGUMENT);
    }
}

/* A toolkit made anew whose tables are wrong: the memory that the old one had is overwritten, and nobody reads it. */
static void wrong_anew(void) {
    wireline_tables tables = tables_of();
    wireline_capabilities capabilities = 77;
    wireline_resource resources[2];
    wireline_server other;
    wireline_slots slots;
    resources[0] = resources[1] = RESOURCES[0];
    memset(&slots, 0, sizeof slots);
    slots.size = sizeof slots;
    start(0, 0);
    /* What is refused before the memory is touched changes nothing. */
    tables.other_methods = 2;
    CHECK_STATUS(wireline_toolkit_init(WIRELINE_SELF(&b.toolkit), &tables, b.memory, sizeof b.memory, NULL),
                 WIRELINE_ERR_ARGUMENT);
    tables = tables_of();
    CHECK_STATUS(wireline_toolkit_init(WIRELINE_SELF(&b.toolkit), &tables, b.memory, 8, NULL), WIRELINE_ERR_TOO_SMALL);
    CHECK_OK(wireline_toolkit_capabilities(&b.toolkit, &capabilities));
    to("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" META "}}");
    HAS("led_set");
    /* A resource where a tool was, then one that is wrong. */
    tables.tool_count = tables.template_count = tables.prompt_count = 0;
    tables.resources = resources;
    tables.resource_count = 2;
    CHECK_STATUS(wireline_toolkit_init(WIRELINE_SELF(&b.toolkit), &tables, b.memory, sizeof b.memory, NULL),
                 WIRELINE_ERR_TABLE);
    capabilities = 77;
    CHECK_STATUS(wireline_toolkit_capabilities(&b.toolkit, &capabilities), WIRELINE_ERR_UNINITIALISED);
    CHECK(capabilities == 77);
    CHECK_STATUS(wireline_server_init(WIRELINE_SELF(&other), &b.config, &b.toolkit, &slots), WIRELINE_ERR_UNINITIALISED);
    CHECK_STATUS(wireline_server_set_toolkit(&b.server, &b.toolkit), WIRELINE_ERR_UNINITIALISED);
    /* A server that had it has no entries. */
    to("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{" META "}}");
    HAS("\"tools\":[]");
    CHECK(strstr(b.sent, "board://log") == NULL);
    tables = tables_of();
    CHECK_OK(wireline_toolkit_init(WIRELINE_SELF(&b.toolkit), &tables, b.memory, sizeof b.memory, NULL));
    to("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\",\"params\":{" META "}}");
    HAS("led_set");
}

/* What a list answers: with tables that are looked at whole, and with the same on trust. */
static const char *const LISTS[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" META "}}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/list\",\"params\":{" META "}}",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/templates/list\",\"params\":{" META "}}",
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"prompts/list\",\"params\":{" META "}}",
};
enum { LIST_COUNT = sizeof LISTS / sizeof *LISTS };

static wireline_status trust(const wireline_tables *tables) {
    return wireline_toolkit_init_trusted(WIRELINE_SELF(&b.toolkit), tables, b.memory, sizeof b.memory);
}

static void trusted(void) {
    static char whole[LIST_COUNT][2048];
    wireline_tool tools[3];
    wireline_resource resource = RESOURCES[0];
    wireline_prompt prompt = PROMPTS[1];
    wireline_prompt_argument argument = ARGUMENTS[0];
    wireline_tables tables = tables_of();
    wireline_slice no_memory;
    wireline_send send;
    static char deep[256];
    size_t i;
    start(0, 0);
    for (i = 0; i < LIST_COUNT; i++) {
        to(LISTS[i]);
        memcpy(whole[i], b.sent, sizeof b.sent);
    }
    memset(b.memory, 0xff, sizeof b.memory);
    CHECK_OK(trust(&tables));
    for (i = 0; i < LIST_COUNT; i++) {
        to(LISTS[i]);
        SENT(whole[i]);
    }
    to("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"led_set\",\"arguments\":{\"on\":1}," META "}}");
    HAS("/on: not of type boolean");
    to("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"resources/read\",\"params\":{\"uri\":\"board://pins/7/level\"," META "}}");
    EVENT(READ);
    CHECK(wireline_string_is(b.call.variables[1], "level"));
    CHECK_OK(wireline_server_not_found(&b.server, b.step.handle, &send));

    /* What could hurt is refused still, and leaves no toolkit. */
    no_memory.ptr = NULL;
    no_memory.len = 5;
#define UNTRUSTED(change)                                                                                              \
    do {                                                                                                               \
        wireline_capabilities none;                                                                                    \
        memcpy(tools, TOOLS, sizeof tools);                                                                            \
        resource = RESOURCES[0], prompt = PROMPTS[1], argument = ARGUMENTS[0];                                         \
        prompt.arguments = &argument, prompt.argument_count = 1;                                                       \
        tables = tables_of();                                                                                          \
        tables.tools = tools, tables.resources = &resource, tables.prompts = &prompt, tables.prompt_count = 1;         \
        change;                                                                                                        \
        CHECK_STATUS(trust(&tables), WIRELINE_ERR_TABLE);                                                              \
        CHECK_STATUS(wireline_toolkit_capabilities(&b.toolkit, &none), WIRELINE_ERR_UNINITIALISED);                    \
    } while (0)
    UNTRUSTED(tools[1].name = no_memory);
    UNTRUSTED(tools[2].description = S("\xff"));
    UNTRUSTED(tools[0].input_schema = S("{"));
    UNTRUSTED(tools[0].input_schema = S("{}}"));
    UNTRUSTED(tools[0].input_schema = S("[]"));
    UNTRUSTED(tools[0].input_schema = S(""));
    UNTRUSTED(tools[1].output_schema = S("true"));
    UNTRUSTED(tools[1].extra = S("{\"a\":}"));
    UNTRUSTED(tools[0].flags = 4);
    UNTRUSTED(tools[0].hints = 0x100);
    UNTRUSTED(tools[0].hints = WIRELINE_HINT_READ_ONLY | WIRELINE_HINT_NOT_READ_ONLY);
    UNTRUSTED(resource.reserved = 1);
    UNTRUSTED(resource.has_bytes = 2);
    UNTRUSTED(resource.extra = S("1"));
    UNTRUSTED(argument.required = 2);
    UNTRUSTED(argument.title = no_memory);
    UNTRUSTED(tables.line = 100);
#undef UNTRUSTED

    /* What only a test could have seen is served as it is. */
    for (i = 0; i < 12; i++) strcat(deep, "{\"items\":");
    strcat(deep, "{}}}}}}}}}}}}}");
    memcpy(tools, TOOLS, sizeof tools);
    tools[0].name = S("led \"set\"");
    tools[0].input_schema = S("{\"pattern\":7,\"required\":[\"x\"]}");
    tools[1].name = tools[2].name = S("any");
    tools[1].flags = 0;
    tools[1].input_schema.ptr = deep;
    tools[1].input_schema.len = strlen(deep);
    tools[2].extra = S("{\"name\":1}");
    tables = tables_of();
    tables.tools = tools;
    CHECK_OK(trust(&tables));
    to(LISTS[0]);
    HAS("led \\\"set\\\"");
    CHECK_OK(wireline_parse(b.sent, b.length - 1, NULL, &b.item));
    CHECK(b.item.type == WIRELINE_ITEM_MESSAGE);
    to("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"any\",\"arguments\":{}," META "}}");
    EVENT(CALL);
    CHECK(b.call.index == 1);
    CHECK_OK(wireline_server_finish_text(&b.server, b.step.handle, S(""), false, &send));
    to("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tools/call\",\"params\":{\"name\":\"led \\\"set\\\"\",\"arguments\":{}," META "}}");
    HAS("/x: missing");
    CHECK_OK(wireline_toolkit_init_trusted(WIRELINE_SELF(&b.toolkit), &tables, b.memory, sizeof b.memory));
    CHECK_STATUS(wireline_toolkit_init_trusted(WIRELINE_SELF(&b.toolkit), &tables, b.memory, 8), WIRELINE_ERR_TOO_SMALL);
    to(LISTS[1]);
    SENT(whole[1]);
}

void test_tables(void) {
    legacy();
    modern();
    wrong_tables();
    wrong_anew();
    trusted();
}
