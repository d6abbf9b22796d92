// The same in C++17, through the layer above the header.
#include <cstdio>

#include <wireline.hpp>

int main() {
    wireline::line_decoder<256> decoder;
    if (!decoder.made()) return 1;
    int count = 0;
    decoder.feed("{\"params\":{\"a\":[1,2]},\"id\":7,\"method\":\"pi\\u006eg\",\"jsonrpc\":\"2.0\"}\nnoise\n",
                 [&](const wireline::item &item) {
                     if (item.is_fault()) {
                         std::printf("%s at %llu\n", wireline_fault_name(item.fault()),
                                     static_cast<unsigned long long>(item.offset()));
                         return;
                     }
                     for (auto element : item.params()["a"].elements()) count += static_cast<int>(*element.integer());
                     char memory[64], line[128];
                     auto result = wireline::json::writer(memory).begin_object().key("sum").integer(count).end_object().finish();
                     if (!result || !item.method_is("ping")) return;
                     auto written = wireline::write_result(line, item, *result);
                     if (written) std::printf("%.*s", static_cast<int>(written->size()), written->data());
                 });
    return count == 3 ? 0 : 2;
}
