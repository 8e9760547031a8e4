/*
 * A loset that is no run: processes with their events and locked scopes, and an order between
 * events that is given (Chang, Definition 4).  There may be no sequence of its events that the
 * locks allow, so it is not checked as a run; only each process by itself is.
 *
 *     loset
 *     process P1
 *       @a acq(l)
 *       mark(x)
 *       rel(l)
 *     process P2
 *       @b acq(l)
 *       rel(l)
 *     before a b
 *
 * In memory it is a trace whose events stand in some order that `before` allows, with `loset` set.
 * doc/format.md describes the text.
 */
#ifndef HD_TRACE_LOSET_H
#define HD_TRACE_LOSET_H

#include "trace_memory.h"

/* Event `first` comes before event `second`, of another process; first < second. */
typedef struct hd_trace_edge {
    uint32_t first, second;
} hd_trace_edge;

struct hd_trace_loset {
    HD_VEC(hd_trace_edge) edges; /* ascending by `second`, then `first`; each once */
    hd_vec_u32 together;         /* events that a state has all or none of; 0 ends each group */
    hd_vec_u32 always;           /* events that every state has */
    bool run; /* the order of its events is a run, though the beginning is gone */
};

/* Does the file's name say that it is a loset? */
bool hd_trace_is_loset(const char *path);

/* The whole text; `name` is the file's in messages.  False, with an error of one line. */
bool hd_trace_loset_read(hd_trace *trace, const char *text, size_t length, const char *name,
                         hd_error *error);
/* A file, "-" for standard input. */
bool hd_trace_loset_load(hd_trace *trace, const char *path, hd_error *error);
void hd_trace_loset_free(hd_trace_loset *loset);

/* As text; `comment`, if it is not NULL, is its first line.  Edges may also go backward here. */
bool hd_trace_loset_save(const hd_trace *trace, const char *comment, const char *path,
                         hd_error *error);

/* The edges into an event: where they start in `edges`, and how many. */
size_t hd_trace_loset_into(const hd_trace_loset *loset, uint32_t event, size_t *count);

/* Does it ask more of states than to be closed under the order? */
static inline bool hd_trace_loset_has_steps(const hd_trace *trace) {
    return trace->loset && (trace->loset->together.length || trace->loset->always.length);
}

#endif
