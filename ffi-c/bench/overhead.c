/*
 * overhead CORPUS…: each corpus through the C interface and through Rust's own calls, in turn, in one
 * process. Both read kind, id, method, body and text of every message. Prints nanoseconds a message and the ratio, medians of 11 runs. Fails above a ratio of 1.10.
 */
#define _POSIX_C_SOURCE 200809L
#include <wireline.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 11, MEMORY = 1 << 22, PIECE = 65536 };

typedef struct sum {
    uint64_t messages, faults, kinds, id_bytes, method_bytes, body_bytes, line_bytes;
} sum;

typedef void (*way)(const char *text, size_t len, size_t piece, void *memory, size_t memory_len, sum *sum);

extern void direct_chunks(const char *, size_t, size_t, void *, size_t, sum *);
extern void direct_fill(const char *, size_t, size_t, void *, size_t, sum *);

static void add(sum *sum, const wireline_item *item) {
    if (item->type == WIRELINE_ITEM_MESSAGE) {
        sum->messages += 1;
        sum->kinds += item->kind;
        sum->id_bytes += item->id.len;
        sum->method_bytes += item->method.len;
        sum->body_bytes += item->params.len + item->result.len + item->error.len;
        sum->line_bytes += item->text.len;
    } else {
        sum->faults += 1;
    }
}

static void must(wireline_status status) {
    if (status != WIRELINE_OK) {
        fprintf(stderr, "%s\n", wireline_status_reason(status));
        exit(2);
    }
}

static void through_chunks(const char *text, size_t len, size_t piece, void *memory, size_t memory_len, sum *sum) {
    static wireline_decoder decoder;
    wireline_limits limits;
    wireline_item item;
    size_t at = 0, end, used;
    must(wireline_limits_host(&limits, sizeof limits));
    must(wireline_decoder_init(WIRELINE_SELF(&decoder), memory, memory_len, &limits));
    item.size = sizeof item;
    while (at < len) {
        end = len - at < piece ? len : at + piece;
        while (wireline_decoder_next_in(&decoder, text + at, end - at, &used, &item) == WIRELINE_OK) {
            at += used;
            if (item.type == WIRELINE_ITEM_NONE) break;
            add(sum, &item);
        }
    }
}

static void through_fill(const char *text, size_t len, size_t piece, void *memory, size_t memory_len, sum *sum) {
    static wireline_decoder decoder;
    wireline_limits limits;
    wireline_span spare;
    wireline_item item;
    size_t at = 0, end, count;
    must(wireline_limits_host(&limits, sizeof limits));
    must(wireline_decoder_init(WIRELINE_SELF(&decoder), memory, memory_len, &limits));
    item.size = sizeof item;
    while (at < len) {
        end = len - at < piece ? len : at + piece;
        while (at < end) {
            must(wireline_decoder_spare(&decoder, &spare));
            count = end - at < spare.len ? end - at : spare.len;
            memcpy(spare.ptr, text + at, count);
            must(wireline_decoder_commit(&decoder, count));
            at += count;
            while (wireline_decoder_next(&decoder, &item) == WIRELINE_OK && item.type != WIRELINE_ITEM_NONE) {
                add(sum, &item);
            }
        }
    }
}

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int ascending(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double measure(way way, const char *text, size_t len, size_t piece, void *memory, sum *sum) {
    double begin = seconds();
    memset(sum, 0, sizeof *sum);
    way(text, len, piece, memory, MEMORY, sum);
    return (seconds() - begin) / (double)(sum->messages + sum->faults) * 1e9;
}

static char *read_all(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    char *text;
    long size;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) <= 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    rewind(file);
    text = malloc((size_t)size);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) exit(2);
    fclose(file);
    *len = (size_t)size;
    return text;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        way rust, c;
        size_t piece;
    } ways[] = {
        {"over a chunk, whole", direct_chunks, through_chunks, SIZE_MAX},
        {"over chunks of 64 KiB", direct_chunks, through_chunks, PIECE},
        {"in place, 64 KiB", direct_fill, through_fill, PIECE},
    };
    void *memory = malloc(MEMORY);
    int bad = 0;
    if (argc < 2 || memory == NULL) {
        fprintf(stderr, "usage: %s CORPUS…\n", argv[0]);
        return 2;
    }
    printf("| corpus | way in | Rust, ns a message | C, ns a message | C / Rust |\n|---|---|--:|--:|--:|\n");
    for (int i = 1; i < argc; i++) {
        size_t len;
        char *text = read_all(argv[i], &len);
        const char *name = strrchr(argv[i], '/');
        for (size_t j = 0; j < sizeof ways / sizeof *ways; j++) {
            double rust[RUNS], c[RUNS], ratio[RUNS];
            sum one, other;
            size_t piece = ways[j].piece < len ? ways[j].piece : len;
            for (int run = 0; run < RUNS; run++) {
                rust[run] = measure(ways[j].rust, text, len, piece, memory, &one);
                c[run] = measure(ways[j].c, text, len, piece, memory, &other);
                ratio[run] = c[run] / rust[run];
                if (memcmp(&one, &other, sizeof one) != 0 || one.messages == 0) {
                    fprintf(stderr, "the two do not read the same\n");
                    return 2;
                }
            }
            qsort(rust, RUNS, sizeof *rust, ascending);
            qsort(c, RUNS, sizeof *c, ascending);
            qsort(ratio, RUNS, sizeof *ratio, ascending);
            printf("| %s | %s | %.1f | %.1f | %.3f |\n", name == NULL ? argv[i] : name + 1, ways[j].name, rust[RUNS / 2],
                   c[RUNS / 2], ratio[RUNS / 2]);
            bad |= ratio[RUNS / 2] > 1.10;
        }
        free(text);
    }
    free(memory);
    if (bad) fprintf(stderr, "a call through the C interface costs more than a tenth more\n");
    return bad;
}
