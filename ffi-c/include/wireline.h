/*
 * Wireline: a protocol core for the Model Context Protocol (MCP), in C.
 *
 * Newline-framed JSON-RPC 2.0, read, checked, written and tracked through its whole life, with no
 * heap, no input or output, and no clock of its own. Generated from the library's sources by
 * scripts/c-header: change it there.
 *
 *     unsigned char buffer[512];
 *     wireline_decoder decoder;
 *     wireline_item item = {0};
 *     wireline_span spare = {0};
 *
 *     if (wireline_decoder_init(WIRELINE_SELF(&decoder), buffer, sizeof buffer, NULL) != WIRELINE_OK)
 *         return 1;
 *     item.size = sizeof item;
 *     while (wireline_decoder_spare(&decoder, &spare) == WIRELINE_OK) {
 *         ssize_t count = read(0, spare.ptr, spare.len);
 *         if (count <= 0) break;
 *         wireline_decoder_commit(&decoder, (size_t)count);
 *         while (wireline_decoder_next(&decoder, &item) == WIRELINE_OK &&
 *                item.type != WIRELINE_ITEM_NONE) {
 *             if (item.type == WIRELINE_ITEM_FAULT)
 *                 fprintf(stderr, "%s\n", wireline_fault_reason(item.fault));
 *         }
 *     }
 *
 * CONVENTIONS
 *
 * Handles. A handle is a struct in memory of the caller's: static, on the stack, in an arena. Its
 * members are the library's. An init function makes it, and nothing has to be freed: let go of the
 * memory. It is valid only where it was made: a copy of it elsewhere is refused with
 * WIRELINE_ERR_MOVED. Zeroed memory is a handle that is not initialised, and every call refuses it
 * with WIRELINE_ERR_UNINITIALISED, as it does a handle of another type. An init function that fails
 * leaves the handle, and all memory that it was lent, as they were, with one exception: WIRELINE_ERR_TABLE
 * of wireline_toolkit_init and wireline_toolkit_init_trusted leaves a handle that is not initialised. One that succeeds makes the handle
 * anew, whatever it was before.
 *
 * Init functions are given the size of the handle and the version of the header, and refuse what
 * they were not compiled for: WIRELINE_ERR_SIZE, WIRELINE_ERR_VERSION. WIRELINE_SELF(&handle) stands
 * for the handle and these two.
 *
 * Statuses. A call that can fail returns a wireline_status: 0 is WIRELINE_OK, all else is negative. A
 * call that fails has changed nothing, unless its description says otherwise. There are no callbacks,
 * no errno, no thread-locals, and no allocation; nor globals, but that a library for a host keeps in
 * static memory which instructions the CPU has, once it has asked. What a peer sends is never the reason
 * for a failed call: faults on the line are items, and more input needed is one, too.
 *
 * Parameters. The handle comes first, if there is one. A pointer to const is read, others are written.
 * Results are written only on success, with two exceptions that have their place in the descriptions:
 * a length that says how much room is needed on WIRELINE_ERR_TOO_SMALL, and the details of an
 * error. The bytes of `out` are anything after a call that fails: of a line that has no room there may
 * be a beginning. No pointer may be NULL unless its description says so; every one is checked, and NULL is
 * WIRELINE_ERR_NULL. Memory of length 0 may be NULL. Pointers of one call must not overlap.
 *
 * Slices. Text is a pointer and a length, without a NUL at its end: wireline_slice for what stands for
 * itself, such as JSON values and plain text, and wireline_string for the inside of a JSON string as
 * it was written. What is absent has a pointer of NULL. Print a slice with
 * printf("%.*s", WIRELINE_ARG(slice)). Slices that the library hands out point into the memory that
 * it was given, and are valid as long as that is left as it is. Those of a decoder's item are in its buffer,
 * until the next call that takes the decoder and not as const, or, with WIRELINE_FLAG_IN_CHUNK, in the
 * caller's chunk; those of a stream decoder's item are in its memory, in its handle or in the input of that call, so they
 * last until the next call that takes it and not as const, and only as long as that input is left as it is; those of wireline_parse are in the text that it was given. Names of the protocol's
 * tables stay.
 *
 * JSON. A slice that is called a value is one whole JSON value: it came out of an item, of
 * wireline_json_validate, or of another value. What is read from text that is none is arbitrary, and
 * no worse. What is to be sent is always looked at first.
 *
 * Structs whose first member is `size` may grow, at their end. Set it to the sizeof of the struct
 * before the call, for results too. Today the library knows one size of each, and any other is
 * WIRELINE_ERR_SIZE; later libraries of the same ABI take the earlier sizes too, as if the members
 * that came later were 0 or absent, and write no more than the size says. Structs without a `size` and
 * handles do not grow within an ABI; wireline_tool, wireline_resource, wireline_template,
 * wireline_prompt and wireline_prompt_argument, of which there are arrays, are laid out as the size
 * of wireline_tables says. Members called reserved are 0; anything else in an argument is
 * WIRELINE_ERR_ARGUMENT, and in an entry of a table WIRELINE_ERR_TABLE. A member of an argument that is 0 or absent
 * asks for nothing special, so that zeroed memory with the size set is where to begin. It is complete for
 * wireline_slots of a server, wireline_monitor_slots, wireline_tables, wireline_options, wireline_filter
 * and wireline_renumber. wireline_outgoing needs a kind and what that needs, wireline_reply a result, wireline_progress
 * a progress, wireline_input_request a method and a key, wireline_slots of a client an outbound slot. wireline_limits and
 * wireline_settings have functions that fill them, and are refused if they are zeroed.
 *
 * Codes are integers of fixed width, named by macros: no size depends on what a compiler chooses for
 * an enum. A number out of place, or out of the range that its description gives, is
 * WIRELINE_ERR_ARGUMENT.
 *
 * Threads. A handle is used by one thread at a time, or by several at once that all take it as const. Different handles
 * share what they were made with and nothing else: sessions may have one wireline_config and one wireline_toolkit, in
 * several threads too, since these are only read once they are made. Buffers, slots and text belong to one handle.
 *
 * Time. now is in milliseconds of any clock that does not go back, wherever it began: extend a counter of 32 bits before it
 * wraps, after 49 days. To a session, a clock that goes back stands still until it has caught up, so nothing times out meanwhile.
 *
 * Names. Everything is called wireline_ or WIRELINE_, and the libraries export nothing else. The
 * feature set of a library does not change the header; what it was built without is
 * WIRELINE_ERR_UNSUPPORTED.
 */

#ifndef WIRELINE_H
#define WIRELINE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The version of this header as text. */
#define WIRELINE_VERSION_STRING "0.1.0"

/** A handle, its size and the version of this header: what every init function begins with. */
#define WIRELINE_SELF(handle) (handle), sizeof *(handle), WIRELINE_VERSION_NUMBER

/**
 * A slice or string for the "%.*s" of printf: nothing, if it is absent, and no more than INT_MAX bytes.
 * The argument is evaluated more than once.
 */
#define WIRELINE_ARG(slice)                                                                        \
    ((slice).ptr == NULL ? 0 : (slice).len > (size_t)INT_MAX ? INT_MAX : (int)(slice).len),        \
        ((slice).ptr == NULL ? "" : (slice).ptr)

/** A string literal as an initialiser of a slice, for tables that lie in flash. */
#define WIRELINE_LITERAL(text) { ("" text ""), sizeof(text) - 1 }
/** For `profile` of `wireline_limits`: the Model Context Protocol. */
#define WIRELINE_PROFILE_MCP 0

/**
 * For `profile` of `wireline_limits`: all that JSON-RPC 2.0 allows. `params` may be an
 * array, `result` any value, a request's id null or a fraction.
 */
#define WIRELINE_PROFILE_JSON_RPC 1

/** In `flags`: `params` was null and counts as absent. */
#define WIRELINE_FLAG_NULL_PARAMS 1

/** In `flags`: a byte order mark stood at the start of the stream. */
#define WIRELINE_FLAG_BOM 2

/** In `flags`: it is an element of a batch, the one of `batch_index`. */
#define WIRELINE_FLAG_BATCH 4

/** In `flags`: it is the batch's last element. */
#define WIRELINE_FLAG_BATCH_LAST 8

/**
 * In `flags`: the slices lie in the caller's chunk, not in the decoder's buffer, and stay
 * valid as long as the chunk does.
 */
#define WIRELINE_FLAG_IN_CHUNK 16

/** In `flags` of a fault: `jsonrpc` is there and is "2.0". */
#define WIRELINE_FLAG_HAS_JSONRPC 256

/** In `flags` of a fault: `method` is there. */
#define WIRELINE_FLAG_HAS_METHOD 512

/** In `flags` of a fault: `result` is there. */
#define WIRELINE_FLAG_HAS_RESULT 1024

/** In `flags` of a fault: `error` is there. */
#define WIRELINE_FLAG_HAS_ERROR 2048

/** For `phase` of `wireline_monitor_info`: no `initialize` yet. */
#define WIRELINE_PHASE_IDLE 1

/** It was sent, and not answered. */
#define WIRELINE_PHASE_SENT 2

/** It was answered; `notifications/initialized` has not come. */
#define WIRELINE_PHASE_ANSWERED 3

/** The handshake is done. */
#define WIRELINE_PHASE_READY 4

/** It was refused. */
#define WIRELINE_PHASE_FAILED 5

/** The text is not JSON. JSON-RPC 2.0. */
#define WIRELINE_CODE_PARSE_ERROR (-32700)

/** The message is no valid request. JSON-RPC 2.0. */
#define WIRELINE_CODE_INVALID_REQUEST (-32600)

/** No such method, or not for this peer. JSON-RPC 2.0. */
#define WIRELINE_CODE_METHOD_NOT_FOUND (-32601)

/** The parameters are wrong. JSON-RPC 2.0. */
#define WIRELINE_CODE_INVALID_PARAMS (-32602)

/** The server is at fault. JSON-RPC 2.0. */
#define WIRELINE_CODE_INTERNAL_ERROR (-32603)

/**
 * No such resource, in the revisions up to 2025-11-25. Later it is
 * `WIRELINE_CODE_INVALID_PARAMS`.
 */
#define WIRELINE_CODE_RESOURCE_NOT_FOUND (-32002)

/** The user has to visit a URL first; 2025-11-25 only. */
#define WIRELINE_CODE_URL_ELICITATION_REQUIRED (-32042)

/** An HTTP header does not agree with the body; from 2026-07-28. */
#define WIRELINE_CODE_HEADER_MISMATCH (-32020)

/** The request needs a capability that its client did not declare; from 2026-07-28. */
#define WIRELINE_CODE_MISSING_CLIENT_CAPABILITY (-32021)

/** The request follows a revision that the server does not support; from 2026-07-28. */
#define WIRELINE_CODE_UNSUPPORTED_PROTOCOL_VERSION (-32022)

/**
 * The request was cancelled. The Language Server Protocol's; no revision of MCP defines
 * it, but some peers send it.
 */
#define WIRELINE_CODE_REQUEST_CANCELLED (-32800)

/**
 * The content is too large. No revision defines it; a policy can choose it for requests
 * that are over a ceiling.
 */
#define WIRELINE_CODE_CONTENT_TOO_LARGE (-32801)

/** How many rules there are: they are numbered from 1. */
#define WIRELINE_RULE_COUNT 180

/** Variables of a template, at most. */
#define WIRELINE_MAX_VARIABLES 4

/** Things that are asked for at once, at most. */
#define WIRELINE_MAX_QUESTIONS 8

/**
 * In `hints`: the tool changes nothing. Hints of a tool go out from 2025-03-26 on; a client
 * does not rely on them.
 */
#define WIRELINE_HINT_READ_ONLY 1

/** In `hints`: it changes something. */
#define WIRELINE_HINT_NOT_READ_ONLY 2

/** In `hints`: what it changes may be lost. */
#define WIRELINE_HINT_DESTRUCTIVE 4

/** In `hints`: nothing is lost. */
#define WIRELINE_HINT_NOT_DESTRUCTIVE 8

/** In `hints`: the same call once more changes nothing further. */
#define WIRELINE_HINT_IDEMPOTENT 16

/** In `hints`: it does. */
#define WIRELINE_HINT_NOT_IDEMPOTENT 32

/** In `hints`: it reaches things outside. */
#define WIRELINE_HINT_OPEN_WORLD 64

/** In `hints`: it does not. */
#define WIRELINE_HINT_NOT_OPEN_WORLD 128

/**
 * In `flags` of a tool: its input schema is listed as it is, whatever keywords it has, and
 * arguments are not checked against it: that is left to the program.
 */
#define WIRELINE_TOOL_OPAQUE_INPUT 1

/** In `flags` of a tool: the same for its output schema. */
#define WIRELINE_TOOL_OPAQUE_OUTPUT 2

/** Words of memory for each tool. */
#define WIRELINE_TOOL_WORDS 16

/** Words of memory for each resource. */
#define WIRELINE_RESOURCE_WORDS 16

/** Words of memory for each resource template. */
#define WIRELINE_TEMPLATE_WORDS 12

/** Words of memory for each prompt. */
#define WIRELINE_PROMPT_WORDS 10

/** Words of memory for each argument of a prompt. */
#define WIRELINE_ARGUMENT_WORDS 8

/** The first part of the version. While it is 0, the second one counts as it does later. */
#define WIRELINE_VERSION_MAJOR 0

/** The second part of the version. */
#define WIRELINE_VERSION_MINOR 1

/** The third part of the version. */
#define WIRELINE_VERSION_PATCH 0

/** The version as a number that rises: 1000000 * major + 1000 * minor + patch. */
#define WIRELINE_VERSION_NUMBER 1000

/** For `type` of `wireline_id`: there is no id, and no member for it. */
#define WIRELINE_ID_NONE 0

/** For `type` of `wireline_id`: the member says `null`. In an error alone. */
#define WIRELINE_ID_NULL 1

/** For `type` of `wireline_id`: an integer within ±(2^53 - 1). */
#define WIRELINE_ID_INTEGER 2

/**
 * For `type` of `wireline_id`: a string, given as plain text in UTF-8; in a request, not
 * an empty one.
 */
#define WIRELINE_ID_TEXT 3

/** For `type` of `wireline_id`: exactly the token that was received. */
#define WIRELINE_ID_RECEIVED 4

/** What a call came to: `WIRELINE_OK`, or one of the negative `WIRELINE_ERR_` codes. */
typedef int32_t wireline_status;

/**
 * The ceilings of a decoder, and the rules that can be switched. Fill it by
 * `wireline_limits_embedded` or `wireline_limits_host`, and change what differs.
 */
typedef struct {
    /** `sizeof(wireline_limits)`. */
    uint32_t size;
    /**
     * Bytes of one message, without its line end; at least 64. A buffer of N bytes lowers
     * it to N - 2. Longer: `WIRELINE_FAULT_TOO_LONG`, with the id.
     */
    uint32_t message;
    /**
     * Bytes of one line that are passed over before the line is called endless; 0 for no
     * such ceiling. Passed: `WIRELINE_FAULT_RUNAWAY`, and the decoder takes no more.
     */
    uint32_t max_discard;
    /**
     * Bytes of the id's token, quotes and escapes included, 1 to 16384; a buffer of N bytes
     * lowers it to N / 4. Longer: `WIRELINE_FAULT_ID_TOO_LONG`.
     */
    uint16_t id;
    /**
     * Bytes of the method's token, 1 to 16384; a buffer of N bytes lowers it to N / 4. Longer:
     * `WIRELINE_FAULT_METHOD_TOO_LONG`, with the id.
     */
    uint16_t method;
    /** Open containers, 4 to 127. Deeper: `WIRELINE_FAULT_TOO_DEEP`, with the id. */
    uint8_t depth;
    /** `WIRELINE_PROFILE_MCP` or `WIRELINE_PROFILE_JSON_RPC`. */
    uint8_t profile;
    /**
     * 1: the end of the input ends a line as LF does. 0: an unfinished last line is
     * `WIRELINE_FAULT_TRUNCATED`.
     */
    uint8_t eof_completes_line;
    /**
     * 1: a batch is taken apart into its elements, as revision 2025-03-26 asks. 0: it is
     * one `WIRELINE_FAULT_BATCH`.
     */
    uint8_t batches;
} wireline_limits;

/**
 * A client's side of a connection: what was agreed on, and what is under way.
 *
 * Open it with `wireline_client_connect`, send what that gives, and hand it every item of a
 * decoder. It reads no clock and does no I/O: each call says what follows from it.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[24];
} wireline_client;

/**
 * Settings that have been looked at. Sessions borrow it: it stays where it is, and as it
 * is, as long as one of them is used.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[26];
} wireline_config;

/** A request of the peer that is being worked on. What it holds is the session's. */
typedef struct {
    /** The library's. */
    uint32_t words[9];
} wireline_inbound;

/** A request of ours that waits for its answer. What it holds is the session's. */
typedef struct {
    /** The library's. */
    uint64_t words[6];
} wireline_outbound;

/**
 * The tables of a session, in memory of the caller's, which stays the session's until it is
 * used no more. Zeroed memory with `size` set means no tables.
 */
