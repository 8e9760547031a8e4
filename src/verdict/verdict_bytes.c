/*
 * What an answer rests on, as bytes: for an answer that several processes find.
 */
#include <stdlib.h>
#include <string.h>

#include "verdict.h"

void hd_verdict_put_rests(const hd_verdict *verdict, hd_vec_char *to) {
    hd_bytes_put(to, verdict->rests_on.length);
    for (size_t i = 0; i < verdict->rests_on.length; i++) {
        const hd_verdict_basis *basis = verdict->rests_on.data[i];
        hd_bytes_put_string(to, basis->code);
        hd_bytes_put_string(to, basis->what);
        hd_bytes_put_string(to, basis->text);
        hd_bytes_put(to, basis->trust == HD_VERDICT_SHAKY);
        hd_bytes_put(to, basis->figures.length);
        for (size_t k = 0; k < basis->figures.length; k++) {
            hd_bytes_put_string(to, basis->figures.data[k].name);
            hd_bytes_put(to, basis->figures.data[k].value);
        }
        hd_bytes_put(to, basis->names.length);
        for (size_t k = 0; k < basis->names.length; k++)
            hd_bytes_put_string(to, basis->names.data[k]);
    }
}

static bool is_code(const char *name) {
    const hd_verdict_code *code = hd_verdict_codes();
    while (name && code->name && strcmp(code->name, name) != 0)
        code++;
    return name && code->name;
}

/* Of a basis that is here, and as firm, nothing is changed. */
static hd_verdict_basis *add_basis(hd_verdict *verdict, const char *code, const char *what,
                                   bool shaky, const char *text) {
    const hd_verdict_basis *here = hd_verdict_find(verdict, code, what);
    if (here && (!shaky || here->trust == HD_VERDICT_SHAKY))
        return NULL;
    return hd_verdict_rests(verdict, code, what, shaky ? HD_VERDICT_SHAKY : HD_VERDICT_FIRM, "%s",
                            text);
}

static void get_basis(hd_verdict *verdict, hd_bytes *from) {
    char *code = hd_bytes_get_string(from), *what = hd_bytes_get_string(from);
    char *text = hd_bytes_get_string(from);
    bool shaky = hd_bytes_get(from, 1);
    if (!is_code(code) || !text)
        from->bad = true;
    hd_verdict_basis *basis = from->bad ? NULL : add_basis(verdict, code, what, shaky, text);
    size_t figures = hd_bytes_get_count(from, 2);
    for (size_t i = 0; i < figures && !from->bad; i++) {
        char *name = hd_bytes_get_string(from);
        uint64_t value = hd_bytes_get(from, UINT64_MAX);
        if (basis && name)
            hd_verdict_figure(basis, name, value);
        free(name);
    }
    size_t names = hd_bytes_get_count(from, 1);
    for (size_t i = 0; i < names && !from->bad; i++) {
        char *name = hd_bytes_get_string(from);
        if (basis && name)
            hd_verdict_name(basis, name);
        free(name);
    }
    free(code);
    free(what);
    free(text);
}

void hd_verdict_get_rests(hd_verdict *verdict, hd_bytes *from) {
    enum { LEAST = 6 };
    size_t count = hd_bytes_get_count(from, LEAST);
    for (size_t i = 0; i < count && !from->bad; i++)
        get_basis(verdict, from);
}

void hd_verdict_join_doubts(hd_verdict *verdict, const hd_verdict *other) {
    hd_vec_char bytes = {0};
    hd_verdict_put_rests(other, &bytes);
    hd_bytes from = {bytes.data, bytes.data + bytes.length, false};
    hd_verdict_get_rests(verdict, &from);
    hd_vec_release(&bytes);
}
