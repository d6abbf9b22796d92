/* An MCP server on a bare chip: tools, a resource, a UART. docs/firmware.md tells how it is laid out and run. */
#include <wireline.h>

#include "board.h"
#include "sensor.h"
#include "tables.h"
#include "uart.h"

/* Bytes of the line buffer, and samples of a reading unless the call says otherwise. */
enum { LINE = 512, SAMPLES = 10 };

_Static_assert(sizeof board_now() == sizeof(uint64_t), "a clock of 32 bits goes back, which the library's may not");

static unsigned char rx[LINE];
static char tx[ANSWER];
static uint64_t table_memory[(WIRELINE_TOOL_WORDS * TOOLS + WIRELINE_RESOURCE_WORDS * RESOURCES + 1) / 2];
static wireline_toolkit toolkit;
static wireline_config config;
static wireline_inbound inbound[2];
static char text[96];
static wireline_server server;
static wireline_decoder decoder;
static sensor_reading reading;

static void transmit(const wireline_send *line) {
    wireline_span spare;
    size_t length = 0, at = 0;
    if (wireline_send_write(line, tx, sizeof tx, &length) != WIRELINE_OK) return;
    while (at < length) {
        size_t sent = uart_write(tx + at, length - at), came = 0;
        /* What comes meanwhile goes to the decoder, as long as it has room. */
        wireline_decoder_spare(&decoder, &spare);
        if (spare.len > 1) came = uart_read((unsigned char *)spare.ptr, spare.len);
        wireline_decoder_commit(&decoder, came);
        at += sent;
        if (sent == 0 && came == 0) uart_wait();
    }
}

/* The number in so many digits of this base at least, before the end of a buffer. */
static char *digits(char *end, uint32_t value, uint32_t base, unsigned least) {
    for (; value != 0 || least > 0; value /= base) {
        uint32_t digit = value % base;
        *--end = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
        if (least > 0) least--;
    }
    return end;
}

static wireline_slice slice(const char *begin, const char *end) {
    wireline_slice it = {begin, (size_t)(end - begin)};
    return it;
}

static void finish(wireline_handle handle, wireline_slice said, bool failed) {
    wireline_send answer;
    if (wireline_server_finish_text(&server, handle, said, failed, &answer) == WIRELINE_OK) transmit(&answer);
}

/* A tool is called. Its arguments fit its schema. */
static void called(wireline_handle handle, const wireline_call *call) {
    wireline_slice value;
    wireline_string name;
    char said[8];
    bool on = false, led;
    int64_t samples = SAMPLES;
    switch (call->index) {
    case LED_SET:
        if (wireline_json_member(call->arguments, wireline_slice_of("on"), &value) == WIRELINE_OK)
            wireline_json_bool(value, &on);
        board_set_led(on);
        finish(handle, wireline_slice_of(on ? "on" : "off"), false);
        break;
    case REGISTER_READ:
        led = wireline_json_member(call->arguments, wireline_slice_of("name"), &value) == WIRELINE_OK &&
              wireline_json_string(value, &name) == WIRELINE_OK && wireline_string_is(name, "led");
        digits(said + sizeof said, led ? board_led() : board_id(), 16, sizeof said);
        finish(handle, slice(said, said + sizeof said), false);
        break;
    default:
        if (reading.samples != 0) {
            finish(handle, wireline_slice_of("The sensor is busy"), true);
            break;
        }
        if (wireline_json_member(call->arguments, wireline_slice_of("samples"), &value) == WIRELINE_OK)
            wireline_json_integer(value, &samples);
        sensor_begin(&reading, handle, (uint16_t)samples);
    }
}