typedef struct {
    /** `sizeof(wireline_slots)`. */
    uint32_t size;
    /** 0. */
    uint32_t reserved;
    /**
     * Requests of the peer, an array. A server without them refuses every request but
     * those that it answers by itself.
     */
    wireline_inbound *inbound;
    /** How many. */
    size_t inbound_count;
    /** Requests of ours, an array. A client needs at least one. */
    wireline_outbound *outbound;
    /** How many. */
    size_t outbound_count;
    /**
     * Bytes for the ids and progress tokens of `inbound`, shared evenly among its slots; 60
     * for each hold an id of 40 and most tokens.
     */
    char *text;
    /** How many. */
    size_t text_size;
    /**
     * Where the answers to a batch of 2025-03-26 are gathered: as long as the longest line
     * that is to leave. May be NULL: batches are refused then.
     */
    char *gather;
    /** How many bytes. */
    size_t gather_size;
} wireline_slots;

/**
 * What is to be sent: nothing, a line, or two. Every call that gives one writes it. It is not
 * the bytes yet, but what they are written from: it may be copied, and written as often as
 * needed, as long as that stays as it is.
 *
 * What `receive` or `serve` gave repeats parts of the line that was received, such as its id,
 * and may be written from the session. Write it before the next call on the session or the
 * decoder, and before the chunk changes that was given to `wireline_decoder_next_in` or
 * `wireline_parse`. The bytes may not be written over the memory that the line was read into:
 * what is sent and what is received have a buffer each.
 *
 * What any other call gave is written from the slices that it was given, and from the
 * configuration; further calls on the session, failed ones among them, do not change it.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[54];
} wireline_send;

/** One revision of the protocol, or a set of them: `WIRELINE_REVISION_` bits. */
typedef uint32_t wireline_revisions;

/** A set of capabilities, of a client or of a server: `WIRELINE_CAPABILITY_` bits. */
typedef uint32_t wireline_capabilities;

/** What an item is: one of the `WIRELINE_ITEM_` codes. */
typedef uint32_t wireline_item_type;

/** The kind of a message: one of the `WIRELINE_KIND_` codes. */
typedef uint32_t wireline_kind;

/** What is wrong with a line: one of the `WIRELINE_FAULT_` codes. */
typedef uint32_t wireline_fault;

/** Which member a body is the value of: one of the `WIRELINE_PART_` codes. */
typedef uint32_t wireline_part;

/**
 * Bytes of someone else's: `len` of them from `ptr` on, without a NUL at their end. What is
 * absent has a `ptr` of NULL; what is there and empty has none.
 *
 * JSON values, ids among them, are slices of their text: strings with their quotes and
 * escapes.
 */
typedef struct {
    /** The first byte; NULL, if what is asked for is absent. */
    const char *ptr;
    /** How many bytes. */
    size_t len;
} wireline_slice;

/**
 * The inside of a JSON string as it was written: without its quotes, escapes unresolved.
 * Compare it with `wireline_string_equals`, never byte by byte; absent, if `ptr` is NULL.
 */
typedef struct {
    /** The first byte after the opening quote; NULL, if what is asked for is absent. */
    const char *ptr;
    /** How many bytes up to the closing quote. */
    size_t len;
} wireline_string;

/**
 * A message, or a line that is none, as slices of what was received.
 *
 * Set `size` before the first call; every call of a decoder writes the rest. The slices
 * are valid until the next call on the decoder that gave them; with
 * `WIRELINE_FLAG_IN_CHUNK`, as long as the chunk. An item may be copied. An item that is
 * used too late speaks of other bytes, and does no other harm.
 */
typedef struct {
    /** `sizeof(wireline_item)`. */
    uint32_t size;
    /** What it is. Of `WIRELINE_ITEM_NONE` nothing else is written. */
    wireline_item_type type;
    /** The kind of a message, and of a head once it is complete. */
    wireline_kind kind;
    /** What is wrong with a line that is no message; else `WIRELINE_FAULT_NONE`. */
    wireline_fault fault;
    /** Whose piece a body is. */
    wireline_part part;
    /** `WIRELINE_FLAG_` bits. */
    uint32_t flags;
    /** Of an element of a batch: its index, from 0. */
    uint32_t batch_index;
    /** 0. */
    uint32_t reserved;
    /**
     * Of a message, its own bytes without the line end; of a fault, the first bytes of the
     * line, at most 48; of a body, the piece.
     */
    wireline_slice text;
    /** The id's token as it was received. Of a fault: the id that an answer may carry. */
    wireline_slice id;
    /** Of a fault: the id that was seen, for diagnostics; an answer must not carry it. */
    wireline_slice id_hint;
    /** The method of a request or notification. Of a fault: one that was seen. */
    wireline_string method;
    /** The parameters of a request or notification; absent if they are null. */
    wireline_slice params;
    /** The result of an answer. */
    wireline_slice result;
    /** The error of an answer, a JSON object: see `wireline_item_error`. */
    wireline_slice error;
    /**
     * Of a fault: where it is, in bytes from the first byte of the line, or of the
     * batch's element.
     */
    uint64_t offset;
    /** Bytes of the line or element without LF and one CR before it; of a head, so far. */
    uint64_t length;
    /** Of a fault: the ceiling that was passed, in bytes, or levels; 0 for none. */
    uint64_t limit;
    /** The library's. */
    size_t words[30];
} wireline_item;

/** What happened: one of the `WIRELINE_EVENT_` codes. */
typedef uint32_t wireline_event;

/**
 * A request that is being worked on, or one of ours that waits: a number that is never 0,
 * and never given out twice within 2^32 requests. One whose request is over is
 * `WIRELINE_ERR_STALE_HANDLE`.
 */
typedef uint64_t wireline_handle;

/** A method of the protocol: one of the `WIRELINE_METHOD_` codes. */
typedef uint32_t wireline_method;

/** How a request of ours ended: one of the `WIRELINE_ENDED_` codes. */
typedef uint32_t wireline_ended;

/** Where a session is: one of the `WIRELINE_STATE_` codes. */
typedef uint32_t wireline_state;

/** Why no session came about: one of the `WIRELINE_FAILURE_` codes. */
typedef uint32_t wireline_failure;

/** Why what came changes nothing: one of the `WIRELINE_IGNORED_` codes. */
typedef uint32_t wireline_ignored;

/**
 * A set of rules, of which there are `WIRELINE_RULE_COUNT`: rule n is bit n % 32 of word
 * n / 32. Rule 0 is none.
 */
typedef struct {
    /** The bits. */
    uint32_t words[6];
} wireline_rules;

/**
 * All that follows from a line received, a moment passed, or a call made. What is to be sent
 * is `send`: send it, in the order in which it came. The message that an event speaks of is
 * the item that was received.
 */
typedef struct {
    /** `sizeof(wireline_step)`. */
    uint32_t size;
    /** What happened. */
    wireline_event event;
    /** Which request. */
    wireline_handle handle;
    /** Of a request or notification: its method. */
    wireline_method method;
    /** Of a request: the revision that it follows; of a state READY: that of the session. */
    wireline_revisions revision;
    /** Of ENDED: how. */
    wireline_ended ended;
    /** Of STATE: which. */
    wireline_state state;
    /** Of a state FAILED: why. */
    wireline_failure failure;
    /** Of IGNORED: why. */
    wireline_ignored ignored;
    /** Of INPUT_REQUIRED: how often it has asked, this time included. */
    uint32_t round;
    /** 0. */
    uint32_t reserved;
    /** The rules that the peer broke. They change nothing by themselves. */
    wireline_rules broken;
    /**
     * What is to be sent, before the next call on the session or the decoder: see
     * `wireline_send`.
     */
    wireline_send send;
} wireline_step;

/**
 * A result, and what the modern era says about it. Zeroed memory with `size` and `result`
 * set means: nothing special.
 */
typedef struct {
    /** `sizeof(wireline_reply)`. */
    uint32_t size;
    /** 1: `cache_ttl` and `cache_public` stand for those of the settings. */
    uint8_t has_cache;
    /** 1: by anyone. 0: by the client alone. */
    uint8_t cache_public;
    /** 0. */
    uint8_t reserved[2];
    /** How long the result may be kept, in milliseconds. */
    uint32_t cache_ttl;
    /** 0. */
    uint32_t reserved2;
    /**
     * The result: a JSON object, without `resultType`, `ttlMs`, `cacheScope` and `_meta`,
     * which the session adds where the revision has them.
     */
    wireline_slice result;
    /** Members for `_meta`: a JSON object; may be absent. */
    wireline_slice meta;
    /**
     * The kind of result, of an extension that the request's client declared, such as
     * `task`; absent for `complete`. Left out in the legacy era, which has none.
     */
    wireline_slice result_type;
} wireline_reply;

/** How a request gets on. Numbers are decimal text, so that what is sent is what was meant. */
typedef struct {
    /** `sizeof(wireline_progress)`. */
    uint32_t size;
    /** 0. */
    uint32_t reserved;
    /** How far; greater each time, and at most 20 characters. */
    wireline_slice progress;
    /** Of how much; may be absent. */
    wireline_slice total;
    /** In words; may be absent. */
    wireline_slice message;
} wireline_progress;

/** How severe a log message is: one of the `WIRELINE_LOG_` codes, which rise. */
typedef uint32_t wireline_log_level;

/** How a request of ours is sent. Zeroed memory with `size` set means: nothing special. */
typedef struct {
    /** `sizeof(wireline_options)`. */
    uint32_t size;
    /** 1: ask to be told how it gets on. The progress token is the request's id. */
    uint8_t progress;
    /** 1: `soft_timeout` and `hard_timeout` stand for those of the settings. */
    uint8_t has_timeouts;
    /** 0. */
    uint8_t reserved[2];
    /** Milliseconds until it times out, counted anew with each progress; 0 for never. */
    uint32_t soft_timeout;
    /** Milliseconds until it times out whatever comes; 0 for never. */
    uint32_t hard_timeout;
    /** Ask for log messages from this level on; the modern era only. 0: do not ask. */
    wireline_log_level log_level;
    /** 0. */
    uint32_t reserved2;
    /** Members for `_meta`: a JSON object; may be absent. */
    wireline_slice meta;
} wireline_options;

/** What a session has agreed on, and what is under way. */
typedef struct {
    /** `sizeof(wireline_session_info)`. */
    uint32_t size;
    /** Where it is. */
    wireline_state state;
    /** Of a state FAILED: why. */
    wireline_failure failure;
    /** The revision that was agreed on; 0 for none. A server of the modern era agrees on none. */
    wireline_revisions revision;
    /**
     * What the peer has declared that it can do. A server of the modern era learns it anew
     * with each request.
     */
    wireline_capabilities peer_capabilities;
    /** Requests of the peer that are being worked on. */
    uint32_t inbound;
    /** Requests of ours that wait. */
    uint32_t outbound;
} wireline_session_info;

/** What is known of a request that is being worked on. */
typedef struct {
    /** `sizeof(wireline_incoming)`. */
    uint32_t size;
    /** Its method. */
    wireline_method method;
    /** The revision that it follows. */
    wireline_revisions revision;
    /** What its client can do. */
    wireline_capabilities capabilities;
    /** 1: it asked to be told how it gets on. */
    uint32_t wants_progress;
    /** From which level on log messages may be sent for it; 0 for none at all. */
    wireline_log_level log_level;
} wireline_incoming;

/** Whose body is coming in, in pieces: one of the `WIRELINE_ROUTE_` codes. */
typedef uint32_t wireline_route;

/** What a subscription covers. Zeroed memory with `size` set covers nothing. */
typedef struct {
    /** `sizeof(wireline_filter)`. */
    uint32_t size;
    /** 1: changes of the list of tools. */
    uint8_t tools;
    /** 1: changes of the list of prompts. */
    uint8_t prompts;
    /** 1: changes of the list of resources. */
    uint8_t resources;
    /** 0. */
    uint8_t reserved;
    /** Changes of resources: a JSON array of their URIs; may be absent. */
    wireline_slice uris;
} wireline_filter;

/**
 * What a session is told once: who we are, what we can do, and how strict to be. Fill it
 * by `wireline_settings_default`, and set at least `name` and `version`.
 */
typedef struct {
    /** `sizeof(wireline_settings)`. */
    uint32_t size;
    /**
     * The revisions that we speak. A client of both eras probes; a server answers each
     * request in the era that it asks for.
     */
    wireline_revisions revisions;
    /** What we can do, of the `WIRELINE_CAPABILITY_` bits of our side. */
    wireline_capabilities capabilities;
    /**
     * Milliseconds that a request of ours may take, counted anew with each progress; 0 for
     * no such limit.
     */
    uint32_t request_timeout;
    /** Milliseconds that a request of ours may take in all; 0 for no such limit. */
    uint32_t hard_timeout;
    /**
     * Milliseconds that a client waits for the answer to its probe before it takes the
     * server for one of the legacy era; at least 1.
     */
    uint32_t probe_timeout;
    /** How long results of the modern era may be kept, in milliseconds. */
    uint32_t cache_ttl;
    /** 1: by anyone. 0: by the client alone. */
    uint8_t cache_public;
    /** How often one request of ours may be answered by a demand for input. */
    uint8_t rounds;
    /** 1: once `initialize` was answered, a server refuses requests of the modern era. */
    uint8_t one_era;
    /**
     * 1: a line that is not JSON is answered with -32700. 0: it is told and skipped, since
     * answers to noise can feed on one another.
     */
    uint8_t answer_unparsable;
    /**
     * The code for requests that are over a ceiling: -32600, or
     * `WIRELINE_CODE_CONTENT_TOO_LARGE`.
     */
    int64_t too_long_code;
    /** Our name, for programs. */
    wireline_slice name;
    /** Our version. */
    wireline_slice version;
    /** Our name for people; may be absent. */
    wireline_slice title;
    /** A server's hints for the model that uses it; may be absent. */
    wireline_slice instructions;
    /**
     * Further members of the capabilities object, such as `experimental`: a JSON object;
     * may be absent.
     */
    wireline_slice extra_capabilities;
} wireline_settings;

/**
 * A decoder of newline-framed messages, in memory of the caller's, over a buffer of the
 * caller's.
 *
 * Two ways to feed it, which may be mixed. In place: it lends the free part of its buffer
 * to `read`, a UART, DMA or an interrupt, and is told how many bytes came. Over a chunk:
 * lines that lie whole in the caller's bytes are read where they are, and only what is cut
 * off at the end is copied.
 *
 * A line longer than the buffer is not stored but still scanned, so its id is known at its
 * end. After any line, good or bad, the next one is read as if nothing had been before it.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[56];
} wireline_decoder;

/** Memory that is lent to be filled. */
typedef struct {
    /** The first byte. */
    void *ptr;
    /** How many bytes. */
    size_t len;
} wireline_span;

/** An unfinished line. */
typedef struct {
    /** `sizeof(wireline_pending)`. */
    uint32_t size;
    /** The first fault in it so far; `WIRELINE_FAULT_NONE`, if there is none. */
    wireline_fault fault;
    /** Its bytes so far. */
    uint64_t bytes;
    /** Where the fault is in the line. */
    uint64_t offset;
} wireline_pending;

/** Counts for those who watch many streams. All zero but `size` is the start. */
typedef struct {
    /** `sizeof(wireline_counters)`. */
    uint32_t size;
    /** 0. */
    uint32_t reserved;
    /** Messages by `WIRELINE_KIND_` code. */
    uint64_t messages[5];
    /** Faults by `WIRELINE_FAULT_` code. */
    uint64_t faults[32];
    /** Bytes of all messages. */
    uint64_t accepted;
    /** Bytes of all lines that were none. */
    uint64_t discarded;
} wireline_counters;

/** Why text is not one JSON value. */
typedef struct {
    /** NOT_JSON, SYNTAX, UTF8, CUT, TRAILING or TOO_DEEP of the `WIRELINE_FAULT_` codes. */
    wireline_fault fault;
    /** Where, in bytes from the start. */
    size_t offset;
} wireline_invalid;

/** The type of a JSON value: one of the `WIRELINE_JSON_` codes. */
typedef uint32_t wireline_json_kind;

/** Goes over the members of an object or the elements of an array, once, in linear time. */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[6];
} wireline_json_iter;

/**
 * Writes one JSON value into memory of the caller's.
 *
 * It goes on counting past the end, so that `wireline_json_writer_finish` can tell the
 * bytes needed. What is written where it may not stand is an error that `finish` reports,
 * and so is what a call could not take, such as text that is not UTF-8: the call says so at
 * once, and `finish` once more. Nothing is written after an error, so it is enough to look at
 * what `finish` says. At most 64 containers may be open.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[24];
} wireline_json_writer;

/**
 * What else of a message a protocol's state depends on. What is not there, or of another
 * type, is absent.
 */
