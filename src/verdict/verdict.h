/*
 * verdict: what an answer says, as data.  What was asked; whether it was found;
 * whether the search was complete, and if not, why not; and what the answer
 * rests on: the assumptions that were actually used.
 *
 *     hd_verdict verdict;
 *     hd_verdict_init(&verdict, "assertions, deadlocks and data races");
 *     hd_verdict_not(&verdict, "limit", "stopped by the limit on time");
 *     basis = hd_verdict_rests(&verdict, "unseen-code", "libfoo.so", HD_VERDICT_SHAKY,
 *                              "3 functions of libfoo.so ran between steps");
 *     hd_verdict_figure(basis, "functions", 3);
 *     status = hd_verdict_status(&verdict);
 *     hd_verdict_release(&verdict);
 *
 * "Complete" means: for every schedule of this program with these inputs under
 * this memory model, the answer holds.  Whatever could make that false is either
 * a reason in `why_not` or an assumption in `rests_on`.
 *
 * An assumption is firm if it is part of the definition of the question, as the
 * memory model is, or if it was checked while it was used.  It is shaky if heddle
 * saw that it may not hold.  A shaky one keeps the exit status from being 0 until
 * the user accepts it by name (--accept=CODE or --accept=CODE:WHAT).
 */
#ifndef HD_VERDICT_H
#define HD_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

/* The exit status of every command that answers a question. */
enum hd_verdict_exit {
    HD_VERDICT_NOTHING = 0, /* nothing found, complete, nothing shaky */
    HD_VERDICT_FOUND = 1,   /* found, whatever else */
    HD_VERDICT_BAD = 2,     /* usage or input */
    HD_VERDICT_OPEN = 3     /* nothing found, but not complete, or something is shaky */
};

enum hd_verdict_trust { HD_VERDICT_FIRM, HD_VERDICT_SHAKY };

/* The codes of assumptions, one place for all of them: code, what its sentence is about.
 * The table is verdict.def; a code that is not there is a bug. */
typedef struct hd_verdict_code {
    const char *name;
    const char *about; /* for --help and the manual */
} hd_verdict_code;

typedef struct hd_verdict_number {
    char *name;
    uint64_t value;
} hd_verdict_number;

/* One assumption. */
typedef struct hd_verdict_basis {
    const char *code; /* a constant of verdict.def */
    char *what;       /* which one: "libssl.so.3"; NULL if the code says it all */
    char *text;       /* one sentence without a full stop */
    enum hd_verdict_trust trust;
    bool accepted; /* shaky, but the user said that it holds */
    HD_VEC(hd_verdict_number) figures;
    HD_VEC(char *) names; /* of functions, files: what the sentence counts */
} hd_verdict_basis;

/* One reason why an answer is not complete. */
typedef struct hd_verdict_reason {
    const char *code; /* a constant of verdict.def */
    char *text;       /* one sentence without a full stop */
} hd_verdict_reason;

typedef struct hd_verdict {
    char *asked; /* what was looked for, in words */
    bool found;
    HD_VEC(hd_verdict_reason) why_not; /* empty: complete */
    HD_VEC(hd_verdict_basis *) rests_on;
    HD_VEC(hd_note) notes; /* what changes neither what was found nor the status */
    hd_arena text;         /* of the notes */
} hd_verdict;

void hd_verdict_init(hd_verdict *verdict, const char *asked);
void hd_verdict_release(hd_verdict *verdict);

/* The search is not complete, for this reason.  The same code and text again change nothing. */
void hd_verdict_not(hd_verdict *verdict, const char *code, const char *format, ...) HD_PRINTF(3, 4);

/* The answer rests on this.  An assumption with the same code and `what` (NULL for none) is
 * replaced, and stays shaky if it was.  The pointer is valid as long as the verdict. */
hd_verdict_basis *hd_verdict_rests(hd_verdict *verdict, const char *code, const char *what,
                                   enum hd_verdict_trust trust, const char *format, ...)
    HD_PRINTF(5, 6);
