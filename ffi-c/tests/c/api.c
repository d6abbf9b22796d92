/* What the functions do when they are used as they should be. */
#include "harness.h"

void test_version(const char *cargo_toml) {
    buffer text = read_file(cargo_toml);
    const char *at = strstr(text.ptr, "\nversion = \"");
    unsigned long major = 99, minor = 99, patch = 99;
    char want[64] = "";
    CHECK(at != NULL);
    if (at != NULL) {
        at += 12;
        snprintf(want, sizeof want, "%.*s", (int)strcspn(at, "\""), at);
        CHECK(sscanf(want, "%lu.%lu.%lu", &major, &minor, &patch) == 3);
    }
    CHECK(strcmp(WIRELINE_VERSION_STRING, want) == 0);
    CHECK(WIRELINE_VERSION_MAJOR == major);
    CHECK(WIRELINE_VERSION_MINOR == minor);
    CHECK(WIRELINE_VERSION_PATCH == patch);
    CHECK(WIRELINE_VERSION_NUMBER == major * 1000000 + minor * 1000 + patch);
    CHECK(wireline_version() == WIRELINE_VERSION_NUMBER);
    CHECK_TEXT(wireline_version_string(), WIRELINE_VERSION_STRING);
    free(text.ptr);
}

/* Every status of the header has a name of its own, which is its macro's. */
void test_names(const char *header) {
    buffer text = read_file(header);
    const char *at = text.ptr;
    unsigned statuses = 0, faults = 0, i, j;
    wireline_slice path[4];
    wireline_string string;
    uint32_t code;
    bool may;
    while ((at = strstr(at, "#define WIRELINE_")) != NULL) {
        char name[64], value[32], want[64];
        at += strlen("#define ");
        if (sscanf(at, "%63s %31s", name, value) != 2) {
            continue;
        }
        if (strncmp(name, "WIRELINE_ERR_", 13) == 0) {
            const char *got = wireline_status_name((wireline_status)strtol(value + 1, NULL, 10));
            for (i = 13; name[i] != '\0'; i++) {
                want[i - 13] = name[i] == '_' ? '-' : (char)(name[i] | 32);
            }
            want[i - 13] = '\0';
            check(strcmp(got, want) == 0, header, 0, "%s is called %s", name, got);
            CHECK(strlen(wireline_status_reason((wireline_status)strtol(value + 1, NULL, 10))) > 10);
            statuses += 1;
        } else if (strncmp(name, "WIRELINE_FAULT_", 15) == 0) {
            const char *got = wireline_fault_name((wireline_fault)strtoul(value, NULL, 10));
            for (i = 15; name[i] != '\0'; i++) {
                want[i - 15] = name[i] == '_' ? '-' : (char)(name[i] | 32);
            }
            want[i - 15] = '\0';
            check(strcmp(got, want) == 0, header, 0, "%s is called %s", name, got);
            CHECK(strlen(wireline_fault_reason((wireline_fault)strtoul(value, NULL, 10))) > 5);
            faults += 1;
        }
    }
    free(text.ptr);
    CHECK(statuses > 20 && faults == 26);
    CHECK(strcmp(wireline_status_name(WIRELINE_OK), "ok") == 0);
    CHECK(strcmp(wireline_status_name(-9999), "unknown") == 0);
    CHECK(strcmp(wireline_status_name(1), "unknown") == 0);
    CHECK(strcmp(wireline_fault_name(26), "none") == 0);
    CHECK(strcmp(wireline_fault_name(UINT32_MAX), "none") == 0);
    CHECK(strcmp(wireline_kind_name(WIRELINE_KIND_ERROR), "error") == 0);
    CHECK(strcmp(wireline_kind_name(99), "none") == 0);
    CHECK(wireline_fault_class_of(WIRELINE_FAULT_TOO_DEEP) == WIRELINE_CLASS_LIMIT);
    CHECK(wireline_fault_class_of(0) == WIRELINE_CLASS_NONE);

    CHECK_TEXT(wireline_method_name(WIRELINE_METHOD_TOOLS_CALL), "tools/call");
    CHECK_TEXT(wireline_method_name(WIRELINE_METHOD_SUBSCRIPTIONS_ACKNOWLEDGED),
               "notifications/subscriptions/acknowledged");
    CHECK_TEXT(wireline_method_name(0), NULL);
    CHECK_TEXT(wireline_method_name(1000), NULL);
    for (i = 1; wireline_method_name(i).ptr != NULL; i++) {
        string.ptr = wireline_method_name(i).ptr;
        string.len = wireline_method_name(i).len;
        CHECK_OK(wireline_method_of(string, &code));
        CHECK(code == i);
        CHECK(wireline_method_revisions(i) != 0);
    }
    CHECK(i == 35);
    string.ptr = "tools\\/c\\u0061ll";
    string.len = strlen(string.ptr);
    CHECK_OK(wireline_method_of(string, &code));
    CHECK(code == WIRELINE_METHOD_TOOLS_CALL);
    string.ptr = "no/such";
    string.len = 7;
    CHECK_OK(wireline_method_of(string, &code));
    CHECK(code == WIRELINE_METHOD_UNKNOWN);
    CHECK(wireline_method_revisions(WIRELINE_METHOD_PING) == WIRELINE_REVISIONS_LEGACY);
    CHECK_OK(wireline_method_may_send(WIRELINE_METHOD_PING, WIRELINE_SIDE_SERVER, WIRELINE_REVISION_2025_11_25, &may));
    CHECK(may);
    CHECK_OK(wireline_method_may_send(WIRELINE_METHOD_PING, WIRELINE_SIDE_SERVER, WIRELINE_REVISION_2026_07_28, &may));
    CHECK(!may);
    CHECK_STATUS(wireline_method_may_send(0, WIRELINE_SIDE_SERVER, WIRELINE_REVISION_2026_07_28, &may),
                 WIRELINE_ERR_ARGUMENT);
    CHECK_STATUS(wireline_method_may_send(1, 3, WIRELINE_REVISION_2026_07_28, &may), WIRELINE_ERR_ARGUMENT);
    CHECK_STATUS(wireline_method_may_send(1, 1, WIRELINE_REVISIONS_ALL, &may), WIRELINE_ERR_ARGUMENT);

    CHECK_TEXT(wireline_revision_name(WIRELINE_REVISION_2026_07_28), "2026-07-28");
    CHECK_TEXT(wireline_revision_name(WIRELINE_REVISIONS_ALL), NULL);
    string.ptr = "2025-03-26";
    string.len = 10;
    CHECK_OK(wireline_revision_of(string, &code));
    CHECK(code == WIRELINE_REVISION_2025_03_26);
    string.ptr = "2099-01-01";
    code = 77;
    CHECK_STATUS(wireline_revision_of(string, &code), WIRELINE_ERR_NOT_FOUND);
    CHECK(code == 77);

    CHECK_OK(wireline_capability_path(WIRELINE_CAPABILITY_CLIENT_TASKS_SAMPLING, path));
    CHECK_TEXT(path[0], "tasks");
    CHECK_TEXT(path[1], "requests");
    CHECK_TEXT(path[2], "sampling");
    CHECK_TEXT(path[3], "createMessage");
    CHECK_OK(wireline_capability_path(WIRELINE_CAPABILITY_TOOLS, path));
    CHECK_TEXT(path[0], "tools");
    CHECK_TEXT(path[1], NULL);
    CHECK_STATUS(wireline_capability_path(WIRELINE_CAPABILITY_TOOLS | WIRELINE_CAPABILITY_PROMPTS, path),
                 WIRELINE_ERR_ARGUMENT);

    CHECK_TEXT(wireline_log_level_name(WIRELINE_LOG_WARNING), "warning");
    CHECK_TEXT(wireline_log_level_name(0), NULL);
    string.ptr = "emergency";
    string.len = 9;
    CHECK_OK(wireline_log_level_of(string, &code));
    CHECK(code == WIRELINE_LOG_EMERGENCY);
    string.len = 5;
    CHECK_STATUS(wireline_log_level_of(string, &code), WIRELINE_ERR_NOT_FOUND);

    CHECK_TEXT(wireline_code_name(WIRELINE_CODE_METHOD_NOT_FOUND), "Method not found");
    CHECK_TEXT(wireline_code_name(1), NULL);
    for (i = 1, j = 0; i <= WIRELINE_RULE_COUNT; i++) {
        CHECK(wireline_rule_text(i).len > 5);
        CHECK(wireline_rule_level(i) != WIRELINE_LEVEL_NONE);
        CHECK(wireline_rule_sides(i) != 0);
        CHECK(wireline_rule_revisions(i) != 0);
        j += wireline_rule_level(i) == WIRELINE_LEVEL_MUST;
    }
    CHECK(j > 20 && j < WIRELINE_RULE_COUNT);
    CHECK_TEXT(wireline_rule_text(0), NULL);
    CHECK_TEXT(wireline_rule_text(WIRELINE_RULE_COUNT + 1), NULL);
    CHECK(wireline_rule_level(0) == WIRELINE_LEVEL_NONE && wireline_rule_sides(256 + 1) == 0);
}