typedef struct {
    /** `sizeof(wireline_meta)`. */
    uint32_t size;
    /** 0. */
    uint32_t reserved;
    /**
     * Of a request `params._meta.progressToken`, of a notification
     * `params.progressToken`: a string or an integer.
     */
    wireline_slice progress_token;
    /** `params.requestId`: a string or an integer. */
    wireline_slice request_id;
    /** `params.progress`: a number. */
    wireline_slice progress;
    /** `params._meta`: an object. */
    wireline_slice object;
    /**
     * `params._meta["io.modelcontextprotocol/protocolVersion"]`, or else
     * `result.protocolVersion`.
     */
    wireline_string protocol_version;
    /** `params._meta["io.modelcontextprotocol/clientCapabilities"]`: an object. */
    wireline_slice client_capabilities;
    /** `params._meta["io.modelcontextprotocol/logLevel"]`. */
    wireline_string log_level;
    /** `params._meta["io.modelcontextprotocol/subscriptionId"]`: a string or an integer. */
    wireline_slice subscription_id;
    /** `result.resultType`. */
    wireline_string result_type;
    /** `error.data.supported`: an array. */
    wireline_slice supported;
} wireline_meta;

/** The error of an answer. */
typedef struct {
    /** `sizeof(wireline_error)`. */
    uint32_t size;
    /** 1: the code fits into `code`. 0: it does not, and `code` is 0. */
    uint32_t has_code;
    /** The code. */
    int64_t code;
    /** The code as it was written, a whole number of any size. */
    wireline_slice code_text;
    /** The message for people. */
    wireline_string message;
    /** Whatever else the peer says of it. */
    wireline_slice data;
} wireline_error;

/**
 * Judges a conversation that others have, both sides of it, line by line: what a tap, a test
 * or a gateway wants to know.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[76];
} wireline_monitor;

/** What a monitor remembers of a request. What it holds is the monitor's. */
typedef struct {
    /** The library's. */
    uint64_t words[11];
} wireline_monitor_request;

/** What a monitor remembers of a task. What it holds is the monitor's. */
typedef struct {
    /** The library's. */
    uint64_t words[2];
} wireline_monitor_task;

/**
 * The memory of a monitor, which stays the monitor's until it is used no more. Zeroed memory
 * with `size` set means none.
 */
typedef struct {
    /** `sizeof(wireline_monitor_slots)`. */
    uint32_t size;
    /** 0. */
    uint32_t reserved;
    /** Requests of both sides together, an array. */
    wireline_monitor_request *requests;
    /** How many. */
    size_t request_count;
    /** Tasks of 2025-11-25, an array; may be NULL. */
    wireline_monitor_task *tasks;
    /** How many. */
    size_t task_count;
    /** Bytes for ids, tokens and progress, which all of them share evenly; 48 for each is much. */
    char *text;
    /** How many. */
    size_t text_size;
} wireline_monitor_slots;

/** A side of a connection: `WIRELINE_SIDE_CLIENT` or `WIRELINE_SIDE_SERVER`. */
typedef uint32_t wireline_side;

/** How binding a rule is: one of the `WIRELINE_LEVEL_` codes. */
typedef uint32_t wireline_level;

/** What a line breaks. */
typedef struct {
    /** `sizeof(wireline_finding)`. */
    uint32_t size;
    /** The rules that are broken. */
    wireline_rules broken;
    /** How binding the weightiest of them is, in the revision; NONE if none is broken. */
    wireline_level worst;
    /** The revision that they were judged by; 0 where that is not known. */
    wireline_revisions revision;
    /** The method of the message, or of the request that it answers or names. */
    wireline_method method;
    /** Who sent the request that the message answers or names; 0 for none. */
    wireline_side request_from;
    /**
     * What its line is called: the `at` that `wireline_monitor_line` was given, or its
     * number among the items of its direction, from 1.
     */
    uint64_t request_at;
    /**
     * 1: a table was full, or lines were missing. From the first such line on, nothing is
     * held against a message for naming what is not known.
     */
    uint32_t lost_track;
    /** 0. */
    uint32_t reserved;
} wireline_finding;

/** What a monitor has seen. Counts stop at their greatest value. */
typedef struct {
    /** `sizeof(wireline_monitor_info)`. */
    uint32_t size;
    /** Where the handshake of the legacy era is: one of the `WIRELINE_PHASE_` codes. */
    uint32_t phase;
    /** The revision that was agreed on, or that of the modern era if it is in use; 0 for none. */
    wireline_revisions revision;
    /** 1: track was lost of something. */
    uint32_t lost_track;
    /** What the client has declared that it can do. */
    wireline_capabilities client_capabilities;
    /** What the server has declared that it can do. */
    wireline_capabilities server_capabilities;
    /** Lines that are messages. */
    uint64_t messages;
    /** Lines that are none. */
    uint64_t rejected;
    /** Messages of which track was lost. */
    uint64_t untracked;
    /** Rules broken, by `WIRELINE_LEVEL_` code. */
    uint64_t broken[4];
} wireline_monitor_info;

/** What a kind of fault says about a line: one of the `WIRELINE_CLASS_` codes. */
typedef uint32_t wireline_fault_class;

/**
 * A message's line, taken in pieces of any size, down to one byte. It needs no memory of
 * its own; what the message is made of stays in use until the line has left.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[62];
} wireline_pieces;

/**
 * An id to be written. Made by `wireline_id_integer` and its like; zeroed memory is
 * `WIRELINE_ID_NONE`.
 */
typedef struct {
    /** One of the `WIRELINE_ID_` codes. */
    uint32_t type;
    /** 0. */
    uint32_t reserved;
    /** Of an integer: its value. */
    int64_t integer;
    /** Of text and of what was received. */
    wireline_slice text;
} wireline_id;

/** A message to be written. Zeroed memory with `size` and `kind` set is a start. */
typedef struct {
    /** `sizeof(wireline_outgoing)`. */
    uint32_t size;
    /** Which kind of message. */
    wireline_kind kind;
    /** The id; none for a notification. */
    wireline_id id;
    /** The method of a request or notification, as plain text. */
    wireline_slice method;
    /**
     * The parameters, the result, or the error's `data`: JSON. Absent for none, which a
     * result may not be.
     */
    wireline_slice payload;
    /** Of an error: its code. */
    int64_t code;
    /** Of an error: its message, as plain text. */
    wireline_slice message;
    /**
     * `WIRELINE_PROFILE_MCP`: parameters and results are objects.
     * `WIRELINE_PROFILE_JSON_RPC`: whatever JSON-RPC 2.0 allows.
     */
    uint8_t profile;
    /** 0. */
    uint8_t reserved[7];
} wireline_outgoing;

/**
 * Which ids of a received message to replace when it is passed on; those of type
 * `WIRELINE_ID_NONE` stay. Zeroed memory with `size` set is a start.
 */
typedef struct {
    /** `sizeof(wireline_renumber)`. */
    uint32_t size;
    /** 0. */
    uint32_t reserved;
    /** The message's own id. */
    wireline_id id;
    /** `params.requestId`, the request that a cancellation names. */
    wireline_id request_id;
    /** `params._meta.progressToken` of a request, `params.progressToken` of a notification. */
    wireline_id progress_token;
    /** `_meta["io.modelcontextprotocol/subscriptionId"]` in the parameters or the result. */
    wireline_id subscription_id;
} wireline_renumber;

/**
 * A server's side of a connection: what was agreed on, and what is under way.
 *
 * Hand it every item of a decoder, with `wireline_server_receive`; or, if it was given tables,
 * with `wireline_server_serve`, which answers lists and mistakes from them. It reads no clock
 * and does no I/O: each call says what follows from it.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[62];
} wireline_server;

/**
 * Tables that have been looked at. Servers borrow it: it stays where it is, and as it is, as
 * long as one of them is used; so do the memory that it was lent and the tables' texts. The
 * arrays themselves are needed no more.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[24];
} wireline_toolkit;

/** What an index is the place in: one of the `WIRELINE_TARGET_` codes. */
typedef uint32_t wireline_target;

/**
 * What a request asks the program for. Its slices lie in the line that was received, names in
 * the tables. What an event has no use for is absent.
 */
typedef struct {
    /** `sizeof(wireline_call)`. */
    uint32_t size;
    /** What `index` is the place in. */
    wireline_target target;
    /** The place of the tool, resource, template or prompt in its table. */
    size_t index;
    /** How many `variables` there are. */
    size_t variable_count;
    /**
     * All the parameters; in the modern era with `inputResponses` and `requestState`, if
     * the client has been asked for input.
     */
    wireline_slice params;
    /** The arguments of a tool or prompt; of a completion, the values of other arguments. */
    wireline_slice arguments;
    /** The URI as it was received. */
    wireline_string uri;
    /** What a template's variables stand for in the URI, in the template's order. */
    wireline_string variables[WIRELINE_MAX_VARIABLES];
    /** Of a completion: the name of the argument or variable. */
    wireline_slice name;
    /** Of a completion: what it begins with. */
    wireline_string value;
    /** Of LISTEN: what was asked for. */
    wireline_filter filter;
} wireline_call;

/**
 * A decoder that hands out bodies as they pass, and keeps only a message's head.
 *
 * A body is provisional until `WIRELINE_ITEM_END`: the text may still turn out to be
 * broken, in which case `WIRELINE_ITEM_FAULT` comes instead.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[42];
} wireline_stream;

/** What a server asks of its client, looked at. */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[52];
} wireline_questions;

/** One thing that a server asks of its client before a request can go on. */
typedef struct {
    /** `sizeof(wireline_input_request)`. */
    uint32_t size;
    /**
     * ELICIT, CREATE_MESSAGE or ROOTS_LIST of the `WIRELINE_METHOD_`
     * codes.
     */
    wireline_method method;
    /** The name under which the answer comes. */
    wireline_slice key;
    /** Its parameters: a JSON object, or absent. */
    wireline_slice params;
} wireline_input_request;

/** Something of a server's that changed: one of the `WIRELINE_CHANGE_` codes. */
typedef uint32_t wireline_change;

/**
 * A tool. What is not said to be needed may be absent; texts are UTF-8. Entries of tables have
 * no `size` of their own: that of `wireline_tables` stands for their layout, too.
 */
typedef struct {
    /** Its name: 1 to 128 of the ASCII letters and digits, `_`, `-` and `.`. Needed. */
    wireline_slice name;
    /** What it does, for a model. */
    wireline_slice description;
    /**
     * What its arguments are: a JSON Schema of an object, of the keywords that
     * docs/c.md lists. Absent: an object of any members.
     */
    wireline_slice input_schema;
    /** What its structured content is, from 2025-06-18 on. */
    wireline_slice output_schema;
    /** Its name for people, from 2025-06-18 on. */
    wireline_slice title;
    /** Further members, such as `icons` or `_meta`: a JSON object. */
    wireline_slice extra;
    /** `WIRELINE_HINT_` bits. */
    uint32_t hints;
    /** `WIRELINE_TOOL_` bits. */
    uint32_t flags;
} wireline_tool;

/** A resource with a URI of its own. */
typedef struct {
    /** Its URI, of the characters that RFC 3986 allows. Needed. */
    wireline_slice uri;
    /** Its name. Needed. */
    wireline_slice name;
    /** What it is, for a model. */
    wireline_slice description;
    /** Its media type. */
    wireline_slice mime_type;
    /** Its name for people, from 2025-06-18 on. */
    wireline_slice title;
    /** Further members: a JSON object. */
    wireline_slice extra;
    /** Its size in bytes, if `has_bytes` is 1. */
    uint64_t bytes;
    /** 1: the size is known. */
    uint32_t has_bytes;
    /** 0. */
    uint32_t reserved;
} wireline_resource;

/**
 * Resources whose URIs follow a template of level 1 (RFC 6570): `{name}` stands for one or
 * more characters other than `/`, `?` and `#`.
 */
typedef struct {
    /** The template, of one to four variables, no two of them side by side. Needed. */
    wireline_slice uri_template;
    /** Its name. Needed. */
    wireline_slice name;
    /** What the resources are, for a model. */
    wireline_slice description;
    /** The media type of all of them. */
    wireline_slice mime_type;
    /** Its name for people, from 2025-06-18 on. */
    wireline_slice title;
    /** Further members: a JSON object. */
    wireline_slice extra;
} wireline_template;

/** An argument of a prompt, a string. */
typedef struct {
    /** Its name. Needed. */
    wireline_slice name;
    /** What it is. */
    wireline_slice description;
    /** Its name for people, from 2025-06-18 on. */
    wireline_slice title;
    /** 1: it must be given. */
    uint32_t required;
    /** 0. */
    uint32_t reserved;
} wireline_prompt_argument;

/** A prompt. */
typedef struct {
    /** Its name. Needed. */
    wireline_slice name;
    /** What it is for. */
    wireline_slice description;
    /** Its name for people, from 2025-06-18 on. */
    wireline_slice title;
    /** Further members: a JSON object. */
    wireline_slice extra;
    /** Its arguments, an array; NULL for none. */
    const wireline_prompt_argument *arguments;
    /** How many. */
    size_t argument_count;
} wireline_prompt;

/**
 * A server's tables. Zeroed memory with `size` set has no entries. Arrays may be NULL if
 * they have none.
 */
typedef struct {
    /** `sizeof(wireline_tables)`. */
    uint32_t size;
    /**
     * Bytes of an answer's line, LF included, at most; at least 256, or 0 for no ceiling.
     * A list has as many entries on a page as fit, and an answer that would be longer
     * becomes an error. That holds for all that `wireline_server_serve` answers by itself,
     * and for `_finish`, `_finish_text`, `_respond`, `_respond_with`, `_fail`, `_acknowledge`
     * and `_not_found`. An answer of the session's own that is too long goes without the
     * settings' instructions, without what the client wrote, or without an error's data. It
     * holds the request's id, so the limits' `id` has to leave room.
     *
     * Not bounded is what else a program sends: requests, notifications, progress, log
     * messages, `_ask`, `_accept`, tasks; and what `wireline_server_receive` answers.
     */
    uint32_t line;
    /** Entries on a page of a list, at most; 0 for 50. */
    uint16_t page;
    /**
     * 1: requests of methods that the protocol does not define come to the program as
     * `WIRELINE_EVENT_REQUEST`. 0: they are answered with -32601.
     */
    uint8_t other_methods;
    /** 0. */
    uint8_t reserved[5];
    /** Its tools. */
    const wireline_tool *tools;
    /** How many, at most 65535. */
    size_t tool_count;
    /** Its resources. */
    const wireline_resource *resources;
    /** How many, at most 65535. */
    size_t resource_count;
    /**
     * Its resource templates. A URI that is a resource's own is that resource, then the
     * first template that matches counts.
     */
    const wireline_template *templates;
    /** How many, at most 65535. */
    size_t template_count;
    /** Its prompts. */
    const wireline_prompt *prompts;
    /** How many, at most 65535. */
    size_t prompt_count;
} wireline_tables;

/** Which of the tables: one of the `WIRELINE_TABLE_` codes. */
typedef uint32_t wireline_table;

/** Which entry of a table is wrong, and why. */
typedef struct {
    /** Which table. */
    wireline_table table;
    /** 0. */
    uint32_t reserved;
    /** Which of its entries, from 0; of two that have the same name, the later one. */
    size_t index;
    /** What is wrong, as a phrase; it stays. */
    wireline_slice reason;
    /** Of a schema or of further members: where, in bytes from the start. */
    size_t offset;
} wireline_table_error;

/**
 * Writes a message whose payload is longer than any buffer, or is not there yet.
 *
 * The payload is given in pieces of any size and leaves in pieces of any size: as JSON text
 * (`wireline_message_writer_body`), or, for the inside of one of its strings, as plain text
 * (`_text`) or as bytes that leave as base64 (`_base64`). It is checked as it goes. Every
 * call says how much of its input it used and how many bytes it put into `out`; send those,
 * then go on with the rest. No room at all, while there is something to be written, is
 * TOO_SMALL and changes nothing. A line that cannot be ended must be given up with `_abort`.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[38];
} wireline_message_writer;

/**
 * Passes one message on from a stream decoder, with its id replaced, as its pieces come:
 * what `wireline_write_with_id` does for messages that fit in no buffer.
 *
 * Make one for every message, and hand it the decoder's items: HEAD to
 * `wireline_forward_head`, BODY to `_body`, END to `_end`, FAULT to `_give_up`. Members of
 * the envelope other than `jsonrpc`, method, id and body do not pass. No room at all, while
 * there is something to be written, is TOO_SMALL and changes nothing.
 */
typedef struct {
    /** The library's. */
    uint64_t opaque;
    /** The library's. */
    size_t words[26];
} wireline_forward;

/** `null` */
#define WIRELINE_JSON_NULL 1

/** `true` or `false` */
#define WIRELINE_JSON_BOOL 2

/** A number. */
#define WIRELINE_JSON_NUMBER 3

/** A string. */
#define WIRELINE_JSON_STRING 4

/** An array. */
#define WIRELINE_JSON_ARRAY 5

/** An object. */
#define WIRELINE_JSON_OBJECT 6

/** Nothing: all input is used, and more is needed. */
#define WIRELINE_ITEM_NONE 0

/** A message. */
#define WIRELINE_ITEM_MESSAGE 1

/** A line that is no message. The next one is read as if it had not been. */
#define WIRELINE_ITEM_FAULT 2

/** Of a stream decoder: a body begins. What is known of the message so far is not final. */
#define WIRELINE_ITEM_HEAD 3

