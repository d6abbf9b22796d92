/*
 * session: a server and a client in one program, in C++17: the client calls a tool of the server.
 *
 * Both are fed by hand, so that it shows what a transport does: it carries lines.
 */
#include <wireline.hpp>

#include <cstdio>
#include <string>

namespace {

constexpr wireline_tool TOOLS[] = {{WIRELINE_LITERAL("add"),
                                    WIRELINE_LITERAL("Adds two whole numbers"),
                                    WIRELINE_LITERAL("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},"
                                                     "\"b\":{\"type\":\"integer\"}},\"required\":[\"a\",\"b\"]}"),
                                    {},
                                    {},
                                    {},
                                    0,
                                    0}};

/** Puts what is to be sent on a pipe, which is a string here. */
template <class Lines>
void put(std::string &pipe, const Lines &lines) {
    char memory[1024];
    if (auto line = lines.write(memory)) pipe += *line;
}

std::string take(std::string &pipe) {
    std::string all;
    all.swap(pipe);
    return all;
}

}  // namespace

int main() {
    wireline_tables tables{};
    tables.size = sizeof tables;
    tables.tools = TOOLS;
    tables.tool_count = 1;
    const wireline::toolkit<64> toolkit(tables);
    if (!toolkit.made()) return 1;

    auto settings = wireline::config::settings("adder", "1.0");
    settings.capabilities = toolkit.capabilities();
    const wireline::config about_server(settings), about_client(wireline::config::settings("asker", "1.0"));
    wireline::memory<2, 0> server_memory;
    wireline::memory<0, 2, 0> client_memory;
    wireline::server server(about_server, toolkit.raw(), server_memory.slots());
    wireline::client client(about_client, client_memory.slots());
    wireline::line_decoder<1024> to_server, to_client;
    if (!server.made() || !client.made()) return 1;

    std::string upward, downward, answer;
    if (auto opening = client.connect(0)) put(upward, *opening);
    while (answer.empty() && !(upward.empty() && downward.empty())) {
        to_server.feed(take(upward), [&](const wireline::item &item) {
            wireline::step step;
            wireline_call call;
            if (!server.serve(item, 0, step, call)) return;
            put(downward, step);
            if (step.event() != WIRELINE_EVENT_CALL) return;
            const wireline::json::value arguments(call.arguments);
            const auto sum = std::to_string(arguments["a"].integer().value_or(0) + arguments["b"].integer().value_or(0));
            if (auto lines = server.finish(step.handle(), sum)) put(downward, *lines);
        });
        to_client.feed(take(downward), [&](const wireline::item &item) {
            wireline::step step;
            if (!client.receive(item, 0, step)) return;
            put(upward, step);
            if (step.is_state(WIRELINE_STATE_READY)) {
                const auto params = wireline::json::value::validate(R"({"name":"add","arguments":{"a":2,"b":3}})");
                if (auto asked = client.request("tools/call", *params, 0)) put(upward, asked->lines);
            } else if (step.event() == WIRELINE_EVENT_ENDED) {
                answer = item.result()["content"][0]["text"].raw();
            }
        });
    }
    std::printf("2 + 3 is %s\n", answer.c_str());
    return answer == "\"5\"" ? 0 : 1;
}
