#include "trace_program.h"

#include <string.h>

static void put_pair(hd_trace_bytes *to, const char *name, const char *value, size_t length) {
    hd_trace_put_string(to, name, strlen(name));
    hd_trace_put_string(to, value, length);
}

/* *at counts what is done: the head with notes and suppressions, and then the next operations. */
bool hd_trace_program_put(hd_trace_bytes *to, const char *build, const hd_trace_end *end,
                          size_t *at) {
    enum { ENOUGH = 1 << 20 };
    hd_vec_char text = {0};
    size_t before = to->length, all = end->how ? end->next.length : 0;
    if (*at == 0 && *build)
        put_pair(to, "build", build, strlen(build));
    if (*at == 0 && end->how) {
        hd_trace_end_print(end, &text);
        put_pair(to, "ended", text.data, text.length);
        if (end->told_orders)
            put_pair(to, "annotations", "orders", strlen("orders"));
    }
    for (size_t i = 0; *at == 0 && end->how && i < end->notes.length; i++) {
        hd_vec_clear(&text);
        hd_trace_end_print_note(&end->notes.data[i], &text);
        put_pair(to, "note", text.data, text.length);
    }
    for (size_t i = 0; *at == 0 && end->how && i < end->suppressions.length; i++)
        put_pair(to, "suppression", end->suppressions.data[i], strlen(end->suppressions.data[i]));
    for (size_t i = 0; *at == 0 && end->how && i < end->inputs.length; i++)
        put_pair(to, "input", end->inputs.data[i], strlen(end->inputs.data[i]));
    for (size_t i = 0; *at == 0 && end->how && i < end->unseen.length; i++) {
        hd_vec_clear(&text);
        hd_trace_end_print_unseen(&end->unseen.data[i], &text);
        put_pair(to, "unseen", text.data, text.length);
    }
    for (*at += *at == 0; *at - 1 < all && to->length - before < ENOUGH; ++*at) {
        hd_vec_clear(&text);
        hd_trace_end_print_next(&end->next.data[*at - 1], &text);
        put_pair(to, "next", text.data, text.length);
    }
    hd_vec_release(&text);
    return to->length > before;
}

static bool is_named(const hd_trace_pair *pair, const char *name) {
    return pair->name_size == strlen(name) && memcmp(pair->name, name, pair->name_size) == 0;
}

bool hd_trace_program_take(const hd_trace_pair *pair, char build[HD_TRACE_BUILD],
                           hd_trace_end *end) {
    if (is_named(pair, "build") && pair->size < HD_TRACE_BUILD) {
        memcpy(build, pair->value, pair->size);
        build[pair->size] = '\0';
    }
    if (is_named(pair, "ended"))
        return hd_trace_end_parse(end, pair->value, pair->size);
    if (is_named(pair, "annotations"))
        end->told_orders |=
            pair->size == strlen("orders") && memcmp(pair->value, "orders", pair->size) == 0;
    if (is_named(pair, "next"))
        return hd_trace_end_parse_next(end, pair->value, pair->size);
    if (is_named(pair, "note"))
        return hd_trace_end_parse_note(end, pair->value, pair->size);
    if (is_named(pair, "suppression"))
        return hd_trace_end_suppress(end, pair->value, pair->size);
    if (is_named(pair, "input"))
        return hd_trace_end_input(end, pair->value, pair->size);
    if (is_named(pair, "unseen"))
        return hd_trace_end_unseen(end, pair->value, pair->size);
    return true;
}
