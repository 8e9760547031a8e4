/*
 * How the run of a trace ended, and what each thread that had not ended was about to do.  It comes
 * after the last event; names are texts, as they may be those of things that no event has.
 *
 *     hd_trace_end end = {0};
 *     hd_trace_end_parse(&end, "deadlock", 8);
 *     hd_trace_end_add(&end, "T1", HEDDLE_ACQUIRE, "m", "a.c:7");
 *     hd_trace_end_release(&end);
 */
#ifndef HD_TRACE_END_H
#define HD_TRACE_END_H

#include "trace_event.h"

enum hd_trace_how {
    HD_TRACE_END_UNKNOWN,  /* the trace does not say */
    HD_TRACE_END_EXIT,     /* with a status */
    HD_TRACE_END_SIGNAL,   /* killed by one: a failed assertion, a crash */
    HD_TRACE_END_DEADLOCK, /* every thread that had not ended waits */
    HD_TRACE_END_LIMIT,    /* ended from outside, at a limit on its time */
    HD_TRACE_END_STOPPED,  /* ended from outside, by a signal to the recorder */
    HD_TRACE_END_EXEC,     /* another program took its place */
    HD_TRACE_ENDS
};

/* What is no kind of event (waiting in a system call, say); the object says what it is, in words */
enum { HD_TRACE_END_OTHER = HEDDLE_KIND_COUNT };

/* The next operation of a thread. */
typedef struct hd_trace_next {
    const char *thread, *object, *location; /* "": not known */
    uint8_t kind;                           /* enum heddle_kind, or HD_TRACE_END_OTHER */
} hd_trace_next;

/* Not all that calls of the function accessed is in the trace. */
typedef struct hd_trace_unseen {
    const char *function, *module;
} hd_trace_unseen;

/* What questions about the trace must not rely on, for a reason that its events do not show. */
typedef struct hd_trace_doubt {
    const char *code; /* that of an assumption (verdict.def), if the reader knows it */
    const char *what; /* which one */
    const char *text; /* one sentence without a full stop */
} hd_trace_doubt;

typedef struct hd_trace_end {
    enum hd_trace_how how;
    int number;       /* the exit status, or the signal; else 0 */
    bool told_orders; /* annotations of the program said what orders threads */
    HD_VEC(hd_trace_next) next;
    HD_VEC(hd_note) notes;             /* what is doubtful in the run, but did not fail */
    HD_VEC(const char *) suppressions; /* rules that the program has itself, a line each */
    HD_VEC(hd_trace_unseen) unseen;
    HD_VEC(hd_trace_doubt) doubts;
    HD_VEC(const char *) inputs; /* where the program's inputs came from: "seed=7" */
    hd_arena text;
} hd_trace_end;

void hd_trace_end_release(hd_trace_end *end); /* leaves it zeroed */
void hd_trace_end_copy(hd_trace_end *to, const hd_trace_end *from);

void hd_trace_end_add(hd_trace_end *end, const char *thread, unsigned kind, const char *object,
                      const char *location);

/* The code is letters and hyphens.  Of the text, control characters become question marks. */
void hd_trace_end_note(hd_trace_end *end, const char *code, const char *text);

/* A rule: not empty, and without control characters; else it is left out. */
bool hd_trace_end_suppress(hd_trace_end *end, const char *rule, size_t length);

/* "function module", as in both formats: no control characters, the function not empty and without
 * a blank, the module not empty. */
bool hd_trace_end_unseen(hd_trace_end *end, const char *text, size_t length);
void hd_trace_end_print_unseen(const hd_trace_unseen *unseen, hd_vec_char *to);

/* "code:what text", as in both formats: the code of letters and hyphens, `what` not empty and
 * without a blank, the text not empty, no control characters. */
bool hd_trace_end_doubt(hd_trace_end *end, const char *text, size_t length);
void hd_trace_end_print_doubt(const hd_trace_doubt *doubt, hd_vec_char *to);

/* A word "name=value" of letters, digits and the characters - = : , and no others. */
bool hd_trace_end_input(hd_trace_end *end, const char *word, size_t length);

/* The forms of both formats (doc/format.md): "exit 0", "signal 6", "deadlock", ...;
 * "thread|op(object)|location"; and "code text".  False if the text is not one: then nothing has
 * changed.  Printing appends, with a NUL that is not counted. */
bool hd_trace_end_parse(hd_trace_end *end, const char *text, size_t length);
bool hd_trace_end_parse_next(hd_trace_end *end, const char *text, size_t length);
bool hd_trace_end_parse_note(hd_trace_end *end, const char *text, size_t length);
void hd_trace_end_print(const hd_trace_end *end, hd_vec_char *to);
void hd_trace_end_print_next(const hd_trace_next *next, hd_vec_char *to);
void hd_trace_end_print_note(const hd_note *note, hd_vec_char *to);

/* All of it as comment lines of the text formats, each with its newline: "# heddle: ended exit 0".
 * A loset has only what answers about it rely on, not `whole`. */
void hd_trace_end_comments(const hd_trace_end *end, bool whole, hd_vec_char *to);

/* Of a packed record, whose names are made when an event first needs them: "m at 0x10" is the
 * object "m" if there is no object of the longer name. */
void hd_trace_end_resolve(hd_trace_end *end, const hd_trace_tables *tables);

/* For people: "exit status 0", "deadlock", "killed by signal 6, Aborted"; "" if not known. */
void hd_trace_end_describe(const hd_trace_end *end, hd_vec_char *to);

/* Did the run stop before it came to an end of its own?  Then what would have followed, in this
 * order of the events or in another, is not in the trace. */
bool hd_trace_end_early(const hd_trace_end *end);

#endif
