/* From reset to main: memory is set up, and the stack painted. */
#include <stddef.h>
#include <stdint.h>

extern uint32_t data_start[], data_end[], bss_start[], bss_end[], stack_limit[];
extern const uint32_t data_load[];

int main(void);

/* What the free part of the stack is filled with, so that a debugger shows how deep it went. */
#define PAINT 0xA5C35A3Cu

/* The stack of this function itself, at most: it is not painted. */
enum { OWN = 64 };

/* What a compiler may call for. */
void *memcpy(void *restrict to, const void *restrict from, size_t count) {
    unsigned char *out = to;
    const unsigned char *in = from;
    while (count-- > 0) {
        *out++ = *in++;
        __asm__ volatile("");
    }
    return to;
}

void *memset(void *to, int value, size_t count) {
    unsigned char *out = to;
    while (count-- > 0) {
        *out++ = (unsigned char)value;
        __asm__ volatile("");
    }
    return to;
}

_Noreturn void start(void);
_Noreturn void start(void) {
    uint32_t here;
    volatile uint32_t *to = data_start;
    const uint32_t *from = data_load;
    while (to < data_end) *to++ = *from++;
    to = bss_start;
    while (to < bss_end) *to++ = 0;
    to = stack_limit;
    while ((uintptr_t)to < (uintptr_t)&here - OWN) *to++ = PAINT;
    main();
    for (;;) {
    }
}
