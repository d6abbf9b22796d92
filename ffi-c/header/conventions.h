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
#define WIRELINE_VERSION_STRING "@VERSION@"

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
