/*
 * Findings that are not to be reported: those that a file of suppressions names, and those that an
 * earlier run already had (a baseline).
 *
 * A file of suppressions has one rule per line; `#` begins a comment:
 *
 *     variable:stats.*          the variable, or a lock that is waited for, by name
 *     file:vendor/?*.c            the file of one of the places, or file:line
 *     function:log_*            the function of one of the places, where it is known
 *
 * with the wildcards of a shell.  The rules of ThreadSanitizer's suppressions are taken too:
 *
 *     race:NAME  race_top:NAME      races
 *     deadlock:NAME                 deadlocks
 *     mutex:NAME  thread:NAME  signal:NAME  called_from_lib:NAME
 *                                   read, but what they name is never a finding of these commands
 *
 * NAME is a part of the name of a variable, function or file; `*` is any text, `^` its beginning
 * and
 * `$` its end.  A baseline is what --json of any command printed, or what
 * --update-baseline wrote: findings with one of its fingerprints are not new.
 */
#ifndef HD_FINDING_FILTER_H
#define HD_FINDING_FILTER_H

#include "base/base.h"

typedef struct hd_finding_filter {
    HD_VEC(struct hd_finding_rule {
        char kind; /* the first letter of variable, file; 'n': function; 'r', 't', 'd': race,
                      race_top, deadlock; 'o': others */
        char *pattern;
        char *line;    /* as it is in the file */
        uint64_t used; /* findings that it named */
    })
    rules;
    hd_map known;        /* fingerprints of the baseline */
    uint64_t suppressed; /* findings that a rule named */
    uint64_t not_new;    /* that the baseline had */
    bool on;             /* something was loaded */
} hd_finding_filter;

void hd_finding_filter_release(hd_finding_filter *filter);

/* Errors begin with the file's name. */
bool hd_finding_suppressions_load(hd_finding_filter *filter, const char *path, hd_error *error);
bool hd_finding_suppressions_take(hd_finding_filter *filter, const char *name, const char *text,
                                  hd_error *error); /* the rules of a text */
bool hd_finding_baseline_load(hd_finding_filter *filter, const char *path, hd_error *error);

bool hd_finding_baseline_has(const hd_finding_filter *filter, uint64_t fingerprint);

/* Parses a fingerprint as answers write it, 16 digits; false if it is malformed, or NULL. */
bool hd_finding_fingerprint_read(const char *text, uint64_t *print);

/* An access of a race, an acquire of a deadlock; all may be NULL. */
typedef struct hd_finding_part {
    const char *variable; /* or lock */
    const char *place;    /* "file:line" */
    const char *function;
    bool outer; /* a function that called the one where it happens: race: and deadlock: see it */
} hd_finding_part;

/* What a finding is about. */
typedef struct hd_finding_about {
    const hd_finding_part *parts;
    size_t count;
    bool deadlock; /* not a race, */
    bool meant;    /* nor that: what is said to be meant, which only rules by variable, file and
                      function can say */
    uint64_t fingerprint;
    uint64_t former; /* as answers of earlier versions have it; 0: the same */
} hd_finding_about;

/* Does a rule, or the baseline, name it? */
bool hd_finding_filter_names(const hd_finding_filter *filter, const hd_finding_about *about);

/* Is it to be dropped?  Counts it, if so. */
bool hd_finding_filter_drops(hd_finding_filter *filter, const hd_finding_about *about);

#endif
