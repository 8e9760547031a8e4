/*
 * The global state that a predicate written in C sees.
 *
 *     #include <heddle/view.h>
 *
 *     static uint32_t open_mark;
 *
 *     void heddle_predicate_start(const heddle_view *view) {     may be left out
 *         open_mark = heddle_find(view, HEDDLE_CLASS_LABEL, "open");
 *     }
 *
 *     int heddle_predicate(const heddle_view *view) {
 *         int open = 0;
 *         for (uint32_t t = 0; t < view->threads; t++)
 *             open += heddle_mark_of(view, t) == open_mark;
 *         return open > 1;
 *     }
 *
 * `heddle detect --predicate FILE.c TRACE` compiles it and asks whether it can return a value other
 * than 0.  It is called once per state, for many states: it should be quick, and must depend only
 * on the view.  With --threads it is called by several threads.
 *
 * Threads are numbered from 0 in the order of their first events.  A state has the
 * first counts[t] events of thread t.
 */
#ifndef HEDDLE_VIEW_H
#define HEDDLE_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "event.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HEDDLE_VIEW_VERSION = 1 };

/* No such name, no mark yet. */
#define HEDDLE_NONE UINT32_MAX

typedef struct heddle_view heddle_view;

struct heddle_view {
    uint32_t version;
    uint32_t threads;
    const uint32_t *counts;            /* [thread] */
    const uint32_t *lengths;           /* [thread]: its events in the whole trace */
    const heddle_event *const *events; /* [thread]: its events, the first one first */
    const uint32_t *const *numbers;    /* [thread]: their numbers in the trace */
    const uint32_t *const *marks;      /* [thread]: [count]: the last mark, or HEDDLE_NONE */
    const void *context;
    /* Names: by text, by number; HEDDLE_NONE and NULL if none exists. */
    uint32_t (*find)(const heddle_view *view, enum heddle_class class_, const char *name);
    const char *(*name)(const heddle_view *view, enum heddle_class class_, uint32_t number);
    /* The last value that the thread noted under the label, or wrote to the variable; returns 0 and
     * leaves *value unchanged if none exists. */
    int (*noted)(const heddle_view *view, uint32_t thread, uint32_t label, int64_t *value);
    int (*written)(const heddle_view *view, uint32_t thread, uint32_t variable, int64_t *value);
    /* Does the thread hold the lock: 0 no, 1 for reading, 2 for writing. */
    int (*held)(const heddle_view *view, uint32_t thread, uint32_t lock);
};

static inline uint32_t heddle_find(const heddle_view *view, enum heddle_class class_,
                                   const char *name) {
    return view->find(view, class_, name);
}

/* The last event of a thread, NULL if it has none yet. */
static inline const heddle_event *heddle_last(const heddle_view *view, uint32_t thread) {
    uint32_t count = view->counts[thread];
    return count ? &view->events[thread][count - 1] : NULL;
}

/* The label of a thread's last mark; marks with a value are notes and do not count. */
static inline uint32_t heddle_mark_of(const heddle_view *view, uint32_t thread) {
    return view->marks[thread][view->counts[thread]];
}

/* The last value that a thread noted, or `initial`. */
static inline int64_t heddle_note_of(const heddle_view *view, uint32_t thread, uint32_t label,
                                     int64_t initial) {
    view->noted(view, thread, label, &initial);
    return initial;
}

/* What the predicate's file defines. */
void heddle_predicate_start(const heddle_view *view);
int heddle_predicate(const heddle_view *view);

#ifdef __cplusplus
}
#endif
#endif
