/* The least image of a chip that reads lines: it links without an operating system. */
#include <wireline.h>

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
