/* Runs the text vectors through the library, in every way in: see vectors/README.md. */
#include <dirent.h>

#include "harness.h"

typedef struct field {
    char key[40];
    buffer value;
} field;

/* An item as the vectors write it: a first line, and fields. */
typedef struct item {
    char head[96];
    bool is_message;
    size_t count;
    field fields[24];
} item;

typedef struct items {
    item *list;
    size_t count;
    size_t room;
} items;

typedef struct vector {
    char name[128];
    const char *file;
    wireline_limits limits;
    buffer input;
    items expected;
} vector;

static unsigned long vectors_run, runs;
/* Few cuts, for where each run takes long. */
static bool quick;

static void clear(items *list) {
    size_t i, j;
    for (i = 0; i < list->count; i++) {
        for (j = 0; j < list->list[i].count; j++) {
            free(list->list[i].fields[j].value.ptr);
        }
    }
    list->count = 0;
}

static item *add(items *list) {
    if (list->count == list->room) {
        list->room = list->room * 2 + 16;
        list->list = realloc(list->list, list->room * sizeof *list->list);
        if (list->list == NULL) {
            exit(2);
        }
    }
    memset(&list->list[list->count], 0, sizeof *list->list);
    return &list->list[list->count++];
}

static field *find(item *it, const char *key) {
    size_t i;
    for (i = 0; i < it->count; i++) {
        if (strcmp(it->fields[i].key, key) == 0) {
            return &it->fields[i];
        }
    }
    return NULL;
}

/* Fields are kept in the order of their keys. */
static void set(item *it, const char *key, const void *value, size_t len) {
    size_t at = it->count;
    field *place = find(it, key);
    if (place == NULL) {
        if (it->count == sizeof it->fields / sizeof *it->fields) {
            fprintf(stderr, "too many fields\n");
            exit(2);
        }
        while (at > 0 && strcmp(it->fields[at - 1].key, key) > 0) {
            it->fields[at] = it->fields[at - 1];
            at -= 1;
        }
        place = &it->fields[at];
        memset(place, 0, sizeof *place);
        snprintf(place->key, sizeof place->key, "%s", key);
        it->count += 1;
    }
    put(&place->value, value, len);
}

static void set_slice(item *it, const char *key, wireline_slice slice) {
    if (slice.ptr != NULL) {
        set(it, key, slice.ptr, slice.len);
    }
}

static void set_string(item *it, const char *key, wireline_string string) {
    if (string.ptr != NULL) {
        set(it, key, "\"", 1);
        set(it, key, string.ptr, string.len);
        set(it, key, "\"", 1);
    }
}

/* The decoded text of a string that holds escapes. */
static void set_text(item *it, const char *key, wireline_string string) {
    size_t length = 0;
    char *text;
    if (string.ptr == NULL || memchr(string.ptr, '\\', string.len) == NULL) {
        return;
    }
    text = malloc(string.len);
    CHECK_STATUS(wireline_string_unescape(string, text, 0, &length), WIRELINE_ERR_TOO_SMALL);
    CHECK(length <= string.len);
    CHECK_OK(wireline_string_unescape(string, text, length, &length));
    set(it, key, text, length);
    free(text);
}

static void set_words(item *it, const char *key, uint32_t flags, const uint32_t *bits,
                      const char *const *words, size_t count) {
    buffer text = {NULL, 0, 0};
    size_t i;
    for (i = 0; i < count; i++) {
        if ((flags & bits[i]) != 0) {
            if (text.len > 0) {
                put(&text, " ", 1);
            }
            put_text(&text, words[i]);
        }
    }
    if (text.len > 0) {
        set(it, key, text.ptr, text.len);
    }
    free(text.ptr);
}

static void set_batch(item *it, const wireline_item *got) {
    char text[32];
    int len;
    if ((got->flags & WIRELINE_FLAG_BATCH) != 0) {
        len = snprintf(text, sizeof text, "%lu%s", (unsigned long)got->batch_index,
                       (got->flags & WIRELINE_FLAG_BATCH_LAST) != 0 ? " last" : "");
        set(it, "batch", text, (size_t)len);
    }
}