static wireline_slice valid(const char *text) {
    wireline_slice value = absent();
    CHECK_OK(wireline_json_validate(text, strlen(text), &value, NULL));
    return value;
}

void test_json(void) {
    wireline_slice object = valid(" {\"a\": [1, \"x\\u0079\", null], \"b\\u0062\": true, \"n\":-12e0, \"big\":1e300} ");
    wireline_slice value, element;
    wireline_string name, string;
    wireline_json_iter iter;
    wireline_json_kind kind;
    wireline_invalid why;
    wireline_slice untouched;
    int64_t integer;
    uint64_t natural;
    size_t length, n;
    bool yes, more;
    char text[64];

    CHECK(object.ptr[0] == '{' && object.ptr[object.len - 1] == '}');
    CHECK_OK(wireline_json_member(object, S("bb"), &value));
    CHECK_TEXT(value, "true");
    CHECK_OK(wireline_json_bool(value, &yes));
    CHECK(yes);
    CHECK_STATUS(wireline_json_integer(value, &integer), WIRELINE_ERR_TYPE);
    CHECK_STATUS(wireline_json_member(object, S("c"), &value), WIRELINE_ERR_NOT_FOUND);
    CHECK_TEXT(value, "true");
    CHECK_STATUS(wireline_json_member(value, S("c"), &value), WIRELINE_ERR_TYPE);
    CHECK_OK(wireline_json_member(object, S("n"), &value));
    CHECK_OK(wireline_json_integer(value, &integer));
    CHECK(integer == -12);
    CHECK_STATUS(wireline_json_unsigned(value, &natural), WIRELINE_ERR_RANGE);
    CHECK_OK(wireline_json_member(object, S("big"), &value));
    CHECK_STATUS(wireline_json_integer(value, &integer), WIRELINE_ERR_RANGE);
    CHECK_OK(wireline_json_unsigned(valid("18446744073709551615"), &natural));
    CHECK(natural == UINT64_MAX);
    CHECK_OK(wireline_json_member(object, S("a"), &value));
    CHECK_OK(wireline_json_count(value, &n));
    CHECK(n == 3);
    CHECK_OK(wireline_json_count(object, &n));
    CHECK(n == 4);
    CHECK_STATUS(wireline_json_count(valid("1"), &n), WIRELINE_ERR_TYPE);
    CHECK_OK(wireline_json_element(value, 1, &element));
    CHECK_OK(wireline_json_string(element, &string));
    CHECK(wireline_string_is(string, "xy"));
    CHECK(!wireline_string_is(string, "x"));
    CHECK_OK(wireline_string_unescape(string, text, sizeof text, &length));
    CHECK(length == 2 && memcmp(text, "xy", 2) == 0);
    CHECK_STATUS(wireline_string_unescape(string, text, 1, &length), WIRELINE_ERR_TOO_SMALL);
    CHECK(length == 2);
    CHECK_OK(wireline_json_string(valid("\"\\ud800\""), &string));
    CHECK_STATUS(wireline_string_unescape(string, text, sizeof text, &length), WIRELINE_ERR_LONE_SURROGATE);
    CHECK_STATUS(wireline_json_element(value, 3, &element), WIRELINE_ERR_NOT_FOUND);
    CHECK_OK(wireline_json_element(value, 2, &element));
    CHECK_OK(wireline_json_kind_of(element, &kind));
    CHECK(kind == WIRELINE_JSON_NULL);
    CHECK_OK(wireline_json_kind_of(object, &kind));
    CHECK(kind == WIRELINE_JSON_OBJECT);

    CHECK_OK(wireline_json_iter_init(WIRELINE_SELF(&iter), object));
    for (n = 0;; n++) {
        CHECK_OK(wireline_json_iter_next(&iter, &more, &name, &value));
        if (!more) {
            break;
        }
        CHECK(wireline_string_is(name, n == 0 ? "a" : n == 1 ? "bb" : n == 2 ? "n" : "big"));
    }
    CHECK(n == 4);
    CHECK_STATUS(wireline_json_iter_init(WIRELINE_SELF(&iter), valid("1")), WIRELINE_ERR_TYPE);

    CHECK_OK(wireline_json_compact(valid("[ 1 , \"a b\" ,\n{ } ]"), text, sizeof text, &length));
    CHECK(length == 12 && memcmp(text, "[1,\"a b\",{}]", 12) == 0);
    CHECK_STATUS(wireline_json_compact(valid("[ 1 ]"), text, 2, &length), WIRELINE_ERR_TOO_SMALL);
    CHECK(length == 3);

    untouched = S("before");
    CHECK_STATUS(wireline_json_validate("[1,]", 4, &untouched, &why), WIRELINE_ERR_JSON);
    CHECK(why.fault == WIRELINE_FAULT_SYNTAX && why.offset == 3);
    CHECK_TEXT(untouched, "before");
    CHECK_STATUS(wireline_json_validate("[1", 2, &untouched, &why), WIRELINE_ERR_JSON);
    CHECK(why.fault == WIRELINE_FAULT_CUT && why.offset == 2);
    CHECK_STATUS(wireline_json_validate(NULL, 0, &untouched, &why), WIRELINE_ERR_JSON);

    CHECK_OK(wireline_id_equals(S("1.0"), S("1"), &yes));
    CHECK(yes);
    CHECK_OK(wireline_id_equals(S("\"\\u0041\""), S("\"A\""), &yes));
    CHECK(yes);
    CHECK_OK(wireline_id_equals(S("1"), S("\"1\""), &yes));
    CHECK(!yes);
    CHECK_OK(wireline_id_equals(S("1.5"), S("1.5"), &yes));
    CHECK(!yes);
    CHECK_OK(wireline_id_equals(absent(), absent(), &yes));
    CHECK(!yes);

    /* What is no value gives nonsense at worst. */
    CHECK_STATUS(wireline_json_member(S("{"), S("a"), &value), WIRELINE_ERR_NOT_FOUND);
    (void)wireline_json_member(S("{\"a\":"), S("a"), &value);
    (void)wireline_json_count(S("[[[[,,,"), &n);
    CHECK_STATUS(wireline_json_bool(S("nonsense"), &yes), WIRELINE_ERR_TYPE);
    CHECK_STATUS(wireline_json_bool(absent(), &yes), WIRELINE_ERR_NULL);
}

