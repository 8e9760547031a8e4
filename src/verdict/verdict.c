/*
 * A verdict: building, accepting, judging.  The forms it is shown in are in verdict_forms.c.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict.h"

#define BASIS(code, about) {code, about},
#define REASON(code, about)
static const hd_verdict_code bases[] = {
#include "verdict.def"
    {NULL, NULL}};
#undef BASIS
#undef REASON

#define BASIS(code, about)
#define REASON(code, about) {code, about},
static const hd_verdict_code reasons[] = {
#include "verdict.def"
    {NULL, NULL}};
#undef BASIS
#undef REASON

const hd_verdict_code *hd_verdict_codes(void) {
    return bases;
}

const hd_verdict_code *hd_verdict_reasons(void) {
    return reasons;
}

static const char *known(const hd_verdict_code *table, const char *name, size_t length) {
    for (; table->name; table++)
        if (strlen(table->name) == length && strncmp(table->name, name, length) == 0)
            return table->name;
    return NULL;
}

static char *own(const char *text) {
    return text ? hd_mem_string(text, strlen(text)) : NULL;
}

static char *format_text(const char *format, va_list words) {
    char *text = NULL;
    return vasprintf(&text, format, words) < 0 ? own(format) : text;
}

/* ---- Building ---- */

void hd_verdict_init(hd_verdict *verdict, const char *asked) {
    *verdict = (hd_verdict){.asked = own(asked)};
}

static void free_basis(hd_verdict_basis *basis) {
    for (size_t i = 0; i < basis->names.length; i++)
        free(basis->names.data[i]);
    hd_vec_release(&basis->names);
    for (size_t i = 0; i < basis->figures.length; i++)
        free(basis->figures.data[i].name);
    hd_vec_release(&basis->figures);
    free(basis->what);
    free(basis->text);
    free(basis);
}

void hd_verdict_release(hd_verdict *verdict) {
    for (size_t i = 0; i < verdict->why_not.length; i++)
        free(verdict->why_not.data[i].text);
    hd_vec_release(&verdict->why_not);
    for (size_t i = 0; i < verdict->rests_on.length; i++)
        free_basis(verdict->rests_on.data[i]);
    hd_vec_release(&verdict->rests_on);
    hd_vec_release(&verdict->notes);
    hd_arena_release(&verdict->text);
    free(verdict->asked);
    verdict->asked = NULL;
}

static void add_reason(hd_verdict *verdict, const char *code, char *text) {
    code = known(reasons, code, strlen(code));
    assert(code);
    for (size_t i = 0; i < verdict->why_not.length; i++)
        if (verdict->why_not.data[i].code == code &&
            strcmp(verdict->why_not.data[i].text, text) == 0) {
            free(text);
            return;
        }
    hd_vec_push(&verdict->why_not, (hd_verdict_reason){.code = code, .text = text});
}

void hd_verdict_not(hd_verdict *verdict, const char *code, const char *format, ...) {
    va_list words;
    va_start(words, format);
    add_reason(verdict, code, format_text(format, words));
    va_end(words);
}

static void add_note(hd_verdict *verdict, const char *code, const char *text) {
    for (size_t i = 0; i < verdict->notes.length; i++)
        if (strcmp(verdict->notes.data[i].code, code) == 0 &&
            strcmp(verdict->notes.data[i].text, text) == 0)
            return;
    hd_note note = {hd_arena_string(&verdict->text, code, strlen(code)),
                    hd_arena_string(&verdict->text, text, strlen(text))};
    hd_vec_push(&verdict->notes, note);
}

void hd_verdict_note(hd_verdict *verdict, const char *code, const char *format, ...) {
    va_list words;
    va_start(words, format);
    char *text = format_text(format, words);
    va_end(words);
    add_note(verdict, code, text);
    free(text);
}