/** Of a stream decoder: a piece of a body, in `text`; `part` says whose. */
#define WIRELINE_ITEM_BODY 4

/** Of a stream decoder: the message is complete and valid. */
#define WIRELINE_ITEM_END 5

/** None, or not known yet. */
#define WIRELINE_KIND_NONE 0

/** A method and an id: it is owed an answer. */
#define WIRELINE_KIND_REQUEST 1

/** A method and no id: it is never answered. */
#define WIRELINE_KIND_NOTIFICATION 2

/** An answer with a result. */
#define WIRELINE_KIND_RESULT 3

/** An answer with an error. */
#define WIRELINE_KIND_ERROR 4

/** None. */
#define WIRELINE_PART_NONE 0

/** `params` */
#define WIRELINE_PART_PARAMS 1

/** `result` */
#define WIRELINE_PART_RESULT 2

/** `error` */
#define WIRELINE_PART_ERROR 3

/** Nothing. */
#define WIRELINE_FAULT_NONE 0

/** The line does not begin like JSON: a banner, a log line, an escape sequence. */
#define WIRELINE_FAULT_NOT_JSON 1

/** The grammar of RFC 8259 is broken at the offset. */
#define WIRELINE_FAULT_SYNTAX 2

/** A string holds bytes that are not UTF-8; the offset is the sequence's first byte. */
#define WIRELINE_FAULT_UTF8 3

/** The line ends before its JSON text does; the offset is the line's length. */
#define WIRELINE_FAULT_CUT 4

/** Bytes follow the JSON text; the offset is the first of them. */
#define WIRELINE_FAULT_TRAILING 5

/** The message is longer than its ceiling; the offset is the ceiling. */
#define WIRELINE_FAULT_TOO_LONG 6

/** Containers are nested deeper than the ceiling; the offset is the bracket. */
#define WIRELINE_FAULT_TOO_DEEP 7

/** The id's token is longer than its ceiling; the offset is its first byte. */
#define WIRELINE_FAULT_ID_TOO_LONG 8

/** The method's token is longer than its ceiling; the offset is its first byte. */
#define WIRELINE_FAULT_METHOD_TOO_LONG 9

/** Valid JSON, but not an object. */
#define WIRELINE_FAULT_NOT_OBJECT 10

/** `jsonrpc` is missing or is not "2.0". */
#define WIRELINE_FAULT_BAD_VERSION 11

/** The id is missing where one is owed, or is neither a string nor an integer. */
#define WIRELINE_FAULT_BAD_ID 12

/** `method` is not a string, or holds an unpaired surrogate escape. */
#define WIRELINE_FAULT_BAD_METHOD 13

/** `params` has a type that the profile does not take. */
#define WIRELINE_FAULT_BAD_PARAMS 14

/** `result` has a type that the profile does not take. */
#define WIRELINE_FAULT_BAD_RESULT 15

/** `error` is not an object with an integer `code` and a string `message`. */
#define WIRELINE_FAULT_BAD_ERROR 16

/** Both `result` and `error`, or `method` beside one of them. */
#define WIRELINE_FAULT_CONFLICT 17

/** None of `method`, `result` and `error`. */
#define WIRELINE_FAULT_NO_KIND 18

/** A member that decides what the message means stands twice. */
#define WIRELINE_FAULT_DUPLICATE 19

/** A member name holds an unpaired surrogate escape; the offset is its backslash. */
#define WIRELINE_FAULT_LONE_SURROGATE 20

/** A batch without elements. */
#define WIRELINE_FAULT_EMPTY_BATCH 21

/** A batch where batches are not taken. */
#define WIRELINE_FAULT_BATCH 22

/** The input ends inside a line; the offset is the line's length. */
#define WIRELINE_FAULT_TRUNCATED 23

/** Bytes came with no room left, because complete lines had not been taken out. */
#define WIRELINE_FAULT_OVERRUN 24

/** More bytes than `max_discard` came without a line end. The decoder is closed. */
#define WIRELINE_FAULT_RUNAWAY 25

/** 2024-11-05. */
#define WIRELINE_REVISION_2024_11_05 1

/** 2025-03-26, the only one with batches. */
#define WIRELINE_REVISION_2025_03_26 2

/** 2025-06-18. */
#define WIRELINE_REVISION_2025_06_18 4

/** 2025-11-25, the last with a handshake. */
#define WIRELINE_REVISION_2025_11_25 8

/** 2026-07-28, the first without one. */
#define WIRELINE_REVISION_2026_07_28 16

/** The revisions that open a session by `initialize`. */
#define WIRELINE_REVISIONS_LEGACY 15

/** The revisions without a handshake. */
#define WIRELINE_REVISIONS_MODERN 16

/** All of them. */
#define WIRELINE_REVISIONS_ALL 31

/** A method of no table. */
#define WIRELINE_METHOD_UNKNOWN 0

/** `initialize`: opens a legacy session. */
#define WIRELINE_METHOD_INITIALIZE 1

/** `server/discover`: what the server is and supports. */
#define WIRELINE_METHOD_DISCOVER 2

/** `ping`: whether the other side is there. */
#define WIRELINE_METHOD_PING 3

/** `tools/list`: a page of the tools. */
#define WIRELINE_METHOD_TOOLS_LIST 4

/** `tools/call`: calls one of them. */
#define WIRELINE_METHOD_TOOLS_CALL 5

/** `resources/list`: a page of the resources. */
#define WIRELINE_METHOD_RESOURCES_LIST 6

/** `resources/templates/list`: a page of the resource templates. */
#define WIRELINE_METHOD_RESOURCE_TEMPLATES_LIST 7

/** `resources/read`: a resource's contents. */
#define WIRELINE_METHOD_RESOURCES_READ 8

/** `resources/subscribe`: asks to be told of a resource's changes. */
#define WIRELINE_METHOD_RESOURCES_SUBSCRIBE 9

/** `resources/unsubscribe`: no longer. */
#define WIRELINE_METHOD_RESOURCES_UNSUBSCRIBE 10

/** `prompts/list`: a page of the prompts. */
#define WIRELINE_METHOD_PROMPTS_LIST 11

/** `prompts/get`: one of them. */
#define WIRELINE_METHOD_PROMPTS_GET 12

/** `completion/complete`: completes an argument. */
#define WIRELINE_METHOD_COMPLETE 13

/** `logging/setLevel`: from which level on log messages are sent. */
#define WIRELINE_METHOD_SET_LEVEL 14

/** `subscriptions/listen`: opens a subscription. */
#define WIRELINE_METHOD_SUBSCRIPTIONS_LISTEN 15

/** `roots/list`: the client's roots. */
#define WIRELINE_METHOD_ROOTS_LIST 16

/** `sampling/createMessage`: asks the client's model. */
#define WIRELINE_METHOD_CREATE_MESSAGE 17

/** `elicitation/create`: asks the client's user. */
#define WIRELINE_METHOD_ELICIT 18

/** `tasks/get`: a task's state. */
#define WIRELINE_METHOD_TASKS_GET 19

/** `tasks/result`: a task's outcome. */
#define WIRELINE_METHOD_TASKS_RESULT 20

/** `tasks/list`: a page of the tasks. */
#define WIRELINE_METHOD_TASKS_LIST 21

/** `tasks/cancel`: cancels a task. */
#define WIRELINE_METHOD_TASKS_CANCEL 22

/** `notifications/initialized`: the handshake is done. */
#define WIRELINE_METHOD_INITIALIZED 23

/** `notifications/cancelled`: a request is no longer wanted. */
#define WIRELINE_METHOD_CANCELLED 24

/** `notifications/progress`: how far a request is. */
#define WIRELINE_METHOD_PROGRESS 25

/** `notifications/message`: a log message. */
#define WIRELINE_METHOD_LOG_MESSAGE 26

/** `notifications/resources/list_changed`: the list of resources has changed. */
#define WIRELINE_METHOD_RESOURCES_LIST_CHANGED 27

/** `notifications/resources/updated`: a resource has changed. */
#define WIRELINE_METHOD_RESOURCES_UPDATED 28

/** `notifications/prompts/list_changed`: the list of prompts has changed. */
#define WIRELINE_METHOD_PROMPTS_LIST_CHANGED 29

/** `notifications/tools/list_changed`: the list of tools has changed. */
#define WIRELINE_METHOD_TOOLS_LIST_CHANGED 30

/** `notifications/roots/list_changed`: the client's roots have changed. */
#define WIRELINE_METHOD_ROOTS_LIST_CHANGED 31

/** `notifications/elicitation/complete`: what a user was sent to a URL for is done. */
#define WIRELINE_METHOD_ELICITATION_COMPLETE 32

/** `notifications/tasks/status`: a task's state has changed. */
#define WIRELINE_METHOD_TASKS_STATUS 33

/** `notifications/subscriptions/acknowledged`: a subscription is open, and this is what it covers. */
#define WIRELINE_METHOD_SUBSCRIPTIONS_ACKNOWLEDGED 34

/** A client's `roots`: the client can list its roots. */
#define WIRELINE_CAPABILITY_ROOTS 1

/** A client's `roots.listChanged`: it says when they change. */
#define WIRELINE_CAPABILITY_ROOTS_LIST_CHANGED 2

/** A client's `sampling`: it can ask a model. */
#define WIRELINE_CAPABILITY_SAMPLING 4

/** A client's `sampling.context`: with context of other servers. */
#define WIRELINE_CAPABILITY_SAMPLING_CONTEXT 8

/** A client's `sampling.tools`: with tools. */
#define WIRELINE_CAPABILITY_SAMPLING_TOOLS 16

/** A client's `elicitation`: it can ask its user. */
#define WIRELINE_CAPABILITY_ELICITATION 32

/** A client's `elicitation.form`: with a form; also what an empty `elicitation` means. */
#define WIRELINE_CAPABILITY_ELICITATION_FORM 64

/** A client's `elicitation.url`: by sending the user to a URL. */
#define WIRELINE_CAPABILITY_ELICITATION_URL 128

/** A client's `tasks`: it takes requests as tasks. */
#define WIRELINE_CAPABILITY_CLIENT_TASKS 256

/** A client's `tasks.list`: it lists them. */
#define WIRELINE_CAPABILITY_CLIENT_TASKS_LIST 512

/** A client's `tasks.cancel`: it cancels them. */
#define WIRELINE_CAPABILITY_CLIENT_TASKS_CANCEL 1024

/** A client's `tasks.requests.sampling.createMessage`: `sampling/createMessage` may be a task. */
#define WIRELINE_CAPABILITY_CLIENT_TASKS_SAMPLING 2048

/** A client's `tasks.requests.elicitation.create`: `elicitation/create` may be a task. */
#define WIRELINE_CAPABILITY_CLIENT_TASKS_ELICITATION 4096

/** A client's `experimental`: what no revision defines. */
#define WIRELINE_CAPABILITY_CLIENT_EXPERIMENTAL 8192

/** A client's `extensions`: extensions, by their identifiers. */
#define WIRELINE_CAPABILITY_CLIENT_EXTENSIONS 16384

/** A server's `logging`: the server sends log messages. */
#define WIRELINE_CAPABILITY_LOGGING 32768

/** A server's `completions`: it completes arguments. */
#define WIRELINE_CAPABILITY_COMPLETIONS 65536

/** A server's `prompts`: it has prompts. */
#define WIRELINE_CAPABILITY_PROMPTS 131072

/** A server's `prompts.listChanged`: it says when their list changes. */
#define WIRELINE_CAPABILITY_PROMPTS_LIST_CHANGED 262144

/** A server's `resources`: it has resources. */
#define WIRELINE_CAPABILITY_RESOURCES 524288

/** A server's `resources.subscribe`: it says when one of them changes, to whom asked for it. */
#define WIRELINE_CAPABILITY_RESOURCES_SUBSCRIBE 1048576

/** A server's `resources.listChanged`: it says when their list changes. */
#define WIRELINE_CAPABILITY_RESOURCES_LIST_CHANGED 2097152

/** A server's `tools`: it has tools. */
#define WIRELINE_CAPABILITY_TOOLS 4194304

/** A server's `tools.listChanged`: it says when their list changes. */
#define WIRELINE_CAPABILITY_TOOLS_LIST_CHANGED 8388608

/** A server's `tasks`: it takes requests as tasks. */
#define WIRELINE_CAPABILITY_SERVER_TASKS 16777216

/** A server's `tasks.list`: it lists them. */
#define WIRELINE_CAPABILITY_SERVER_TASKS_LIST 33554432

/** A server's `tasks.cancel`: it cancels them. */
#define WIRELINE_CAPABILITY_SERVER_TASKS_CANCEL 67108864

/** A server's `tasks.requests.tools.call`: `tools/call` may be a task. */
#define WIRELINE_CAPABILITY_SERVER_TASKS_TOOLS 134217728

/** A server's `experimental`: what no revision defines. */
#define WIRELINE_CAPABILITY_SERVER_EXPERIMENTAL 268435456

/** A server's `extensions`: extensions, by their identifiers. */
#define WIRELINE_CAPABILITY_SERVER_EXTENSIONS 536870912

/** None. */
#define WIRELINE_LOG_NONE 0

/** Details for whoever looks for a mistake. */
#define WIRELINE_LOG_DEBUG 1

/** What normally happens. */
#define WIRELINE_LOG_INFO 2

/** What normally happens, but is worth a look. */
#define WIRELINE_LOG_NOTICE 3

/** Something may go wrong. */
#define WIRELINE_LOG_WARNING 4

/** Something has gone wrong. */
#define WIRELINE_LOG_ERROR 5

/** A component has failed. */
#define WIRELINE_LOG_CRITICAL 6

/** Somebody has to act at once. */
#define WIRELINE_LOG_ALERT 7

/** Nothing works. */
#define WIRELINE_LOG_EMERGENCY 8

/** The client. */
#define WIRELINE_SIDE_CLIENT 1

/** The server. */
#define WIRELINE_SIDE_SERVER 2

/** None: no fault. */
#define WIRELINE_CLASS_NONE 0

/** Not JSON at all. Nothing is owed. */
#define WIRELINE_CLASS_NOISE 1

/** The text is broken; ids and methods seen in it are hints. */
#define WIRELINE_CLASS_TEXT 2

/** Valid as far as it was judged, but over a ceiling. */
#define WIRELINE_CLASS_LIMIT 3

/** Valid JSON that is no JSON-RPC message. */
#define WIRELINE_CLASS_ENVELOPE 4

/** The stream itself ended or overflowed. */
#define WIRELINE_CLASS_STREAM 5

/** No such rule. */
#define WIRELINE_LEVEL_NONE 0

/** A fact worth telling; nothing forbids it. */
#define WIRELINE_LEVEL_FACT 1

/** SHOULD of RFC 2119. */
#define WIRELINE_LEVEL_SHOULD 2

/** MUST of RFC 2119. */
#define WIRELINE_LEVEL_MUST 3

/**
 * A tool is called: the one of `index`, with `arguments`, an object that fits its schema.
 * Answer with `wireline_server_finish_text` or `wireline_server_finish`.
 */
#define WIRELINE_EVENT_CALL 20

/**
 * A resource is to be read: the one of `index`, or what the template of `index` matches, as
 * `target` says; `uri` is its URI. Answer with `wireline_server_finish`.
 */
#define WIRELINE_EVENT_READ 21

/**
 * A prompt is to be filled in: the one of `index`, with `arguments`, an object of strings of
 * which none that it requires is missing. Answer with `wireline_server_finish`.
 */
#define WIRELINE_EVENT_GET 22

/**
 * An argument is to be completed: `name` of the prompt or template of `index`, as `target`
 * says; `value` is what it begins with. Answer with `wireline_server_finish`.
 */
#define WIRELINE_EVENT_COMPLETE 23

/**
 * Changes of a resource are to be told from now on, in the legacy era. Answer with
 * `wireline_server_acknowledge`.
 */
#define WIRELINE_EVENT_SUBSCRIBE 24

/** They are to be told no longer. Answer with `wireline_server_acknowledge`. */
#define WIRELINE_EVENT_UNSUBSCRIBE 25

/**
 * A subscription of the modern era is open: it was acknowledged, as far as the server's
 * capabilities cover `filter`.
 */
#define WIRELINE_EVENT_LISTEN 26

/** None. */
#define WIRELINE_TARGET_NONE 0

/** The tools. */
#define WIRELINE_TARGET_TOOL 1

/** The resources. */
#define WIRELINE_TARGET_RESOURCE 2

/** The resource templates. */
#define WIRELINE_TARGET_TEMPLATE 3

/** The prompts. */
#define WIRELINE_TARGET_PROMPT 4

/** Nothing that is waited for, as far as can be told yet. */
#define WIRELINE_ROUTE_UNKNOWN 0

/** The answer to the request of ours of the handle: its id has been seen. */
#define WIRELINE_ROUTE_KNOWN 1

/** The id has not been seen yet, but only one request of ours is waiting. */
#define WIRELINE_ROUTE_ONLY 2

/** It is done. */
#define WIRELINE_OK 0

/** A pointer is NULL that must not be. */
#define WIRELINE_ERR_NULL (-1)

/** A pointer is not aligned as its type must be. */
#define WIRELINE_ERR_ALIGN (-2)

