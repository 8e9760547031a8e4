#include "trace_program.h"

#include <string.h>

static void put_pair(hd_trace_bytes *to, const char *name, const char *value, size_t length) {
    hd_trace_put_string(to, name, strlen(name));
    hd_trace_put_string(to, value, length);
}

/* The i-th of what comes after the head, as one pair; false if there is none. */
static bool put_item(hd_trace_bytes *to, const hd_trace_end *end, size_t i, hd_vec_char *text) {
    const char *name = NULL;
    hd_vec_clear(text);
    if (i < end->doubts.length) {
        name = "doubt";
        hd_trace_end_print_doubt(&end->doubts.data[i], text);
    } else if (!end->how) {
        return false;
    } else if ((i -= end->doubts.length) < end->notes.length) {
        name = "note";
        hd_trace_end_print_note(&end->notes.data[i], text);
    } else if ((i -= end->notes.length) < end->suppressions.length) {
        name = "suppression";
        hd_text_append_text(text, end->suppressions.data[i]);
    } else if ((i -= end->suppressions.length) < end->inputs.length) {
        name = "input";
        hd_text_append_text(text, end->inputs.data[i]);
    } else if ((i -= end->inputs.length) < end->unseen.length) {
        name = "unseen";
        hd_trace_end_print_unseen(&end->unseen.data[i], text);
    } else if ((i -= end->unseen.length) < end->next.length) {
        name = "next";
        hd_trace_end_print_next(&end->next.data[i], text);
    } else
        return false;
    put_pair(to, name, text->data, text->length);
    return true;
}

/* *at counts what is done: the head, and then each thing. */
bool hd_trace_program_put(hd_trace_bytes *to, const char *build, const hd_trace_end *end,
                          size_t *at) {
    enum { ENOUGH = 1 << 20 };
    hd_vec_char text = {0};
    size_t before = to->length;
    if (*at == 0 && *build)
        put_pair(to, "build", build, strlen(build));
    if (*at == 0 && end->how) {
        hd_trace_end_print(end, &text);
        put_pair(to, "ended", text.data, text.length);
        if (end->told_orders)
            put_pair(to, "annotations", "orders", strlen("orders"));
    }
    *at += *at == 0;
    while (to->length - before < ENOUGH && put_item(to, end, *at - 1, &text))
        ++*at;
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
    if (is_named(pair, "doubt"))
        return hd_trace_end_doubt(end, pair->value, pair->size);
    return true;
}