static void render_fault(item *it, const wireline_item *got) {
    static const uint32_t bits[] = {WIRELINE_FLAG_HAS_JSONRPC, WIRELINE_FLAG_HAS_METHOD,
                                    WIRELINE_FLAG_HAS_RESULT, WIRELINE_FLAG_HAS_ERROR};
    static const char *const words[] = {"jsonrpc", "method", "result", "error"};
    wireline_fault_class class = wireline_fault_class_of(got->fault);
    char text[32];
    int len;
    snprintf(it->head, sizeof it->head, "fault %s at %llu of %llu", wireline_fault_name(got->fault),
             (unsigned long long)got->offset, (unsigned long long)got->length);
    CHECK(got->kind == WIRELINE_KIND_NONE);
    CHECK(got->text.len <= 48);
    if (got->id.ptr != NULL) {
        CHECK(got->id_hint.ptr == got->id.ptr && got->id_hint.len == got->id.len);
        set_slice(it, "id", got->id);
    } else {
        set_slice(it, "hint", got->id_hint);
    }
    set_string(it, "method", got->method);
    if (class == WIRELINE_CLASS_LIMIT || class == WIRELINE_CLASS_ENVELOPE) {
        set_words(it, "shape", got->flags, bits, words, 4);
    }
    if (got->limit != 0) {
        len = snprintf(text, sizeof text, "%llu", (unsigned long long)got->limit);
        set(it, "limit", text, (size_t)len);
    }
    set_batch(it, got);
}

static void render_message(item *it, const wireline_item *got) {
    static const uint32_t bits[] = {WIRELINE_FLAG_BOM, WIRELINE_FLAG_NULL_PARAMS};
    static const char *const words[] = {"bom", "null-params"};
    wireline_meta meta;
    wireline_error error;
    wireline_string string;
    it->is_message = true;
    snprintf(it->head, sizeof it->head, "message %s", wireline_kind_name(got->kind));
    CHECK(got->fault == WIRELINE_FAULT_NONE);
    set_slice(it, "id", got->id);
    if (got->id.ptr != NULL && got->id.ptr[0] == '"') {
        CHECK_OK(wireline_json_string(got->id, &string));
        set_text(it, "id-text", string);
    }
    set_string(it, "method", got->method);
    set_text(it, "method-text", got->method);
    set_slice(it, "params", got->params);
    set_slice(it, "result", got->result);
    error.size = sizeof error;
    if (got->kind == WIRELINE_KIND_ERROR) {
        CHECK_OK(wireline_item_error(got, &error));
        set_slice(it, "error.code", error.code_text);
        set_string(it, "error.message", error.message);
        set_slice(it, "error.data", error.data);
    } else {
        CHECK_STATUS(wireline_item_error(got, &error), WIRELINE_ERR_ITEM);
    }
    meta.size = sizeof meta;
    CHECK_OK(wireline_item_meta(got, &meta));
    set_slice(it, "meta.progress-token", meta.progress_token);
    set_slice(it, "meta.request-id", meta.request_id);
    set_slice(it, "meta.subscription-id", meta.subscription_id);
    set_slice(it, "meta.progress", meta.progress);
    set_slice(it, "meta.client-capabilities", meta.client_capabilities);
    set_slice(it, "meta.supported", meta.supported);
    set_string(it, "meta.protocol-version", meta.protocol_version);
    set_string(it, "meta.log-level", meta.log_level);
    set_string(it, "meta.result-type", meta.result_type);
    set_words(it, "flags", got->flags, bits, words, 2);
    set_batch(it, got);
}

static void render(items *list, const wireline_item *got) {
    item *it = add(list);
    if (got->type == WIRELINE_ITEM_MESSAGE) {
        render_message(it, got);
    } else {
        CHECK(got->type == WIRELINE_ITEM_FAULT);
        render_fault(it, got);
    }
}

/* What of an item a stream decoder tells, too. */
static bool is_streamed(const char *key) {
    return strcmp(key, "id") == 0 || strcmp(key, "method") == 0 ||
           strcmp(key, "meta.progress-token") == 0 || strcmp(key, "meta.request-id") == 0;
}

static bool same_items(const item *want, const item *got, bool streamed) {
    size_t i = 0, j = 0;
    if (strcmp(want->head, got->head) != 0) {
        return false;
    }
    while (i < want->count || j < got->count) {
        if (streamed && want->is_message && i < want->count && !is_streamed(want->fields[i].key)) {
            i += 1;
            continue;
        }
        if (i == want->count || j == got->count ||
            strcmp(want->fields[i].key, got->fields[j].key) != 0 ||
            want->fields[i].value.len != got->fields[j].value.len ||
            memcmp(want->fields[i].value.ptr, got->fields[j].value.ptr, got->fields[j].value.len) != 0) {
            return false;
        }
        i += 1;
        j += 1;
    }
    return true;
}