/** A handle is not initialised, or is of another type. */
#define WIRELINE_ERR_UNINITIALISED (-3)

/** A handle was copied or moved; it is valid only where it was initialised. */
#define WIRELINE_ERR_MOVED (-4)

/** A struct's `size`, or the size given to an init function, is not that of the library's. */
#define WIRELINE_ERR_SIZE (-5)

/** The program was compiled with the header of another version. */
#define WIRELINE_ERR_VERSION (-6)

/** An argument is none of the values that it may have. */
#define WIRELINE_ERR_ARGUMENT (-7)

/** Text given is not UTF-8. */
#define WIRELINE_ERR_UTF8 (-8)

/** Memory lent is too small; where the call has a length to hand out, it is what is needed. */
#define WIRELINE_ERR_TOO_SMALL (-9)

/** The library was built without this. */
#define WIRELINE_ERR_UNSUPPORTED (-10)

/** There is no such member, element or name. */
#define WIRELINE_ERR_NOT_FOUND (-11)

/** A JSON value is of another type than asked for. */
#define WIRELINE_ERR_TYPE (-12)

/** A number is not whole, or outside the range of the type asked for. */
#define WIRELINE_ERR_RANGE (-13)

/** Text given is not one JSON value. */
#define WIRELINE_ERR_JSON (-14)

/** A string holds an unpaired surrogate escape, which UTF-8 cannot carry. */
#define WIRELINE_ERR_LONE_SURROGATE (-15)

/** An item holds nothing of the kind that the call takes. */
#define WIRELINE_ERR_ITEM (-16)

/** A value, a name or a bracket is written where it may not stand. */
#define WIRELINE_ERR_MISPLACED (-20)

/** The text ended before its value did. */
#define WIRELINE_ERR_UNFINISHED (-21)

/** Too many containers are open. */
#define WIRELINE_ERR_TOO_DEEP (-22)

/** Text given for a number is not a JSON number. */
#define WIRELINE_ERR_NUMBER (-23)

/** An id that may not be sent: outside ±(2^53 - 1), or empty, or none where one is needed. */
#define WIRELINE_ERR_ID (-24)

/** `params` or `result` is not an object. */
#define WIRELINE_ERR_PAYLOAD (-25)

/** The message has no such member to be replaced. */
#define WIRELINE_ERR_NO_MEMBER (-26)

/** Memory that a message is written from has changed while it left in pieces. */
#define WIRELINE_ERR_CHANGED (-27)

/** The request of a handle has ended or was cancelled, or never was. */
#define WIRELINE_ERR_STALE_HANDLE (-40)

/** The session is not in a state where this may be sent. */
#define WIRELINE_ERR_NOT_READY (-41)

/** Every slot for requests of ours is in use. */
#define WIRELINE_ERR_TABLE_FULL (-42)

/** Progress has to increase, and to be written in at most 20 characters. */
#define WIRELINE_ERR_PROGRESS (-43)

/** An entry of a server's tables is wrong: the call says which and why. */
#define WIRELINE_ERR_TABLE (-44)

/**
 * A rule of the protocol forbids it: the method is not of this side or revision, or its
 * capability was not declared. Which rule it is, is subtracted: -1062 is R62, as
 * `wireline_status_rule` says.
 */
#define WIRELINE_ERR_RULE (-1000)

/** Nothing that the program has to know: a ping was answered, say. */
#define WIRELINE_EVENT_NONE 0

/**
 * The peer asks for something: answer `handle`. `method` is UNKNOWN for one of no table, to
 * be answered with -32601 unless the program knows it.
 */
#define WIRELINE_EVENT_REQUEST 1

/** The peer tells something. */
#define WIRELINE_EVENT_NOTIFICATION 2

/** The request of ours of `handle` is getting on; the item has `progress`. */
#define WIRELINE_EVENT_PROGRESS 3

/**
 * The request of ours of `handle` has ended, as `ended` says. There is one such event for
 * every request, and no more of it after that.
 */
#define WIRELINE_EVENT_ENDED 4

/**
 * The request of ours of `handle` needs input before it goes on, for the `round`th time: see
 * `wireline_client_retry`. The item's result has `inputRequests` and `requestState`.
 */
#define WIRELINE_EVENT_INPUT_REQUIRED 5

/** The subscription of ours of `handle` is open; the item has what it covers. */
#define WIRELINE_EVENT_SUBSCRIBED 6

/**
 * The peer no longer wants its request of `handle`, which is stale from now on: stop working
 * on it, and send nothing for it.
 */
#define WIRELINE_EVENT_CANCELLED 7

/** The session has come to another `state`. */
#define WIRELINE_EVENT_STATE 8

/** An error that answers nothing in particular. */
#define WIRELINE_EVENT_CONNECTION_ERROR 9

/** What came changes nothing, for the reason in `ignored`. */
#define WIRELINE_EVENT_IGNORED 10

/** With a result: that of the item. */
#define WIRELINE_ENDED_RESULT 1

/** With an error: that of the item. */
#define WIRELINE_ENDED_ERROR 2

/** With an answer that is none. */
#define WIRELINE_ENDED_BAD_RESPONSE 3

/** With an answer that is over a ceiling. */
#define WIRELINE_ENDED_TOO_LONG 4

/** With a demand for input beyond the rounds of the settings. */
#define WIRELINE_ENDED_TOO_MANY_ROUNDS 5

/** Without an answer, in its time. */
#define WIRELINE_ENDED_TIMED_OUT 6

/** Because we cancelled it, or, for a subscription, the server did. */
#define WIRELINE_ENDED_CANCELLED 7

/** Because the connection closed. */
#define WIRELINE_ENDED_CLOSED 8

/** Nothing has been agreed on. */
#define WIRELINE_STATE_IDLE 1

/** A client has probed and does not know yet what the server speaks. */
#define WIRELINE_STATE_PROBING 2

/** `initialize` is under way. */
#define WIRELINE_STATE_OPENING 3

/**
 * The revision is settled, and all may be sent that it and the capabilities allow. A server
 * of both eras may serve requests of the modern era in any state.
 */
#define WIRELINE_STATE_READY 4

/** No session came about, for the reason in `failure`. Close the connection. */
#define WIRELINE_STATE_FAILED 5

/** The input has ended. */
#define WIRELINE_STATE_CLOSED 6

/** The server speaks no revision that we do. */
#define WIRELINE_FAILURE_NO_COMMON_REVISION 1

/** The server refused `initialize`, or a probe where we do not speak the legacy era. */
#define WIRELINE_FAILURE_REFUSED 2

/** The answer was no valid one. */
#define WIRELINE_FAILURE_BAD_RESPONSE 3

/** The answer was over a ceiling. */
#define WIRELINE_FAILURE_TOO_LONG 4

/** There was no answer in time. */
#define WIRELINE_FAILURE_TIMED_OUT 5

/**
 * The server closed the connection when it was probed. Start it again, and open a new
 * session with `wireline_client_connect_legacy`.
 */
#define WIRELINE_FAILURE_CLOSED_WHILE_PROBING 6

/** The connection closed before the session was open. */
#define WIRELINE_FAILURE_CLOSED 7

/** A line that is no message. */
#define WIRELINE_IGNORED_FAULT 1

/** A response to a request that has ended. */
#define WIRELINE_IGNORED_LATE 2

/** A response to a request that was never made. */
#define WIRELINE_IGNORED_UNKNOWN_ID 3

/** A request whose id is still in use. It is not answered: that id is owed one answer. */
#define WIRELINE_IGNORED_DUPLICATE_ID 4

/** A notification for a request or a token that is not, or no longer, there. */
#define WIRELINE_IGNORED_UNKNOWN_TARGET 5

/** A method that the peer may not send, or not in this revision or era. */
#define WIRELINE_IGNORED_WRONG_SIDE 6

/** A notification in a state where it means nothing. */
#define WIRELINE_IGNORED_WRONG_STATE 7

/** A method of requests without an id. */
#define WIRELINE_IGNORED_NOT_A_REQUEST 8

/** The list of tools. */
#define WIRELINE_CHANGE_TOOLS 1

/** The list of prompts. */
#define WIRELINE_CHANGE_PROMPTS 2

/** The list of resources. */
#define WIRELINE_CHANGE_RESOURCES 3

/**
 * The resource of the URI that goes with it. Whether a client asked to be told of it is for
 * the program to know, which was given its URIs: `wireline_server_changed` tells the session of
 * the legacy era, and `wireline_server_changed_for` a subscription.
 */
#define WIRELINE_CHANGE_RESOURCE 4

/** None of them: the page or the line is wrong. */
#define WIRELINE_TABLE_NONE 0

/** The tools. */
#define WIRELINE_TABLE_TOOLS 1

/** The resources. */
#define WIRELINE_TABLE_RESOURCES 2

/** The resource templates. */
#define WIRELINE_TABLE_TEMPLATES 3

/** The prompts. */
#define WIRELINE_TABLE_PROMPTS 4

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Limits for a device: the buffer is the message ceiling; depth 32, id 40 bytes, method 64.
 * `size` is `sizeof *limits`.
 */
wireline_status wireline_limits_embedded(wireline_limits *limits, size_t size);

/**
 * Limits for a host: message 16 MiB, depth 127, id and method 128 bytes. `size` is
 * `sizeof *limits`.
 */
wireline_status wireline_limits_host(wireline_limits *limits, size_t size);

/**
 * Makes a client that has agreed on nothing yet. `config` stays where it is and as it is,
 * and the memory of `slots` stays the client's, as long as it is used. Write
 * `WIRELINE_SELF(client)` for the first three arguments.
 *
 * Errors: NULL, ALIGN, SIZE, VERSION; UNINITIALISED or MOVED for the configuration; ARGUMENT
 * for more than 65535 slots; UNSUPPORTED.
 */
wireline_status wireline_client_init(wireline_client *client,
                                     size_t size,
                                     uint32_t version,
                                     const wireline_config *config,
                                     const wireline_slots *slots);

/**
 * Opens the session: sends `server/discover`, if we speak the modern era, else `initialize`.
 * What the server speaks is settled when `WIRELINE_EVENT_STATE` says READY.
 *
 * Errors: NOT_READY, if it was called before; TABLE_FULL, if there is no slot for requests
 * of ours; MISPLACED, if `extra_capabilities` repeats a member.
 */
wireline_status wireline_client_connect(wireline_client *client, uint64_t now, wireline_send *send);

/**
 * Opens a session of the legacy era without a probe: where the server is known to be of that
 * era, or closed the connection when it was probed.
 *
 * Errors: as of `wireline_client_connect`; NOT_READY also if we speak no revision of that
 * era.
 */
wireline_status wireline_client_connect_legacy(wireline_client *client,
                                               uint64_t now,
                                               wireline_send *send);

/**
 * Takes the server's era from a verdict of earlier, so that no probe is needed: all requests
 * follow the modern revision, and `capabilities` are what the server declared then.
 *
 * Errors: NOT_READY, if the session was opened before, or we do not speak the revision;
 * ARGUMENT.
 */
wireline_status wireline_client_assume(wireline_client *client,
                                       wireline_revisions revision,
                                       wireline_capabilities capabilities);

/**
 * Takes what a decoder gave, a message or a fault, and says what follows from it. `now` is
 * in milliseconds of any clock. Set `step->size` first. Write `step->send` before the next
 * call on the decoder: see `wireline_send`.
 *
 * Errors: ITEM, unless the item is a MESSAGE or a FAULT.
 */
wireline_status wireline_client_receive(wireline_client *client,
                                        const wireline_item *item,
                                        uint64_t now,
                                        wireline_step *step);

/**
 * Answers a request with a result, a JSON object. Its handle is stale from then on. What the
 * revision of the request asks for beside the result is added: `resultType`, `serverInfo` in
 * `_meta`, `ttlMs` and `cacheScope`.
 *
 * Errors: STALE_HANDLE, if the request was answered or cancelled: nothing may be sent for
 * it; JSON, PAYLOAD or MISPLACED, if the result is no object or has a member that the
 * session adds; RULE, R91 for a `result_type` whose extension was not declared. The request still waits for its answer then.
 */
wireline_status wireline_client_respond(wireline_client *client,
                                        wireline_handle handle,
                                        wireline_slice result,
                                        wireline_send *send);

/**
 * Answers a request with a result, and says how long it may be kept or what stands in its
 * `_meta`: see `wireline_client_respond`.
 */
wireline_status wireline_client_respond_with(wireline_client *client,
                                             wireline_handle handle,
                                             const wireline_reply *reply,
                                             wireline_send *send);

/**
 * Answers a request with an error. Its handle is stale from then on. `data` is any JSON
 * value, or absent.
 *
 * Errors: STALE_HANDLE; JSON; RULE, R33 or R34 for a code that the request's revision
 * forbids.
 */
wireline_status wireline_client_fail(wireline_client *client,
                                     wireline_handle handle,
                                     int64_t code,
                                     wireline_slice message,
                                     wireline_slice data,
                                     wireline_send *send);

/**
 * Tells how a request gets on. Nothing is sent if it did not ask to be told.
 *
 * Errors: STALE_HANDLE; PROGRESS, if it is not greater than the last time, or no number of
 * at most 20 characters; NUMBER, if the total is none.
 */
wireline_status wireline_client_progress(wireline_client *client,
                                         wireline_handle handle,
                                         const wireline_progress *progress,
                                         wireline_send *send);

/**
 * Sends a request. Its end comes as `WIRELINE_EVENT_ENDED` with the handle that `*handle`
 * gets. `params` is a JSON object without `_meta`, or absent. `options` may be NULL.
 *
 * Errors: NOT_READY; RULE; TABLE_FULL; JSON, PAYLOAD, MISPLACED.
 */
wireline_status wireline_client_request(wireline_client *client,
                                        wireline_slice method,
                                        wireline_slice params,
                                        const wireline_options *options,
                                        uint64_t now,
                                        wireline_handle *handle,
                                        wireline_send *send);

/**
 * Asks whether the peer is there; the legacy era only.
 *
 * Errors: NOT_READY; RULE, R74 in the modern era; TABLE_FULL.
 */
wireline_status wireline_client_ping(wireline_client *client,
                                     uint64_t now,
                                     wireline_handle *handle,
                                     wireline_send *send);

/**
 * Sends a notification. Those that belong to a request or a subscription have calls of their
 * own. `params` is a JSON object, or absent.
 *
 * Errors: NOT_READY; RULE; JSON, PAYLOAD.
 */
wireline_status wireline_client_notify(wireline_client *client,
                                       wireline_slice method,
                                       wireline_slice params,
                                       wireline_send *send);

/**
 * Cancels a request of ours: it has ended, and its answer, if one still comes, is ignored.
 * `reason` may be absent. Set `step->size` first.
 *
 * Errors: STALE_HANDLE; RULE, R112 for a task.
 */
wireline_status wireline_client_cancel(wireline_client *client,
                                       wireline_handle handle,
                                       wireline_slice reason,
                                       wireline_step *step);

/**
 * When `wireline_client_expire` is due, in milliseconds of the caller's clock; `UINT64_MAX` for
 * never.
 */
wireline_status wireline_client_poll_timeout(const wireline_client *client, uint64_t *due);

/**
 * Lets time pass. Each call ends one request at most: call it until `*more` is false, and
 * look at the step only while it is true. A clock that goes back stands still.
 */
wireline_status wireline_client_expire(wireline_client *client,
                                       uint64_t now,
                                       wireline_step *step,
                                       bool *more);

/**
 * The input has ended. Each call ends one request of ours, and the last says that the session
 * is closed: call it until `*more` is false, and look at the step only while it is true.
 * Requests of the peer that are being worked on may still be answered.
 */
wireline_status wireline_client_close(wireline_client *client, wireline_step *step, bool *more);

/** What the session has agreed on, and what is under way. Set `info->size` first. */
wireline_status wireline_client_info(const wireline_client *client, wireline_session_info *info);

/**
 * What is known of a request that is being worked on. Set `incoming->size` first.
 *
 * Errors: STALE_HANDLE, once it was answered or cancelled.
 */
wireline_status wireline_client_incoming(const wireline_client *client,
                                         wireline_handle handle,
                                         wireline_incoming *incoming);

/**
 * Whose body is coming in, in pieces, from a stream decoder: asked at its HEAD already. What
 * comes is provisional until the line ends. `*handle` gets the request's handle, or 0.
 *
 * Errors: ITEM, unless the item is a HEAD or an END.
 */
wireline_status wireline_client_route(const wireline_client *client,
                                      const wireline_item *item,
                                      wireline_route *route,
                                      wireline_handle *handle);

/**
 * The answers to a batch of 2025-03-26, once the last has been given: one line, LF included,
 * to be sent as it is, until the next call on the session; absent, if there is none. If
 * batches are taken, call it after every call that may have given an answer.
 */
wireline_status wireline_client_take_batch(wireline_client *client, wireline_slice *line);

/**
 * Answers a request with a task of 2025-11-25: the result is an object with the member
 * `task`. The handle stays good for `wireline_client_progress` until `wireline_client_end_task`.
 *
 * Errors: STALE_HANDLE; RULE, R143 for a request of another revision, or where no tasks were
 * declared for it; JSON, PAYLOAD; UNSUPPORTED without the feature `tasks`.
 */