void hd_verdict_figure(hd_verdict_basis *basis, const char *name, uint64_t value);
void hd_verdict_name(hd_verdict_basis *basis, const char *name); /* each once */

/* A note, one sentence without a full stop.  The same again changes nothing. */
void hd_verdict_note(hd_verdict *verdict, const char *code, const char *format, ...)
    HD_PRINTF(3, 4);

/* The assumption with this code and `what`, if it is already there, else NULL. */
hd_verdict_basis *hd_verdict_find(const hd_verdict *verdict, const char *code, const char *what);

/* Without that assumption, if it is there: the answer does not need it any more. */
void hd_verdict_drop(hd_verdict *verdict, const char *code, const char *what);

/* A list of CODE or CODE:WHAT with commas between; `library:WHAT` is short for
 * unseen-code:WHAT.  A CODE alone accepts all of that code.  False, with an error, if a code is
 * not in the table.  To be called when the verdict has all that it rests on. */
bool hd_verdict_accept(hd_verdict *verdict, const char *list, hd_error *error);

/* Is the list well-formed?  For the command line, before the work begins. */
bool hd_verdict_accept_check(const char *list, hd_error *error);

static inline bool hd_verdict_complete(const hd_verdict *verdict) {
    return verdict->why_not.length == 0;
}

/* Is this one of the reasons why it is not complete? */
bool hd_verdict_lacks(const hd_verdict *verdict, const char *code);

/* Does it rest on something shaky that was not accepted? */
bool hd_verdict_shaky(const hd_verdict *verdict);

int hd_verdict_status(const hd_verdict *verdict);

/* Adds everything that another verdict rests on, and why it is not complete, for an answer that is
 * put together from several.  The other two add only one of these. */
void hd_verdict_join(hd_verdict *verdict, const hd_verdict *other);
void hd_verdict_join_rests(hd_verdict *verdict, const hd_verdict *other);

/* What it rests on as bytes, and back: what is new is added, and what was shaky is shaky. */
void hd_verdict_put_rests(const hd_verdict *verdict, hd_vec_char *to);
void hd_verdict_get_rests(hd_verdict *verdict, hd_bytes *from);

/* Adds what another one rests on and this one does not, or only firmly. */
void hd_verdict_join_doubts(hd_verdict *verdict, const hd_verdict *other);

/* The same into a fresh verdict. */
void hd_verdict_copy(hd_verdict *verdict, const hd_verdict *from);

/* The keys "complete" and "verdict" of an answer in JSON:
 * {"asked", "found", "why_not": [{"code", "text"}], "rests_on": [{"code", "what", "trust":
 * "firm"|"shaky"|"accepted", "text", "figures": {}, "names": []}], "notes": [{"code", "text"}]};
 * there are no "notes" if there is nothing to note. */
void hd_verdict_write(const hd_verdict *verdict, hd_json *json);

/* The list "why_not" alone, for a verdict that is a part of another; and back: false if a code is
 * not known, which is then a reason by itself. */
void hd_verdict_write_reasons(const hd_verdict *verdict, hd_json *json);
bool hd_verdict_read_reasons(hd_verdict *verdict, const hd_json_value *list);

/* Reads the object "verdict" of an answer into a fresh verdict.  Returns false if the answer has no
 * such object, or has unknown codes: then the verdict that was read has a reason that says so. */
bool hd_verdict_read(hd_verdict *verdict, const hd_json_value *answer);

/* The lines of a text answer, each with its newline, all indented by two: "search" with
 * complete or why not, then "rests on", one line each.  `width` is that of the first column. */
void hd_verdict_print(const hd_verdict *verdict, int width, hd_vec_char *to);

/* The tables of codes of assumptions and of reasons, in order; NULL at the end. */
const hd_verdict_code *hd_verdict_codes(void);
const hd_verdict_code *hd_verdict_reasons(void);

#endif
