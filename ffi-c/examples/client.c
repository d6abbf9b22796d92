/*
 * client TOOL ARGUMENTS COMMAND…: starts a server, calls a tool of it, and prints what it says.
 *
 *     ./client echo '{"text":"hello"}' wireline serve
 *
 * Whichever era the server speaks. Progress goes to standard error. Exit status: 0 for a result,
 * 1 for an error or a tool that failed, 2 for everything else.
 */
#define _POSIX_C_SOURCE 200809L
#include <wireline.h>

#include "child.h"

static unsigned char memory[1 << 20];
static char line[1 << 16];
static wireline_decoder decoder;
static wireline_config config;
static wireline_client client;
static wireline_outbound outbound[2];
static struct child server;

static int give_up(const char *what, wireline_status status) {
    fprintf(stderr, "client: %s: %s\n", what, wireline_status_reason(status));
    return 2;
}

/* Sends what a step or a call asks for. */
static void send(const wireline_send *send) {
    size_t length = 0;
    wireline_status status = wireline_send_write(send, line, sizeof line, &length);
    if (status != WIRELINE_OK || !write_all(server.to, line, length)) exit(give_up("cannot send", status));
}

static void call(const char *tool, const char *arguments) {
    wireline_json_writer writer;
    wireline_slice params, given;
    wireline_options options = {0};
    wireline_handle handle;
    wireline_send request;
    static char buffer[1 << 15];
    wireline_status status = wireline_json_validate(arguments, wireline_slice_of(arguments).len, &given, NULL);
    if (status != WIRELINE_OK) exit(give_up("the arguments", status));
    wireline_json_writer_init(WIRELINE_SELF(&writer), buffer, sizeof buffer);
    wireline_json_writer_begin_object(&writer);
    wireline_json_writer_key(&writer, wireline_slice_of("name"));
    wireline_json_writer_string(&writer, wireline_slice_of(tool));
    wireline_json_writer_key(&writer, wireline_slice_of("arguments"));
    wireline_json_writer_raw(&writer, given);
    wireline_json_writer_end_object(&writer);
    status = wireline_json_writer_finish(&writer, &params);
    if (status != WIRELINE_OK) exit(give_up("the arguments", status));
    options.size = sizeof options;
    options.progress = 1;
    status = wireline_client_request(&client, wireline_slice_of("tools/call"), params, &options, now(), &handle, &request);
    if (status != WIRELINE_OK) exit(give_up("cannot call", status));
    send(&request);
}

/* Prints the texts of a tool's result. */
static int print(wireline_slice result) {
    wireline_slice content, block, text;
    wireline_string inside;
    wireline_json_iter blocks;
    bool more, failed = false;
    size_t length;
    if (wireline_json_member(result, wireline_slice_of("content"), &content) == WIRELINE_OK &&
        wireline_json_iter_init(WIRELINE_SELF(&blocks), content) == WIRELINE_OK) {
        while (wireline_json_iter_next(&blocks, &more, NULL, &block) == WIRELINE_OK && more) {
            if (wireline_json_member(block, wireline_slice_of("text"), &text) != WIRELINE_OK ||
                wireline_json_string(text, &inside) != WIRELINE_OK)
                continue;
            if (wireline_string_unescape(inside, line, sizeof line, &length) == WIRELINE_OK)
                printf("%.*s\n", (int)length, line);
        }
    }
    if (wireline_json_member(result, wireline_slice_of("isError"), &text) == WIRELINE_OK)
        wireline_json_bool(text, &failed);
    return failed ? 1 : 0;
}

/* What follows from a step; -1 to go on, or the exit status. */
static int follow(const wireline_step *step, const wireline_item *item, char **arguments) {
    wireline_meta meta;
    send(&step->send);
    switch (step->event) {
    case WIRELINE_EVENT_STATE:
        if (step->state == WIRELINE_STATE_READY) call(arguments[1], arguments[2]);
        if (step->state != WIRELINE_STATE_FAILED) return -1;
        fprintf(stderr, "client: the server opened no session (reason %u)\n", (unsigned)step->failure);
        return 2;
    case WIRELINE_EVENT_PROGRESS:
        meta.size = sizeof meta;
        if (wireline_item_meta(item, &meta) == WIRELINE_OK) fprintf(stderr, "progress %.*s\n", WIRELINE_ARG(meta.progress));
        return -1;
    case WIRELINE_EVENT_ENDED:
        if (step->ended == WIRELINE_ENDED_RESULT) return print(item->result);
        if (step->ended == WIRELINE_ENDED_ERROR) fprintf(stderr, "client: %.*s\n", WIRELINE_ARG(item->error));
        else fprintf(stderr, "client: no answer (reason %u)\n", (unsigned)step->ended);
        return step->ended == WIRELINE_ENDED_ERROR ? 1 : 2;
    case WIRELINE_EVENT_INPUT_REQUIRED:
        /* Nobody is here to be asked: the request is given up. */
        fprintf(stderr, "client: the tool asks for input\n");
        return 2;
    default: return -1;
    }
}

int main(int count, char **arguments) {
    wireline_settings settings;
    wireline_slots slots = {0};
    wireline_limits limits;
    wireline_item item;
    wireline_step step;
    wireline_span spare;
    wireline_send opening;
    size_t got = 1;
    bool more = false;
    int outcome = -1;

    if (count < 4) {
        fprintf(stderr, "usage: client TOOL ARGUMENTS COMMAND...\n");
        return 2;
    }
    if (!child_start(&server, arguments + 3)) {
        perror("client: cannot start the server");
        return 2;
    }
    wireline_settings_default(&settings, sizeof settings);
    settings.name = wireline_slice_of("client.c");
    settings.version = wireline_slice_of(WIRELINE_VERSION_STRING);
    slots.size = sizeof slots;
    slots.outbound = outbound;
    slots.outbound_count = sizeof outbound / sizeof *outbound;
    wireline_limits_host(&limits, sizeof limits);
    item.size = sizeof item;
    step.size = sizeof step;
    if (wireline_config_init(WIRELINE_SELF(&config), &settings) != WIRELINE_OK ||
        wireline_client_init(WIRELINE_SELF(&client), &config, &slots) != WIRELINE_OK ||
        wireline_decoder_init(WIRELINE_SELF(&decoder), memory, sizeof memory, &limits) != WIRELINE_OK ||
        wireline_client_connect(&client, now(), &opening) != WIRELINE_OK)
        return 2;
    send(&opening);
    while (outcome < 0 && got > 0) {
        uint64_t due, at = now();
        struct pollfd input = {server.from, POLLIN, 0};
        wireline_client_poll_timeout(&client, &due);
        if (poll(&input, 1, due == UINT64_MAX ? -1 : due < at ? 0 : (int)(due - at)) > 0) {
            wireline_decoder_spare(&decoder, &spare);
            got = read_some(server.from, spare.ptr, spare.len);
            wireline_decoder_commit(&decoder, got);
        }
        while (outcome < 0 && wireline_decoder_next(&decoder, &item) == WIRELINE_OK && item.type != WIRELINE_ITEM_NONE) {
            wireline_client_receive(&client, &item, now(), &step);
            outcome = follow(&step, &item, arguments);
        }
        while (outcome < 0 && wireline_client_expire(&client, now(), &step, &more) == WIRELINE_OK && more)
            outcome = follow(&step, &item, arguments);
    }
    while (outcome < 0 && wireline_client_close(&client, &step, &more) == WIRELINE_OK && more)
        outcome = follow(&step, &item, arguments);
    child_end(&server);
    return outcome < 0 ? 2 : outcome;
}
