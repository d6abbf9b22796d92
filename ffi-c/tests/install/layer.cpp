// The C++ layer's edges: what compiles, what must not, and what comes of misuse.
#include <wireline.hpp>

#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>

using namespace wireline;

// A temporary string would be gone before the line is written.
static_assert(!std::is_constructible_v<borrowed, std::string>);
static_assert(std::is_constructible_v<borrowed, std::string &>);
static_assert(std::is_constructible_v<borrowed, const std::string &>);
static_assert(std::is_constructible_v<borrowed, std::string_view>);
static_assert(std::is_constructible_v<borrowed, const char *>);
static_assert(!std::is_copy_constructible_v<decoder> && !std::is_move_constructible_v<client>);
static_assert(!std::is_copy_constructible_v<json::range<json::value>>);
static_assert(std::is_constructible_v<id, unsigned long long> && std::is_constructible_v<id, unsigned>);
static_assert(!std::is_constructible_v<id, bool>);

static int failed = 0;

static void check(bool good, const char *what) {
    if (good) return;
    failed++;
    std::fprintf(stderr, "layer.cpp: %s\n", what);
}

static bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

int main() {
    const auto document = json::value::validate(R"({"list":[{"text":"a"},2,-3],"big":18446744073709551615})");
    check(static_cast<bool>(document), "JSON is taken");
    check((*document)["list"][0]["text"].is("a"), "a subscript of 0 is an element");
    check((*document)["list"][1u].integer() == 2 && (*document)["list"][2].integer() == -3, "numbers");
    check(!(*document)["list"][-1] && !(*document)["list"][3] && !(*document)["none"]["x"], "what is absent");
    check((*document)["big"].unsigned_integer() == 18446744073709551615u && !(*document)["big"].integer(), "unsigned");
    int seen = 0;
    for (const auto &member : (*document).members()) seen += member.is("list") ? 1 : 10;
    for (const auto &element : (*document)["list"].elements()) seen += element ? 100 : 0;
    check(seen == 311, "members and elements");

    char line[256], small[8];
    check(starts(*write_request(line, 7ull, "ping"), R"({"jsonrpc":"2.0","id":7,)"), "an unsigned id");
    check(write_request(line, 18446744073709551615ull, "ping").why() == status(WIRELINE_ERR_ID), "an id that is too large");
    const auto short_of = write_request(small, "a", "ping");
    check(short_of.why() == status(WIRELINE_ERR_TOO_SMALL) && short_of.needed() > sizeof small, "too small says how much");
    const auto broken = json::value::validate("{");
    check(!broken && broken.why() == status(WIRELINE_ERR_JSON), "JSON that is none");
    check(!write_request(line, 1, "ping", *broken), "what failed is not sent as if nothing had been given");
    json::writer tight(small);
    const auto unfit = tight.begin_object().key("a long name").null().end_object().finish();
    check(!unfit && unfit.needed() == std::strlen(R"({"a long name":null})"), "a writer says how much");

    const config about(config::settings("layer.cpp", "1"));
    memory<0, 2, 0> slots;
    client asker(about, slots.slots());
    check(static_cast<bool>(asker.made()), "a client");
    step taken;
    check(!asker.request("tools/list", {}, 0), "nothing is asked before it is open");
    check(asker.cancel(1, {}, taken).code() == WIRELINE_ERR_STALE_HANDLE, "a handle of nothing");
    check(static_cast<bool>(asker.connect(0)) && asker.poll_timeout() == 10000u, "a probe has its time");
    check(result<int>(5).value_or(0) == 5 && result<int>(status(WIRELINE_ERR_NULL)).value_or(3) == 3, "results of numbers");
    std::printf("layer %s\n", failed == 0 ? "ok" : "failed");
    return failed;
}