wireline_status wireline_client_respond_with_task(wireline_client *client,
                                                  wireline_handle handle,
                                                  const wireline_reply *reply,
                                                  wireline_send *send);

/**
 * A task has ended: of the peer's request, no more progress is sent; of ours, no more is
 * waited for. A handle that is stale already is no error. Errors: UNSUPPORTED without the
 * feature `tasks`.
 */
wireline_status wireline_client_end_task(wireline_client *client, wireline_handle handle);

/**
 * Sends a request again, with the input that it asked for: after
 * `WIRELINE_EVENT_INPUT_REQUIRED`. The handle stays the same; on the wire it is a new request.
 * `params` are those of the first time; `answers` is an object with a result for each key of
 * `inputRequests`, or absent; `state` is `requestState` as it came, or absent. `options` may
 * be NULL.
 *
 * Errors: STALE_HANDLE, also for a request that asked for nothing; JSON, also for a state that
 * is not the inside of a JSON string; PAYLOAD, MISPLACED.
 */
wireline_status wireline_client_retry(wireline_client *client,
                                      wireline_handle handle,
                                      wireline_slice params,
                                      wireline_slice answers,
                                      wireline_string state,
                                      const wireline_options *options,
                                      uint64_t now,
                                      wireline_send *send);

/**
 * Asks to be told of changes; the modern era only. `WIRELINE_EVENT_SUBSCRIBED` says that it is
 * open, `WIRELINE_EVENT_ENDED` that it is over.
 *
 * Errors: NOT_READY; RULE, R62 in the legacy era; TABLE_FULL; JSON, TYPE.
 */
wireline_status wireline_client_listen(wireline_client *client,
                                       const wireline_filter *filter,
                                       uint64_t now,
                                       wireline_handle *handle,
                                       wireline_send *send);

/**
 * All revisions, no capabilities, time-outs of 60 seconds and 10 minutes, 10 seconds for a
 * probe, 10 rounds of input; neither name nor version. `size` is `sizeof *settings`.
 */
wireline_status wireline_settings_default(wireline_settings *settings, size_t size);

/**
 * Looks at settings. Their slices stay in use. Write `WIRELINE_SELF(config)` for the first
 * three arguments.
 *
 * Errors: ARGUMENT, if a code, a number or a flag is out of place, no revision is set, or
 * name or version is empty; UTF8; JSON and TYPE for `extra_capabilities`.
 */
wireline_status wireline_config_init(wireline_config *config,
                                     size_t size,
                                     uint32_t version,
                                     const wireline_settings *settings);

/**
 * Makes a decoder at the start of a stream, over `buffer`, which stays the decoder's until
 * it is used no more. `limits` may be NULL for those of a device. A buffer of 256 bytes
 * holds these whole; of N bytes it takes messages of N - 2.
 *
 * `size` is `sizeof *decoder` and `version` is `WIRELINE_VERSION_NUMBER`: write
 * `WIRELINE_SELF(decoder)` for the first three arguments. There is nothing to be freed.
 *
 * Errors: NULL, ALIGN, SIZE, VERSION, ARGUMENT, UNSUPPORTED.
 */
wireline_status wireline_decoder_init(wireline_decoder *decoder,
                                      size_t size,
                                      uint32_t version,
                                      void *buffer,
                                      size_t buffer_size,
                                      const wireline_limits *limits);

/**
 * The free part of the buffer, for bytes to come. It is never empty. Put bytes at its
 * start, then say how many with `wireline_decoder_commit`. More may be put behind them and
 * committed, without asking anew, until the next call of `wireline_decoder_next`, `_next_in`,
 * `_finish` or `_reset`: these may move what is in the buffer, and what was lent before is
 * void then.
 *
 * Nothing may be written there while another call on the decoder runs. An interrupt or a DMA
 * channel that fills the buffer is held off (masked, or given other memory) from before `next`
 * until `spare` has lent anew; or it fills a buffer of its own, whose bytes go to
 * `wireline_decoder_next_in`.
 *
 * When complete lines fill the buffer and are not taken out, one byte is lent; what is put
 * there is lost, and the line it belongs to comes back as `WIRELINE_FAULT_OVERRUN`.
 */
wireline_status wireline_decoder_spare(wireline_decoder *decoder, wireline_span *spare);

/**
 * Tells how many bytes were put into what `wireline_decoder_spare` lent last. Takes
 * constant time. More than was lent, or what is void by now, is `WIRELINE_ERR_ARGUMENT`.
 */
wireline_status wireline_decoder_commit(wireline_decoder *decoder, size_t count);

/**
 * The next message or fault among the bytes committed. `item->type` is
 * `WIRELINE_ITEM_NONE` when more are needed. Set `item->size` first. What
 * `wireline_decoder_spare` lent is void afterwards, and nothing may write there meanwhile.
 */
wireline_status wireline_decoder_next(wireline_decoder *decoder, wireline_item *item);

/**
 * The next message or fault in the caller's bytes. `*used` gets how many of them were
 * used; go on with the rest. `item->type` is `WIRELINE_ITEM_NONE` when all are used. Set
 * `item->size` first.
 */
wireline_status wireline_decoder_next_in(wireline_decoder *decoder,
                                         const void *input,
                                         size_t length,
                                         size_t *used,
                                         wireline_item *item);

/**
 * The end of the input: what is left is a line that was cut off, or by
 * `eof_completes_line` a whole one. Call it until `item->type` is `WIRELINE_ITEM_NONE`;
 * then the decoder is as new, unless it is closed.
 */
wireline_status wireline_decoder_finish(wireline_decoder *decoder, wireline_item *item);

/**
 * The unfinished line: its bytes so far, and the first fault in them. Set `pending->size`
 * first.
 */
wireline_status wireline_decoder_pending(wireline_decoder *decoder, wireline_pending *pending);

/** Whether the decoder takes no more, after `WIRELINE_FAULT_RUNAWAY`. */
wireline_status wireline_decoder_is_closed(const wireline_decoder *decoder, bool *closed);

/**
 * Where in the stream the line of the last item began, in bytes, and its number, the first
 * being 1. A library without the feature `std`, as for a chip, keeps neither:
 * `WIRELINE_ERR_UNSUPPORTED`.
 */
wireline_status wireline_decoder_position(const wireline_decoder *decoder,
                                          uint64_t *position,
                                          uint64_t *line);

/** The limits in force, which the buffer may have lowered. Set `limits->size` first. */
wireline_status wireline_decoder_limits(const wireline_decoder *decoder, wireline_limits *limits);

/** The decoder as new, with its buffer and limits. */
wireline_status wireline_decoder_reset(wireline_decoder *decoder);

/**
 * Reads one message that something else framed: an HTTP body, the data of an event. Line
 * feeds count as white space. `limits` may be NULL for those of a host. `item->type` is
 * `WIRELINE_ITEM_MESSAGE` or `WIRELINE_ITEM_FAULT`; text of nothing but white space is
 * `WIRELINE_FAULT_CUT`. Set `item->size` first.
 */
wireline_status wireline_parse(const void *text,
                               size_t length,
                               const wireline_limits *limits,
                               wireline_item *item);

/** Counts an item. */
wireline_status wireline_counters_record(wireline_counters *counters, const wireline_item *item);

/**
 * Takes text that is one JSON value, nested no deeper than 127, with white space around
 * it. `*value` gets it without that space; the other calls of this chapter take it then.
 * On `WIRELINE_ERR_JSON`, `*why`, which may be NULL, gets what is wrong and where.
 */
wireline_status wireline_json_validate(const void *text,
                                       size_t length,
                                       wireline_slice *value,
                                       wireline_invalid *why);

/** The type of a value. */
wireline_status wireline_json_kind_of(wireline_slice value, wireline_json_kind *kind);

/**
 * The member of this name; the first, if the name stands twice. Names are compared by
 * meaning, so that an escaped name is found. Errors: TYPE, if the value is no object;
 * NOT_FOUND.
 */
wireline_status wireline_json_member(wireline_slice object,
                                     wireline_slice name,
                                     wireline_slice *value);

/**
 * The element of this index, from 0. To read them all, iterate. Errors: TYPE, if the value
 * is no array; NOT_FOUND.
 */
wireline_status wireline_json_element(wireline_slice array, size_t index, wireline_slice *value);

/** How many members an object or elements an array has. Errors: TYPE. */
wireline_status wireline_json_count(wireline_slice container, size_t *count);

/**
 * A whole number, however it is spelled: `1`, `1.0` and `10e-1` are all 1. Errors: TYPE, if
 * the value is no number; RANGE, if it is not whole, or does not fit. Any other number is
 * its text, which is the value itself.
 */
wireline_status wireline_json_integer(wireline_slice value, int64_t *integer);

/**
 * A whole number that is not negative, however it is spelled. Errors as of
 * `wireline_json_integer`.
 */
wireline_status wireline_json_unsigned(wireline_slice value, uint64_t *integer);

/** `true` or `false`. Errors: TYPE. */
wireline_status wireline_json_bool(wireline_slice value, bool *boolean);

/**
 * The inside of a string, for `wireline_string_equals` and `wireline_string_unescape`.
 * Errors: TYPE.
 */
wireline_status wireline_json_string(wireline_slice value, wireline_string *string);

/**
 * Whether two ids or tokens mean the same: of one type, and equal as numbers or as text.
 * `1.0` is `1`, `"\u0041"` is `"A"`, `1` is not `"1"`. What is no id is equal to nothing.
 */
wireline_status wireline_id_equals(wireline_slice one, wireline_slice other, bool *equal);

/** Whether a string means this text, escapes resolved. An absent string equals nothing. */
wireline_status wireline_string_equals(wireline_string string, wireline_slice text, bool *equal);

/**
 * Writes a string's text, escapes resolved, and `*length` gets its bytes, or on TOO_SMALL
 * how many are needed. It is never longer than the string; no NUL is added. Errors:
 * TOO_SMALL, LONE_SURROGATE.
 */
wireline_status wireline_string_unescape(wireline_string string,
                                         void *out,
                                         size_t out_size,
                                         size_t *length);

/**
 * Writes a value without white space between its tokens, and `*length` gets its bytes, or
 * on TOO_SMALL how many are needed.
 */
wireline_status wireline_json_compact(wireline_slice value,
                                      void *out,
                                      size_t out_size,
                                      size_t *length);

/**
 * Begins to go over the members of an object or the elements of an array. Write
 * `WIRELINE_SELF(iter)` for the first three arguments. Errors: TYPE, if it is neither.
 */
wireline_status wireline_json_iter_init(wireline_json_iter *iter,
                                        size_t size,
                                        uint32_t version,
                                        wireline_slice container);

/**
 * The next member or element. `*more` gets whether there was one; if so, `*value` gets
 * it, and `*name` a member's name. `name` may be NULL.
 */
wireline_status wireline_json_iter_next(wireline_json_iter *iter,
                                        bool *more,
                                        wireline_string *name,
                                        wireline_slice *value);

/**
 * Makes a writer into `out`, which stays the writer's until it is finished. `out` may be
 * NULL with a size of 0, to measure. Write `WIRELINE_SELF(writer)` for the first three
 * arguments.
 */
wireline_status wireline_json_writer_init(wireline_json_writer *writer,
                                          size_t size,
                                          uint32_t version,
                                          void *out,
                                          size_t out_size);

/** Opens an object. */
wireline_status wireline_json_writer_begin_object(wireline_json_writer *writer);

/** Closes the object that was opened last. */
wireline_status wireline_json_writer_end_object(wireline_json_writer *writer);

/** Opens an array. */
wireline_status wireline_json_writer_begin_array(wireline_json_writer *writer);

/** Closes the array that was opened last. */
wireline_status wireline_json_writer_end_array(wireline_json_writer *writer);

/** Writes a member's name, in UTF-8. Its value comes next. */
wireline_status wireline_json_writer_key(wireline_json_writer *writer, wireline_slice name);

/** Writes a string, given in UTF-8; it is escaped as JSON asks. */
wireline_status wireline_json_writer_string(wireline_json_writer *writer, wireline_slice text);

/** Writes bytes as a base64 string, with padding, as blobs, images and audio are carried. */
wireline_status wireline_json_writer_base64(wireline_json_writer *writer,
                                            const void *data,
                                            size_t length);

/** Writes a signed integer. */
wireline_status wireline_json_writer_integer(wireline_json_writer *writer, int64_t value);

/** Writes an unsigned integer. */
wireline_status wireline_json_writer_unsigned(wireline_json_writer *writer, uint64_t value);

/**
 * Writes a number given as text, which is kept as it is: `0.10` stays `0.10`. Text that is
 * no JSON number, as `nan` and `inf` of printf are not, is `WIRELINE_ERR_NUMBER` when the
 * writer is finished.
 */
wireline_status wireline_json_writer_decimal(wireline_json_writer *writer, wireline_slice text);

/** Writes `true` or `false`. */
wireline_status wireline_json_writer_bool(wireline_json_writer *writer, bool value);

/** Writes `null`. */
wireline_status wireline_json_writer_null(wireline_json_writer *writer);

/**
 * Writes a JSON value that is there already, but for raw CR and LF between its tokens. It
 * is looked at first: `WIRELINE_ERR_JSON`, if it is none.
 */
wireline_status wireline_json_writer_raw(wireline_json_writer *writer, wireline_slice value);

/** The bytes written so far, those past the end of the memory included. */
wireline_status wireline_json_writer_length(const wireline_json_writer *writer, size_t *length);

/**
 * Ends the text: `*text` gets it. The writer is uninitialised then, whatever came of it.
 * On TOO_SMALL, `text->len` gets the bytes needed and `text->ptr` NULL. Errors: TOO_SMALL,
 * and the first thing that was wrong: MISPLACED, UNFINISHED, TOO_DEEP, NUMBER, or what a call
 * said, such as UTF8 or JSON.
 */
wireline_status wireline_json_writer_finish(wireline_json_writer *writer, wireline_slice *text);

/**
 * Reads what else of a message, or of the head of one, a protocol's state depends on. Of a
 * head, plain tokens that its memory had room for. Set `meta->size` first.
 */
wireline_status wireline_item_meta(const wireline_item *item, wireline_meta *meta);

/** Reads the error of a message of kind `WIRELINE_KIND_ERROR`. Set `error->size` first. */
wireline_status wireline_item_error(const wireline_item *item, wireline_error *error);

/**
 * Makes a monitor that has seen nothing yet. `crossing_time` is for how many milliseconds two
 * lines may have passed one another; 0 for what is usual. The memory of `slots` stays the
 * monitor's. Write `WIRELINE_SELF(monitor)` for the first three arguments.
 *
 * Errors: NULL, ALIGN, SIZE, VERSION; ARGUMENT for more than 65535 requests or tasks.
 */
wireline_status wireline_monitor_init(wireline_monitor *monitor,
                                      size_t size,
                                      uint32_t version,
                                      const wireline_monitor_slots *slots,
                                      uint64_t crossing_time);

/**
 * Judges a line of one side: `from` is CLIENT or SERVER of the `WIRELINE_SIDE_` codes, `now`
 * in milliseconds. `at` is what the line is to be called when a later one speaks of it, such
 * as its place in a recording; 0 for its number among the items of its direction. Set
 * `finding->size` first.
 *
 * Errors: ARGUMENT; ITEM, unless the item is a MESSAGE or a FAULT.
 */
wireline_status wireline_monitor_line(wireline_monitor *monitor,
                                      wireline_side from,
                                      const wireline_item *item,
                                      uint64_t now,
                                      uint64_t at,
                                      wireline_finding *finding);

/** Tells that lines of a side are missing. Errors: ARGUMENT. */
wireline_status wireline_monitor_gap(wireline_monitor *monitor, wireline_side from);

/**
 * A side has closed its direction. Call it until `*more` is false, and look at the finding
 * only while it is true: each is of a request that was never answered, or the like. With a
 * `from` of 0, both sides have. Errors: ARGUMENT.
 */
wireline_status wireline_monitor_end(wireline_monitor *monitor,
                                     wireline_side from,
                                     uint64_t now,
                                     wireline_finding *finding,
                                     bool *more);

/** The monitor as new, but for its counts. */
wireline_status wireline_monitor_reset(wireline_monitor *monitor);

/** What a monitor has seen. Set `info->size` first. */
wireline_status wireline_monitor_seen(const wireline_monitor *monitor, wireline_monitor_info *info);

/** The rules that a line breaks by itself, whatever came before it. Errors: ITEM. */
wireline_status wireline_item_broken(const wireline_item *item, wireline_rules *broken);

/**
 * A fault's stable name, such as `too-long`; `none` for any other number. Never NULL, ends
 * with NUL, and stays.
 */
const char *wireline_fault_name(wireline_fault fault);

/** A fault in one sentence, for people. Never NULL, ends with NUL, and stays. */
const char *wireline_fault_reason(wireline_fault fault);

/** What a kind of fault says about a line. */
wireline_fault_class wireline_fault_class_of(wireline_fault fault);

/**
 * The name of a message's kind: `request`, `notification`, `result`, `error`; `none` for
 * any other number. Never NULL, ends with NUL, and stays.
 */