#define HEAD "{\"jsonrpc\":\"2.0\","

static void json_writer(void) {
    wireline_json_writer writer;
    wireline_slice text;
    char room[128];
    size_t length;
    CHECK_OK(wireline_json_writer_init(WIRELINE_SELF(&writer), room, sizeof room));
    CHECK_OK(wireline_json_writer_begin_object(&writer));
    CHECK_OK(wireline_json_writer_key(&writer, S("text")));
    CHECK_OK(wireline_json_writer_string(&writer, S("one\n\"two\"")));
    CHECK_OK(wireline_json_writer_key(&writer, S("list")));
    CHECK_OK(wireline_json_writer_begin_array(&writer));
    CHECK_OK(wireline_json_writer_integer(&writer, INT64_MIN));
    CHECK_OK(wireline_json_writer_unsigned(&writer, UINT64_MAX));
    CHECK_OK(wireline_json_writer_bool(&writer, true));
    CHECK_OK(wireline_json_writer_null(&writer));
    CHECK_OK(wireline_json_writer_decimal(&writer, S("0.10")));
    CHECK_OK(wireline_json_writer_base64(&writer, "\0\1\2\3", 4));
    CHECK_OK(wireline_json_writer_raw(&writer, S("{\r\n\"a\": 1}")));
    CHECK_OK(wireline_json_writer_end_array(&writer));
    CHECK_OK(wireline_json_writer_end_object(&writer));
    CHECK_OK(wireline_json_writer_length(&writer, &length));
    CHECK_OK(wireline_json_writer_finish(&writer, &text));
    CHECK(length == text.len);
    CHECK_TEXT(text, "{\"text\":\"one\\n\\\"two\\\"\",\"list\":[-9223372036854775808,18446744073709551615,"
                     "true,null,0.10,\"AAECAw==\",{\"a\": 1}]}");
    CHECK_STATUS(wireline_json_writer_null(&writer), WIRELINE_ERR_UNINITIALISED);

    /* Too small says how much, and with no memory at all it measures. */
    CHECK_OK(wireline_json_writer_init(WIRELINE_SELF(&writer), NULL, 0));
    CHECK_OK(wireline_json_writer_string(&writer, S("abc")));
    CHECK_STATUS(wireline_json_writer_finish(&writer, &text), WIRELINE_ERR_TOO_SMALL);
    CHECK(text.ptr == NULL && text.len == 5);
    CHECK_OK(wireline_json_writer_init(WIRELINE_SELF(&writer), room, 4));
    CHECK_OK(wireline_json_writer_begin_array(&writer));
    CHECK_OK(wireline_json_writer_key(&writer, S("a")));
    CHECK_STATUS(wireline_json_writer_finish(&writer, &text), WIRELINE_ERR_MISPLACED);
    CHECK_OK(wireline_json_writer_init(WIRELINE_SELF(&writer), room, sizeof room));
    CHECK_OK(wireline_json_writer_begin_array(&writer));
    CHECK_STATUS(wireline_json_writer_finish(&writer, &text), WIRELINE_ERR_UNFINISHED);
    CHECK_OK(wireline_json_writer_init(WIRELINE_SELF(&writer), room, sizeof room));
    CHECK_OK(wireline_json_writer_decimal(&writer, S("nan")));
    CHECK_STATUS(wireline_json_writer_finish(&writer, &text), WIRELINE_ERR_NUMBER);
    CHECK_OK(wireline_json_writer_init(WIRELINE_SELF(&writer), room, sizeof room));
    for (length = 0; length < 65; length++) {
        CHECK_OK(wireline_json_writer_begin_array(&writer));
    }
    CHECK_STATUS(wireline_json_writer_finish(&writer, &text), WIRELINE_ERR_TOO_DEEP);
}

