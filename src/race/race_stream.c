/*
 * hb and shb of a file that is not held in memory.  It is read twice: first for the pairs that are
 * reported, one for each pair of places; then for what is told of them, which is their events, the
 * locks held there and their stacks.  After a signal the pairs up to there are told.
 *
 * Memory: an event for each variable, thread and kind of access, the clocks, and what is reported;
 * not more for a longer trace.  A free recording is the exception, since its lanes are read as a
 * whole.
 */
#include <stdlib.h>
#include <string.h>

#include "race.h"

typedef struct hold {
    hd_order_lock lock;
    uint32_t number;
    heddle_event acquire;
    bool kept; /* it is in the trace */
} hold;

typedef struct holds {
    HD_VEC(hold) list;
} holds;

/* Places, never 0. */
struct two {
    uint64_t one, other;
};

enum { LATELY = 1024 }; /* a power of two */

typedef struct stream {
    hd_race_known *known;
    hd_trace *trace;
    hd_map places; /* place -> its number */
    uint32_t place_count;
    hd_map seen;               /* pairs of places */
    struct two lately[LATELY]; /* some of those pairs: most that are reported come again soon */
    hd_map exempted;           /* variables of exempt accesses */
    uint64_t exempt;           /* how many these are */
    hd_vec_u32 numbers;        /* of events that are told, ascending */
    HD_VEC(holds) threads;
} stream;

/* ---- First: the pairs ---- */

/* The location; where that is not known, what the thread does with this object is one place. */
static uint64_t place_of(const heddle_event *e) {
    return e->location ? e->location : UINT64_C(1) << 63 | (uint64_t)e->thread << 32 | e->object;
}

static uint32_t number_of(stream *s, uint64_t place) {
    bool added;
    uint32_t *number = hd_map_at(&s->places, place, &added);
    if (added)
        *number = s->place_count++;
    return *number;
}

/* Were these two seen, and nothing since that has their entry? */
static bool is_seen_again(stream *s, uint64_t one, uint64_t other) {
    uint64_t hash = (one * 31 + other) * UINT64_C(0x9e3779b97f4a7c15);
    struct two *entry = &s->lately[hash >> 32 & (LATELY - 1)];
    bool same = entry->one == one && entry->other == other;
    *entry = (struct two){one, other};
    return same;
}

static void note_pair(void *context, uint32_t first, const heddle_event *one, uint32_t second,
                      const heddle_event *other) {
    stream *s = context;
    bool added;
    if (is_seen_again(s, place_of(one), place_of(other)))
        return;
    uint32_t a = number_of(s, place_of(one)), b = number_of(s, place_of(other));
    hd_map_at(&s->seen, a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, &added);
    if (!added)
        return;
    hd_vec_push(&s->known->pairs, (hd_race_pair_of_events){first, second});
    hd_vec_push(&s->numbers, first);
    hd_vec_push(&s->numbers, second);
}

/* The verdict says how many there are, and names their variables: one of each is told. */
static void note_exempt(stream *s, uint32_t number, const heddle_event *event) {
    bool added;
    if (!hd_trace_is_exempt(event))
        return;
    s->exempt++;
    hd_map_at(&s->exempted, event->object, &added);
    if (added)
        hd_vec_push(&s->numbers, number);
}

/* False if it cannot be done so: an error, which reading it again tells, or a wait whose edges are
 * known only from the whole. */
static bool find_pairs(stream *s, hd_trace_cursor *cursor, bool all_reads) {
    hd_error error = {""};
    hd_trace_batch batch;
    int more = 0;
    uint32_t length = 0;
    hd_race_happens *happens =
        hd_race_happens_create(all_reads ? HD_RACE_SEES_ALL : HD_RACE_SEES_NONE, NULL, NULL, s);
    hd_race_happens_tell(happens, note_pair);
    hd_progress progress;
    hd_progress_start(&progress, "reading", "bytes", hd_trace_cursor_size(cursor));
    while ((more = hd_trace_cursor_next(cursor, &batch, &error)) > 0 && !hd_clock_over()) {
        for (size_t i = 0; i < batch.count; i++) {
            hd_race_happens_step(happens, batch.first + (uint32_t)i, &batch.events[i]);
            note_exempt(s, batch.first + (uint32_t)i, &batch.events[i]);
        }
        length = batch.first + (uint32_t)batch.count - 1;
        hd_progress_step(&progress, hd_trace_cursor_done(cursor));
    }
    hd_progress_end(&progress);
    s->trace->late = more > 0;
    bool good = more >= 0 && !hd_race_happens_wrong(happens) && length;
    hd_race_happens_free(happens);
    return good && hd_trace_sparse(s->trace, length);
}

/* Known at the end, so from the first reading. */
static void take_end(hd_trace *trace, const hd_trace_cursor *cursor) {
    trace->lost = hd_trace_cursor_lost(cursor);
    trace->incomplete = hd_trace_cursor_incomplete(cursor);
    trace->guessed = hd_trace_cursor_guessed(cursor);
    trace->unexplained = hd_trace_cursor_unexplained(cursor);
    hd_trace_end_copy(&trace->end, hd_trace_cursor_end(cursor));
}

/* ---- Then: what is told of them ---- */