/* A sample was due: tells how far the reading is, or what came of it. */
static void sampled(void) {
    char done[12], all[12], *begin;
    wireline_progress progress = {.size = sizeof progress};
    wireline_send line;
    sensor_sample(&reading);
    if (reading.taken == reading.samples) {
        uint32_t mean = sensor_mean(&reading);
        reading.samples = 0;
        begin = digits(done + sizeof done, mean % 100, 10, 2);
        *--begin = '.';
        begin = digits(begin, mean / 100, 10, 1);
        finish(reading.handle, slice(begin, done + sizeof done), false);
        return;
    }
    progress.progress = slice(digits(done + sizeof done, reading.taken, 10, 1), done + sizeof done);
    progress.total = slice(digits(all + sizeof all, reading.samples, 10, 1), all + sizeof all);
    if (wireline_server_progress(&server, reading.handle, &progress, &line) == WIRELINE_OK) transmit(&line);
}

/* The resource is read. */
static void info(wireline_handle handle) {
    static const char head[] = "{\"contents\":[{\"uri\":\"board://info\",\"text\":\"", tail[] = "\"}]}";
    char contents[sizeof head + sizeof tail + 32];
    size_t length = 0;
    wireline_reply reply = {.size = sizeof reply};
    wireline_send answer;
    for (const char *from = head; *from != 0; from++) contents[length++] = *from;
    for (const char *from = board_info; *from != 0 && length < sizeof contents - sizeof tail; from++) contents[length++] = *from;
    for (const char *from = tail; *from != 0; from++) contents[length++] = *from;
    reply.result = slice(contents, contents + length);
    if (wireline_server_finish(&server, handle, &reply, &answer) == WIRELINE_OK) transmit(&answer);
}

static bool session(void) {
    wireline_slots slots = {.size = sizeof slots};
    slots.inbound = inbound;
    slots.inbound_count = sizeof inbound / sizeof *inbound;
    slots.text = text;
    slots.text_size = sizeof text;
    reading.samples = 0;
    return wireline_server_init(WIRELINE_SELF(&server), &config, &toolkit, &slots) == WIRELINE_OK;
}

static bool init(void) {
    wireline_settings settings;
    /* A host has looked at them: check.c. */
    if (wireline_toolkit_init_trusted(WIRELINE_SELF(&toolkit), &board_tables, table_memory, sizeof table_memory) != WIRELINE_OK)
        return false;
    wireline_settings_default(&settings, sizeof settings);
    settings.name = wireline_slice_of("board");
    settings.version = wireline_slice_of(WIRELINE_VERSION_STRING);
    wireline_toolkit_capabilities(&toolkit, &settings.capabilities);
    return wireline_config_init(WIRELINE_SELF(&config), &settings) == WIRELINE_OK &&
           wireline_decoder_init(WIRELINE_SELF(&decoder), rx, sizeof rx, NULL) == WIRELINE_OK && session();
}

static void serve(const wireline_item *item) {
    wireline_step step = {.size = sizeof step};
    wireline_call call = {.size = sizeof call};
    /*
     * A line has no end by which one client could be told from the next, whose ids may be the same: what a client begins
     * with drops what the last one has left.
     */
    if (item->type == WIRELINE_ITEM_MESSAGE && item->kind == WIRELINE_KIND_REQUEST &&
        (wireline_string_is(item->method, "initialize") || wireline_string_is(item->method, "server/discover")))
        session();
    if (wireline_server_serve(&server, item, board_now(), &step, &call) != WIRELINE_OK) return;
    switch (step.event) {
    case WIRELINE_EVENT_CALL: called(step.handle, &call); break;
    case WIRELINE_EVENT_READ: info(step.handle); break;
    case WIRELINE_EVENT_CANCELLED:
        if (step.handle == reading.handle) reading.samples = 0;
        break;
    default: transmit(&step.send); break;
    }
}

int main(void) {
    static wireline_item item;
    wireline_span spare;
    board_init();
    if (!init()) return 1;
    item.size = sizeof item;
    for (;;) {
        wireline_decoder_spare(&decoder, &spare);
        size_t came = uart_read((unsigned char *)spare.ptr, spare.len);
        wireline_decoder_commit(&decoder, came);
        while (wireline_decoder_next(&decoder, &item) == WIRELINE_OK && item.type != WIRELINE_ITEM_NONE) serve(&item);
        if (sensor_is_due(&reading))
            sampled();
        else if (came == 0)
            uart_wait();
    }
}
