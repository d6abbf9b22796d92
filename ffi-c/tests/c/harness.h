/* What the tests share: counting, buffers that grow, and the suites. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wireline.h"

/* Counts a check, and tells where it failed. */
void check(bool good, const char *file, int line, const char *what, ...);

#define CHECK(condition) check((condition), __FILE__, __LINE__, "%s", #condition)
#define CHECK_STATUS(call, wanted)                                                                 \
    do {                                                                                           \
        wireline_status got_ = (call);                                                             \
        check(got_ == (wanted), __FILE__, __LINE__, "%s is %s, not %s", #call,                     \
              wireline_status_name(got_), wireline_status_name(wanted));                           \
    } while (0)
#define CHECK_OK(call) CHECK_STATUS(call, WIRELINE_OK)
/* Whether a slice or string is this text; an absent one is NULL. */
#define CHECK_TEXT(slice, text)                                                                    \
    check_text((slice).ptr, (slice).len, (text), __FILE__, __LINE__, #slice)

void check_text(const char *ptr, size_t len, const char *text, const char *file, int line, const char *what);
bool same(const char *ptr, size_t len, const char *text);
/* Whether all bytes are as they were; valgrind.supp knows it by its name. */
bool unchanged(const void *one, const void *other, size_t len);

/* Bytes that grow. */
typedef struct buffer {
    char *ptr;
    size_t len;
    size_t room;
} buffer;

void put(buffer *out, const void *bytes, size_t len);
void put_text(buffer *out, const char *text);
void put_format(buffer *out, const char *format, ...);

/* A whole file, with a NUL behind it; ends the program if it cannot be read. */
buffer read_file(const char *path);

/* A slice of a literal or of text that ends with NUL. */
#define S(text) wireline_slice_of(text)
wireline_slice absent(void);

/* The suites. */
void test_vectors(const char *directory, bool few_cuts);
void test_misuse(const char *header);
void test_version(const char *cargo_toml);
void test_decoders(void);
void test_writers(void);
void test_json(void);
void test_names(const char *header);
void test_sessions(void);
void test_tables(void);
void test_monitor(void);
void test_refused(void);
void test_room(void);
void test_conventions(void);

#endif
