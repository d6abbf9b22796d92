// The header as C++: it is included, and its macros and inline functions are used.
#include "wireline.h"

#include <cstring>

static const wireline_slice NAMES[] = {WIRELINE_LITERAL("tools/call"), WIRELINE_LITERAL("ping")};

int main() {
    static char memory[256];
    static wireline_decoder decoder;
    static const char line[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    wireline_item item;
    std::size_t used = 0;
    item.size = sizeof item;
    if (wireline_decoder_init(WIRELINE_SELF(&decoder), memory, sizeof memory, nullptr) != WIRELINE_OK) {
        return 1;
    }
    if (wireline_decoder_next_in(&decoder, line, std::strlen(line), &used, &item) != WIRELINE_OK) {
        return 2;
    }
    bool equal = false;
    if (wireline_string_equals(item.method, NAMES[1], &equal) != WIRELINE_OK || !equal) {
        return 3;
    }
    return item.type == WIRELINE_ITEM_MESSAGE && wireline_string_is(item.method, "ping") ? 0 : 4;
}
