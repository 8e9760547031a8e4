/*
 * How runs end, against a simulator that knows: threads run random scripts of locks, semaphores,
 * joins and conditions until all have ended or all wait.  What the trace says of the end survives
 * both formats; a deadlock of the simulator is one that the checker accepts; and an end that is not
 * one is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "race/race.h"
#include "support_random.h"
#include "trace/trace.h"

#define WRONG(...) (snprintf(why, why_size, __VA_ARGS__), false)

enum { THREADS = 4, LOCKS = 3, STEPS = 8 };

typedef struct step {
    uint8_t kind;
    uint32_t object;
} step;

typedef struct runner {
    step script[STEPS];
    uint32_t length, at;
    bool waiting; /* on a condition, and not notified */
} runner;

typedef struct world {
    hd_trace trace;
    runner runners[THREADS];
    uint32_t threads[THREADS], locks[LOCKS], condition, semaphore;
    int holder[LOCKS]; /* runner + 1, 0: free */
    int units;
} world;

/* ---- The simulator ---- */

static void draw_script(runner *r, uint32_t self, hd_random *random) {
    static const uint8_t kinds[] = {HEDDLE_ACQUIRE, HEDDLE_ACQUIRE, HEDDLE_RELEASE, HEDDLE_POST,
                                    HEDDLE_TAKE,    HEDDLE_JOIN,    HEDDLE_WAIT,    HEDDLE_NOTIFY};
    r->length = (uint32_t)hd_random_below(random, STEPS + 1);
    for (uint32_t i = 0; i < r->length; i++) {
        r->script[i].kind = kinds[hd_random_below(random, sizeof kinds)];
        r->script[i].object = (uint32_t)hd_random_below(random, LOCKS);
        if (r->script[i].kind == HEDDLE_JOIN)
            r->script[i].object =
                (self + 1 + (uint32_t)hd_random_below(random, THREADS - 1)) % THREADS;
    }
}

/* Can the runner's next step be taken?  A release of what is not held is skipped. */
static bool enabled(const world *w, uint32_t self) {
    const runner *r = &w->runners[self];
    if (r->waiting || r->at == r->length)
        return false;
    const step *s = &r->script[r->at];
    switch (s->kind) {
    case HEDDLE_ACQUIRE:
        return !w->holder[s->object];
    case HEDDLE_TAKE:
        return w->units > 0;
    case HEDDLE_JOIN:
        return w->runners[s->object].at == w->runners[s->object].length &&
               !w->runners[s->object].waiting;
    default:
        return true;
    }
}

static void emit(world *w, uint32_t self, unsigned kind, uint32_t object) {
    hd_trace_append(
        &w->trace,
        (heddle_event){.thread = w->threads[self], .kind = (uint8_t)kind, .object = object});
}

static void notify(world *w) {
    for (uint32_t i = 0; i < THREADS; i++)
        if (w->runners[i].waiting) {
            w->runners[i].waiting = false;
            emit(w, i, HEDDLE_WAKE, w->condition);
            return;
        }
}

static void take_step(world *w, uint32_t self) {
    runner *r = &w->runners[self];
    const step *s = &r->script[r->at++];
    switch (s->kind) {
    case HEDDLE_ACQUIRE:
        w->holder[s->object] = (int)self + 1;
        emit(w, self, s->kind, w->locks[s->object]);
        break;
    case HEDDLE_RELEASE:
        if (w->holder[s->object] != (int)self + 1)
            break;
        w->holder[s->object] = 0;
        emit(w, self, s->kind, w->locks[s->object]);
        break;
    case HEDDLE_POST:
    case HEDDLE_TAKE:
        w->units += s->kind == HEDDLE_POST ? 1 : -1;
        emit(w, self, s->kind, w->semaphore);
        break;
    case HEDDLE_JOIN:
        emit(w, self, s->kind, w->threads[s->object]);
        break;
    case HEDDLE_WAIT: /* after something that is no release: that would be part of it */
        r->waiting = true;
        emit(w, self, HEDDLE_MARK, hd_trace_name(&w->trace, HEDDLE_CLASS_LABEL, "waits"));
        emit(w, self, s->kind, w->condition);
        break;
    default:
        emit(w, self, s->kind, w->condition);
        notify(w);
    }
}

/* Says of each runner that has not ended what it waits for. */
static void say_end(world *w) {
    for (uint32_t i = 0; i < THREADS; i++) {
        const runner *r = &w->runners[i];
        const hd_trace_tables *tables = &w->trace.tables;
        if (r->at == r->length && !r->waiting)
            continue;
        w->trace.end.how = HD_TRACE_END_DEADLOCK;
        heddle_event next = {.kind = r->waiting ? HEDDLE_WAKE : r->script[r->at].kind};
        next.object = r->waiting                    ? w->condition
                      : next.kind == HEDDLE_ACQUIRE ? w->locks[r->script[r->at].object]
                      : next.kind == HEDDLE_TAKE    ? w->semaphore
                                                    : w->threads[r->script[r->at].object];
        hd_trace_end_add(&w->trace.end, hd_trace_thread_name(tables, w->threads[i]), next.kind,
                         hd_trace_object_name(tables, &next), i % 2 ? "a.c:1" : "");
    }
}

