/*
 * A verdict as text and as JSON.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verdict.h"

static const char *trust_of(const hd_verdict_basis *basis) {
    return basis->trust == HD_VERDICT_FIRM ? "firm" : basis->accepted ? "accepted" : "shaky";
}

/* ---- JSON ---- */

static void write_basis(const hd_verdict_basis *basis, hd_json *json) {
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "code", basis->code);
    if (basis->what)
        hd_json_text(json, "what", basis->what);
    hd_json_text(json, "trust", trust_of(basis));
    hd_json_text(json, "text", basis->text);
    hd_json_open(json, "figures", '{');
    for (size_t i = 0; i < basis->figures.length; i++)
        hd_json_uint(json, basis->figures.data[i].name, basis->figures.data[i].value);
    hd_json_close(json);
    if (basis->names.length) {
        hd_json_open(json, "names", '[');
        for (size_t i = 0; i < basis->names.length; i++)
            hd_json_text(json, NULL, basis->names.data[i]);
        hd_json_close(json);
    }
    hd_json_close(json);
}

void hd_verdict_write_reasons(const hd_verdict *verdict, hd_json *json) {
    hd_json_open(json, "why_not", '[');
    for (size_t i = 0; i < verdict->why_not.length; i++) {
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "code", verdict->why_not.data[i].code);
        hd_json_text(json, "text", verdict->why_not.data[i].text);
        hd_json_close(json);
    }
    hd_json_close(json);
}

void hd_verdict_write(const hd_verdict *verdict, hd_json *json) {
    hd_json_bool(json, "complete", hd_verdict_complete(verdict));
    hd_json_open(json, "verdict", '{');
    hd_json_text(json, "asked", verdict->asked ? verdict->asked : "");
    hd_json_bool(json, "found", verdict->found);
    hd_json_bool(json, "complete", hd_verdict_complete(verdict));
    hd_verdict_write_reasons(verdict, json);
    hd_json_open(json, "rests_on", '[');
    for (size_t i = 0; i < verdict->rests_on.length; i++)
        write_basis(verdict->rests_on.data[i], json);
    hd_json_close(json);
    hd_json_notes(json, "notes", verdict->notes.data, verdict->notes.length);
    hd_json_close(json);
}

/* ---- Text ---- */

/* Texts may have names of files, rules of suppressions and more that is not heddle's own. */
static void print_line(hd_vec_char *to, int width, const char *name, const char *format, ...)
    HD_PRINTF(4, 5);

static void print_line(hd_vec_char *to, int width, const char *name, const char *format, ...) {
    enum { LONGEST = 4 }; /* of a byte: \xNN */
    char *text = NULL;
    va_list words;
    va_start(words, format);
    int length = vasprintf(&text, format, words);
    va_end(words);
    if (length < 0)
        return;
    size_t size = LONGEST * (size_t)length + 1;
    char *clean = HD_NEW_ARRAY(char, size);
    hd_text_printable(clean, size, text, (size_t)length);
    hd_text_append(to, "  %-*s %s\n", width, name, clean);
    free(clean);
    free(text);
}

void hd_verdict_print(const hd_verdict *verdict, int width, hd_vec_char *to) {
    if (hd_verdict_complete(verdict))
        print_line(to, width, "search", "complete");
    for (size_t i = 0; i < verdict->why_not.length; i++)
        print_line(to, width, i ? "" : "search", "%s%s",
                   i ? "" : "not complete: ", verdict->why_not.data[i].text);
    for (size_t i = 0; i < verdict->rests_on.length; i++) {
        const hd_verdict_basis *basis = verdict->rests_on.data[i];
        bool firm = basis->trust == HD_VERDICT_FIRM;
        print_line(to, width, i ? "" : "rests on", "%s%s%s [%s%s%s]", firm ? "" : trust_of(basis),
                   firm ? "" : ": ", basis->text, basis->code, basis->what ? ":" : "",
                   basis->what ? basis->what : "");
    }
    for (size_t i = 0; i < verdict->notes.length; i++)
        print_line(to, width, i ? "" : "notes", "%s [%s]", verdict->notes.data[i].text,
                   verdict->notes.data[i].code);
}
