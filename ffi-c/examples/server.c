/*
 * server: a board's MCP server over standard input and output, with the board played by variables.
 *
 * Two tools that answer at once, one that takes its time and tells how far it is, and a resource. What
 * serves a serial line on a chip is the same but for `main`. It ends when its input does.
 */
#define _POSIX_C_SOURCE 200809L
#include <wireline.h>

#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 512, ANSWER = 416, PERIOD = 20, LED_SET = 0, REGISTER_READ = 1 };

static const wireline_tool tools[] = {
    {.name = WIRELINE_LITERAL("led_set"),
     .description = WIRELINE_LITERAL("Switches the LED"),
     .input_schema = WIRELINE_LITERAL("{\"type\":\"object\",\"properties\":{\"on\":{\"type\":\"boolean\"}},\"required\":[\"on\"]}")},
    {.name = WIRELINE_LITERAL("register_read"),
     .description = WIRELINE_LITERAL("Reads a register"),
     .input_schema = WIRELINE_LITERAL("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\","
                                      "\"enum\":[\"id\",\"led\"]}},\"required\":[\"name\"]}")},
    {.name = WIRELINE_LITERAL("sensor_read"),
     .description = WIRELINE_LITERAL("Samples the temperature"),
     .input_schema = WIRELINE_LITERAL("{\"type\":\"object\",\"properties\":{\"samples\":{\"type\":\"integer\","
                                      "\"minimum\":1,\"maximum\":1000}}}")},
};
static const wireline_resource resources[] = {{.uri = WIRELINE_LITERAL("board://info"),
                                               .name = WIRELINE_LITERAL("info"),
                                               .mime_type = WIRELINE_LITERAL("text/plain")}};

static unsigned char rx[LINE];
static char tx[ANSWER];
static uint64_t table_memory[512];
static wireline_toolkit toolkit;
static wireline_config config;
static wireline_inbound inbound[2];
static char text[120];
static wireline_server server;
static wireline_decoder decoder;
static bool led;

/* A reading that is being taken; its handle is 0 while there is none. */
static struct {
    wireline_handle handle;
    unsigned samples, taken, sum;
    uint64_t due;
} reading;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static void send(const wireline_send *send) {
    size_t length = 0, at = 0;
    wireline_status status = wireline_send_write(send, tx, sizeof tx, &length);
    if (status != WIRELINE_OK) {
        /* The tables are made for lines of this length, so it is a mistake of this program. */
        fprintf(stderr, "server: %s: %zu bytes\n", wireline_status_reason(status), length);
        _exit(1);
    }
    while (at < length) {
        ssize_t written = write(1, tx + at, length - at);
        if (written <= 0) _exit(0); /* nobody reads any more */
        at += (size_t)written;
    }
}

static void finish(wireline_handle handle, const char *said, bool failed) {
    wireline_send answer;
    if (wireline_server_finish_text(&server, handle, wireline_slice_of(said), failed, &answer) == WIRELINE_OK) send(&answer);
}

/* A tool is called. Its arguments fit its schema. */
static void called(wireline_handle handle, const wireline_call *call) {
    wireline_slice value;
    wireline_string name;
    char said[16];
    bool on = false;
    int64_t samples = 10;
    switch (call->index) {
    case LED_SET:
        if (wireline_json_member(call->arguments, wireline_slice_of("on"), &value) == WIRELINE_OK)
            wireline_json_bool(value, &on);
        led = on;
        finish(handle, on ? "on" : "off", false);
        break;
    case REGISTER_READ:
        if (wireline_json_member(call->arguments, wireline_slice_of("name"), &value) != WIRELINE_OK ||
            wireline_json_string(value, &name) != WIRELINE_OK)
            break;
        snprintf(said, sizeof said, "%08x", wireline_string_is(name, "led") ? (unsigned)led : 0xb0a4du);
        finish(handle, said, false);
        break;
    default:
        if (reading.handle != 0) {
            finish(handle, "The sensor is busy", true);
            break;
        }
        if (wireline_json_member(call->arguments, wireline_slice_of("samples"), &value) == WIRELINE_OK)
            wireline_json_integer(value, &samples);
        reading.handle = handle;
        reading.samples = (unsigned)samples;
        reading.taken = reading.sum = 0;
        reading.due = now() + PERIOD;
    }
}