const char *wireline_kind_name(wireline_kind kind);

/** The name of a method on the wire; absent for a number that is none. */
wireline_slice wireline_method_name(wireline_method method);

/** The method that a received string names; `WIRELINE_METHOD_UNKNOWN`, if no table has it. */
wireline_status wireline_method_of(wireline_string string, wireline_method *method);

/** The revisions that define a method; none for a number that is none. */
wireline_revisions wireline_method_revisions(wireline_method method);

/** Whether a side may send a method in a revision. Errors: ARGUMENT. */
wireline_status wireline_method_may_send(wireline_method method,
                                         wireline_side side,
                                         wireline_revisions revision,
                                         bool *may);

/** The name of one revision on the wire, a date; absent for what is not one revision. */
wireline_slice wireline_revision_name(wireline_revisions revision);

/** The revision that a received string names. Errors: NOT_FOUND. */
wireline_status wireline_revision_of(wireline_string string, wireline_revisions *revision);

/**
 * Where a capability stands in the capabilities object: `path` is an array of four, of
 * which the first is the name of a member, the next that of a member inside it, and so on;
 * absent where the path ends. `capability` is one bit. Errors: ARGUMENT.
 */
wireline_status wireline_capability_path(wireline_capabilities capability, wireline_slice *path);

/** The name of a level on the wire; absent for a number that is none. */
wireline_slice wireline_log_level_name(wireline_log_level level);

/** The level that a received string names. Errors: NOT_FOUND. */
wireline_status wireline_log_level_of(wireline_string string, wireline_log_level *level);

/** What an error code says; absent, if it is none of the known ones. */
wireline_slice wireline_code_name(int64_t code);

/**
 * The duty that a rule states, in a line; absent for a number that is none. A program that
 * never asks does not carry the texts.
 */
wireline_slice wireline_rule_text(uint32_t rule);

/** How binding a rule is where it is most binding. */
wireline_level wireline_rule_level(uint32_t rule);

/** How binding a rule is in one revision; NONE where the revision does not have it. */
wireline_level wireline_rule_level_in(uint32_t rule, wireline_revisions revision);

/** Whose duty a rule is: `WIRELINE_SIDE_` bits, 0 for a number that is none. */
wireline_side wireline_rule_sides(uint32_t rule);

/** The revisions that have a rule; none for a number that is none. */
wireline_revisions wireline_rule_revisions(uint32_t rule);

/**
 * A message in pieces. Write `WIRELINE_SELF(pieces)` for the first three arguments. Errors
 * as of `wireline_write`, but never TOO_SMALL.
 */
wireline_status wireline_pieces_init(wireline_pieces *pieces,
                                     size_t size,
                                     uint32_t version,
                                     const wireline_outgoing *message);

/**
 * A received message with ids replaced, in pieces. Write `WIRELINE_SELF(pieces)` for the
 * first three arguments. Errors as of `wireline_write_renumbered`, but never TOO_SMALL.
 */
wireline_status wireline_pieces_init_renumbered(wireline_pieces *pieces,
                                                size_t size,
                                                uint32_t version,
                                                const wireline_item *item,
                                                const wireline_renumber *ids);

/**
 * A line of what a session gave to be sent, the one of `index`, in pieces. What it is made of
 * stays as it is until it has left, as `wireline_send` says. Write `WIRELINE_SELF(pieces)`
 * for the first three arguments. Errors: NOT_FOUND, if there is no such line.
 */
wireline_status wireline_pieces_init_send(wireline_pieces *pieces,
                                          size_t size,
                                          uint32_t version,
                                          const wireline_send *send,
                                          size_t index);

/**
 * The line's next bytes. `*written` gets how many there are; 0 when nothing is left.
 *
 * Errors: TOO_SMALL, if something is left and `out_size` is 0; CHANGED, if what the message is made of has changed since. Bytes may have left
 * already; the next call then gives the LF that ends what was begun.
 */
wireline_status wireline_pieces_fill(wireline_pieces *pieces,
                                     void *out,
                                     size_t out_size,
                                     size_t *written);

/** The bytes of the line that are still to come. */
wireline_status wireline_pieces_remaining(const wireline_pieces *pieces, size_t *remaining);

/**
 * Makes a server that has met no client yet. `config` stays where it is and as it is, and the
 * memory of `slots` stays the server's, as long as it is used. `toolkit` may be NULL; else it
 * stays as well. Write `WIRELINE_SELF(server)` for the first three arguments.
 *
 * Errors: NULL, ALIGN, SIZE, VERSION; UNINITIALISED or MOVED for the configuration or the
 * toolkit; ARGUMENT for more than 65535 slots; UNSUPPORTED.
 */
wireline_status wireline_server_init(wireline_server *server,
                                     size_t size,
                                     uint32_t version,
                                     const wireline_config *config,
                                     const wireline_toolkit *toolkit,
                                     const wireline_slots *slots);

/**
 * Takes what a decoder gave, a message or a fault, and says what follows from it. `now` is
 * in milliseconds of any clock. Set `step->size` first. Write `step->send` before the next
 * call on the decoder: see `wireline_send`.
 *
 * Errors: ITEM, unless the item is a MESSAGE or a FAULT.
 */
wireline_status wireline_server_receive(wireline_server *server,
                                        const wireline_item *item,
                                        uint64_t now,
                                        wireline_step *step);

/**
 * Answers a request with a result, a JSON object. Its handle is stale from then on. What the
 * revision of the request asks for beside the result is added: `resultType`, `serverInfo` in
 * `_meta`, `ttlMs` and `cacheScope`. A line that is over the ceiling of the tables is replaced,
 * as by `wireline_server_finish`.
 *
 * Errors: STALE_HANDLE, if the request was answered or cancelled: nothing may be sent for
 * it; JSON, PAYLOAD or MISPLACED, if the result is no object or has a member that the
 * session adds; RULE, R91 for a `result_type` whose extension was not declared. The request still waits for its answer then.
 */
wireline_status wireline_server_respond(wireline_server *server,
                                        wireline_handle handle,
                                        wireline_slice result,
                                        wireline_send *send);

/**
 * Answers a request with a result, and says how long it may be kept or what stands in its
 * `_meta`: see `wireline_server_respond`.
 */
wireline_status wireline_server_respond_with(wireline_server *server,
                                             wireline_handle handle,
                                             const wireline_reply *reply,
                                             wireline_send *send);

/**
 * Answers a request with an error. Its handle is stale from then on. `data` is any JSON
 * value, or absent. An error that is over the ceiling of the tables is replaced by -32603.
 *
 * Errors: STALE_HANDLE; JSON; RULE, R33 or R34 for a code that the request's revision
 * forbids.
 */
wireline_status wireline_server_fail(wireline_server *server,
                                     wireline_handle handle,
                                     int64_t code,
                                     wireline_slice message,
                                     wireline_slice data,
                                     wireline_send *send);

/**
 * Tells how a request gets on. Nothing is sent if it did not ask to be told.
 *
 * Errors: STALE_HANDLE; PROGRESS, if it is not greater than the last time, or no number of
 * at most 20 characters; NUMBER, if the total is none.
 */
wireline_status wireline_server_progress(wireline_server *server,
                                         wireline_handle handle,
                                         const wireline_progress *progress,
                                         wireline_send *send);

/**
 * Sends a request. Its end comes as `WIRELINE_EVENT_ENDED` with the handle that `*handle`
 * gets. `params` is a JSON object without `_meta`, or absent. `options` may be NULL. A
 * server sends requests in the legacy era alone.
 *
 * Errors: NOT_READY; RULE; TABLE_FULL; JSON, PAYLOAD, MISPLACED.
 */
wireline_status wireline_server_request(wireline_server *server,
                                        wireline_slice method,
                                        wireline_slice params,
                                        const wireline_options *options,
                                        uint64_t now,
                                        wireline_handle *handle,
                                        wireline_send *send);

/**
 * Asks whether the peer is there; the legacy era only.
 *
 * Errors: NOT_READY; RULE, R74 in the modern era; TABLE_FULL.
 */
wireline_status wireline_server_ping(wireline_server *server,
                                     uint64_t now,
                                     wireline_handle *handle,
                                     wireline_send *send);

/**
 * Sends a notification. Those that belong to a request or a subscription have calls of their
 * own. `params` is a JSON object, or absent.
 *
 * Errors: NOT_READY; RULE; JSON, PAYLOAD.
 */
wireline_status wireline_server_notify(wireline_server *server,
                                       wireline_slice method,
                                       wireline_slice params,
                                       wireline_send *send);

/**
 * Cancels a request of ours: it has ended, and its answer, if one still comes, is ignored.
 * `reason` may be absent. Set `step->size` first.
 *
 * Errors: STALE_HANDLE; RULE, R112 for a task.
 */
wireline_status wireline_server_cancel(wireline_server *server,
                                       wireline_handle handle,
                                       wireline_slice reason,
                                       wireline_step *step);

/**
 * When `wireline_server_expire` is due, in milliseconds of the caller's clock; `UINT64_MAX` for
 * never.
 */
wireline_status wireline_server_poll_timeout(const wireline_server *server, uint64_t *due);

/**
 * Lets time pass. Each call ends one request at most: call it until `*more` is false, and
 * look at the step only while it is true. A clock that goes back stands still.
 */
wireline_status wireline_server_expire(wireline_server *server,
                                       uint64_t now,
                                       wireline_step *step,
                                       bool *more);

/**
 * The input has ended. Each call ends one request of ours, and the last says that the session
 * is closed: call it until `*more` is false, and look at the step only while it is true.
 * Requests of the peer that are being worked on may still be answered.
 */
wireline_status wireline_server_close(wireline_server *server, wireline_step *step, bool *more);

/** What the session has agreed on, and what is under way. Set `info->size` first. */
wireline_status wireline_server_info(const wireline_server *server, wireline_session_info *info);

/**
 * What is known of a request that is being worked on. Set `incoming->size` first.
 *
 * Errors: STALE_HANDLE, once it was answered or cancelled.
 */
wireline_status wireline_server_incoming(const wireline_server *server,
                                         wireline_handle handle,
                                         wireline_incoming *incoming);

/**
 * Whose body is coming in, in pieces, from a stream decoder: asked at its HEAD already. What
 * comes is provisional until the line ends. `*handle` gets the request's handle, or 0.
 *
 * Errors: ITEM, unless the item is a HEAD or an END.
 */
wireline_status wireline_server_route(const wireline_server *server,
                                      const wireline_item *item,
                                      wireline_route *route,
                                      wireline_handle *handle);

/**
 * The answers to a batch of 2025-03-26, once the last has been given: one line, LF included,
 * to be sent as it is, until the next call on the session; absent, if there is none. If
 * batches are taken, call it after every call that may have given an answer.
 */
wireline_status wireline_server_take_batch(wireline_server *server, wireline_slice *line);

/**
 * Answers a request with a task of 2025-11-25: the result is an object with the member
 * `task`. The handle stays good for `wireline_server_progress` until `wireline_server_end_task`.
 *
 * Errors: STALE_HANDLE; RULE, R143 for a request of another revision, or where no tasks were
 * declared for it; JSON, PAYLOAD; UNSUPPORTED without the feature `tasks`.
 */
wireline_status wireline_server_respond_with_task(wireline_server *server,
                                                  wireline_handle handle,
                                                  const wireline_reply *reply,
                                                  wireline_send *send);

/**
 * A task has ended: of the peer's request, no more progress is sent; of ours, no more is
 * waited for. A handle that is stale already is no error. Errors: UNSUPPORTED without the
 * feature `tasks`.
 */
wireline_status wireline_server_end_task(wireline_server *server, wireline_handle handle);

/**
 * Takes what a decoder gave, a message or a fault, answers what the tables answer, and says
 * what the program has to do: send what `step->send` is first, then do what `step->event`
 * says, with the details in `call`. `now` is in milliseconds of any clock. Set `step->size`
 * and `call->size` first. Write `step->send` before the next call on the server or the
 * decoder: see `wireline_send`.
 *
 * Lists, unknown names, arguments that do not fit their schema and subscriptions are answered
 * by itself; so is every method that needs the program and is none of the events CALL, READ,
 * GET, COMPLETE, SUBSCRIBE and UNSUBSCRIBE.
 *
 * Errors: ARGUMENT, if the server has no tables; ITEM, unless the item is a MESSAGE or FAULT.
 */
wireline_status wireline_server_serve(wireline_server *server,
                                      const wireline_item *item,
                                      uint64_t now,
                                      wireline_step *step,
                                      wireline_call *call);

/**
 * Answers a call of a tool by a text: what it has to say, or, if `failed`, what went wrong,
 * for the model to know. Its handle is stale from then on. An answer that is over the ceiling
 * of the tables is replaced by one that says so.
 *
 * Errors: STALE_HANDLE, if the request was answered or cancelled: nothing may be sent for it;
 * RULE, R104 if the request is none for a tool; UTF8.
 */
wireline_status wireline_server_finish_text(wireline_server *server,
                                            wireline_handle handle,
                                            wireline_slice text,
                                            bool failed,
                                            wireline_send *send);

/**
 * Answers a request with any result. Its handle is stale from then on. An answer that is over
 * the ceiling of the tables is replaced: that of a tool by a result that says so, any other
 * by -32603.
 *
 * Errors: as of `wireline_server_respond`.
 */
wireline_status wireline_server_finish(wireline_server *server,
                                       wireline_handle handle,
                                       const wireline_reply *reply,
                                       wireline_send *send);

/**
 * Answers a request whose result says nothing: `resources/subscribe` and
 * `resources/unsubscribe`. Errors: STALE_HANDLE.
 */
wireline_status wireline_server_acknowledge(wireline_server *server,
                                            wireline_handle handle,
                                            wireline_send *send);

/**
 * Answers a request for a resource that a template matches, but that is not there: -32002, or
 * -32602 in the modern era. Errors: STALE_HANDLE.
 */
wireline_status wireline_server_not_found(wireline_server *server,
                                          wireline_handle handle,
                                          wireline_send *send);

/**
 * Serves other tables from now on. `toolkit` stays in use. Tell the clients with
 * `wireline_server_changed`; the cursors of the old tables are invalid.
 */
wireline_status wireline_server_set_toolkit(wireline_server *server,
                                            const wireline_toolkit *toolkit);

/**
 * What a `subscriptions/listen` asks for, or its acknowledgement grants: reads the value of
 * `notifications` in its parameters. Set `filter->size` first. Errors: TYPE, if it is no
 * object.
 */
wireline_status wireline_filter_read(wireline_slice notifications, wireline_filter *filter);

/**
 * The short name of a status, such as `too-small`; `unknown` for a number that is none.
 * Never NULL, ends with NUL, and stays.
 */
const char *wireline_status_name(wireline_status status);

/** A status in one sentence, for people. Never NULL, ends with NUL, and stays. */
const char *wireline_status_reason(wireline_status status);

/**
 * The number of the rule that a status names, for `wireline_rule_text`; 0 for every status
 * that names none.
 */
uint32_t wireline_status_rule(wireline_status status);

/** How many lines there are to be sent: 0, 1 or 2. */
wireline_status wireline_send_lines(const wireline_send *send, size_t *lines);

/**
 * Writes all lines, each with its LF. `*length` gets their bytes, 0 if there is nothing to
 * be sent, or on TOO_SMALL how many are needed; `out` may be NULL with a size of 0, to ask.
 * Use one write for it where the transport allows. Errors: TOO_SMALL.
 */
wireline_status wireline_send_write(const wireline_send *send,
                                    void *out,
                                    size_t out_size,
                                    size_t *length);

/**
 * Bytes of memory that a stream decoder with these limits needs: the id, the method, and
 * 88. `limits` may be NULL for those of a device, which need 192.
 */
wireline_status wireline_stream_needed(const wireline_limits *limits, size_t *needed);

/**
 * Makes a stream decoder at the start of a stream, over `memory`, which stays the decoder's
 * until it is used no more. `limits` may be NULL for those of a device; a message ceiling of
 * `UINT32_MAX` is none. Batches are not taken apart.
 *
 * `size` is `sizeof *stream` and `version` is `WIRELINE_VERSION_NUMBER`: write
 * `WIRELINE_SELF(stream)` for the first three arguments.
 *
 * Errors: NULL, ALIGN, SIZE, VERSION, ARGUMENT, UNSUPPORTED; TOO_SMALL, if the memory is
 * less than `wireline_stream_needed` says.
 */
wireline_status wireline_stream_init(wireline_stream *stream,
                                     size_t size,
                                     uint32_t version,
                                     void *memory,
                                     size_t memory_size,
                                     const wireline_limits *limits);

/**
 * Takes some of the input, and tells how much in `*used`, and what it came to in `item`:
 * NONE, HEAD, BODY, END or FAULT. Give the rest again, with more behind it if there is,
 * until it is NONE. Set `item->size` first.
 *
 * The `text` of a BODY is a part of the input, or a byte in the handle: it is valid until the next
 * call on this decoder, and only as long as the input is left as it is. Use it, or copy it, before
 * the input's memory is read into again.
 */