static void show(const char *what, const items *list) {
    size_t i, j;
    fprintf(stderr, "--- %s\n", what);
    for (i = 0; i < list->count; i++) {
        fprintf(stderr, "%s\n", list->list[i].head);
        for (j = 0; j < list->list[i].count; j++) {
            fprintf(stderr, "  %s: %.200s\n", list->list[i].fields[j].key, list->list[i].fields[j].value.ptr);
        }
    }
}

static void compare(const vector *v, const char *way, items *got, bool streamed) {
    static int shown;
    bool good = got->count == v->expected.count;
    size_t i;
    for (i = 0; good && i < got->count; i++) {
        good = same_items(&v->expected.list[i], &got->list[i], streamed);
    }
    runs += 1;
    check(good, v->file, 0, "%s, %s", v->name, way);
    if (!good && shown < 3) {
        shown += 1;
        show("expected", &v->expected);
        show("got", got);
    }
    clear(got);
}

/* Where a stream is cut into pieces: all in one, in pieces of one length, in two, at random. */
typedef struct cutting {
    size_t piece;
    size_t first;
    uint64_t random;
} cutting;

static size_t next_piece(cutting *cut, size_t at, size_t len) {
    size_t left = len - at, piece = left;
    if (cut->random != 0) {
        cut->random ^= cut->random >> 12;
        cut->random ^= cut->random << 25;
        cut->random ^= cut->random >> 27;
        piece = (size_t)((cut->random * 0x2545f4914f6cdd1dULL) >> 33) % (len < 200 ? 8 : len / 20);
    } else if (cut->first > at) {
        piece = cut->first - at;
    } else if (cut->piece != 0) {
        piece = cut->piece;
    }
    return piece < left ? piece : left;
}

static char *memory;
static size_t memory_room;

/* A buffer that lowers none of a vector's ceilings. */
static size_t roomy(const vector *v, const buffer *input) {
    size_t longest = 0, line = 0, i, tokens;
    for (i = 0; i < input->len; i++) {
        line = input->ptr[i] == '\n' ? 0 : line + 1;
        longest = line > longest ? line : longest;
    }
    if (longest > v->limits.message) {
        longest = v->limits.message;
    }
    tokens = 4 * (size_t)(v->limits.id > v->limits.method ? v->limits.id : v->limits.method);
    if (longest < tokens) {
        longest = tokens;
    }
    longest += 8;
    if (longest > memory_room) {
        memory_room = longest;
        memory = realloc(memory, longest);
        if (memory == NULL) {
            exit(2);
        }
    }
    return longest;
}

static void drain(wireline_decoder *decoder, items *got) {
    wireline_item it;
    it.size = sizeof it;
    for (;;) {
        CHECK_OK(wireline_decoder_next(decoder, &it));
        if (it.type == WIRELINE_ITEM_NONE) {
            return;
        }
        render(got, &it);
    }
}

static void finish(wireline_decoder *decoder, items *got) {
    wireline_item it;
    it.size = sizeof it;
    for (;;) {
        CHECK_OK(wireline_decoder_finish(decoder, &it));
        if (it.type == WIRELINE_ITEM_NONE) {
            return;
        }
        render(got, &it);
    }
}

static void over_chunks(const vector *v, const buffer *input, cutting cut, const char *way) {
    static items got;
    wireline_decoder decoder;
    wireline_item it;
    size_t at = 0, used, end;
    const size_t room = roomy(v, input);
    CHECK_OK(wireline_decoder_init(WIRELINE_SELF(&decoder), memory, room, &v->limits));
    it.size = sizeof it;
    while (at < input->len) {
        end = at + next_piece(&cut, at, input->len);
        for (;;) {
            CHECK_OK(wireline_decoder_next_in(&decoder, input->ptr + at, end - at, &used, &it));
            at += used;
            if (it.type == WIRELINE_ITEM_NONE) {
                break;
            }
            render(&got, &it);
        }
        CHECK(at == end);
        at = end;
    }
    finish(&decoder, &got);
    compare(v, way, &got, false);
}

