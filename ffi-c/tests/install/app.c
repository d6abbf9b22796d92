/* A program outside of the project: what it says shows that header and library fit. */
#include <stdio.h>

#include <wireline.h>

int main(void) {
    static const char line[] = "{\"params\":{},\"id\":7,\"method\":\"ping\",\"jsonrpc\":\"2.0\"}\n";
    unsigned char memory[256];
    wireline_decoder decoder;
    wireline_item item;
    size_t used = 0;

    if (wireline_decoder_init(WIRELINE_SELF(&decoder), memory, sizeof memory, NULL) != WIRELINE_OK) return 1;
    item.size = sizeof item;
    if (wireline_decoder_next_in(&decoder, line, sizeof line - 1, &used, &item) != WIRELINE_OK) return 2;
    if (item.type != WIRELINE_ITEM_MESSAGE || item.kind != WIRELINE_KIND_REQUEST) return 3;
    printf("%.*s %.*s\n", WIRELINE_ARG(item.id), WIRELINE_ARG(item.method));
    return 0;
}