#define CHECK_LINE(text) check(same(room, length, text), __FILE__, __LINE__, "wrote %.*s", (int)length, room)

static void whole_lines(void) {
    char room[160];
    size_t length = 0, needed = 0;
    wireline_outgoing message;
    CHECK_OK(wireline_write_request(wireline_id_integer(1), S("tools/call"), S("{\"name\":\"x\"}"), room, sizeof room,
                                    &length));
    CHECK_LINE(HEAD "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}\n");
    CHECK_OK(wireline_write_request(wireline_id_text(S("a\"b")), S("ping"), absent(), room, sizeof room, &length));
    CHECK_LINE(HEAD "\"id\":\"a\\\"b\",\"method\":\"ping\"}\n");
    CHECK_STATUS(wireline_write_request(wireline_id_text(S("a\"b")), S("ping"), absent(), room, 10, &needed),
                 WIRELINE_ERR_TOO_SMALL);
    CHECK(needed == length);
    CHECK_OK(wireline_write_notification(S("notifications/initialized"), absent(), room, sizeof room, &length));
    CHECK_LINE(HEAD "\"method\":\"notifications/initialized\"}\n");
    CHECK_OK(wireline_write_result(wireline_id_received(S("7.0")), S("{\n}"), room, sizeof room, &length));
    CHECK_LINE(HEAD "\"id\":7.0,\"result\":{}}\n");
    CHECK_OK(wireline_write_error(wireline_id_null(), WIRELINE_CODE_PARSE_ERROR, S("Parse error"), absent(), room,
                                  sizeof room, &length));
    CHECK_LINE(HEAD "\"id\":null,\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}\n");
    CHECK_OK(wireline_write_error(wireline_id_none(), 1, S("m"), S("[1]"), room, sizeof room, &length));
    CHECK_LINE(HEAD "\"error\":{\"code\":1,\"message\":\"m\",\"data\":[1]}}\n");
    CHECK_OK(wireline_write_error(wireline_id_received(absent()), 1, S("m"), absent(), room, sizeof room, &length));
    CHECK_LINE(HEAD "\"error\":{\"code\":1,\"message\":\"m\"}}\n");

    length = 77;
    CHECK_STATUS(wireline_write_result(wireline_id_none(), S("{}"), room, sizeof room, &length), WIRELINE_ERR_ID);
    CHECK_STATUS(wireline_write_request(wireline_id_integer(INT64_MAX), S("a"), absent(), room, sizeof room, &length),
                 WIRELINE_ERR_ID);
    CHECK_STATUS(wireline_write_request(wireline_id_text(S("")), S("a"), absent(), room, sizeof room, &length),
                 WIRELINE_ERR_ID);
    CHECK_STATUS(wireline_write_request(wireline_id_null(), S("a"), absent(), room, sizeof room, &length),
                 WIRELINE_ERR_ID);
    CHECK_STATUS(wireline_write_result(wireline_id_received(S("1.5")), S("{}"), room, sizeof room, &length),
                 WIRELINE_ERR_ID);
    CHECK_STATUS(wireline_write_result(wireline_id_received(S("{}")), S("{}"), room, sizeof room, &length),
                 WIRELINE_ERR_ID);
    CHECK_STATUS(wireline_write_result(wireline_id_integer(1), S("[]"), room, sizeof room, &length),
                 WIRELINE_ERR_PAYLOAD);
    CHECK_STATUS(wireline_write_result(wireline_id_integer(1), absent(), room, sizeof room, &length),
                 WIRELINE_ERR_PAYLOAD);
    CHECK_STATUS(wireline_write_result(wireline_id_integer(1), S("{} x"), room, sizeof room, &length),
                 WIRELINE_ERR_JSON);
    CHECK(length == 77);

    memset(&message, 0, sizeof message);
    message.size = sizeof message;
    message.kind = WIRELINE_KIND_RESULT;
    message.id = wireline_id_integer(3);
    message.payload = S("[1]");
    CHECK_STATUS(wireline_write(&message, room, sizeof room, &length), WIRELINE_ERR_PAYLOAD);
    message.profile = WIRELINE_PROFILE_JSON_RPC;
    CHECK_STATUS(wireline_write(&message, NULL, 0, &needed), WIRELINE_ERR_TOO_SMALL);
    CHECK_OK(wireline_write(&message, room, needed, &length));
    CHECK_LINE(HEAD "\"id\":3,\"result\":[1]}\n");
    message.profile = 7;
    CHECK_STATUS(wireline_write(&message, room, sizeof room, &length), WIRELINE_ERR_ARGUMENT);
    message.profile = 0;
    message.kind = 9;
    CHECK_STATUS(wireline_write(&message, room, sizeof room, &length), WIRELINE_ERR_ARGUMENT);
    message.kind = WIRELINE_KIND_NOTIFICATION;
    CHECK_STATUS(wireline_write(&message, room, sizeof room, &length), WIRELINE_ERR_ID);
}

