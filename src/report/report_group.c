/*
 * Races that are one defect: a variable, or the elements and blocks of one name, that is accessed
 * without protection in many places.
 */
#include <ctype.h>
#include <string.h>

#include "report_result.h"

/* Skips the index of an element, "[12]", or the number of a block, "#main.1:3". */
static const char *skip_number(const char *at) {
    if (*at == '[' && isdigit((unsigned char)at[1])) {
        size_t digits = strspn(at + 1, "0123456789");
        return at[1 + digits] == ']' ? at + digits + 2 : at;
    }
    if (*at != '#')
        return at;
    const char *number = strncmp(at + 1, "main", 4) == 0 ? strchr(at, ':') : at;
    size_t digits = number ? strspn(number + 1, "0123456789") : 0;
    return digits ? number + 1 + digits : at;
}

static bool same_name(const char *a, const char *b) {
    for (;;) {
        a = skip_number(a);
        b = skip_number(b);
        if (*a != *b)
            return false;
        if (!*a)
            return true;
        a++;
        b++;
    }
}

bool hd_report_alike(const hd_report_finding *a, const hd_report_finding *b) {
    return a->rule == b->rule && strcmp(a->id, b->id) == 0 && strcmp(a->id, "race") == 0 &&
           a->level == b->level && a->known == b->known && a->places.length == 2 &&
           b->places.length == 2 && a->variable && b->variable &&
           same_name(a->variable, b->variable);
}

bool hd_report_follows(const hd_report *report, size_t number) {
    for (size_t i = 0; i < number; i++)
        if (hd_report_alike(&report->findings.data[i], &report->findings.data[number]))
            return true;
    return false;
}
