/*
 * poll MILLIS COMMAND [-- COMMAND]…: asks several servers at once how many tools they have.
 *
 *     ./poll 2000 wireline serve -- python3 server.py
 *
 * One poll loop, a session for each server, no threads. A server that does not answer within MILLIS
 * is given up; Ctrl-C cancels what is still under way. Prints a line for each server, and ends with
 * status 0 if all of them answered.
 */
#define _POSIX_C_SOURCE 200809L
#include <wireline.h>

#include <string.h>

#include "child.h"

enum { SERVERS = 8 };

static struct asked {
    struct child child;
    unsigned char memory[1 << 16];
    wireline_decoder decoder;
    wireline_client client;
    wireline_outbound outbound[2];
    wireline_handle listing;
    size_t tools;
    const char *end; /* why it is over; NULL while it is not */
} asked[SERVERS];

static wireline_config config;
static volatile sig_atomic_t interrupted;

static void interrupt(int signal) {
    (void)signal;
    interrupted = 1;
}

static void send(struct asked *of, const wireline_send *send) {
    char line[4096];
    size_t length = 0;
    wireline_status status = wireline_send_write(send, line, sizeof line, &length);
    if (status != WIRELINE_OK) of->end = wireline_status_reason(status);
    else if (!write_all(of->child.to, line, length)) of->end = "it reads no more";
}

/* Asks for a page of the list; the cursor is that of the page before, or absent. */
static void list(struct asked *of, wireline_slice cursor) {
    char buffer[1024];
    wireline_json_writer writer;
    wireline_slice params;
    wireline_send request;
    wireline_status status;
    wireline_json_writer_init(WIRELINE_SELF(&writer), buffer, sizeof buffer);
    wireline_json_writer_begin_object(&writer);
    if (cursor.ptr != NULL) {
        wireline_json_writer_key(&writer, wireline_slice_of("cursor"));
        wireline_json_writer_raw(&writer, cursor);
    }
    wireline_json_writer_end_object(&writer);
    status = wireline_json_writer_finish(&writer, &params);
    if (status == WIRELINE_OK)
        status = wireline_client_request(&of->client, wireline_slice_of("tools/list"), params, NULL, now(), &of->listing, &request);
    if (status != WIRELINE_OK) of->end = wireline_status_reason(status);
    else send(of, &request);
}

static void listed(struct asked *of, wireline_slice result) {
    wireline_slice tools, cursor;
    wireline_json_kind kind;
    size_t count = 0;
    if (wireline_json_member(result, wireline_slice_of("tools"), &tools) == WIRELINE_OK) wireline_json_count(tools, &count);
    of->tools += count;
    if (wireline_json_member(result, wireline_slice_of("nextCursor"), &cursor) == WIRELINE_OK &&
        wireline_json_kind_of(cursor, &kind) == WIRELINE_OK && kind == WIRELINE_JSON_STRING)
        list(of, cursor);
    else of->end = "";
}

static void follow(struct asked *of, const wireline_step *step, const wireline_item *item) {
    static const char *const ends[] = {"",          "a result",       "an error",     "no valid answer", "an answer that is too long",
                                       "questions", "no answer in time", "cancelled", "it has ended"};
    static const wireline_slice none = {NULL, 0};
    send(of, &step->send);
    if (of->end != NULL) return;
    if (step->event == WIRELINE_EVENT_STATE && step->state == WIRELINE_STATE_READY) list(of, none);
    else if (step->event == WIRELINE_EVENT_STATE && step->state == WIRELINE_STATE_FAILED) of->end = "it opened no session";
    else if (step->event == WIRELINE_EVENT_ENDED && step->ended == WIRELINE_ENDED_RESULT) listed(of, item->result);
    else if (step->event == WIRELINE_EVENT_ENDED) of->end = step->ended < sizeof ends / sizeof *ends ? ends[step->ended] : "?";
}

/* Takes what a server wrote, and, at its end, what follows from that. */
static void take(struct asked *of) {
    wireline_item item;
    wireline_step step;
    wireline_span spare;
    bool more = true;
    size_t got;
    item.size = sizeof item;
    step.size = sizeof step;
    if (wireline_decoder_spare(&of->decoder, &spare) != WIRELINE_OK) return;
    got = read_some(of->child.from, spare.ptr, spare.len);
    wireline_decoder_commit(&of->decoder, got);
    while (of->end == NULL && wireline_decoder_next(&of->decoder, &item) == WIRELINE_OK && item.type != WIRELINE_ITEM_NONE) {
        wireline_client_receive(&of->client, &item, now(), &step);
        follow(of, &step, &item);
    }
    while (got == 0 && of->end == NULL && wireline_client_close(&of->client, &step, &more) == WIRELINE_OK && more)
        follow(of, &step, &item);
    if (got == 0 && of->end == NULL) of->end = "it has ended";
}

