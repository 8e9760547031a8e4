/*
 * Files of suppressions: no crash, an error that explains itself, no line that is passed
 * over in silence, and a rule without wildcards names what is called so.
 */
#include "finding/finding.h"
#include "fuzz_common.h"

/* Lines that are more than blanks and comments. */
static size_t rules_in(const uint8_t *data, size_t size) {
    size_t rules = 0;
    bool begun = false;
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '\n') {
            begun = false;
        } else if (!begun && !strchr(" \t\r", data[i] ? data[i] : 'x')) {
            begun = true;
            rules += data[i] != '#';
        }
    }
    return rules;
}

static void check_rule(hd_finding_filter *filter, const struct hd_finding_rule *rule) {
    hd_finding_part part = {0};
    if (rule->kind == 'v')
        part.variable = rule->pattern;
    else if (rule->kind == 'f')
        part.place = rule->pattern;
    else
        part.function = rule->pattern;
    bool dropped = hd_finding_filter_drops(
        filter, &(hd_finding_about){
                    .parts = &part, .count = 1, .deadlock = rule->kind == 'd', .fingerprint = 1});
    if (!dropped && rule->kind != 'o' && !strpbrk(rule->pattern, "*?[\\^$"))
        fuzz_fail("'%s' does not name itself", rule->pattern);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { MOST = 64 }; /* each rule is held against each: enough of them */
    hd_error error = {""};
    hd_finding_filter filter = {0};
    if (hd_finding_suppressions_load(&filter, fuzz_file("suppressions", data, size), &error)) {
        if (filter.rules.length != rules_in(data, size))
            fuzz_fail("%zu rules of %zu", (size_t)filter.rules.length, rules_in(data, size));
        for (size_t i = 0; i < filter.rules.length && i < MOST; i++)
            check_rule(&filter, &filter.rules.data[i]);
    } else {
        fuzz_explained(&error);
    }
    hd_finding_filter_release(&filter);
    return 0;
}