static void in_pieces(void) {
    char line[160], room[7];
    size_t length = 0, written, remaining, step;
    wireline_outgoing message;
    wireline_pieces pieces;
    memset(&message, 0, sizeof message);
    message.size = sizeof message;
    message.kind = WIRELINE_KIND_REQUEST;
    message.id = wireline_id_integer(1);
    message.method = S("tools/call");
    message.payload = S("{\"name\":\"x\"}");
    for (step = 1; step <= sizeof room; step++) {
        CHECK_OK(wireline_pieces_init(WIRELINE_SELF(&pieces), &message));
        CHECK_OK(wireline_pieces_remaining(&pieces, &remaining));
        for (length = 0;; length += written) {
            CHECK_OK(wireline_pieces_fill(&pieces, room, step, &written));
            if (written == 0) {
                break;
            }
            memcpy(line + length, room, written);
        }
        CHECK(length == remaining);
        check(same(line, length, HEAD "\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}\n"), __FILE__,
              __LINE__, "wrote %.*s", (int)length, line);
    }
    message.payload = S("{");
    CHECK_STATUS(wireline_pieces_init(WIRELINE_SELF(&pieces), &message), WIRELINE_ERR_JSON);
}

typedef wireline_status (*feeder)(wireline_message_writer *, const void *, size_t, size_t *, void *, size_t, size_t *);

static void feed(wireline_message_writer *writer, buffer *line, feeder feeder, const char *input, size_t len) {
    char room[5];
    size_t used, written;
    while (len > 0) {
        CHECK_OK(feeder(writer, input, len, &used, room, sizeof room, &written));
        put(line, room, written);
        input += used;
        len -= used;
    }
}

static void message_writer(void) {
    wireline_message_writer writer;
    wireline_outgoing message;
    buffer line = {NULL, 0, 0};
    char room[5];
    size_t used, written;
    memset(&message, 0, sizeof message);
    message.size = sizeof message;
    message.kind = WIRELINE_KIND_RESULT;
    message.id = wireline_id_integer(5);
    CHECK_OK(wireline_message_writer_init(WIRELINE_SELF(&writer), &message));
    feed(&writer, &line, wireline_message_writer_body, "{\"contents\":[{\"blob\":", 21);
    CHECK_OK(wireline_message_writer_begin_base64(&writer));
    feed(&writer, &line, wireline_message_writer_base64, "\0\1", 2);
    feed(&writer, &line, wireline_message_writer_base64, "\2\3", 2);
    CHECK_OK(wireline_message_writer_end_string(&writer));
    feed(&writer, &line, wireline_message_writer_body, ",\"t\":", 5);
    CHECK_OK(wireline_message_writer_begin_text(&writer));
    feed(&writer, &line, wireline_message_writer_text, "a\n\xc3", 3);
    feed(&writer, &line, wireline_message_writer_text, "\xa9", 1);
    CHECK_OK(wireline_message_writer_end_string(&writer));
    CHECK_STATUS(wireline_message_writer_finish(&writer, room, sizeof room, &written), WIRELINE_ERR_JSON);
    feed(&writer, &line, wireline_message_writer_body, "}]}", 3);
    do {
        CHECK_OK(wireline_message_writer_finish(&writer, room, sizeof room, &written));
        put(&line, room, written);
    } while (written > 0);
    check(same(line.ptr, line.len,
               HEAD "\"id\":5,\"result\":{\"contents\":[{\"blob\":\"AAECAw==\",\"t\":\"a\\n\xc3\xa9\"}]}}\n"),
          __FILE__, __LINE__, "wrote %s", line.ptr);

    /* A payload that is not what it should be, and giving up. */
    line.len = 0;
    CHECK_OK(wireline_message_writer_init(WIRELINE_SELF(&writer), &message));
    feed(&writer, &line, wireline_message_writer_body, "{\"a\":1", 6);
    CHECK_STATUS(wireline_message_writer_body(&writer, "]", 1, &used, room, sizeof room, &written), WIRELINE_ERR_JSON);
    do {
        CHECK_OK(wireline_message_writer_abort(&writer, room, sizeof room, &written));
        put(&line, room, written);
    } while (written > 0);
    CHECK(line.ptr[line.len - 1] == '\n');
    CHECK_OK(wireline_message_writer_init(WIRELINE_SELF(&writer), &message));
    CHECK_STATUS(wireline_message_writer_body(&writer, "[", 1, &used, line.ptr, line.room, &written),
                 WIRELINE_ERR_PAYLOAD);
    CHECK_OK(wireline_message_writer_init(WIRELINE_SELF(&writer), &message));
    CHECK_STATUS(wireline_message_writer_end_string(&writer), WIRELINE_ERR_MISPLACED);
    message.payload = S("{}");
    CHECK_STATUS(wireline_message_writer_init(WIRELINE_SELF(&writer), &message), WIRELINE_ERR_MISPLACED);
    free(line.ptr);
}