static int begin(struct asked *of, char **command) {
    wireline_slots slots = {0};
    wireline_limits limits;
    wireline_send opening;
    slots.size = sizeof slots;
    slots.outbound = of->outbound;
    slots.outbound_count = sizeof of->outbound / sizeof *of->outbound;
    wireline_limits_host(&limits, sizeof limits);
    if (wireline_client_init(WIRELINE_SELF(&of->client), &config, &slots) != WIRELINE_OK ||
        wireline_decoder_init(WIRELINE_SELF(&of->decoder), of->memory, sizeof of->memory, &limits) != WIRELINE_OK ||
        !child_start(&of->child, command) || wireline_client_connect(&of->client, now(), &opening) != WIRELINE_OK)
        return 0;
    send(of, &opening);
    return 1;
}

int main(int count, char **arguments) {
    wireline_settings settings;
    struct sigaction action = {0};
    char *names[SERVERS];
    int servers = 0, at, open, failed = 0;
    unsigned long millis;
    char *rest = NULL;

    wireline_settings_default(&settings, sizeof settings);
    settings.name = wireline_slice_of("poll.c");
    settings.version = wireline_slice_of(WIRELINE_VERSION_STRING);
    millis = count > 1 ? strtoul(arguments[1], &rest, 10) : 0;
    settings.request_timeout = settings.probe_timeout = (uint32_t)millis;
    if (count < 3 || *rest != '\0' || millis == 0 || millis > 86400000 || wireline_config_init(WIRELINE_SELF(&config), &settings) != WIRELINE_OK) {
        fprintf(stderr, "usage: poll MILLIS COMMAND [-- COMMAND]...\n");
        return 2;
    }
    action.sa_handler = interrupt;
    sigaction(SIGINT, &action, NULL);
    for (at = 2; at < count; at++) {
        char **command = arguments + at;
        if (servers == SERVERS) {
            fprintf(stderr, "poll: %d servers at most\n", SERVERS);
            return 2;
        }
        while (at < count && strcmp(arguments[at], "--") != 0) at++;
        arguments[at] = NULL;
        names[servers] = command[0];
        if (command[0] == NULL || !begin(&asked[servers], command)) return 2;
        servers++;
    }
    do {
        struct pollfd inputs[SERVERS];
        uint64_t first = UINT64_MAX, due, moment = now();
        wireline_step step;
        bool more;
        step.size = sizeof step;
        for (open = at = 0; at < servers; at++) {
            inputs[at].fd = asked[at].end == NULL ? asked[at].child.from : -1;
            inputs[at].events = POLLIN;
            inputs[at].revents = 0;
            if (asked[at].end != NULL) continue;
            open++;
            if (wireline_client_poll_timeout(&asked[at].client, &due) == WIRELINE_OK && due < first) first = due;
        }
        if (open == 0) break;
        if (poll(inputs, (nfds_t)servers, first == UINT64_MAX ? -1 : first < moment ? 0 : (int)(first - moment)) < 0 && errno != EINTR)
            return 2;
        for (at = 0; at < servers; at++) {
            struct asked *of = &asked[at];
            static const wireline_item none;
            if (inputs[at].revents != 0 && of->end == NULL) take(of);
            while (of->end == NULL && wireline_client_expire(&of->client, now(), &step, &more) == WIRELINE_OK && more)
                follow(of, &step, &none);
            /* The server is told, so that it can stop; the request has ended for us at once. */
            if (interrupted && of->end == NULL && of->listing != 0 &&
                wireline_client_cancel(&of->client, of->listing, wireline_slice_of("interrupted"), &step) == WIRELINE_OK)
                follow(of, &step, &none);
            if (interrupted && of->end == NULL) of->end = "cancelled";
        }
    } while (open > 0);
    for (at = 0; at < servers; at++) {
        if (*asked[at].end == '\0') printf("%s: %zu tools\n", names[at], asked[at].tools);
        else printf("%s: %s\n", names[at], asked[at].end), failed = 1;
        child_end(&asked[at].child);
    }
    return failed;
}