static void in_place(const vector *v, const buffer *input, cutting cut, const char *way) {
    static items got;
    wireline_decoder decoder;
    wireline_span spare;
    size_t at = 0, end, count;
    const size_t room = roomy(v, input);
    CHECK_OK(wireline_decoder_init(WIRELINE_SELF(&decoder), memory, room, &v->limits));
    while (at < input->len) {
        end = at + next_piece(&cut, at, input->len);
        while (at < end) {
            CHECK_OK(wireline_decoder_spare(&decoder, &spare));
            CHECK(spare.len > 0);
            count = end - at < spare.len ? end - at : spare.len;
            memcpy(spare.ptr, input->ptr + at, count);
            CHECK_OK(wireline_decoder_commit(&decoder, count));
            at += count;
            drain(&decoder, &got);
        }
    }
    finish(&decoder, &got);
    compare(v, way, &got, false);
}

static void take_streamed(const vector *v, items *got, buffer bodies[4], const wireline_item *it) {
    wireline_meta meta;
    item *rendered;
    field *want;
    const item *expected;
    static const char *const names[] = {"", "params", "result", "error"};
    int i;
    switch (it->type) {
    case WIRELINE_ITEM_HEAD:
        return;
    case WIRELINE_ITEM_BODY:
        put(&bodies[it->part], it->text.ptr, it->text.len);
        return;
    case WIRELINE_ITEM_END:
        rendered = add(got);
        rendered->is_message = true;
        snprintf(rendered->head, sizeof rendered->head, "message %s", wireline_kind_name(it->kind));
        set_slice(rendered, "id", it->id);
        set_string(rendered, "method", it->method);
        meta.size = sizeof meta;
        CHECK_OK(wireline_item_meta(it, &meta));
        set_slice(rendered, "meta.progress-token", meta.progress_token);
        set_slice(rendered, "meta.request-id", meta.request_id);
        /* The pieces of a body join to the value. */
        if (got->count <= v->expected.count) {
            expected = &v->expected.list[got->count - 1];
            for (i = 1; i <= 2; i++) {
                want = find((item *)(uintptr_t)expected, names[i]);
                if (want != NULL) {
                    check(want->value.len == bodies[i].len &&
                              memcmp(want->value.ptr, bodies[i].ptr, bodies[i].len) == 0,
                          v->file, 0, "%s: %s in pieces", v->name, names[i]);
                }
            }
        }
        break;
    default:
        render(got, it);
        break;
    }
    for (i = 0; i < 4; i++) {
        bodies[i].len = 0;
    }
}

static void streamed(const vector *v, const buffer *input, cutting cut, const char *way) {
    static items got;
    static char head[4096];
    static buffer bodies[4];
    wireline_stream stream;
    wireline_item it;
    size_t at = 0, used, end;
    int i;
    CHECK_OK(wireline_stream_init(WIRELINE_SELF(&stream), head, sizeof head, &v->limits));
    it.size = sizeof it;
    for (i = 0; i < 4; i++) {
        bodies[i].len = 0;
    }
    while (at < input->len) {
        end = at + next_piece(&cut, at, input->len);
        for (;;) {
            CHECK_OK(wireline_stream_step(&stream, input->ptr + at, end - at, &used, &it));
            at += used;
            if (it.type == WIRELINE_ITEM_NONE) {
                break;
            }
            take_streamed(v, &got, bodies, &it);
        }
        CHECK(at == end);
        at = end;
    }
    CHECK_OK(wireline_stream_finish(&stream, &it));
    if (it.type != WIRELINE_ITEM_NONE) {
        take_streamed(v, &got, bodies, &it);
    }
    compare(v, way, &got, true);
}

typedef void (*way_in)(const vector *, const buffer *, cutting, const char *);

static void each_cutting(const vector *v, const buffer *input, way_in run, const char *way) {
    char name[96];
    cutting cut = {0, 0, 0};
    size_t i, few;
    snprintf(name, sizeof name, "%s, whole", way);
    run(v, input, cut, name);
    cut.piece = input->len <= 65536 ? 1 : 4096;
    snprintf(name, sizeof name, "%s, in pieces of %zu", way, cut.piece);
    run(v, input, cut, name);
    cut.piece = 0;
    few = quick ? 4 : input->len <= 2048 ? input->len : input->len <= (1u << 20) ? 32 : 2;
    for (i = 1; i < few; i++) {
        cut.first = few == input->len ? i : input->len / few * i + i % 2;
        snprintf(name, sizeof name, "%s, cut at %zu", way, cut.first);
        run(v, input, cut, name);
    }
    cut.first = 0;
    for (i = 1; i <= (input->len <= (1u << 20) ? 4u : 1u); i++) {
        cut.random = i * 0x9e3779b97f4a7c15ULL;
        snprintf(name, sizeof name, "%s, random cuts %zu", way, i);
        run(v, input, cut, name);
    }
}