static void renumber(void) {
    static const char text[] = "{\"method\":\"tools/call\",\"params\":{\"_meta\":{\"progressToken\":3}, \"name\":\"x\"},"
                               "\"jsonrpc\":\"2.0\",\"id\":\"3\"}";
    static const char want[] = "{\"method\":\"tools/call\",\"params\":{\"_meta\":{\"progressToken\":\"p-70\"}, "
                               "\"name\":\"x\"},\"jsonrpc\":\"2.0\",\"id\":70}\n";
    static const char cancelled[] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}";
    wireline_item item;
    wireline_renumber ids;
    wireline_pieces pieces;
    char room[160], piece[3];
    size_t length = 0, written;
    item.size = sizeof item;
    CHECK_OK(wireline_parse(text, sizeof text - 1, NULL, &item));
    memset(&ids, 0, sizeof ids);
    ids.size = sizeof ids;
    ids.id = wireline_id_integer(70);
    ids.progress_token = wireline_id_text(S("p-70"));
    CHECK_OK(wireline_write_renumbered(&item, &ids, room, sizeof room, &length));
    CHECK_LINE(want);
    CHECK_STATUS(wireline_write_renumbered(&item, &ids, room, 20, &length), WIRELINE_ERR_TOO_SMALL);
    CHECK(length == sizeof want - 1);
    CHECK_OK(wireline_pieces_init_renumbered(WIRELINE_SELF(&pieces), &item, &ids));
    for (length = 0;; length += written) {
        CHECK_OK(wireline_pieces_fill(&pieces, piece, sizeof piece, &written));
        if (written == 0) {
            break;
        }
        memcpy(room + length, piece, written);
    }
    CHECK_LINE(want);
    ids.request_id = wireline_id_integer(1);
    CHECK_STATUS(wireline_write_renumbered(&item, &ids, room, sizeof room, &length), WIRELINE_ERR_NO_MEMBER);
    CHECK_OK(wireline_write_with_id(&item, wireline_id_integer(-1), room, sizeof room, &length));
    CHECK(strstr(room, "\"id\":-1}\n") != NULL);
    CHECK_STATUS(wireline_write_with_id(&item, wireline_id_none(), room, sizeof room, &length), WIRELINE_ERR_ID);
    CHECK_OK(wireline_parse(cancelled, sizeof cancelled - 1, NULL, &item));
    memset(&ids, 0, sizeof ids);
    ids.size = sizeof ids;
    ids.request_id = wireline_id_integer(8);
    CHECK_OK(wireline_write_renumbered(&item, &ids, room, sizeof room, &length));
    CHECK_LINE("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":8}}\n");
}

/* Passes a stream on with other ids; its pieces are of `step` bytes each. */
static void forward(const char *text, size_t step, size_t room_size, const char *want) {
    wireline_stream stream;
    wireline_forward forward;
    wireline_item item;
    buffer line = {NULL, 0, 0};
    char memory[192], room[16];
    size_t len = strlen(text), at = 0, used, took, written, done;
    CHECK_OK(wireline_stream_init(WIRELINE_SELF(&stream), memory, sizeof memory, NULL));
    CHECK_OK(wireline_forward_init(WIRELINE_SELF(&forward), wireline_id_text(S("t"))));
    item.size = sizeof item;
    while (at < len) {
        CHECK_OK(wireline_stream_step(&stream, text + at, len - at < step ? len - at : step, &used, &item));
        at += used;
        switch (item.type) {
        case WIRELINE_ITEM_HEAD:
            do {
                CHECK_OK(wireline_forward_head(&forward, &item, wireline_id_integer(9), room, room_size, &written));
                put(&line, room, written);
            } while (written > 0);
            break;
        case WIRELINE_ITEM_BODY:
            for (done = 0; done < item.text.len; done += took) {
                CHECK_OK(wireline_forward_body(&forward, item.part, item.text.ptr + done, item.text.len - done, &took,
                                               room, room_size, &written));
                put(&line, room, written);
            }
            break;
        case WIRELINE_ITEM_END:
            do {
                CHECK_OK(wireline_forward_end(&forward, &item, wireline_id_integer(9), room, room_size, &written));
                put(&line, room, written);
            } while (written > 0);
            break;
        case WIRELINE_ITEM_FAULT:
            do {
                CHECK_OK(wireline_forward_give_up(&forward, room, room_size, &written));
                put(&line, room, written);
            } while (written > 0);
            break;
        default:
            break;
        }
    }
    if (line.ptr == NULL) {
        CHECK(line.ptr != NULL);
        return;
    }
    if (want != NULL) {
        check(same(line.ptr, line.len, want), __FILE__, __LINE__, "in pieces of %zu through %zu: %s", step,
              room_size, line.ptr);
    } else {
        /* How much has left before the fault showed depends on the pieces; that it is ended does not. */
        CHECK(line.len > 27 && memcmp(line.ptr, HEAD "\"result\":{", 26) == 0);
        CHECK(memchr(line.ptr, '\n', line.len) == line.ptr + line.len - 1);
    }
    free(line.ptr);
}

void test_writers(void) {
    size_t step, room;
    json_writer();
    whole_lines();
    in_pieces();
    message_writer();
    renumber();
    for (step = 1; step < 120; step += 7) {
        for (room = 1; room <= 16; room += 5) {
            forward("{\"result\":{\"_meta\":{},\"n\":[1,\r2]},\"jsonrpc\":\"2.0\",\"id\":70}\n", step, room,
                    HEAD "\"result\":{\"_meta\":{},\"n\":[1,2]},\"id\":9}\n");
            forward("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\",\"params\":{\"_meta\":{\"progressToken\":5}}}\n",
                    step, room, HEAD "\"id\":9,\"method\":\"a\",\"params\":{\"_meta\":{\"progressToken\":\"t\"}}}\n");
            forward("{\"result\":{\"n\":[1,,\n", step, room, NULL);
        }
    }
}