static bool same_what(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

hd_verdict_basis *hd_verdict_find(const hd_verdict *verdict, const char *code, const char *what) {
    for (size_t i = 0; i < verdict->rests_on.length; i++) {
        hd_verdict_basis *basis = verdict->rests_on.data[i];
        if (strcmp(basis->code, code) == 0 && same_what(basis->what, what))
            return basis;
    }
    return NULL;
}

void hd_verdict_drop(hd_verdict *verdict, const char *code, const char *what) {
    const hd_verdict_basis *gone = hd_verdict_find(verdict, code, what);
    size_t kept = 0;
    for (size_t i = 0; i < verdict->rests_on.length; i++)
        if (verdict->rests_on.data[i] == gone)
            free_basis(verdict->rests_on.data[i]);
        else
            verdict->rests_on.data[kept++] = verdict->rests_on.data[i];
    verdict->rests_on.length = kept;
}

static hd_verdict_basis *basis_at(hd_verdict *verdict, const char *code, const char *what) {
    hd_verdict_basis *basis = hd_verdict_find(verdict, code, what);
    if (basis)
        return basis;
    basis = HD_NEW(hd_verdict_basis);
    basis->code = known(bases, code, strlen(code));
    assert(basis->code);
    basis->what = own(what);
    hd_vec_push(&verdict->rests_on, basis);
    return basis;
}

hd_verdict_basis *hd_verdict_rests(hd_verdict *verdict, const char *code, const char *what,
                                   enum hd_verdict_trust trust, const char *format, ...) {
    hd_verdict_basis *basis = basis_at(verdict, code, what);
    va_list words;
    va_start(words, format);
    free(basis->text);
    basis->text = format_text(format, words);
    va_end(words);
    if (trust == HD_VERDICT_SHAKY)
        basis->trust = trust;
    return basis;
}

void hd_verdict_figure(hd_verdict_basis *basis, const char *name, uint64_t value) {
    for (size_t i = 0; i < basis->figures.length; i++)
        if (strcmp(basis->figures.data[i].name, name) == 0) {
            basis->figures.data[i].value = value;
            return;
        }
    hd_vec_push(&basis->figures, (hd_verdict_number){own(name), value});
}

void hd_verdict_name(hd_verdict_basis *basis, const char *name) {
    for (size_t i = 0; i < basis->names.length; i++)
        if (strcmp(basis->names.data[i], name) == 0)
            return;
    hd_vec_push(&basis->names, own(name));
}

static bool is_open(const hd_verdict_basis *basis) {
    return basis->trust == HD_VERDICT_SHAKY && !basis->accepted;
}

void hd_verdict_join(hd_verdict *verdict, const hd_verdict *other) {
    for (size_t i = 0; i < other->why_not.length; i++)
        add_reason(verdict, other->why_not.data[i].code, own(other->why_not.data[i].text));
    hd_verdict_join_rests(verdict, other);
}

void hd_verdict_join_rests(hd_verdict *verdict, const hd_verdict *other) {
    for (size_t i = 0; i < other->rests_on.length; i++) {
        const hd_verdict_basis *from = other->rests_on.data[i];
        const hd_verdict_basis *before = hd_verdict_find(verdict, from->code, from->what);
        bool open = is_open(from) || (before && is_open(before));
        hd_verdict_basis *to =
            hd_verdict_rests(verdict, from->code, from->what, from->trust, "%s", from->text);
        to->accepted = to->trust == HD_VERDICT_SHAKY && !open;
        for (size_t k = 0; k < from->figures.length; k++)
            hd_verdict_figure(to, from->figures.data[k].name, from->figures.data[k].value);
        for (size_t k = 0; k < from->names.length; k++)
            hd_verdict_name(to, from->names.data[k]);
    }
    for (size_t i = 0; i < other->notes.length; i++)
        add_note(verdict, other->notes.data[i].code, other->notes.data[i].text);
}

void hd_verdict_copy(hd_verdict *verdict, const hd_verdict *from) {
    hd_verdict_init(verdict, from->asked);
    hd_verdict_join(verdict, from);
    verdict->found = from->found;
}

bool hd_verdict_lacks(const hd_verdict *verdict, const char *code) {
    const char *constant = known(reasons, code, strlen(code));
    assert(constant);
    for (size_t i = 0; i < verdict->why_not.length; i++)
        if (verdict->why_not.data[i].code == constant)
            return true;
    return false;
}

/* ---- Accepting ---- */

/* One CODE or CODE:WHAT of a list. */
typedef struct accepted {
    const char *code;
    const char *what; /* NULL: all of the code */
    size_t length;    /* of what */
} accepted;

static bool read_accepted(const char *word, size_t length, accepted *to, hd_error *error) {
    const char *colon = memchr(word, ':', length);
    size_t code = colon ? (size_t)(colon - word) : length;
    bool library = code == strlen("library") && strncmp(word, "library", code) == 0;
    to->code = library ? "unseen-code" : known(bases, word, code);
    to->what = colon ? colon + 1 : NULL;
    to->length = colon ? length - code - 1 : 0;
    if (to->code && (!colon || to->length) && !(library && !colon))
        return true;
    if (!to->code)
        hd_error_set(error, "no assumption has the code '%.*s'", (int)(code < 40 ? code : 40),
                     word);
    else
        hd_error_set(error, "'%.*s' does not say what is accepted",
                     (int)(length < 40 ? length : 40), word);
    return false;
}

static bool accepts(const accepted *word, const hd_verdict_basis *basis) {
    if (strcmp(basis->code, word->code) != 0)
        return false;
    return !word->what || (basis->what && strlen(basis->what) == word->length &&
                           strncmp(basis->what, word->what, word->length) == 0);
}

static bool accept_all(hd_verdict *verdict, const char *list, hd_error *error) {
    do {
        size_t length = strcspn(list, ",");
        accepted word;
        if (!read_accepted(list, length, &word, error))
            return false;
        for (size_t i = 0; verdict && i < verdict->rests_on.length; i++)
            if (accepts(&word, verdict->rests_on.data[i]))
                verdict->rests_on.data[i]->accepted = true;
        list += length + (list[length] == ',');
    } while (*list);
    return true;
}

bool hd_verdict_accept(hd_verdict *verdict, const char *list, hd_error *error) {
    return accept_all(verdict, list, error);
}

bool hd_verdict_accept_check(const char *list, hd_error *error) {
    return accept_all(NULL, list, error);
}

/* ---- Judging ---- */

bool hd_verdict_shaky(const hd_verdict *verdict) {
    for (size_t i = 0; i < verdict->rests_on.length; i++)
        if (is_open(verdict->rests_on.data[i]))
            return true;
    return false;
}

int hd_verdict_status(const hd_verdict *verdict) {
    if (verdict->found)
        return HD_VERDICT_FOUND;
    return hd_verdict_complete(verdict) && !hd_verdict_shaky(verdict) ? HD_VERDICT_NOTHING
                                                                      : HD_VERDICT_OPEN;
}