/* Lines by themselves, as far as they are what they are in the stream. */
static void parsed(const vector *v) {
    static items got;
    wireline_item it;
    vector one = *v;
    size_t at = 0, end, len, count = 0;
    const char *text = v->input.ptr;
    it.size = sizeof it;
    if (v->limits.batches != 0) {
        return;
    }
    while (at < v->input.len && count < v->expected.count) {
        const char *lf = memchr(text + at, '\n', v->input.len - at);
        bool blank = true;
        size_t i;
        end = lf == NULL ? v->input.len : (size_t)(lf - text);
        if (at == 0 && v->input.len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
            return;
        }
        len = end - at - (end > at && text[end - 1] == '\r' ? 1 : 0);
        for (i = 0; i < len; i++) {
            blank = blank && strchr(" \t\r", text[at + i]) != NULL && text[at + i] != '\0';
        }
        if (!blank) {
            one.expected.list = &v->expected.list[count++];
            one.expected.count = 1;
            if (strncmp(one.expected.list->head, "fault truncated", 15) == 0 ||
                strncmp(one.expected.list->head, "fault runaway", 13) == 0) {
                return;
            }
            CHECK_OK(wireline_parse(text + at, len, &v->limits, &it));
            render(&got, &it);
            compare(&one, "parse", &got, false);
        }
        at = end + 1;
    }
}

static void run_vector(vector *v) {
    buffer crlf = {NULL, 0, 0};
    size_t i;
    for (i = 0; i < v->input.len; i++) {
        if (v->input.ptr[i] == '\n' && (i == 0 || v->input.ptr[i - 1] != '\r')) {
            put(&crlf, "\r", 1);
        }
        put(&crlf, v->input.ptr + i, 1);
    }
    put(&crlf, "", 0);
    put(&v->input, "", 0);
    each_cutting(v, &v->input, over_chunks, "next_in");
    each_cutting(v, &v->input, in_place, "in place");
    each_cutting(v, &crlf, over_chunks, "next_in, CRLF");
    each_cutting(v, &crlf, in_place, "in place, CRLF");
    if (v->limits.batches == 0) {
        each_cutting(v, &v->input, streamed, "stream");
        each_cutting(v, &crlf, streamed, "stream, CRLF");
    }
    parsed(v);
    free(crlf.ptr);
    vectors_run += 1;
}

static void bad(const char *file, const char *line) {
    fprintf(stderr, "%s: not a line of a vector: %.80s\n", file, line);
    exit(2);
}

static unsigned digit(char c) {
    return c <= '9' ? (unsigned)(c - '0') : ((unsigned)c & 15u) + 9u;
}