void test_decoders(void) {
    static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    char memory[256];
    wireline_decoder decoder;
    wireline_span spare;
    wireline_item item, copy;
    wireline_pending pending;
    wireline_limits limits;
    wireline_counters counters;
    uint64_t position, line;
    size_t needed, used;
    bool closed;
    int i;

    item.size = sizeof item;
    pending.size = sizeof pending;
    limits.size = sizeof limits;
    memset(&counters, 0, sizeof counters);
    counters.size = sizeof counters;
    CHECK_OK(wireline_decoder_init(WIRELINE_SELF(&decoder), memory, sizeof memory, NULL));
    CHECK_OK(wireline_decoder_limits(&decoder, &limits));
    CHECK(limits.message == 254 && limits.depth == 32 && limits.id == 40);
    CHECK_STATUS(wireline_decoder_commit(&decoder, 1), WIRELINE_ERR_ARGUMENT);
    CHECK_OK(wireline_decoder_spare(&decoder, &spare));
    CHECK(spare.ptr == memory && spare.len == sizeof memory);
    CHECK_STATUS(wireline_decoder_commit(&decoder, spare.len + 1), WIRELINE_ERR_ARGUMENT);
    CHECK_STATUS(wireline_decoder_commit(&decoder, SIZE_MAX), WIRELINE_ERR_ARGUMENT);
    memcpy(spare.ptr, ping, 10);
    CHECK_OK(wireline_decoder_commit(&decoder, 10));
    CHECK_OK(wireline_decoder_pending(&decoder, &pending));
    CHECK(pending.bytes == 10 && pending.fault == WIRELINE_FAULT_NONE);
    memcpy((char *)spare.ptr + 10, ping + 10, sizeof ping - 11);
    CHECK_OK(wireline_decoder_commit(&decoder, sizeof ping - 11));
    CHECK_OK(wireline_decoder_next(&decoder, &item));
    CHECK(item.type == WIRELINE_ITEM_MESSAGE && item.kind == WIRELINE_KIND_REQUEST);
    CHECK(wireline_string_is(item.method, "ping"));
    CHECK((item.flags & WIRELINE_FLAG_IN_CHUNK) == 0);
    CHECK_OK(wireline_counters_record(&counters, &item));
    CHECK_STATUS(wireline_decoder_commit(&decoder, 1), WIRELINE_ERR_ARGUMENT);
    CHECK_OK(wireline_decoder_position(&decoder, &position, &line));
    CHECK(position == 0 && line == 1);

    /* An item may be copied, and a used one replaced. */
    copy = item;
    CHECK_OK(wireline_counters_record(&counters, &copy));
    CHECK_OK(wireline_decoder_next(&decoder, &item));
    CHECK(item.type == WIRELINE_ITEM_NONE);
    CHECK_STATUS(wireline_counters_record(&counters, &item), WIRELINE_ERR_ITEM);
    CHECK_OK(wireline_decoder_next_in(&decoder, "hello\n[", 7, &used, &item));
    CHECK(used == 6 && item.type == WIRELINE_ITEM_FAULT && item.fault == WIRELINE_FAULT_NOT_JSON);
    CHECK_TEXT(item.text, "hello");
    CHECK((item.flags & WIRELINE_FLAG_IN_CHUNK) != 0);
    CHECK_OK(wireline_counters_record(&counters, &item));
    CHECK(counters.messages[WIRELINE_KIND_REQUEST] == 2 && counters.faults[WIRELINE_FAULT_NOT_JSON] == 1);
    CHECK(counters.accepted == 2 * (sizeof ping - 2) && counters.discarded == 5);
    CHECK_OK(wireline_decoder_next_in(&decoder, "[]]", 3, &used, &item));
    CHECK(used == 3 && item.type == WIRELINE_ITEM_NONE);
    CHECK_OK(wireline_decoder_pending(&decoder, &pending));
    CHECK(pending.bytes == 3 && pending.fault == WIRELINE_FAULT_TRAILING && pending.offset == 2);
    CHECK_OK(wireline_decoder_finish(&decoder, &item));
    CHECK(item.type == WIRELINE_ITEM_FAULT && item.fault == WIRELINE_FAULT_TRAILING);
    CHECK_OK(wireline_decoder_finish(&decoder, &item));
    CHECK(item.type == WIRELINE_ITEM_NONE);

    /* Lines that are not taken out: a byte is lent, and what is put there is lost and told. */
    CHECK_OK(wireline_decoder_reset(&decoder));
    for (i = 0; i < 300; i++) {
        CHECK_OK(wireline_decoder_spare(&decoder, &spare));
        CHECK(spare.len > 0);
        *(char *)spare.ptr = ping[(size_t)i % (sizeof ping - 1)];
        CHECK_OK(wireline_decoder_commit(&decoder, 1));
    }
    for (i = 0;; i++) {
        CHECK_OK(wireline_decoder_next(&decoder, &item));
        if (item.type != WIRELINE_ITEM_MESSAGE) {
            break;
        }
    }
    CHECK(i == 6);
    CHECK_OK(wireline_decoder_spare(&decoder, &spare));
    *(char *)spare.ptr = '\n';
    CHECK_OK(wireline_decoder_commit(&decoder, 1));
    CHECK_OK(wireline_decoder_next(&decoder, &item));
    CHECK(item.type == WIRELINE_ITEM_FAULT && item.fault == WIRELINE_FAULT_OVERRUN);

    /* A line that never ends. */
    CHECK_OK(wireline_limits_embedded(&limits, sizeof limits));
    limits.max_discard = 300;
    CHECK_OK(wireline_decoder_init(WIRELINE_SELF(&decoder), memory, sizeof memory, &limits));
    for (i = 0; i < 40; i++) {
        CHECK_OK(wireline_decoder_next_in(&decoder, "0123456789", 10, &used, &item));
        if (item.type == WIRELINE_ITEM_FAULT) {
            break;
        }
    }
    CHECK(item.fault == WIRELINE_FAULT_RUNAWAY && item.limit == 300);
    CHECK_OK(wireline_decoder_is_closed(&decoder, &closed));
    CHECK(closed);

    limits.profile = 2;
    CHECK_STATUS(wireline_decoder_init(WIRELINE_SELF(&decoder), memory, sizeof memory, &limits), WIRELINE_ERR_ARGUMENT);
    limits.profile = 0;
    limits.batches = 2;
    CHECK_STATUS(wireline_decoder_init(WIRELINE_SELF(&decoder), memory, sizeof memory, &limits), WIRELINE_ERR_ARGUMENT);
    CHECK_OK(wireline_decoder_is_closed(&decoder, &closed));

    CHECK_OK(wireline_stream_needed(NULL, &needed));
    CHECK(needed == 192);
    {
        wireline_stream stream;
        CHECK_STATUS(wireline_stream_init(WIRELINE_SELF(&stream), memory, 191, NULL), WIRELINE_ERR_TOO_SMALL);
        CHECK_OK(wireline_stream_init(WIRELINE_SELF(&stream), memory, 192, NULL));
        CHECK_OK(wireline_stream_is_closed(&stream, &closed));
        CHECK(!closed);
    }
    /* Memory of no size at all is still safe. */
    CHECK_OK(wireline_decoder_init(WIRELINE_SELF(&decoder), memory, 0, NULL));
    CHECK_OK(wireline_decoder_next_in(&decoder, ping, sizeof ping - 1, &used, &item));
}

