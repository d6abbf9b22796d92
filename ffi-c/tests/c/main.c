/* Runs every suite, and says how many checks passed and failed. */
#include <stdarg.h>

#include "harness.h"

static unsigned long passed, failed;

void check(bool good, const char *file, int line, const char *what, ...) {
    va_list args;
    if (good) {
        passed += 1;
        return;
    }
    failed += 1;
    if (failed > 40) {
        return;
    }
    fprintf(stderr, "%s:%d: ", file, line);
    va_start(args, what);
    vfprintf(stderr, what, args);
    va_end(args);
    fputc('\n', stderr);
}

bool same(const char *ptr, size_t len, const char *text) {
    if (ptr == NULL || text == NULL) {
        return ptr == text;
    }
    return len == strlen(text) && memcmp(ptr, text, len) == 0;
}

bool unchanged(const void *one, const void *other, size_t len) {
    return memcmp(one, other, len) == 0;
}

void check_text(const char *ptr, size_t len, const char *text, const char *file, int line, const char *what) {
    check(same(ptr, len, text), file, line, "%s is %.*s, not %s", what, (int)len, ptr == NULL ? "absent" : ptr,
          text == NULL ? "absent" : text);
}

void put(buffer *out, const void *bytes, size_t len) {
    if (out->len + len + 1 > out->room) {
        size_t room = (out->len + len + 1) * 2;
        char *ptr = realloc(out->ptr, room);
        if (ptr == NULL) {
            fputs("out of memory\n", stderr);
            exit(2);
        }
        out->ptr = ptr;
        out->room = room;
    }
    if (len > 0) {
        memcpy(out->ptr + out->len, bytes, len);
    }
    out->len += len;
    out->ptr[out->len] = '\0';
}

void put_text(buffer *out, const char *text) {
    put(out, text, strlen(text));
}

void put_format(buffer *out, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    put_text(out, text);
}

buffer read_file(const char *path) {
    buffer out = {NULL, 0, 0};
    char piece[65536];
    size_t count;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    while ((count = fread(piece, 1, sizeof piece, file)) > 0) {
        put(&out, piece, count);
    }
    put(&out, "", 0);
    fclose(file);
    return out;
}

wireline_slice absent(void) {
    wireline_slice slice;
    slice.ptr = NULL;
    slice.len = 0;
    return slice;
}

int main(int argc, char **argv) {
    if (argc < 4 || argc > 5) {
        fprintf(stderr, "usage: %s VECTORS HEADER CARGO_TOML [few-cuts]\n", argv[0]);
        return 2;
    }
    test_version(argv[3]);
    test_names(argv[2]);
    test_json();
    test_writers();
    test_decoders();
    test_sessions();
    test_tables();
    test_monitor();
    test_refused();
    test_room();
    test_conventions();
    test_misuse(argv[2]);
    test_vectors(argv[1], argc > 4);
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