/* A sample is due: tells how far the reading is, or what came of it. */
static void sample(void) {
    wireline_progress progress = {0};
    wireline_send line;
    char done[12], all[12];
    reading.sum += 2145 + reading.taken * 7 % 11;
    reading.taken++;
    reading.due += PERIOD;
    if (reading.taken == reading.samples) {
        unsigned mean = reading.sum / reading.taken;
        wireline_handle handle = reading.handle;
        reading.handle = 0;
        snprintf(done, sizeof done, "%u.%02u", mean / 100 % 1000, mean % 100);
        finish(handle, done, false);
        return;
    }
    snprintf(done, sizeof done, "%u", reading.taken);
    snprintf(all, sizeof all, "%u", reading.samples);
    progress.size = sizeof progress;
    progress.progress = wireline_slice_of(done);
    progress.total = wireline_slice_of(all);
    if (wireline_server_progress(&server, reading.handle, &progress, &line) == WIRELINE_OK) send(&line);
}

static void serve(const wireline_item *item) {
    static const char contents[] = "{\"contents\":[{\"uri\":\"board://info\",\"mimeType\":\"text/plain\",\"text\":\"a board of variables, C\"}]}";
    wireline_step step;
    wireline_call call;
    wireline_reply reply = {0};
    wireline_send answer;
    step.size = sizeof step;
    call.size = sizeof call;
    if (wireline_server_serve(&server, item, now(), &step, &call) != WIRELINE_OK) return;
    send(&step.send);
    switch (step.event) {
    case WIRELINE_EVENT_CALL: called(step.handle, &call); break;
    case WIRELINE_EVENT_READ:
        reply.size = sizeof reply;
        reply.result = wireline_slice_of(contents);
        if (wireline_server_finish(&server, step.handle, &reply, &answer) == WIRELINE_OK) send(&answer);
        break;
    case WIRELINE_EVENT_CANCELLED:
        if (step.handle == reading.handle) reading.handle = 0;
        break;
    default: break;
    }
}

static int init(void) {
    wireline_tables tables = {0};
    wireline_settings settings;
    wireline_slots slots = {0};
    wireline_table_error why;
    tables.size = sizeof tables;
    tables.line = ANSWER;
    tables.tools = tools;
    tables.tool_count = sizeof tools / sizeof *tools;
    tables.resources = resources;
    tables.resource_count = sizeof resources / sizeof *resources;
    if (wireline_toolkit_init(WIRELINE_SELF(&toolkit), &tables, table_memory, sizeof table_memory, &why) != WIRELINE_OK) {
        fprintf(stderr, "entry %zu of table %u: %.*s\n", why.index, (unsigned)why.table, WIRELINE_ARG(why.reason));
        return 0;
    }
    wireline_settings_default(&settings, sizeof settings);
    settings.name = wireline_slice_of("board");
    settings.version = wireline_slice_of(WIRELINE_VERSION_STRING);
    wireline_toolkit_capabilities(&toolkit, &settings.capabilities);
    slots.size = sizeof slots;
    slots.inbound = inbound;
    slots.inbound_count = sizeof inbound / sizeof *inbound;
    slots.text = text;
    slots.text_size = sizeof text;
    return wireline_config_init(WIRELINE_SELF(&config), &settings) == WIRELINE_OK &&
           wireline_server_init(WIRELINE_SELF(&server), &config, &toolkit, &slots) == WIRELINE_OK &&
           wireline_decoder_init(WIRELINE_SELF(&decoder), rx, sizeof rx, NULL) == WIRELINE_OK;
}

int main(void) {
    struct pollfd input = {0, POLLIN, 0};
    wireline_item item;
    wireline_span spare;
    ssize_t got = 1;
    item.size = sizeof item;
    if (!init()) return 1;
    while (got > 0 || reading.handle != 0) {
        uint64_t moment = now();
        int wait = reading.handle == 0 ? -1 : reading.due < moment ? 0 : (int)(reading.due - moment);
        if (got <= 0) input.fd = -1;
        if (poll(&input, 1, wait) > 0) {
            wireline_decoder_spare(&decoder, &spare);
            got = read(0, spare.ptr, spare.len);
            if (got > 0) wireline_decoder_commit(&decoder, (size_t)got);
        }
        while (wireline_decoder_next(&decoder, &item) == WIRELINE_OK && item.type != WIRELINE_ITEM_NONE) serve(&item);
        if (reading.handle != 0 && reading.due <= now()) sample();
    }
    return 0;
}