static bool broke(const wireline_rules *rules, uint32_t rule) {
    return (rules->words[rule / 32] >> (rule % 32) & 1u) != 0;
}

static wireline_finding judge(wireline_monitor *monitor, wireline_side from, const char *line) {
    wireline_item item;
    wireline_finding finding;
    memset(&finding, 0, sizeof finding);
    finding.size = sizeof finding;
    item.size = sizeof item;
    CHECK_OK(wireline_parse(line, strlen(line), NULL, &item));
    CHECK_OK(wireline_monitor_line(monitor, from, &item, 0, 0, &finding));
    return finding;
}

void test_monitor(void) {
    static wireline_monitor_request requests[4];
    static wireline_monitor_task tasks[2];
    static char text[288];
    wireline_monitor_slots slots;
    wireline_monitor monitor;
    wireline_monitor_info info;
    wireline_finding finding;
    wireline_rules rules;
    wireline_item item;
    bool more;
    int i;
    memset(&slots, 0, sizeof slots);
    slots.size = sizeof slots;
    slots.requests = requests;
    slots.request_count = 4;
    slots.tasks = tasks;
    slots.task_count = 2;
    slots.text = text;
    slots.text_size = sizeof text;
    info.size = sizeof info;
    CHECK_OK(wireline_monitor_init(WIRELINE_SELF(&monitor), &slots, 0));
    finding = judge(&monitor, WIRELINE_SIDE_CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
    CHECK(broke(&finding.broken, 51) && finding.worst != WIRELINE_LEVEL_NONE && finding.request_from == 0);
    CHECK_OK(wireline_monitor_reset(&monitor));
    finding = judge(&monitor, WIRELINE_SIDE_CLIENT,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                    "\"capabilities\":{\"roots\":{}},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}");
    CHECK(finding.worst == WIRELINE_LEVEL_NONE && finding.method == WIRELINE_METHOD_INITIALIZE);
    finding = judge(&monitor, WIRELINE_SIDE_SERVER,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                    "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}");
    CHECK(finding.worst == WIRELINE_LEVEL_NONE && finding.request_from == WIRELINE_SIDE_CLIENT && finding.request_at == 1);
    finding = judge(&monitor, WIRELINE_SIDE_CLIENT, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    CHECK(finding.worst == WIRELINE_LEVEL_NONE);
    finding = judge(&monitor, WIRELINE_SIDE_SERVER, "{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}");
    CHECK(broke(&finding.broken, 18) && finding.worst == WIRELINE_LEVEL_MUST);
    finding = judge(&monitor, WIRELINE_SIDE_SERVER, "Listening");
    CHECK(finding.worst == WIRELINE_LEVEL_MUST);
    CHECK_OK(wireline_monitor_seen(&monitor, &info));
    CHECK(info.phase == WIRELINE_PHASE_READY && info.revision == WIRELINE_REVISION_2025_11_25 && info.lost_track == 0);
    CHECK(info.client_capabilities == WIRELINE_CAPABILITY_ROOTS && info.server_capabilities == WIRELINE_CAPABILITY_TOOLS);
    CHECK(info.rejected == 1 && info.messages == 5 && info.broken[WIRELINE_LEVEL_MUST] >= 2);

    /* More requests than it has room for: it says that it lost track. */
    for (i = 0; i < 6; i++) {
        char line[96];
        snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/list\"}", 10 + i);
        finding = judge(&monitor, WIRELINE_SIDE_CLIENT, line);
    }
    CHECK(finding.lost_track == 1);
    for (i = 0;; i++) {
        CHECK_OK(wireline_monitor_end(&monitor, 0, 0, &finding, &more));
        if (!more || i > 20) {
            break;
        }
    }
    CHECK(i > 0 && i <= 20);
    CHECK_STATUS(wireline_monitor_gap(&monitor, 3), WIRELINE_ERR_ARGUMENT);
    CHECK_OK(wireline_monitor_gap(&monitor, WIRELINE_SIDE_SERVER));
    item.size = sizeof item;
    CHECK_OK(wireline_parse("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", 43, NULL, &item));
    CHECK_OK(wireline_item_broken(&item, &rules));
    CHECK(broke(&rules, 15));
    CHECK(wireline_rule_level_in(62, WIRELINE_REVISION_2024_11_05) == WIRELINE_LEVEL_SHOULD);
    CHECK(wireline_rule_level_in(62, WIRELINE_REVISION_2025_11_25) == WIRELINE_LEVEL_MUST);
    CHECK(wireline_rule_level_in(62, WIRELINE_REVISIONS_ALL) == WIRELINE_LEVEL_NONE);
}