static int compare_numbers(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void put_event(stream *s, uint32_t number, const heddle_event *event) {
    s->trace->events.data[number - 1] = *event;
    hd_vec_push(&s->trace->kept, number);
}

/* The last event of a thread on a lock says whether it holds it.  If the acquire is told, the
 * release is too, or else the lock would seem to be held at later events. */
static void note_lock(stream *s, uint32_t number, const heddle_event *event) {
    if (!(hd_trace_traits(event) & HEDDLE_T_LOCK) || event->flags & HEDDLE_REENTRANT)
        return;
    while (s->threads.length <= event->thread)
        hd_vec_push(&s->threads, (holds){0});
    holds *of = &s->threads.data[event->thread];
    hd_order_lock lock = hd_order_lock_of(event->object, hd_trace_is_shared(event));
    for (size_t i = 0; i < of->list.length; i++) {
        if (of->list.data[i].lock != lock)
            continue;
        if (of->list.data[i].kept)
            put_event(s, number, event);
        of->list.data[i] = of->list.data[--of->list.length];
        break;
    }
    if (hd_trace_acquires(event))
        hd_vec_push(&of->list, (hold){lock, number, *event, false});
}

static void keep_event(stream *s, const hd_trace_cursor *cursor, uint32_t number,
                       const heddle_event *event) {
    const hd_trace_stacks *stacks = hd_trace_cursor_stacks(cursor);
    put_event(s, number, event);
    if (stacks)
        hd_trace_stacks_copy(s->trace->stacks, stacks, event->thread, number);
    if (event->thread >= s->threads.length)
        return;
    holds *of = &s->threads.data[event->thread];
    for (size_t i = 0; i < of->list.length; i++) {
        hold *it = &of->list.data[i];
        if (!it->kept)
            put_event(s, it->number, &it->acquire);
        it->kept = true;
    }
}

static void read_batch(stream *s, const hd_trace_cursor *cursor, const hd_trace_batch *batch,
                       size_t *at) {
    for (size_t i = 0; i < batch->count && *at < s->numbers.length; i++) {
        uint32_t number = batch->first + (uint32_t)i;
        if (s->numbers.data[*at] == number)
            keep_event(s, cursor, number, &batch->events[i]);
        while (*at < s->numbers.length && s->numbers.data[*at] == number)
            ++*at;
        note_lock(s, number, &batch->events[i]);
    }
}

/* Those whose events were not read again before a signal's answer was due. */
static void drop_pairs(stream *s, uint32_t beyond) {
    size_t kept = 0;
    for (size_t i = 0; i < s->known->pairs.length; i++) {
        hd_race_pair_of_events pair = s->known->pairs.data[i];
        if (pair.first < beyond && pair.second < beyond)
            s->known->pairs.data[kept++] = pair;
    }
    s->known->pairs.length = kept;
}

/* Names have the numbers of this reading: stacks use more of them. */
static bool read_events(stream *s, hd_trace_cursor *cursor) {
    static const double most = 0.5;
    double until = hd_progress_clock() + most;
    hd_error error = {""};
    hd_trace_batch batch;
    size_t at = 0;
    if (s->numbers.length)
        qsort(s->numbers.data, s->numbers.length, sizeof *s->numbers.data, compare_numbers);
    if (hd_trace_cursor_stacks(cursor))
        s->trace->stacks = hd_trace_stacks_create();
    while (at < s->numbers.length && !(s->trace->late && hd_progress_clock() > until) &&
           hd_trace_cursor_next(cursor, &batch, &error) > 0) {
        read_batch(s, cursor, &batch, &at);
        if (s->trace->stacks)
            hd_trace_stacks_forget(hd_trace_cursor_stacks(cursor));
    }
    if (s->trace->kept.length) /* an acquire was put at the first event under it */
        qsort(s->trace->kept.data, s->trace->kept.length, sizeof *s->trace->kept.data,
              compare_numbers);
    s->trace->exempt = s->exempt;
    for (size_t i = 0; i < s->trace->kept.length; i++)
        s->trace->exempt -= hd_trace_is_exempt(hd_trace_event(s->trace, s->trace->kept.data[i]));
    hd_trace_tables_release(&s->trace->tables);
    hd_trace_cursor_take_tables(cursor, &s->trace->tables);
    if (s->trace->late && at < s->numbers.length) {
        drop_pairs(s, s->numbers.data[at]);
        return true;
    }
    return at == s->numbers.length;
}

/* Not if the file has changed meanwhile. */
static bool pairs_are_there(const stream *s) {
    for (size_t i = 0; i < s->known->pairs.length; i++) {
        const heddle_event *first = hd_trace_event(s->trace, s->known->pairs.data[i].first);
        const heddle_event *second = hd_trace_event(s->trace, s->known->pairs.data[i].second);
        if (!hd_trace_is_access(first) || !hd_trace_is_access(second) ||
            !hd_race_conflict(first, second))
            return false;
    }
    return true;
}

/* ---- Both ---- */

static void release_stream(stream *s) {
    hd_map_release(&s->places);
    hd_map_release(&s->seen);
    hd_map_release(&s->exempted);
    hd_vec_release(&s->numbers);
    for (size_t i = 0; i < s->threads.length; i++)
        hd_vec_release(&s->threads.data[i].list);
    hd_vec_release(&s->threads);
}

bool hd_race_stream(const char *path, bool all_reads, hd_trace *trace, hd_race_known *known) {
    stream s = {.known = known, .trace = trace};
    hd_trace_cursor *cursor = hd_trace_cursor_open(path, 0, NULL), *again = NULL;
    if (!cursor)
        return false;
    hd_stop_listen();
    hd_trace_init(trace);
    bool good = find_pairs(&s, cursor, all_reads);
    if (good)
        take_end(trace, cursor);
    hd_trace_cursor_close(cursor);
    if (good)
        again = hd_trace_cursor_open(path, HD_TRACE_STACKS, NULL);
    good = again && read_events(&s, again) && pairs_are_there(&s);
    hd_trace_cursor_close(again);
    release_stream(&s);
    if (!good) {
        hd_trace_release(trace);
        hd_vec_clear(&known->pairs);
    }
    return good;
}
