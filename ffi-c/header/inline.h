
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
