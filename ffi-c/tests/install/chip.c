/* The least image of a chip that reads lines: it links without an operating system. */
#include <wireline.h>

void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *one, const void *other, size_t count);

void *memcpy(void *to, const void *from, size_t count) { return memmove(to, from, count); }

void *memmove(void *to, const void *from, size_t count) {
    volatile unsigned char *into = to;
    const unsigned char *of = from;
    size_t at;
    if ((uintptr_t)to < (uintptr_t)from) {
        for (at = 0; at < count; at++) into[at] = of[at];
    } else {
        for (at = count; at > 0; at--) into[at - 1] = of[at - 1];
    }
    return to;
}

void *memset(void *to, int value, size_t count) {
    volatile unsigned char *into = to;
    while (count > 0) into[--count] = (unsigned char)value;
    return to;
}

int memcmp(const void *one, const void *other, size_t count) {
    const unsigned char *left = one, *right = other;
    for (; count > 0; count--, left++, right++) {
        if (*left != *right) return *left < *right ? -1 : 1;
    }
    return 0;
}

static unsigned char memory[256];
static wireline_decoder decoder;
static wireline_item item;
static volatile uint32_t port;

void start(void);
void start(void) {
    wireline_span spare;
    if (wireline_decoder_init(WIRELINE_SELF(&decoder), memory, sizeof memory, NULL) != WIRELINE_OK) return;
    item.size = sizeof item;
    for (;;) {
        if (wireline_decoder_spare(&decoder, &spare) != WIRELINE_OK) return;
        *(unsigned char *)spare.ptr = (unsigned char)port;
        if (wireline_decoder_commit(&decoder, 1) != WIRELINE_OK) return;
        while (wireline_decoder_next(&decoder, &item) == WIRELINE_OK && item.type != WIRELINE_ITEM_NONE) {
            port = item.type;
        }
    }
}