static void put_code_point(buffer *out, unsigned long code) {
    unsigned char utf8[4];
    size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    size_t i;
    for (i = len; i-- > 1;) {
        utf8[i] = (unsigned char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    utf8[0] = (unsigned char)(len == 1 ? code : ((0xf00u >> len) & 0xffu) | code);
    put(out, utf8, len);
}

static buffer unquote(const char *file, const char *text) {
    buffer out = {NULL, 0, 0};
    const char *end = strrchr(text, '\'');
    if (text[0] != '\'' || end == text) {
        bad(file, text);
    }
    for (text += 1; text < end; text += 1) {
        if (*text != '\\') {
            put(&out, text, 1);
            continue;
        }
        text += 1;
        switch (*text) {
        case 'n': put(&out, "\n", 1); break;
        case 'r': put(&out, "\r", 1); break;
        case 't': put(&out, "\t", 1); break;
        case '\\': put(&out, "\\", 1); break;
        case 'x': {
            char byte = (char)(digit(text[1]) * 16 + digit(text[2]));
            put(&out, &byte, 1);
            text += 2;
            break;
        }
        case 'u': {
            unsigned long code = 0;
            for (text += 2; *text != '}'; text += 1) {
                code = code * 16 + digit(*text);
            }
            put_code_point(&out, code);
            break;
        }
        default: bad(file, text);
        }
    }
    put(&out, "", 0);
    return out;
}

/* Splits `key*count: text` or `key*count= 'text'`. */
static buffer split(const char *file, char *line, const char **key) {
    buffer text = {NULL, 0, 0}, once;
    char *sign = line + strcspn(line, ":=");
    char *star;
    unsigned long count = 1;
    bool quoted = *sign == '=';
    if (*sign == '\0') {
        bad(file, line);
    }
    *sign = '\0';
    *key = line;
    star = strchr(line, '*');
    if (star != NULL) {
        *star = '\0';
        count = strtoul(star + 1, NULL, 10);
    }
    sign += 1;
    if (*sign == ' ') {
        sign += 1;
    }
    if (quoted) {
        once = unquote(file, sign);
    } else {
        once.ptr = sign;
        once.len = strlen(sign);
    }
    while (count-- > 0) {
        put(&text, once.ptr, once.len);
    }
    put(&text, "", 0);
    if (quoted) {
        free(once.ptr);
    }
    return text;
}

static void setting(const char *file, vector *v, const char *key, const char *value) {
    unsigned long number = strtoul(value, NULL, 10);
    if (strcmp(key, "doc") == 0) {
    } else if (strcmp(key, "limit-message") == 0) {
        v->limits.message = (uint32_t)number;
    } else if (strcmp(key, "limit-depth") == 0) {
        v->limits.depth = (uint8_t)number;
    } else if (strcmp(key, "limit-id") == 0) {
        v->limits.id = (uint16_t)number;
    } else if (strcmp(key, "limit-method") == 0) {
        v->limits.method = (uint16_t)number;
    } else if (strcmp(key, "limit-discard") == 0) {
        v->limits.max_discard = (uint32_t)number;
    } else if (strcmp(key, "profile") == 0) {
        v->limits.profile = strcmp(value, "mcp") == 0 ? WIRELINE_PROFILE_MCP : WIRELINE_PROFILE_JSON_RPC;
    } else if (strcmp(key, "batches") == 0) {
        v->limits.batches = strcmp(value, "on") == 0;
    } else if (strcmp(key, "eof") == 0) {
        v->limits.eof_completes_line = strcmp(value, "completes-line") == 0;
    } else {
        bad(file, key);
    }
}

static void begin(vector *v, const char *file, const char *name) {
    free(v->input.ptr);
    clear(&v->expected);
    v->input = (buffer){NULL, 0, 0};
    v->file = file;
    snprintf(v->name, sizeof v->name, "%s", name);
    CHECK_OK(wireline_limits_host(&v->limits, sizeof v->limits));
}

static void run_file(const char *path) {
    static vector v;
    buffer file = read_file(path);
    char *line, *next;
    bool open = false;
    for (line = file.ptr; line < file.ptr + file.len; line = next) {
        const char *key;
        buffer text;
        next = strchr(line, '\n');
        if (next == NULL) {
            bad(path, line);
        }
        *next++ = '\0';
        if (line[0] == '\0' || line[0] == '#') {
            continue;
        }
        if (strncmp(line, "== ", 3) == 0) {
            if (open) {
                run_vector(&v);
            }
            begin(&v, path, line + 3);
            open = true;
        } else if (strncmp(line, "message ", 8) == 0 || strncmp(line, "fault ", 6) == 0) {
            item *it = add(&v.expected);
            snprintf(it->head, sizeof it->head, "%s", line);
            it->is_message = line[0] == 'm';
        } else if (strncmp(line, "  ", 2) == 0) {
            text = split(path, line + 2, &key);
            if (v.expected.count == 0) {
                bad(path, line);
            }
            set(&v.expected.list[v.expected.count - 1], key, text.ptr, text.len);
            free(text.ptr);
        } else {
            text = split(path, line, &key);
            if (strcmp(key, "in") == 0 || strcmp(key, "line") == 0) {
                put(&v.input, text.ptr, text.len);
                if (key[0] == 'l') {
                    put(&v.input, "\n", 1);
                }
            } else {
                setting(path, &v, key, text.ptr);
            }
            free(text.ptr);
        }
    }
    if (open) {
        run_vector(&v);
    }
    begin(&v, path, "");
    free(file.ptr);
}

void test_vectors(const char *directory, bool few_cuts) {
    struct dirent *entry;
    DIR *dir = opendir(directory);
    unsigned files = 0;
    quick = few_cuts;
    if (dir == NULL) {
        fprintf(stderr, "cannot read %s\n", directory);
        exit(2);
    }
    while ((entry = readdir(dir)) != NULL) {
        size_t len = strlen(entry->d_name);
        char path[1024];
        if (len > 4 && strcmp(entry->d_name + len - 4, ".txt") == 0) {
            snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
            run_file(path);
            files += 1;
        }
    }
    closedir(dir);
    free(memory);
    CHECK(vectors_run > 100);
    printf("%lu vectors of %u files, %lu runs\n", vectors_run, files, runs);
}