static void simulate(world *w, hd_random *random) {
    *w = (world){0};
    hd_trace_init(&w->trace);
    for (uint32_t i = 0; i < THREADS; i++)
        w->threads[i] = hd_trace_name(&w->trace, HEDDLE_CLASS_THREAD, "T%u", i);
    for (uint32_t i = 0; i < LOCKS; i++)
        w->locks[i] = hd_trace_name(&w->trace, HEDDLE_CLASS_LOCK, "m%u", i);
    w->condition = hd_trace_name(&w->trace, HEDDLE_CLASS_CONDITION, "c");
    w->semaphore = hd_trace_name(&w->trace, HEDDLE_CLASS_SEMAPHORE, "s");
    uint32_t label = hd_trace_name(&w->trace, HEDDLE_CLASS_LABEL, "begin");
    for (uint32_t i = 0; i < THREADS; i++) {
        draw_script(&w->runners[i], i, random);
        emit(w, i, HEDDLE_MARK, label);
    }
    for (;;) {
        uint32_t able[THREADS], count = 0;
        for (uint32_t i = 0; i < THREADS; i++)
            if (enabled(w, i))
                able[count++] = i;
        if (!count)
            break;
        take_step(w, able[hd_random_below(random, count)]);
    }
    w->trace.end.how = HD_TRACE_END_EXIT;
    w->trace.end.number = (int)hd_random_below(random, 256);
    say_end(w);
    if (w->trace.end.how == HD_TRACE_END_DEADLOCK)
        w->trace.end.number = 0;
}

/* ---- Properties ---- */

static bool well_formed(world *w, char *why, size_t why_size) {
    hd_error error = {""};
    return hd_trace_check_all(&w->trace, &error) || WRONG("the simulator is wrong: %s", error.text);
}

static bool judged(const hd_trace *unused, hd_random *random, char *why, size_t why_size) {
    (void)unused;
    world w;
    hd_finding finding;
    hd_error error = {""};
    simulate(&w, random);
    bool good = well_formed(&w, why, why_size);
    bool stuck = w.trace.end.how == HD_TRACE_END_DEADLOCK;
    bool shown = good && hd_race_recorded(&w.trace, &finding, &error);
    if (shown)
        hd_finding_release(&finding);
    if (good && shown != stuck)
        good = WRONG("%s: %s", stuck ? "a deadlock is refused" : "no deadlock is accepted",
                     error.text);
    hd_trace_release(&w.trace);
    return good;
}

/* One that waits can in fact go on: the claim must not hold. */
static bool refused(const hd_trace *unused, hd_random *random, char *why, size_t why_size) {
    (void)unused;
    world w;
    hd_finding finding;
    hd_error error = {""};
    simulate(&w, random);
    bool good = well_formed(&w, why, why_size);
    if (good && w.trace.end.how == HD_TRACE_END_DEADLOCK) {
        hd_trace_next *next =
            &w.trace.end.next.data[hd_random_below(random, w.trace.end.next.length)];
        int way = (int)hd_random_below(random, 4);
        uint32_t lock = 0;
        while (lock < LOCKS && w.holder[lock])
            lock++;
        next->kind = way == 0   ? HEDDLE_ACQUIRE
                     : way == 1 ? HEDDLE_JOIN
                     : way == 2 ? HEDDLE_WRITE
                                : HEDDLE_BARRIER_OUT;
        next->object = way == 0 && lock < LOCKS
                           ? hd_names_text(&w.trace.tables.names[HEDDLE_CLASS_LOCK], w.locks[lock])
                           : "nothing";
        if (hd_race_recorded(&w.trace, &finding, &error)) {
            hd_finding_release(&finding);
            good = WRONG("a thread that can go on is accepted as waiting");
        }
    }
    hd_trace_release(&w.trace);
    return good;
}

static bool same_end(const hd_trace_end *a, const hd_trace_end *b) {
    if (a->how != b->how || a->number != b->number || a->next.length != b->next.length)
        return false;
    for (size_t i = 0; i < a->next.length; i++)
        if (strcmp(a->next.data[i].thread, b->next.data[i].thread) != 0 ||
            strcmp(a->next.data[i].object, b->next.data[i].object) != 0 ||
            strcmp(a->next.data[i].location, b->next.data[i].location) != 0 ||
            a->next.data[i].kind != b->next.data[i].kind)
            return false;
    return true;
}

static bool saved(const hd_trace *unused, hd_random *random, char *why, size_t why_size) {
    (void)unused;
    world w;
    char path[64];
    bool good = true;
    simulate(&w, random);
    if (w.trace.end.how != HD_TRACE_END_DEADLOCK) {
        w.trace.end.how = (enum hd_trace_how)hd_random_below(random, HD_TRACE_ENDS);
        bool numbered = w.trace.end.how == HD_TRACE_END_EXIT ||
                        w.trace.end.how == HD_TRACE_END_SIGNAL ||
                        w.trace.end.how == HD_TRACE_END_STOPPED;
        w.trace.end.number = numbered ? w.trace.end.number : 0;
    } else
        hd_trace_end_add(&w.trace.end, "one more", HD_TRACE_END_OTHER, "a call (of f)", "b c:2");
    snprintf(path, sizeof path, "/dev/shm/heddle-end-%d", (int)getpid());
    for (int i = 0; i < 2 && good; i++) {
        hd_trace again;
        hd_error error = {""};
        if (!hd_trace_save(&w.trace, path, i ? HD_TRACE_BINARY : HD_TRACE_TEXT, &error) ||
            !hd_trace_load(&again, path, 0, &error)) {
            good = WRONG("%s", error.text);
            break;
        }
        good = same_end(&w.trace.end, &again.end) || WRONG("another end after format %d", i);
        hd_trace_release(&again);
    }
    unlink(path);
    hd_trace_release(&w.trace);
    return good;
}

SUPPORT_SUITE(random_end) {
    static const support_property properties[] = {
        {"a deadlock of the simulator is one of the trace", {.threads = 1, .events = 1}, judged},
        {"an end that is no deadlock is refused", {.threads = 1, .events = 1}, refused},
        {"an end survives both formats", {.threads = 1, .events = 1}, saved},
    };
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
