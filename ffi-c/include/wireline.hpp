/*
 * Wireline in C++17: what wireline.h has, with names, lifetimes and types that C++ knows.
 *
 * Header only, over the same library; no exceptions, no allocation, no RTTI. What can fail gives a
 * result that has to be looked at. Handles lie where they are made: they cannot be copied or moved.
 * Text is std::string_view, and lives as long as what it was read from. What is to be sent is written
 * from what a call was given and from the line that was received: write it before either goes away,
 * and before the next call on its session or decoder. A temporary std::string is refused therefore.
 *
 *     wireline::line_decoder<512> decoder;
 *     decoder.feed(bytes, [](const wireline::item &item) {
 *         if (item.is_fault()) std::fputs(item.reason(), stderr);
 *         else if (item.method_is("ping")) answer(item.id_token());
 *     });
 */

#ifndef WIRELINE_HPP
#define WIRELINE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "wireline.h"

namespace wireline {

/** A piece of memory that may be written; what std::span is in C++20. */
class bytes {
public:
    constexpr bytes() noexcept = default;
    constexpr bytes(void *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <class T, std::size_t N>
    constexpr bytes(T (&array)[N]) noexcept : data_(array), size_(sizeof array) {}
    template <class T, std::size_t N>
    constexpr bytes(std::array<T, N> &array) noexcept : data_(array.data()), size_(N * sizeof(T)) {}

    [[nodiscard]] constexpr void *data() const noexcept { return data_; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

private:
    void *data_ = nullptr;
    std::size_t size_ = 0;
};

/** A slice as text: empty if it is absent. */
[[nodiscard]] inline std::string_view text(wireline_slice slice) noexcept {
    return slice.ptr == nullptr ? std::string_view() : std::string_view(slice.ptr, slice.len);
}

/** Text as a slice. Text that is empty is there: it is not absent. */
[[nodiscard]] inline wireline_slice slice(std::string_view text) noexcept {
    wireline_slice slice;
    slice.ptr = text.data() == nullptr ? "" : text.data();
    slice.len = text.size();
    return slice;
}

/** Text that is borrowed for longer than a call: whatever std::string_view is made of, but a temporary string. */
class borrowed {
public:
    borrowed() noexcept = default;
    borrowed(std::string_view text) noexcept : text_(text) {}
    borrowed(const char *text) noexcept : text_(text) {}
    template <class Text, std::enable_if_t<std::is_convertible_v<const Text &, std::string_view> &&
                                               !std::is_convertible_v<const Text &, const char *> &&
                                               !std::is_same_v<Text, std::string_view>,
                                           int> = 0>
    borrowed(const Text &text) noexcept : text_(text) {}
    template <class Text, std::enable_if_t<!std::is_lvalue_reference_v<Text> && !std::is_const_v<Text> &&
                                               std::is_convertible_v<const Text &, std::string_view> &&
                                               !std::is_convertible_v<const Text &, const char *> &&
                                               !std::is_same_v<Text, std::string_view>,
                                           int> = 0>
    borrowed(Text &&text) = delete;

    /** Absent, if it is made of nothing. */
    [[nodiscard]] wireline_slice slice() const noexcept { return wireline_slice{text_.data(), text_.size()}; }

private:
    std::string_view text_;
};

/** What is not there. */
[[nodiscard]] inline wireline_slice absent() noexcept { return wireline_slice{nullptr, 0}; }

/** What a call came to, where it gives nothing else: true if it went well. */
class [[nodiscard]] status {
public:
    constexpr status(wireline_status code = WIRELINE_OK) noexcept : code_(code) {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return code_ == WIRELINE_OK; }
    /** One of the WIRELINE_ERR_ codes, or WIRELINE_OK. */
    [[nodiscard]] constexpr wireline_status code() const noexcept { return code_; }
    /** The short name, such as `too-small`. */
    [[nodiscard]] const char *name() const noexcept { return wireline_status_name(code_); }
    /** One sentence, for people. */
    [[nodiscard]] const char *reason() const noexcept { return wireline_status_reason(code_); }

    friend constexpr bool operator==(status one, status other) noexcept { return one.code_ == other.code_; }
    friend constexpr bool operator!=(status one, status other) noexcept { return one.code_ != other.code_; }

private:
    wireline_status code_;
};

/** A value, or why there is none. */
template <class T>
class [[nodiscard]] result {
public:
    constexpr result(T value) noexcept : value_(std::move(value)) {}
    constexpr result(status why, std::size_t needed = 0, T instead = T{}) noexcept
        : value_(std::move(instead)), code_(why.code()), needed_(needed) {}

    [[nodiscard]] constexpr explicit operator bool() const noexcept { return code_ == WIRELINE_OK; }
    /** The value. Look first whether it is there: else it is one that was made with nothing, or, of JSON, one that
        is refused wherever it is given. */
    [[nodiscard]] constexpr const T &operator*() const noexcept { return value_; }
    [[nodiscard]] constexpr const T *operator->() const noexcept { return &value_; }
    [[nodiscard]] constexpr T value_or(T other) const noexcept { return *this ? value_ : other; }
    [[nodiscard]] constexpr status why() const noexcept { return code_; }
    /** With WIRELINE_ERR_TOO_SMALL: the bytes that are needed. */
    [[nodiscard]] constexpr std::size_t needed() const noexcept { return needed_; }

private:
    T value_{};
    wireline_status code_ = WIRELINE_OK;
    std::size_t needed_ = 0;
};

namespace json {

class member;
template <class Each>
class range;

/** A JSON value in somebody's memory, as it was written. */
class value {
public:
    value() noexcept = default;
    /** A value that the library gave out, or that `validate` took. */
    explicit value(wireline_slice text) noexcept : text_(text) {}

    /** Text that is one JSON value, or why it is none. */
    [[nodiscard]] static result<value> validate(std::string_view text, wireline_invalid *why = nullptr) noexcept {
        wireline_slice taken;
        const wireline_status code = wireline_json_validate(text.data(), text.size(), &taken, why);
        if (code != WIRELINE_OK) return {status(code), 0, refused()};
        return value(taken);
    }

    /** What stands for text that is no value: it is there, and whoever is given it says that it is not JSON. */
    [[nodiscard]] static value refused() noexcept { return value(wireline_slice{"", 0}); }

    /** Whether there is a value at all. */
    [[nodiscard]] explicit operator bool() const noexcept { return text_.ptr != nullptr; }
    [[nodiscard]] std::string_view raw() const noexcept { return wireline::text(text_); }
    [[nodiscard]] wireline_slice slice() const noexcept { return text_; }

    /** One of the WIRELINE_JSON_ codes; 0 for what is absent. */
    [[nodiscard]] wireline_json_kind kind() const noexcept {
        wireline_json_kind kind = 0;
        return wireline_json_kind_of(text_, &kind) == WIRELINE_OK ? kind : 0;
    }

    /** The member of this name; absent, if there is none, or this is no object. */
    [[nodiscard]] value operator[](std::string_view name) const noexcept {
        wireline_slice found;
        return wireline_json_member(text_, wireline::slice(name), &found) == WIRELINE_OK ? value(found) : value();
    }

    /** The element of this index, as `at`. */
    template <class Index, std::enable_if_t<std::is_integral_v<Index>, int> = 0>
    [[nodiscard]] value operator[](Index index) const noexcept {
        if constexpr (std::is_signed_v<Index>) {
            if (index < 0) return value();
        }
        return at(static_cast<std::size_t>(index));
    }

    /** The element of this index; absent, if there is none, or this is no array. */
    [[nodiscard]] value at(std::size_t index) const noexcept {
        wireline_slice found;
        return wireline_json_element(text_, index, &found) == WIRELINE_OK ? value(found) : value();
    }

    /** How many members or elements; 0 for what is no container. */
    [[nodiscard]] std::size_t size() const noexcept {
        std::size_t count = 0;
        return wireline_json_count(text_, &count) == WIRELINE_OK ? count : 0;
    }

    /** A whole number that fits, however it is spelled. */
    [[nodiscard]] std::optional<std::int64_t> integer() const noexcept {
        std::int64_t number = 0;
        if (wireline_json_integer(text_, &number) != WIRELINE_OK) return std::nullopt;
        return number;
    }

    [[nodiscard]] std::optional<std::uint64_t> unsigned_integer() const noexcept {
        std::uint64_t number = 0;
        if (wireline_json_unsigned(text_, &number) != WIRELINE_OK) return std::nullopt;
        return number;
    }

    [[nodiscard]] std::optional<bool> boolean() const noexcept {
        bool truth = false;
        if (wireline_json_bool(text_, &truth) != WIRELINE_OK) return std::nullopt;
        return truth;
    }

    /** Whether it is a string of this text, escapes resolved. */
    [[nodiscard]] bool is(std::string_view text) const noexcept {
        wireline_string inside;
        bool equal = false;
        return wireline_json_string(text_, &inside) == WIRELINE_OK &&
               wireline_string_equals(inside, wireline::slice(text), &equal) == WIRELINE_OK && equal;
    }

    /** A string's text, escapes resolved, in memory of the caller's. */
    [[nodiscard]] result<std::string_view> unescape(bytes into) const noexcept {
        wireline_string inside;
        const wireline_status type = wireline_json_string(text_, &inside);
        if (type != WIRELINE_OK) return status(type);
        std::size_t length = 0;
        const wireline_status code = wireline_string_unescape(inside, into.data(), into.size(), &length);
        if (code != WIRELINE_OK) return {status(code), length};
        return std::string_view(static_cast<const char *>(into.data()), length);
    }

    /** The members of an object or elements of an array, for a range-based for; none, if it is neither. */
    [[nodiscard]] auto members() const noexcept;
    [[nodiscard]] auto elements() const noexcept;

private:
    wireline_slice text_{nullptr, 0};
};

/** A member's name and value. */
class member {
public:
    [[nodiscard]] bool is(std::string_view name) const noexcept {
        bool equal = false;
        return wireline_string_equals(name_, wireline::slice(name), &equal) == WIRELINE_OK && equal;
    }
    /** The name as it was written, escapes and all. */
    [[nodiscard]] std::string_view raw_name() const noexcept { return {name_.ptr, name_.len}; }

    json::value value;

private:
    template <class Each>
    friend class range;
    wireline_string name_{nullptr, 0};
};

/** What a container holds, once, in linear time. */
template <class Each>
class range {
public:
    struct end_mark {};

    class iterator {
    public:
        explicit iterator(range &whole) noexcept : whole_(&whole) {}
        [[nodiscard]] const Each &operator*() const noexcept { return whole_->current_; }
        [[nodiscard]] const Each *operator->() const noexcept { return &whole_->current_; }
        iterator &operator++() noexcept {
            whole_->step();
            return *this;
        }
        [[nodiscard]] bool operator!=(end_mark) const noexcept { return whole_->more_; }

    private:
        range *whole_;
    };

    explicit range(wireline_slice container) noexcept : container_(container) {}
    range(const range &) = delete;
    range &operator=(const range &) = delete;

    [[nodiscard]] iterator begin() noexcept {
        more_ = wireline_json_iter_init(WIRELINE_SELF(&iter_), container_) == WIRELINE_OK;
        if (more_) step();
        return iterator(*this);
    }
    [[nodiscard]] end_mark end() const noexcept { return {}; }

private:
    void step() noexcept {
        wireline_string name;
        wireline_slice found;
        bool more = false;
        more_ = wireline_json_iter_next(&iter_, &more, &name, &found) == WIRELINE_OK && more;
        if (!more_) return;
        if constexpr (std::is_same_v<Each, member>) {
            current_.name_ = name;
            current_.value = value(found);
        } else {
            current_ = value(found);
        }
    }

    wireline_slice container_;
    wireline_json_iter iter_;
    Each current_{};
    bool more_ = false;
};

inline auto value::members() const noexcept {
    return range<member>(kind() == WIRELINE_JSON_OBJECT ? text_ : absent());
}

inline auto value::elements() const noexcept {
    return range<value>(kind() == WIRELINE_JSON_ARRAY ? text_ : absent());
}

/** Writes one JSON value; what goes wrong is told by `finish`. */
class writer {
public:
    explicit writer(bytes into) noexcept
        : made_(wireline_json_writer_init(WIRELINE_SELF(&writer_), into.data(), into.size())) {}
    writer(const writer &) = delete;
    writer &operator=(const writer &) = delete;

    writer &begin_object() noexcept { return take(wireline_json_writer_begin_object(&writer_)); }
    writer &end_object() noexcept { return take(wireline_json_writer_end_object(&writer_)); }
    writer &begin_array() noexcept { return take(wireline_json_writer_begin_array(&writer_)); }
    writer &end_array() noexcept { return take(wireline_json_writer_end_array(&writer_)); }
    writer &key(std::string_view name) noexcept { return take(wireline_json_writer_key(&writer_, slice(name))); }
    writer &string(std::string_view text) noexcept { return take(wireline_json_writer_string(&writer_, slice(text))); }
    writer &base64(const void *data, std::size_t size) noexcept {
        return take(wireline_json_writer_base64(&writer_, data, size));
    }
    writer &integer(std::int64_t number) noexcept { return take(wireline_json_writer_integer(&writer_, number)); }
    writer &unsigned_integer(std::uint64_t number) noexcept {
        return take(wireline_json_writer_unsigned(&writer_, number));
    }
    writer &decimal(std::string_view number) noexcept {
        return take(wireline_json_writer_decimal(&writer_, slice(number)));
    }
    writer &boolean(bool truth) noexcept { return take(wireline_json_writer_bool(&writer_, truth)); }
    writer &null() noexcept { return take(wireline_json_writer_null(&writer_)); }
    writer &raw(value there) noexcept { return take(wireline_json_writer_raw(&writer_, there.slice())); }

    /** The value, or the first thing that was wrong. The writer is done then. */
    [[nodiscard]] result<value> finish() noexcept {
        if (made_ != WIRELINE_OK) return {status(made_), 0, value::refused()};
        wireline_slice text;
        const wireline_status code = wireline_json_writer_finish(&writer_, &text);
        made_ = WIRELINE_ERR_UNINITIALISED;
        if (code != WIRELINE_OK) return {status(code), code == WIRELINE_ERR_TOO_SMALL ? text.len : 0, value::refused()};
        return value(text);
    }

private:
    writer &take(wireline_status code) noexcept {
        if (made_ == WIRELINE_OK) made_ = code;
        return *this;
    }

    wireline_json_writer writer_{};
    wireline_status made_;
};

}  // namespace json

/** A message, or a line that is none. */
class item {
public:
    item() noexcept { raw_.size = sizeof raw_; }

    [[nodiscard]] bool is_message() const noexcept { return raw_.type == WIRELINE_ITEM_MESSAGE; }
    [[nodiscard]] bool is_fault() const noexcept { return raw_.type == WIRELINE_ITEM_FAULT; }
    [[nodiscard]] bool is_none() const noexcept { return raw_.type == WIRELINE_ITEM_NONE; }
    [[nodiscard]] bool is_request() const noexcept { return is_message() && raw_.kind == WIRELINE_KIND_REQUEST; }
    [[nodiscard]] bool is_notification() const noexcept {
        return is_message() && raw_.kind == WIRELINE_KIND_NOTIFICATION;
    }
    [[nodiscard]] bool is_result() const noexcept { return is_message() && raw_.kind == WIRELINE_KIND_RESULT; }
    [[nodiscard]] bool is_error() const noexcept { return is_message() && raw_.kind == WIRELINE_KIND_ERROR; }

    /** Of a message its own bytes, of a fault the line's first ones. */
    [[nodiscard]] std::string_view text() const noexcept { return wireline::text(raw_.text); }
    /** The id as it was received, to be echoed; empty, if there is none. */
    [[nodiscard]] std::string_view id_token() const noexcept { return wireline::text(raw_.id); }
    [[nodiscard]] bool method_is(std::string_view name) const noexcept {
        bool equal = false;
        return wireline_string_equals(raw_.method, slice(name), &equal) == WIRELINE_OK && equal;
    }
    /** The method as it was written, escapes and all. */
    [[nodiscard]] std::string_view raw_method() const noexcept {
        return raw_.method.ptr == nullptr ? std::string_view() : std::string_view(raw_.method.ptr, raw_.method.len);
    }
    [[nodiscard]] json::value params() const noexcept { return json::value(raw_.params); }
    [[nodiscard]] json::value result() const noexcept { return json::value(raw_.result); }
    [[nodiscard]] json::value error() const noexcept { return json::value(raw_.error); }

    /** Of a fault: one of the WIRELINE_FAULT_ codes. */
    [[nodiscard]] wireline_fault fault() const noexcept { return raw_.fault; }
    /** Of a fault: one sentence, for people. */
    [[nodiscard]] const char *reason() const noexcept { return wireline_fault_reason(raw_.fault); }
    /** Of a fault: where it is, in bytes from the line's first byte. */
    [[nodiscard]] std::uint64_t offset() const noexcept { return raw_.offset; }

    /** What wireline.h has of it. */
    [[nodiscard]] const wireline_item &raw() const noexcept { return raw_; }
    [[nodiscard]] wireline_item &raw() noexcept { return raw_; }

private:
    wireline_item raw_{};
};

/** A decoder of newline-framed messages over memory of the caller's. */
class decoder {
public:
    explicit decoder(bytes memory, const wireline_limits *limits = nullptr) noexcept
        : made_(wireline_decoder_init(WIRELINE_SELF(&decoder_), memory.data(), memory.size(), limits)) {}
    decoder(const decoder &) = delete;
    decoder &operator=(const decoder &) = delete;

    /** Whether it was made: false, if there is no memory or the limits are none. */
    [[nodiscard]] status made() const noexcept { return made_; }

    /** The free part of its memory, for bytes to come. */
    [[nodiscard]] bytes spare() noexcept {
        wireline_span span{nullptr, 0};
        if (wireline_decoder_spare(&decoder_, &span) != WIRELINE_OK) return {};
        return {span.ptr, span.len};
    }
    /** Tells how many bytes were put there. */
    status commit(std::size_t count) noexcept { return wireline_decoder_commit(&decoder_, count); }

    /** The next item of what was committed; false, if more bytes are needed. */
    [[nodiscard]] bool next(item &into) noexcept {
        return wireline_decoder_next(&decoder_, &into.raw()) == WIRELINE_OK && !into.is_none();
    }
    /** The next item of the caller's bytes, whose rest is left; false, if all are used. */
    [[nodiscard]] bool next_in(std::string_view &input, item &into) noexcept {
        std::size_t used = 0;
        if (wireline_decoder_next_in(&decoder_, input.data(), input.size(), &used, &into.raw()) != WIRELINE_OK)
            return false;
        input.remove_prefix(used);
        return !into.is_none();
    }
    /** The end of the input: what is left of it; false, if nothing is. */
    [[nodiscard]] bool finish(item &into) noexcept {
        return wireline_decoder_finish(&decoder_, &into.raw()) == WIRELINE_OK && !into.is_none();
    }

    /** Calls `each` with every item of these bytes. */
    template <class Each>
    void feed(std::string_view input, Each &&each) noexcept(noexcept(each(std::declval<const item &>()))) {
        item found;
        while (next_in(input, found)) each(static_cast<const item &>(found));
    }

    [[nodiscard]] bool is_closed() const noexcept {
        bool closed = true;
        return wireline_decoder_is_closed(&decoder_, &closed) != WIRELINE_OK || closed;
    }
    status reset() noexcept { return wireline_decoder_reset(&decoder_); }

    /** What wireline.h has of it. */
    [[nodiscard]] wireline_decoder *raw() noexcept { return &decoder_; }

private:
    wireline_decoder decoder_{};
    status made_;
};

namespace detail {
template <std::size_t N>
struct memory {
    std::array<unsigned char, N> memory_;
};
}  // namespace detail

/** A decoder with N bytes of its own. */
template <std::size_t N>
class line_decoder : private detail::memory<N>, public decoder {
public:
    explicit line_decoder(const wireline_limits *limits = nullptr) noexcept
        : decoder(bytes(this->memory_.data(), N), limits) {}
};

/** An id to be written. */
class id {
public:
    /** A whole number; one beyond ±(2^53 - 1) is refused where it is written. */
    template <class Number, std::enable_if_t<std::is_integral_v<Number> && !std::is_same_v<Number, bool>, int> = 0>
    id(Number number) noexcept : raw_(wireline_id_integer(clamped(number))) {}
    id(std::string_view text) noexcept : raw_(wireline_id_text(slice(text))) {}
    id(const char *text) noexcept : raw_(wireline_id_text(slice(text))) {}
    /** The id of what was received. */
    id(const item &of) noexcept : raw_(wireline_id_received(of.raw().id)) {}
    [[nodiscard]] static id none() noexcept { return id(wireline_id_none()); }
    [[nodiscard]] static id null() noexcept { return id(wireline_id_null()); }

    [[nodiscard]] const wireline_id &raw() const noexcept { return raw_; }

private:
    template <class Number>
    [[nodiscard]] static constexpr std::int64_t clamped(Number number) noexcept {
        if constexpr (std::is_unsigned_v<Number> && sizeof(Number) >= sizeof(std::int64_t)) {
            if (number > static_cast<Number>(INT64_MAX)) return INT64_MAX;
        }
        return static_cast<std::int64_t>(number);
    }
    explicit id(wireline_id raw) noexcept : raw_(raw) {}
    wireline_id raw_;
};

namespace detail {
[[nodiscard]] inline result<std::string_view> line(wireline_status code, bytes into, std::size_t length) noexcept {
    if (code != WIRELINE_OK) return {status(code), length};
    return std::string_view(static_cast<const char *>(into.data()), length);
}
}  // namespace detail

/** A request as a line, LF at its end. */
[[nodiscard]] inline result<std::string_view> write_request(bytes into, const id &id, std::string_view method,
                                                            json::value params = {}) noexcept {
    std::size_t length = 0;
    const wireline_status code =
        wireline_write_request(id.raw(), slice(method), params.slice(), into.data(), into.size(), &length);
    return detail::line(code, into, length);
}

/** A notification as a line, LF at its end. */
[[nodiscard]] inline result<std::string_view> write_notification(bytes into, std::string_view method,
                                                                 json::value params = {}) noexcept {
    std::size_t length = 0;
    const wireline_status code =
        wireline_write_notification(slice(method), params.slice(), into.data(), into.size(), &length);
    return detail::line(code, into, length);
}

/** The result of a request as a line, LF at its end. */
[[nodiscard]] inline result<std::string_view> write_result(bytes into, const id &id, json::value result) noexcept {
    std::size_t length = 0;
    const wireline_status code =
        wireline_write_result(id.raw(), result.slice(), into.data(), into.size(), &length);
    return detail::line(code, into, length);
}

/** An error as a line, LF at its end. */
[[nodiscard]] inline result<std::string_view> write_error(bytes into, const id &id, std::int64_t code,
                                                          std::string_view message, json::value data = {}) noexcept {
    std::size_t length = 0;
    const wireline_status status = wireline_write_error(id.raw(), code, slice(message), data.slice(), into.data(),
                                                        into.size(), &length);
    return detail::line(status, into, length);
}

/** A received message as a line with another id, all else as it came. */
[[nodiscard]] inline result<std::string_view> write_with_id(bytes into, const item &message, const id &id) noexcept {
    std::size_t length = 0;
    const wireline_status code = wireline_write_with_id(&message.raw(), id.raw(), into.data(), into.size(), &length);
    return detail::line(code, into, length);
}

/** What is to be sent: nothing, a line, or two. It is written from what the call was given. */
class outgoing {
public:
    /** The lines, each with its LF; empty, if there is nothing to be sent. */
    [[nodiscard]] result<std::string_view> write(bytes into) const noexcept {
        std::size_t length = 0;
        const wireline_status code = wireline_send_write(&raw_, into.data(), into.size(), &length);
        return detail::line(code, into, length);
    }
    [[nodiscard]] wireline_send *raw() noexcept { return &raw_; }
    [[nodiscard]] const wireline_send *raw() const noexcept { return &raw_; }

private:
    wireline_send raw_{};
};

/** All that follows from a line received, a moment passed, or a call made. */
class step {
public:
    step() noexcept { raw_.size = sizeof raw_; }
    /** One of the WIRELINE_EVENT_ codes; the details are members of `raw`. */
    [[nodiscard]] wireline_event event() const noexcept { return raw_.event; }
    [[nodiscard]] wireline_handle handle() const noexcept { return raw_.handle; }
    [[nodiscard]] bool is_state(wireline_state state) const noexcept {
        return raw_.event == WIRELINE_EVENT_STATE && raw_.state == state;
    }
    /** The lines to be sent, in memory of the caller's; to be done first. */
    [[nodiscard]] result<std::string_view> write(bytes into) const noexcept {
        std::size_t length = 0;
        const wireline_status code = wireline_send_write(&raw_.send, into.data(), into.size(), &length);
        return detail::line(code, into, length);
    }
    [[nodiscard]] const wireline_step &raw() const noexcept { return raw_; }
    [[nodiscard]] wireline_step *raw_pointer() noexcept { return &raw_; }

private:
    wireline_step raw_{};
};

/** A request of ours that is under way, and the line that asks for it. */
struct asked {
    wireline_handle handle = 0;
    outgoing lines;
};

/** What a session is told once. It is kept as long as sessions use it. */
class config {
public:
    /** All revisions, no capabilities, and the time-outs that wireline.h names. */
    [[nodiscard]] static wireline_settings settings(borrowed name, borrowed version) noexcept {
        wireline_settings settings{};
        if (wireline_settings_default(&settings, sizeof settings) != WIRELINE_OK) return settings;
        settings.name = name.slice();
        settings.version = version.slice();
        return settings;
    }
    explicit config(const wireline_settings &settings) noexcept
        : made_(wireline_config_init(WIRELINE_SELF(&raw_), &settings)) {}
    config(const config &) = delete;
    config &operator=(const config &) = delete;

    [[nodiscard]] status made() const noexcept { return made_; }
    [[nodiscard]] const wireline_config *raw() const noexcept { return &raw_; }

private:
    wireline_config raw_{};
    status made_;
};

/** Room for the peer's requests, for ours, for the texts of the peer's, and for the answers of a batch. */
template <std::size_t Inbound, std::size_t Outbound, std::size_t Text = 60 * Inbound, std::size_t Gather = 0>
class memory {
public:
    memory() noexcept = default;
    memory(const memory &) = delete;
    memory &operator=(const memory &) = delete;

    [[nodiscard]] wireline_slots slots() noexcept {
        wireline_slots slots{};
        slots.size = sizeof slots;
        if constexpr (Inbound > 0) slots.inbound = inbound_.data();
        slots.inbound_count = Inbound;
        if constexpr (Outbound > 0) slots.outbound = outbound_.data();
        slots.outbound_count = Outbound;
        if constexpr (Text > 0) slots.text = text_.data();
        slots.text_size = Text;
        if constexpr (Gather > 0) slots.gather = gather_.data();
        slots.gather_size = Gather;
        return slots;
    }

private:
    std::array<wireline_inbound, Inbound> inbound_;
    std::array<wireline_outbound, Outbound> outbound_;
    std::array<char, Text> text_;
    std::array<char, Gather> gather_;
};

/** A server's tables, looked at once. N words of memory hold them: see WIRELINE_TOOL_WORDS and its like. */
template <std::size_t N>
class toolkit {
public:
    explicit toolkit(const wireline_tables &tables) noexcept
        : made_(wireline_toolkit_init(WIRELINE_SELF(&raw_), &tables, memory_.data(), sizeof memory_, &why_)) {}
    toolkit(const toolkit &) = delete;
    toolkit &operator=(const toolkit &) = delete;

    [[nodiscard]] status made() const noexcept { return made_; }
    /** With WIRELINE_ERR_TABLE: which entry is wrong, and why. */
    [[nodiscard]] const wireline_table_error &why() const noexcept { return why_; }
    [[nodiscard]] wireline_capabilities capabilities() const noexcept {
        wireline_capabilities capabilities = 0;
        return wireline_toolkit_capabilities(&raw_, &capabilities) == WIRELINE_OK ? capabilities : 0;
    }
    [[nodiscard]] const wireline_toolkit *raw() const noexcept { return &raw_; }

private:
    std::array<std::uint64_t, N> memory_;
    wireline_toolkit raw_{};
    wireline_table_error why_{};
    status made_;
};

/** A client's side of a connection. */
class client {
public:
    client(const config &config, const wireline_slots &slots) noexcept
        : made_(wireline_client_init(WIRELINE_SELF(&raw_), config.raw(), &slots)) {}
    client(const client &) = delete;
    client &operator=(const client &) = delete;
    [[nodiscard]] status made() const noexcept { return made_; }

    /** Opens the session; WIRELINE_STATE_READY tells when it is. `now` is in milliseconds of any clock. */
    [[nodiscard]] result<outgoing> connect(std::uint64_t now) noexcept {
        outgoing lines;
        const wireline_status code = wireline_client_connect(&raw_, now, lines.raw());
        if (code != WIRELINE_OK) return status(code);
        return lines;
    }
    [[nodiscard]] status receive(const item &item, std::uint64_t now, step &into) noexcept {
        return wireline_client_receive(&raw_, &item.raw(), now, into.raw_pointer());
    }
    [[nodiscard]] result<asked> request(borrowed method, json::value params, std::uint64_t now,
                                        const wireline_options *options = nullptr) noexcept {
        asked asked;
        const wireline_status code = wireline_client_request(&raw_, method.slice(), params.slice(), options, now,
                                                             &asked.handle, asked.lines.raw());
        if (code != WIRELINE_OK) return status(code);
        return asked;
    }
    [[nodiscard]] result<outgoing> respond(wireline_handle handle, json::value result) noexcept {
        outgoing lines;
        const wireline_status code = wireline_client_respond(&raw_, handle, result.slice(), lines.raw());
        if (code != WIRELINE_OK) return status(code);
        return lines;
    }
    [[nodiscard]] result<outgoing> fail(wireline_handle handle, std::int64_t code, borrowed message) noexcept {
        outgoing lines;
        const wireline_status failed =
            wireline_client_fail(&raw_, handle, code, message.slice(), absent(), lines.raw());
        if (failed != WIRELINE_OK) return wireline::status(failed);
        return lines;
    }
    /** Cancels a request of ours. `reason` may be left empty: `{}`. */
    [[nodiscard]] status cancel(wireline_handle handle, borrowed reason, step &into) noexcept {
        return wireline_client_cancel(&raw_, handle, reason.slice(), into.raw_pointer());
    }
    /** When `expire` is due, if ever. */
    [[nodiscard]] std::optional<std::uint64_t> poll_timeout() const noexcept {
        std::uint64_t due = UINT64_MAX;
        if (wireline_client_poll_timeout(&raw_, &due) != WIRELINE_OK || due == UINT64_MAX) return std::nullopt;
        return due;
    }
    /** Lets time pass: call it until it is false. */
    [[nodiscard]] bool expire(std::uint64_t now, step &into) noexcept {
        bool more = false;
        return wireline_client_expire(&raw_, now, into.raw_pointer(), &more) == WIRELINE_OK && more;
    }
    /** The input has ended: call it until it is false. */
    [[nodiscard]] bool close(step &into) noexcept {
        bool more = false;
        return wireline_client_close(&raw_, into.raw_pointer(), &more) == WIRELINE_OK && more;
    }
    /** For what wireline.h has beyond this. */
    [[nodiscard]] wireline_client *raw() noexcept { return &raw_; }

private:
    wireline_client raw_{};
    status made_;
};

/** A server's side of a connection, with or without tables. */
class server {
public:
    server(const config &config, const wireline_toolkit *toolkit, const wireline_slots &slots) noexcept
        : made_(wireline_server_init(WIRELINE_SELF(&raw_), config.raw(), toolkit, &slots)) {}
    server(const server &) = delete;
    server &operator=(const server &) = delete;
    [[nodiscard]] status made() const noexcept { return made_; }

    /** Takes an item, and answers what the tables answer. */
    [[nodiscard]] status serve(const item &item, std::uint64_t now, step &into, wireline_call &call) noexcept {
        call.size = sizeof call;
        return wireline_server_serve(&raw_, &item.raw(), now, into.raw_pointer(), &call);
    }
    /** Takes an item, and leaves every request to the program. */
    [[nodiscard]] status receive(const item &item, std::uint64_t now, step &into) noexcept {
        return wireline_server_receive(&raw_, &item.raw(), now, into.raw_pointer());
    }
    /** Answers a call of a tool by a text. */
    [[nodiscard]] result<outgoing> finish(wireline_handle handle, borrowed said, bool failed = false) noexcept {
        outgoing lines;
        const wireline_status code = wireline_server_finish_text(&raw_, handle, said.slice(), failed, lines.raw());
        if (code != WIRELINE_OK) return status(code);
        return lines;
    }
    /** Answers a request with any result. */
    [[nodiscard]] result<outgoing> finish(wireline_handle handle, json::value result) noexcept {
        outgoing lines;
        wireline_reply reply{};
        reply.size = sizeof reply;
        reply.result = result.slice();
        const wireline_status code = wireline_server_finish(&raw_, handle, &reply, lines.raw());
        if (code != WIRELINE_OK) return status(code);
        return lines;
    }
    [[nodiscard]] result<outgoing> fail(wireline_handle handle, std::int64_t code, borrowed message) noexcept {
        outgoing lines;
        const wireline_status failed =
            wireline_server_fail(&raw_, handle, code, message.slice(), absent(), lines.raw());
        if (failed != WIRELINE_OK) return wireline::status(failed);
        return lines;
    }
    /** Tells how far a request is. `progress` and `total` are JSON numbers; `total` may be empty. */
    [[nodiscard]] result<outgoing> progress(wireline_handle handle, borrowed progress,
                                            borrowed total = {}) noexcept {
        outgoing lines;
        wireline_progress told{};
        told.size = sizeof told;
        told.progress = progress.slice();
        told.total = total.slice();
        const wireline_status code = wireline_server_progress(&raw_, handle, &told, lines.raw());
        if (code != WIRELINE_OK) return status(code);
        return lines;
    }
    [[nodiscard]] std::optional<std::uint64_t> poll_timeout() const noexcept {
        std::uint64_t due = UINT64_MAX;
        if (wireline_server_poll_timeout(&raw_, &due) != WIRELINE_OK || due == UINT64_MAX) return std::nullopt;
        return due;
    }
    [[nodiscard]] bool expire(std::uint64_t now, step &into) noexcept {
        bool more = false;
        return wireline_server_expire(&raw_, now, into.raw_pointer(), &more) == WIRELINE_OK && more;
    }
    [[nodiscard]] bool close(step &into) noexcept {
        bool more = false;
        return wireline_server_close(&raw_, into.raw_pointer(), &more) == WIRELINE_OK && more;
    }
    /** For what wireline.h has beyond this. */
    [[nodiscard]] wireline_server *raw() noexcept { return &raw_; }

private:
    wireline_server raw_{};
    status made_;
};

}  // namespace wireline

#endif /* WIRELINE_HPP */