wireline_status wireline_stream_step(wireline_stream *stream,
                                     const void *input,
                                     size_t length,
                                     size_t *used,
                                     wireline_item *item);

/**
 * The end of the input: what is left is a line that was cut off, or by
 * `eof_completes_line` a whole one; `WIRELINE_ITEM_NONE`, if nothing is left. Afterwards the
 * decoder is as new, unless it is closed.
 */
wireline_status wireline_stream_finish(wireline_stream *stream, wireline_item *item);

/** Whether the decoder takes no more, after `WIRELINE_FAULT_RUNAWAY`. */
wireline_status wireline_stream_is_closed(const wireline_stream *stream, bool *closed);

/** The decoder as new, closed or not. */
wireline_status wireline_stream_reset(wireline_stream *stream);

/**
 * Looks at what is to be asked: an array of `count`, at most `WIRELINE_MAX_QUESTIONS`. Its
 * slices stay in use; the array is needed no more. Write `WIRELINE_SELF(questions)` for the
 * first three arguments. Errors: ARGUMENT, UTF8, JSON.
 */
wireline_status wireline_questions_init(wireline_questions *questions,
                                        size_t size,
                                        uint32_t version,
                                        const wireline_input_request *requests,
                                        size_t count);

/**
 * Answers a request by asking its client for input first, in the modern era. The exchange is
 * over then: the client sends the request anew, with the answers. `questions`, which stays in
 * use until what is to be sent has left, may be NULL for none. `state`, which may be absent,
 * comes back with the answers, from whoever sends it: seal it where that matters. In the
 * legacy era, ask by a request of one's own.
 *
 * Errors: STALE_HANDLE; UTF8; RULE, R92 for a method whose results cannot ask or a request of
 * the legacy era, R93 for neither questions nor state, R94 for a method that cannot be asked
 * for, R95 for one whose capability the request did not declare; PAYLOAD.
 */
wireline_status wireline_server_ask(wireline_server *server,
                                    wireline_handle handle,
                                    const wireline_questions *questions,
                                    wireline_slice state,
                                    wireline_send *send);

/**
 * Answers a request that needs capabilities which its client did not declare: -32021. Errors:
 * STALE_HANDLE, ARGUMENT.
 */
wireline_status wireline_server_fail_for_capability(wireline_server *server,
                                                    wireline_handle handle,
                                                    wireline_capabilities required,
                                                    wireline_send *send);

/**
 * Opens a subscription that a client has asked for with `subscriptions/listen`. What is
 * granted may be less than what was asked for; what our capabilities do not cover is left out
 * by itself. The handle stays good until the subscription ends.
 *
 * Errors: STALE_HANDLE; RULE, R130 if more is granted than was asked for, R129 if it is open
 * already or the request is another one; JSON.
 */
wireline_status wireline_server_accept(wireline_server *server,
                                       wireline_handle handle,
                                       const wireline_filter *filter,
                                       wireline_send *send);

/**
 * Tells of a change. Call it with the same `*cursor`, 0 at first, until `*more` is false;
 * each time it is true, `*send` is to be sent. There is one line for a session of the legacy
 * era, and one for each subscription of the modern era that covers a change of a list. RESOURCE
 * goes to no subscription, since URIs are not kept: tell those that named it, each with
 * `wireline_server_changed_for` (R131). `uri` is that of RESOURCE, else absent. Errors: ARGUMENT,
 * UTF8.
 */
wireline_status wireline_server_changed(wireline_server *server,
                                        wireline_change change,
                                        wireline_slice uri,
                                        size_t *cursor,
                                        wireline_send *send,
                                        bool *more);

/**
 * Tells one subscription of a change. That it named the URI of RESOURCE is for the program to
 * know: what is checked is that it named any. Errors: STALE_HANDLE; RULE, R131 if it does not cover
 * the change, R129 if it is not open; ARGUMENT, UTF8.
 */
wireline_status wireline_server_changed_for(wireline_server *server,
                                            wireline_handle handle,
                                            wireline_change change,
                                            wireline_slice uri,
                                            wireline_send *send);

/**
 * Ends a subscription from this side: two lines, its result, and a cancellation of its id.
 * Errors: STALE_HANDLE, also for a request that is no subscription.
 */
wireline_status wireline_server_end_subscription(wireline_server *server,
                                                 wireline_handle handle,
                                                 wireline_send *send);

/**
 * Sends a log message: for a request, or, with a handle of 0 and in the legacy era, for none.
 * Nothing is sent below the level that was asked for. `logger` may be absent; `data` is any
 * JSON value.
 *
 * Errors: RULE, R126 if logging was not declared; STALE_HANDLE; NOT_READY without a handle and
 * without a session of the legacy era; ARGUMENT; JSON, PAYLOAD.
 */
wireline_status wireline_server_log(wireline_server *server,
                                    wireline_handle handle,
                                    wireline_log_level level,
                                    wireline_slice logger,
                                    wireline_slice data,
                                    wireline_send *send);

/** Bytes of memory that tables need: what `WIRELINE_TABLE_WORDS` says of their counts. */
wireline_status wireline_toolkit_needed(const wireline_tables *tables, size_t *needed);

/**
 * Looks at tables, and puts them together in `memory`, which is aligned as `uint64_t` is and
 * has as many bytes as `wireline_toolkit_needed` says; NULL, if that is 0. On `WIRELINE_ERR_TABLE`, `*why`, which
 * may be NULL, gets which entry is wrong and why. Write `WIRELINE_SELF(toolkit)` for the
 * first three arguments.
 *
 * Wrong is: a name, URI or template that is none, or stands twice; a schema that does not
 * say `"type":"object"`, is no JSON, or uses a keyword that is not supported; further members
 * that repeat one that the entry has a field for; text that is not UTF-8.
 *
 * Errors: NULL, ALIGN, SIZE, VERSION, ARGUMENT; TOO_SMALL for the memory; TABLE, which has written
 * to the memory and leaves `toolkit` not initialised, whatever it was: a server that was made with
 * it has no entries from then on.
 */
wireline_status wireline_toolkit_init(wireline_toolkit *toolkit,
                                      size_t size,
                                      uint32_t version,
                                      const wireline_tables *tables,
                                      void *memory,
                                      size_t memory_size,
                                      wireline_table_error *why);

/**
 * As `wireline_toolkit_init`, for tables that it has taken before: on a chip, tables that a test on a
 * host has handed to it. Schemas, names, URIs and templates are not checked again, so what does that
 * is not linked: some 7 KB of flash. Write `WIRELINE_SELF(toolkit)` for the first three arguments.
 *
 * What remains is what keeps the server safe, and its lines JSON: pointers, lengths, numbers, UTF-8,
 * and that schemas and further members are objects of JSON. Where tables are wrong all the same: of
 * two entries of one name the first counts; a keyword that is not supported asks for nothing;
 * arguments more than 8 schemas deep are refused; a name, URI or template is listed as it is.
 *
 * Errors: as of `wireline_toolkit_init`, but that TABLE does not say why.
 */
wireline_status wireline_toolkit_init_trusted(wireline_toolkit *toolkit,
                                              size_t size,
                                              uint32_t version,
                                              const wireline_tables *tables,
                                              void *memory,
                                              size_t memory_size);

/**
 * What a server with these tables can do: `tools`, `resources` and `prompts`, if there are
 * any. Whatever else the program does is to be added: `listChanged`, `subscribe`,
 * `completions`, `logging`.
 */
wireline_status wireline_toolkit_capabilities(const wireline_toolkit *toolkit,
                                              wireline_capabilities *capabilities);

/** The version of the library, as `WIRELINE_VERSION_NUMBER` is that of the header. */
uint32_t wireline_version(void);

/** The version of the library as text. */
wireline_slice wireline_version_string(void);

/** No id, and no member for it. */
wireline_id wireline_id_none(void);

/** The id `null`, for an error whose request's id could not be read. */
wireline_id wireline_id_null(void);

/** An integer. */
wireline_id wireline_id_integer(int64_t value);

/** A string, given as plain text. */
wireline_id wireline_id_text(wireline_slice text);

/** Exactly the token that was received; no id, if the slice is absent. */
wireline_id wireline_id_received(wireline_slice token);

/**
 * Writes a message as a line, LF at its end. `*length` gets its bytes, or on TOO_SMALL how
 * many are needed; `out` may be NULL with a size of 0, to ask.
 *
 * Errors: TOO_SMALL; NULL, if a request or notification has no method; UTF8; JSON, if the
 * payload is none; ID, PAYLOAD, ARGUMENT.
 */
wireline_status wireline_write(const wireline_outgoing *message,
                               void *out,
                               size_t out_size,
                               size_t *length);

/**
 * Writes a request as a line: `wireline_write` with the members as arguments. `params` may
 * be absent.
 */
wireline_status wireline_write_request(wireline_id id,
                                       wireline_slice method,
                                       wireline_slice params,
                                       void *out,
                                       size_t out_size,
                                       size_t *length);

/** Writes a notification as a line. `params` may be absent. */
wireline_status wireline_write_notification(wireline_slice method,
                                            wireline_slice params,
                                            void *out,
                                            size_t out_size,
                                            size_t *length);

/** Writes the result of the request that had this id as a line. */
wireline_status wireline_write_result(wireline_id id,
                                      wireline_slice result,
                                      void *out,
                                      size_t out_size,
                                      size_t *length);

/**
 * Writes an error as a line, in answer to the request that had this id, or with none, or
 * with `null`. `data` may be absent.
 */
wireline_status wireline_write_error(wireline_id id,
                                     int64_t code,
                                     wireline_slice message,
                                     wireline_slice data,
                                     void *out,
                                     size_t out_size,
                                     size_t *length);

/**
 * Writes a received message as a line with ids replaced and all else as it came, but for
 * raw CR and LF between tokens: what a proxy needs. `*length` gets the line's bytes, or on
 * TOO_SMALL how many are needed.
 *
 * Errors: ITEM; TOO_SMALL; ID; NO_MEMBER, if the message has no such id.
 */
wireline_status wireline_write_renumbered(const wireline_item *item,
                                          const wireline_renumber *ids,
                                          void *out,
                                          size_t out_size,
                                          size_t *length);

/**
 * Writes a received message as a line with another id and all else as it came: see
 * `wireline_write_renumbered`.
 */
wireline_status wireline_write_with_id(const wireline_item *item,
                                       wireline_id id,
                                       void *out,
                                       size_t out_size,
                                       size_t *length);

/**
 * Begins a message, which must have no payload. Its slices stay in use until it is ended.
 * Nothing is written yet. Write `WIRELINE_SELF(writer)` for the first three arguments.
 *
 * Errors: ID; MISPLACED, if there is a payload; UTF8, ARGUMENT.
 */
wireline_status wireline_message_writer_init(wireline_message_writer *writer,
                                             size_t size,
                                             uint32_t version,
                                             const wireline_outgoing *message);

/**
 * Takes a piece of the payload's JSON text. `*used` gets the bytes of `input` used, and
 * `*written` those of `out` written.
 *
 * Errors: JSON; PAYLOAD, if the payload is not of the type that the message needs;
 * MISPLACED, while a string is open. The message can then only be aborted; what this call
 * put into `out` is not to be sent.
 */
wireline_status wireline_message_writer_body(wireline_message_writer *writer,
                                             const void *input,
                                             size_t length,
                                             size_t *used,
                                             void *out,
                                             size_t out_size,
                                             size_t *written);

/**
 * Takes a piece of the open string's text, in UTF-8, which may be cut anywhere.
 *
 * Errors: JSON, if it is not UTF-8; MISPLACED, unless such a string is open.
 */
wireline_status wireline_message_writer_text(wireline_message_writer *writer,
                                             const void *input,
                                             size_t length,
                                             size_t *used,
                                             void *out,
                                             size_t out_size,
                                             size_t *written);

/**
 * Takes a piece of the open string's bytes, to leave as base64 with padding.
 *
 * Errors: MISPLACED, unless such a string is open.
 */
wireline_status wireline_message_writer_base64(wireline_message_writer *writer,
                                               const void *input,
                                               size_t length,
                                               size_t *used,
                                               void *out,
                                               size_t out_size,
                                               size_t *written);

/**
 * Opens a string whose text comes with `wireline_message_writer_text`. Errors: JSON, if no
 * string may stand here; MISPLACED.
 */
wireline_status wireline_message_writer_begin_text(wireline_message_writer *writer);

/**
 * Opens a string whose bytes come with `wireline_message_writer_base64`. Errors: JSON, if
 * no string may stand here; MISPLACED.
 */
wireline_status wireline_message_writer_begin_base64(wireline_message_writer *writer);

/**
 * Closes the string that is open. Errors: JSON, if its text ended inside a UTF-8 sequence;
 * MISPLACED, if none is open.
 */
wireline_status wireline_message_writer_end_string(wireline_message_writer *writer);

/**
 * Ends the line. `*written` gets the bytes of `out` written; call it until that is 0.
 * Errors: JSON, if the payload is not complete; more of it may still be given.
 */
wireline_status wireline_message_writer_finish(wireline_message_writer *writer,
                                               void *out,
                                               size_t out_size,
                                               size_t *written);

/**
 * Gives the message up. What has left of it is ended with LF, so that the receiver rejects
 * it and reads the next line as it should; if nothing has left, nothing is written.
 * `*written` gets the bytes of `out` written; call it until that is 0.
 */
wireline_status wireline_message_writer_abort(wireline_message_writer *writer,
                                              void *out,
                                              size_t out_size,
                                              size_t *written);

/**
 * Begins to pass a message on. `progress_token`, unless it is of type `WIRELINE_ID_NONE`,
 * replaces `params._meta.progressToken`, if the message has it; its text stays in use until
 * the message is ended. Write `WIRELINE_SELF(forward)` for the first three arguments.
 * Errors: ID.
 */
wireline_status wireline_forward_init(wireline_forward *forward,
                                      size_t size,
                                      uint32_t version,
                                      wireline_id progress_token);

/**
 * Writes what is known when a body begins. `id` replaces the id, if that has come; of type
 * `WIRELINE_ID_NONE`, the id waits for the end. `*written` gets the bytes of `out` written;
 * call it until that is 0. Errors: ITEM, unless the item is a HEAD.
 */
wireline_status wireline_forward_head(wireline_forward *forward,
                                      const wireline_item *item,
                                      wireline_id id,
                                      void *out,
                                      size_t out_size,
                                      size_t *written);

/**
 * Passes a piece of a body on: `part` and `text` of a BODY item. `*used` gets the bytes of
 * it used, and `*written` those of `out` written; go on with the rest.
 */
wireline_status wireline_forward_body(wireline_forward *forward,
                                      wireline_part part,
                                      const void *bytes,
                                      size_t length,
                                      size_t *used,
                                      void *out,
                                      size_t out_size,
                                      size_t *written);

/**
 * Ends the message. `id` replaces the id, if the message has one that has not been
 * written; of type `WIRELINE_ID_NONE`, it stays as it is. `*written` gets the bytes of `out`
 * written; call it until that is 0. Errors: ITEM, unless the item is an END; ID.
 */
wireline_status wireline_forward_end(wireline_forward *forward,
                                     const wireline_item *item,
                                     wireline_id id,
                                     void *out,
                                     size_t out_size,
                                     size_t *written);

/**
 * Gives the message up, as on a FAULT: what has left of it is ended with LF. `*written`
 * gets the bytes of `out` written; call it until that is 0.
 */
wireline_status wireline_forward_give_up(wireline_forward *forward,
                                         void *out,
                                         size_t out_size,
                                         size_t *written);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/**
 * The length of an array of `uint64_t` that is memory enough for tables of so many
 * entries: tools, resources, templates, prompts, and arguments of all prompts together.
 *
 *     static uint64_t memory[WIRELINE_TABLE_WORDS(3, 1, 0, 0, 0)];
 */
#define WIRELINE_TABLE_WORDS(tools, resources, templates, prompts, arguments)                      \
    ((((tools) * WIRELINE_TOOL_WORDS + (resources) * WIRELINE_RESOURCE_WORDS +                     \
       (templates) * WIRELINE_TEMPLATE_WORDS + (prompts) * WIRELINE_PROMPT_WORDS +                 \
       (arguments) * WIRELINE_ARGUMENT_WORDS) *                                                    \
          sizeof(size_t) +                                                                         \
      sizeof(uint64_t) - 1) /                                                                      \
     sizeof(uint64_t))

#ifdef __cplusplus
extern "C" {
#endif

/** A slice of a text that ends with NUL, the NUL left off; absent, if the pointer is NULL. */
static inline wireline_slice wireline_slice_of(const char *text) {
    wireline_slice slice;
    slice.ptr = text;
    slice.len = 0;
    if (text != NULL) {
        while (text[slice.len] != '\0') {
            slice.len += 1;
        }
    }
    return slice;
}

/** Whether a string means this text, which ends with NUL: wireline_string_equals for conditions. */
static inline bool wireline_string_is(wireline_string string, const char *text) {
    bool equal = false;
    return wireline_string_equals(string, wireline_slice_of(text), &equal) == WIRELINE_OK && equal;
}

#ifdef __cplusplus
}
#endif

#endif /* WIRELINE_H */
