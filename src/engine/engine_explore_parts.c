/*
 * Where two outcomes part.
 */
#include "engine_explore_parts.h"

#include <string.h>
#include <sys/wait.h>

/* ---- Lines ---- */

typedef struct line {
    const char *text;
    size_t length;
} line;

/* The next one; false at the end. */
static bool next_line(const char **at, const char *end, line *it) {
    if (*at >= end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    it->text = *at;
    it->length = (size_t)((stop ? stop : end) - *at);
    *at = stop ? stop + 1 : end;
    return true;
}

static bool same_line(const line *a, const line *b) {
    return a->length == b->length && (!a->length || memcmp(a->text, b->text, a->length) == 0);
}

/* Quoted, as much as fits; or that there is none. */
static void put_line(bool there, const line *it, hd_vec_char *to) {
    enum { MOST = 60 };
    char shown[4 * MOST + 1];
    if (!there) {
        hd_text_append(to, "nothing");
        return;
    }
    hd_text_printable(shown, sizeof shown, it->text, it->length < MOST ? it->length : MOST);
    hd_text_append(to, "'%s%s'", shown, it->length > MOST ? "..." : "");
}

/* ---- Where they part ---- */

/* In two texts; false if they do not. */
static bool part_texts(const char *what, const char *a, size_t a_length, const char *b,
                       size_t b_length, hd_vec_char *to) {
    const char *a_end = a + a_length, *b_end = b + b_length;
    line one = {0}, other = {0};
    for (size_t number = 1;; number++) {
        bool first = next_line(&a, a_end, &one), second = next_line(&b, b_end, &other);
        if (!first && !second)
            return false;
        if (first == second && same_line(&one, &other))
            continue;
        hd_text_append(to, "%s %zu: ", what, number);
        put_line(first, &one, to);
        hd_text_append(to, ", or ");
        put_line(second, &other, to);
        return true;
    }
}

static void put_end(const hd_engine_outcome *outcome, hd_vec_char *to) {
    int status = outcome->end.status;
    if (outcome->stuck)
        hd_text_append(to, "threads wait for ever");
    else if (WIFSIGNALED(status))
        hd_text_append(to, "signal %d", WTERMSIG(status));
    else
        hd_text_append(to, "exit status %d", WEXITSTATUS(status));
}

/* A run that is killed, or never ends, lacks the output that was still in a buffer. */
static bool ends_by_itself(const hd_engine_outcome *outcome) {
    return !outcome->stuck && !WIFSIGNALED(outcome->end.status);
}

static bool part_what_is_said(const hd_native_outcome *one, const hd_native_outcome *other,
                              hd_vec_char *to) {
    if (part_texts("line", one->output, one->shown, other->output, other->shown, to))
        return true;
    if (one->wrote > one->shown || other->wrote > other->shown)
        hd_text_append(to, "the output after its first %zu bytes", one->shown);
    else if (!part_texts("mark", one->marks, one->marked, other->marks, other->marked, to))
        return false;
    return true;
}

void hd_engine_outcomes_part(const hd_engine_outcome *a, const hd_engine_outcome *b,
                             hd_vec_char *to) {
    if (ends_by_itself(a) == ends_by_itself(b) && part_what_is_said(&a->end, &b->end, to))
        return;
    hd_text_append(to, "the end: ");
    put_end(a, to);
    hd_text_append(to, ", or ");
    put_end(b, to);
}

/* ---- Inputs ---- */

static size_t thread_of(const line *it) {
    const char *space = memchr(it->text, ' ', it->length);
    return space ? (size_t)(space - it->text) : it->length;
}

/* Which of the two threads comes first, by name; 0: it is the same. */
static int compare_threads(const line *a, const line *b) {
    size_t one = thread_of(a), other = thread_of(b);
    int less = strncmp(a->text, b->text, one < other ? one : other);
    return less ? less : (one > other) - (one < other);
}

bool hd_engine_inputs_agree(const char *a, const char *b) {
    const char *a_end = a + strlen(a), *b_end = b + strlen(b);
    line one, other;
    bool first = next_line(&a, a_end, &one), second = next_line(&b, b_end, &other);
    while (first && second) {
        int order = compare_threads(&one, &other);
        if (!order && !same_line(&one, &other))
            return false;
        if (order <= 0)
            first = next_line(&a, a_end, &one);
        if (order >= 0)
            second = next_line(&b, b_end, &other);
    }
    return true;
}

/* ---- One of them ---- */

void hd_engine_explore_end(const hd_engine_outcome *outcome, hd_vec_char *to) {
    if (outcome->stuck)
        hd_text_append(to, "threads wait for ever");
    hd_native_outcome end = outcome->end;
    if (!outcome->stuck) {
        hd_engine_outcome_text(&end, to);
        return;
    }
    hd_vec_char text = {0};
    hd_engine_outcome_text(&end, &text);
    const char *output = strchr(text.data, ',');
    if (output)
        hd_text_append(to, "%s", output);
    hd_vec_release(&text);
}
