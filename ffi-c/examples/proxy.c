/*
 * proxy: passes messages from standard input to standard output under ids of its own, bodies of any size through
 * 4 KiB. What stands between many clients and one server does this with each line: the peers number their
 * requests from 0 each, so that numbers have to be translated where streams are joined.
 *
 * Requests get ids 1000, 1001, …; the answers to them, which would come back another way, are not its business.
 * A message that turns out to be broken on the way is ended with LF, so that the receiver rejects it and reads
 * the next line as it should.
 */
#define _POSIX_C_SOURCE 200809L
#include <wireline.h>

#include <stdio.h>
#include <unistd.h>

enum { PIECE = 4096 };

static char in[PIECE], out[PIECE], heads[512];
static wireline_stream stream;
static wireline_forward forward;

static void fail(const char *what, wireline_status status) {
    fprintf(stderr, "proxy: %s: %s\n", what, wireline_status_reason(status));
    _exit(1);
}

static void send(const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t written = write(1, bytes, length);
        if (written <= 0) _exit(1);
        bytes += written;
        length -= (size_t)written;
    }
}

static void begin(void) {
    wireline_status status = wireline_forward_init(WIRELINE_SELF(&forward), wireline_id_none());
    if (status != WIRELINE_OK) fail("init", status);
}

/* One thing that the decoder tells. Each call writes what it can; it is made again while there is more. */
static void pass(const wireline_item *item, int64_t *next) {
    const wireline_id id = wireline_id_integer(*next);
    size_t used, written, done;
    wireline_status status = WIRELINE_OK;
    switch (item->type) {
    case WIRELINE_ITEM_HEAD: /* The id may not have come yet: it is written with the end then. */
        while ((status = wireline_forward_head(&forward, item, id, out, sizeof out, &written)) == WIRELINE_OK && written > 0) {
            send(out, written);
        }
        break;
    case WIRELINE_ITEM_BODY:
        for (done = 0; done < item->text.len && status == WIRELINE_OK; done += used) {
            status = wireline_forward_body(&forward, item->part, item->text.ptr + done, item->text.len - done, &used, out,
                                           sizeof out, &written);
            if (status == WIRELINE_OK) send(out, written);
        }
        break;
    case WIRELINE_ITEM_END:
        while ((status = wireline_forward_end(&forward, item, id, out, sizeof out, &written)) == WIRELINE_OK && written > 0) {
            send(out, written);
        }
        *next += item->id.ptr != NULL;
        begin();
        break;
    default:
        fprintf(stderr, "proxy: %s at byte %llu\n", wireline_fault_reason(item->fault), (unsigned long long)item->offset);
        while ((status = wireline_forward_give_up(&forward, out, sizeof out, &written)) == WIRELINE_OK && written > 0) {
            send(out, written);
        }
        begin();
        break;
    }
    if (status != WIRELINE_OK) fail("pass", status);
}

int main(void) {
    wireline_limits limits;
    wireline_item item;
    wireline_status status;
    int64_t next = 1000;
    ssize_t count;
    wireline_limits_host(&limits, sizeof limits);
    limits.message = UINT32_MAX; /* No ceiling: nothing is stored but the heads. */
    status = wireline_stream_init(WIRELINE_SELF(&stream), heads, sizeof heads, &limits);
    if (status != WIRELINE_OK) fail("init", status);
    begin();
    item.size = sizeof item;
    while ((count = read(0, in, sizeof in)) > 0) {
        size_t at = 0, used;
        for (;;) {
            status = wireline_stream_step(&stream, in + at, (size_t)count - at, &used, &item);
            if (status != WIRELINE_OK) fail("step", status);
            at += used;
            if (item.type == WIRELINE_ITEM_NONE) break;
            pass(&item, &next);
        }
    }
    status = wireline_stream_finish(&stream, &item);
    if (status != WIRELINE_OK) fail("finish", status);
    if (item.type != WIRELINE_ITEM_NONE) pass(&item, &next);
    return 0;
}
