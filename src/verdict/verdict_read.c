/*
 * Reads a verdict from JSON.  The file may come from another version or any other source: what is
 * not understood makes the answer less complete, never more.
 */
#include <string.h>

#include "verdict.h"

static const char *known(const hd_verdict_code *table, const char *name) {
    for (; name && table->name; table++)
        if (strcmp(table->name, name) == 0)
            return table->name;
    return NULL;
}

static const char *text_of(const hd_json_value *from) {
    const char *text = hd_json_text_of(from, "text");
    return text ? text : "";
}

bool hd_verdict_read_reasons(hd_verdict *verdict, const hd_json_value *list) {
    bool good = true;
    for (const hd_json_value *r = hd_json_first(list); r; r = r->next) {
        const char *code = known(hd_verdict_reasons(), hd_json_text_of(r, "code"));
        hd_verdict_not(verdict, code ? code : "damaged", "%s", text_of(r));
        good &= code != NULL;
    }
    return good;
}

static void read_details(hd_verdict_basis *basis, const hd_json_value *from) {
    for (const hd_json_value *f = hd_json_first(hd_json_get(from, "figures")); f; f = f->next) {
        uint64_t value;
        if (f->key && f->kind == HD_JSON_NUMBER && hd_text_u64(f->text, strlen(f->text), &value))
            hd_verdict_figure(basis, f->key, value);
    }
    for (const hd_json_value *n = hd_json_first(hd_json_get(from, "names")); n; n = n->next)
        if (n->kind == HD_JSON_STRING)
            hd_verdict_name(basis, n->text);
}

static bool read_bases(hd_verdict *verdict, const hd_json_value *list) {
    bool good = true;
    for (const hd_json_value *b = hd_json_first(list); b; b = b->next) {
        const char *code = known(hd_verdict_codes(), hd_json_text_of(b, "code"));
        const char *trust = hd_json_text_of(b, "trust");
        good &= code != NULL;
        if (!code)
            continue;
        bool firm = trust && strcmp(trust, "firm") == 0;
        hd_verdict_basis *basis =
            hd_verdict_rests(verdict, code, hd_json_text_of(b, "what"),
                             firm ? HD_VERDICT_FIRM : HD_VERDICT_SHAKY, "%s", text_of(b));
        basis->accepted = trust && strcmp(trust, "accepted") == 0;
        read_details(basis, b);
    }
    return good;
}

bool hd_verdict_read(hd_verdict *verdict, const hd_json_value *answer) {
    const hd_json_value *from = hd_json_get(answer, "verdict");
    const hd_json_value *why_not = hd_json_get(from, "why_not");
    const hd_json_value *rests_on = hd_json_get(from, "rests_on");
    hd_verdict_init(verdict, hd_json_text_of(from, "asked"));
    verdict->found = hd_json_bool_of(from, "found", false);
    bool reasons = hd_verdict_read_reasons(verdict, why_not);
    bool bases = read_bases(verdict, rests_on);
    bool whole = why_not && rests_on && reasons && bases;
    if (!why_not || !rests_on)
        hd_verdict_not(verdict, "damaged", "the answer does not say what it rests on");
    else if (!whole)
        hd_verdict_not(verdict, "damaged", "the answer rests on what is not known here");
    else if (hd_verdict_complete(verdict) && !hd_json_bool_of(answer, "complete", false))
        hd_verdict_not(verdict, "damaged", "the answer is not complete, and does not say why");
    return whole;
}
