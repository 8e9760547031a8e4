/*
 * The room `trace` against its slow twins: both formats give back what they
 * were given, the statistics are what naive loops count, the index has the
 * edges that brute force finds, and all readers agree on what is a run.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support_brute.h"
#include "support_random.h"

/* False, with a reason. */
#define WRONG(...) (snprintf(why, why_size, __VA_ARGS__), false)

/* ---- Files, kept in memory: what a pipe takes, nothing has to sync ---- */

typedef struct bytes {
    char *data;
    size_t size;
} bytes;

static void pipe_open(int ends[2], char *path, size_t size) {
    if (pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, 1 << 18) < 0) {
        perror("pipe");
        exit(2);
    }
    snprintf(path, size, "/dev/fd/%d", ends[1]);
}

/* All that was written; closes both ends. */
static bytes pipe_take(int ends[2]) {
    bytes file = {hd_mem_alloc(1 << 18), 0};
    close(ends[1]);
    ssize_t got;
    while ((got = read(ends[0], file.data + file.size, (1 << 18) - file.size)) > 0)
        file.size += (size_t)got;
    close(ends[0]);
    return file;
}

static bytes save(const hd_trace *trace, enum hd_trace_format format) {
    int ends[2];
    char path[32];
    pipe_open(ends, path, sizeof path);
    hd_trace_save(trace, path, format, NULL);
    return pipe_take(ends);
}

/* Fills an initialised trace. */
static bool load(hd_trace *trace, bytes file, hd_error *error) {
    hd_trace_batch batch;
    int more = -1;
    hd_trace_cursor *cursor = hd_trace_cursor_memory(file.data, file.size, "t", 0, error);
    while (cursor && (more = hd_trace_cursor_next(cursor, &batch, error)) > 0)
        for (size_t i = 0; i < batch.count; i++)
            hd_trace_append(trace, batch.events[i]);
    if (cursor) {
        hd_trace_tables_release(&trace->tables);
        hd_trace_cursor_take_tables(cursor, &trace->tables);
    }
    hd_trace_cursor_close(cursor);
    return more == 0;
}

/* The file in the other format, batch by batch, as `heddle convert` does it. */
static bytes convert(bytes file, enum hd_trace_format format) {
    int ends[2];
    char path[32];
    hd_trace_batch batch;
    pipe_open(ends, path, sizeof path);
    hd_trace_cursor *cursor = hd_trace_cursor_memory(file.data, file.size, "t", 0, NULL);
    hd_trace_writer *writer = hd_trace_writer_open(path, format, NULL);
    while (hd_trace_cursor_next(cursor, &batch, NULL) > 0)
        hd_trace_writer_write(writer, hd_trace_cursor_tables(cursor), batch.events, batch.count);
    hd_trace_writer_close(writer, NULL);
    hd_trace_cursor_close(cursor);
    return pipe_take(ends);
}

/* ---- Traces with odd names, sizes and values ---- */

static int64_t odd_value(hd_random *random) {
    static const int64_t values[] = {0, -1, INT64_MAX, INT64_MIN, 255, -256, 65536};
    return values[hd_random_below(random, sizeof values / sizeof *values)];
}

static void decorate(heddle_event *event, hd_random *random) {
    unsigned traits = hd_trace_traits(event);
    if ((traits & HEDDLE_T_ACCESS) && hd_random_chance(random, 300))
        event->size = (uint16_t)(1 + hd_random_below(random, 65535));
    if ((traits & HEDDLE_T_VALUE) && hd_random_chance(random, 300)) {
        event->flags |= HEDDLE_HAS_VALUE;
        event->value = odd_value(random);
    }
    if (hd_random_chance(random, 100))
        event->location = 0;
}

/* The same trace under other names; threads keep theirs, for fork(10) has a
 * meaning of its own in the text format. */
static void copy_names(hd_trace *to, const hd_trace *from) {
    static const char *const tails[] = {"", " ", "(", ")", "\t", "#", "\xc3\xa9", "\xff", "\x01"};
    enum { TAILS = sizeof tails / sizeof *tails };
    for (unsigned class = 0; class < HEDDLE_CLASS_COUNT; class ++)
        for (uint32_t id = 0; id < from->tables.names[class].length; id++) {
            const char *name = hd_names_text(&from->tables.names[class], id);
            const char *tail = class == HEDDLE_CLASS_THREAD || !*name ? "" : tails[id % TAILS];
            hd_trace_name(to, (enum heddle_class) class, "%s%s", name, tail);
        }
}

static void decorated(hd_trace *to, const hd_trace *from, hd_random *random) {
    hd_trace_init(to);
    copy_names(to, from);
    for (uint32_t n = 1; n <= hd_trace_length(from); n++) {
        hd_trace_append(to, *hd_trace_event(from, n));
        decorate(hd_vec_last(&to->events), random);
    }
}

/* ---- Equal traces ---- */

static bool same_name(const hd_names *a, uint32_t i, const hd_names *b, uint32_t j) {
    return hd_names_size(a, i) == hd_names_size(b, j) &&
           memcmp(hd_names_text(a, i), hd_names_text(b, j), hd_names_size(a, i)) == 0;
}

static bool same_event(const hd_trace *a, const hd_trace *b, uint32_t n) {
    const heddle_event *e = hd_trace_event(a, n), *f = hd_trace_event(b, n);
    const hd_names *p = a->tables.names, *q = b->tables.names;
    unsigned class = hd_trace_kinds[e->kind].class;
    return e->kind == f->kind && e->flags == f->flags && e->size == f->size &&
           e->value == f->value &&
           same_name(&p[HEDDLE_CLASS_THREAD], e->thread, &q[HEDDLE_CLASS_THREAD], f->thread) &&
           same_name(&p[class], e->object, &q[class], f->object) &&
           same_name(&p[HEDDLE_CLASS_LOCATION], e->location, &q[HEDDLE_CLASS_LOCATION],
                     f->location);
}

static bool same_trace(const hd_trace *a, const hd_trace *b, char *why, size_t why_size) {
    if (hd_trace_length(a) != hd_trace_length(b))
        return WRONG("%u events became %u", hd_trace_length(a), hd_trace_length(b));
    for (uint32_t n = 1; n <= hd_trace_length(a); n++)
        if (!same_event(a, b, n))
            return WRONG("event %u is another", n);
    return true;
}

static bool same_numbers(const hd_trace *a, const hd_trace *b, char *why, size_t why_size) {
    for (unsigned class = 0; class < HEDDLE_CLASS_COUNT; class ++) {
        const hd_names *p = &a->tables.names[class], *q = &b->tables.names[class];
        if (p->length != q->length)
            return WRONG("%u names became %u", p->length, q->length);
        for (uint32_t id = 0; id < p->length; id++)
            if (!same_name(p, id, q, id))
                return WRONG("%s %u is another", hd_trace_classes[class].name, id);
    }
    return true;
}

static bool round_trip(const hd_trace *trace, hd_random *random, enum hd_trace_format format,
                       char *why, size_t why_size) {
    hd_trace given, again;
    hd_error error = {""};
    if (!hd_trace_length(trace))
        return true;
    decorated(&given, trace, random);
    bytes file = save(&given, format);
    hd_trace_init(&again);
    bool good = load(&again, file, &error) || WRONG("%s", error.text);
    good = good && same_trace(&given, &again, why, why_size);
    if (format == HD_TRACE_BINARY)
        good = good && same_numbers(&given, &again, why, why_size);
    hd_trace_release(&given);
    hd_trace_release(&again);
    free(file.data);
    return good;
}

static bool text_round_trip(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    return round_trip(trace, random, HD_TRACE_TEXT, why, why_size);
}

static bool binary_round_trip(const hd_trace *trace, hd_random *random, char *why,
                              size_t why_size) {
    return round_trip(trace, random, HD_TRACE_BINARY, why, why_size);
}

static bool conversion(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    hd_trace given;
    if (!hd_trace_length(trace))
        return true;
    decorated(&given, trace, random);
    bytes text = save(&given, HD_TRACE_TEXT);
    bytes binary = convert(text, HD_TRACE_BINARY);
    bytes again = convert(binary, HD_TRACE_TEXT);
    bool good = (text.size == again.size && memcmp(text.data, again.data, text.size) == 0) ||
                WRONG("%zu bytes of text became %zu, or others", text.size, again.size);
    hd_trace_release(&given);
    free(text.data);
    free(binary.data);
    free(again.data);
    return good;
}

/* ---- Damage ---- */

/* A file with one byte changed is refused or, if it is text, may say something
 * else; what is read from it can be indexed and written. */
static bool damage(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    if (!hd_trace_length(trace))
        return true;
    enum hd_trace_format format = hd_random_chance(random, 500) ? HD_TRACE_TEXT : HD_TRACE_BINARY;
    bytes file = save(trace, format);
    file.data[hd_random_below(random, file.size)] ^= (char)(1 + hd_random_below(random, 255));
    hd_trace again;
    hd_error error = {""};
    hd_trace_init(&again);
    bool read = load(&again, file, &error), good = true;
    if (read && format == HD_TRACE_BINARY)
        good = WRONG("a changed byte was passed over");
    if (!read && !error.text[0])
        good = WRONG("refused without a word");
    if (read) {
        hd_trace_index index;
        hd_trace_index_build(&index, &again);
        hd_trace_index_release(&index);
        free(save(&again, HD_TRACE_BINARY).data);
    }
    hd_trace_release(&again);
    free(file.data);
    return good;
}

/* ---- All readers agree on what is a run ---- */

/* Without one event, and with two neighbours swapped, most traces are not runs any more. */
static void spoil(hd_trace *trace, hd_random *random) {
    size_t length = trace->events.length;
    heddle_event *events = trace->events.data;
    size_t i = hd_random_below(random, length);
    if (hd_random_chance(random, 500) && i + 1 < length) {
        heddle_event event = events[i];
        events[i] = events[i + 1];
        events[i + 1] = event;
        return;
    }
    memmove(events + i, events + i + 1, (length - i - 1) * sizeof *events);
    trace->events.length--;
}

static bool agrees(const hd_trace *trace, enum hd_trace_format format, const char *verdict,
                   char *why, size_t why_size) {
    hd_trace again;
    hd_error error = {""};
    bytes file = save(trace, format);
    hd_trace_init(&again);
    load(&again, file, &error);
    const char *said = error.text;
    if (*said) /* "t:5: " or "t: event 5: " against "event 5: " */
        said = format == HD_TRACE_BINARY ? said + 3 : strchr(said + 2, ' ') + 1;
    bool good =
        strcmp(said, format == HD_TRACE_BINARY || !*verdict ? verdict
                                                            : strchr(verdict + 6, ' ') + 1) == 0;
    if (!good)
        (void)WRONG("'%.200s' but '%.200s'", verdict, error.text);
    hd_trace_release(&again);
    free(file.data);
    return good;
}

static bool verdicts(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    hd_trace spoilt;
    hd_error error = {""};
    if (hd_trace_length(trace) < 2)
        return true;
    decorated(&spoilt, trace, random);
    spoil(&spoilt, random);
    hd_trace_check_all(&spoilt, &error);
    bool good = agrees(&spoilt, HD_TRACE_TEXT, error.text, why, why_size) &&
                agrees(&spoilt, HD_TRACE_BINARY, error.text, why, why_size);
    hd_trace_release(&spoilt);
    return good;
}

/* ---- Statistics ---- */

/* What a use of the object is: an access, or an acquire that is not re-entrant. */
static bool is_use(const heddle_event *event, unsigned class, uint32_t object) {
    if (hd_trace_kinds[event->kind].class != class || event->object != object)
        return false;
    if (class == HEDDLE_CLASS_VARIABLE)
        return true;
    return hd_trace_acquires(event) && !(event->flags & HEDDLE_REENTRANT);
}

static bool used_before(const hd_trace *trace, uint32_t n, unsigned class) {
    const heddle_event *event = hd_trace_event(trace, n);
    for (uint32_t a = 1; a < n; a++)
        if (hd_trace_event(trace, a)->thread == event->thread &&
            is_use(hd_trace_event(trace, a), class, event->object))
            return true;
    return false;
}

static hd_trace_object_use naive_use(const hd_trace *trace, unsigned class, uint32_t object) {
    hd_trace_object_use use = {0};
    uint32_t last = 0;
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *event = hd_trace_event(trace, n);
        use.failed +=
            event->kind == HEDDLE_TRYFAIL && class == HEDDLE_CLASS_LOCK && event->object == object;
        if (!is_use(event, class, object))
            continue;
        use.uses++;
        use.reads +=
            hd_trace_reads(event) || (hd_trace_acquires(event) && hd_trace_is_shared(event));
        use.writes +=
            hd_trace_writes(event) || (hd_trace_acquires(event) && !hd_trace_is_shared(event));
        use.handovers += last && hd_trace_event(trace, last)->thread != event->thread;
        use.threads += !used_before(trace, n, class);
        last = n;
    }
    return use;
}

static bool same_uses(const hd_trace *trace, unsigned class, const hd_trace_object_use *uses,
                      size_t length, char *why, size_t why_size) {
    for (uint32_t i = 0; i < trace->tables.names[class].length; i++) {
        hd_trace_object_use none = {0}, naive = naive_use(trace, class, i);
        const hd_trace_object_use *use = i < length ? &uses[i] : &none;
        if (use->uses != naive.uses || use->reads != naive.reads || use->writes != naive.writes ||
            use->handovers != naive.handovers || use->failed != naive.failed ||
            use->threads != naive.threads)
            return WRONG("%s %u is counted otherwise", hd_trace_classes[class].name, i);
    }
    return true;
}

static uint64_t count_if(const hd_trace *trace, bool (*test)(const heddle_event *, unsigned),
                         unsigned argument) {
    uint64_t count = 0;
    for (uint32_t n = 1; n <= hd_trace_length(trace); n++)
        count += test(hd_trace_event(trace, n), argument);
    return count;
}

static bool of_kind(const heddle_event *event, unsigned kind) {
    return event->kind == kind;
}

static bool of_thread(const heddle_event *event, unsigned thread) {
    return event->thread == thread;
}

static bool with_flag(const heddle_event *event, unsigned flag) {
    return (event->flags & flag) != 0;
}

static bool with_trait(const heddle_event *event, unsigned traits) {
    return (hd_trace_traits(event) & traits) != 0;
}

static bool same_counts(const hd_trace *trace, const hd_trace_statistics *s, char *why,
                        size_t why_size) {
    for (unsigned kind = 0; kind < HEDDLE_KIND_COUNT; kind++)
        if (s->kinds[kind] != count_if(trace, of_kind, kind))
            return WRONG("%s events are counted otherwise", hd_trace_kinds[kind].op);
    for (unsigned thread = 0; thread < s->threads.length; thread++)
        if (s->threads.data[thread] != count_if(trace, of_thread, thread))
            return WRONG("thread %u is counted otherwise", thread);
    if (s->events != hd_trace_length(trace) ||
        s->with_value != count_if(trace, with_flag, HEDDLE_HAS_VALUE) ||
        s->reentrant != count_if(trace, with_flag, HEDDLE_REENTRANT) ||
        hd_trace_statistics_accesses(s) != count_if(trace, with_trait, HEDDLE_T_ACCESS) ||
        hd_trace_statistics_lock_events(s) != count_if(trace, with_trait, HEDDLE_T_LOCK))
        return WRONG("a total is counted otherwise");
    return true;
}

static bool statistics(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    hd_trace_statistics s;
    hd_trace_statistics_init(&s);
    /* In two batches: nothing may depend on where they part. */
    size_t first = hd_random_below(random, trace->events.length + 1);
    hd_trace_batch batch = {trace->events.data, first, 1};
    hd_trace_statistics_add(&s, &batch);
    if (first < trace->events.length) {
        batch = (hd_trace_batch){trace->events.data + first, trace->events.length - first,
                                 (uint32_t)first + 1};
        hd_trace_statistics_add(&s, &batch);
    }
    bool good = same_counts(trace, &s, why, why_size) &&
                same_uses(trace, HEDDLE_CLASS_LOCK, s.locks.data, s.locks.length, why, why_size) &&
                same_uses(trace, HEDDLE_CLASS_VARIABLE, s.variables.data, s.variables.length, why,
                          why_size);
    hd_trace_statistics_release(&s);
    return good;
}

/* ---- The index ---- */

/* Is there an edge from a to b by the index? */
static bool pair_edge(const hd_trace_index *index, uint32_t a, uint32_t b) {
    const heddle_event *e = hd_trace_event(index->trace, a), *f = hd_trace_event(index->trace, b);
    if (e->thread == f->thread && index->position[b] == index->position[a] + 1)
        return true;
    if (e->kind == HEDDLE_FORK && index->pair[a] == b)
        return true;
    if (e->kind == HEDDLE_WAIT && index->pair[a] && index->pair[index->pair[a]] == b)
        return true;
    return (f->kind == HEDDLE_JOIN || f->kind == HEDDLE_WAKE || f->kind == HEDDLE_RECV) &&
           index->pair[b] == a;
}

static bool round_edge(const hd_trace_index *index, uint32_t a, uint32_t b) {
    if (hd_trace_event(index->trace, a)->kind != HEDDLE_BARRIER_IN ||
        hd_trace_event(index->trace, b)->kind != HEDDLE_BARRIER_OUT)
        return false;
    uint32_t round = index->pair[b] - 1;
    for (uint32_t i = 0; i < hd_trace_list_length(&index->rounds, round); i++)
        if (hd_trace_list(&index->rounds, round)[i] == a)
            return index->pair[a] == round + 1;
    return false;
}

static bool same_edges(const hd_trace_index *index, const support_brute *brute, char *why,
                       size_t why_size) {
    uint32_t length = hd_trace_length(index->trace);
    for (uint32_t a = 1; a <= length; a++)
        for (uint32_t b = a + 1; b <= length; b++) {
            bool edge = pair_edge(index, a, b) || round_edge(index, a, b);
            if (edge != support_brute_must(brute, a, b))
                return WRONG("the edge from %u to %u is in one of them only", a, b);
        }
    return true;
}

static bool same_reads(const hd_trace_index *index, const support_brute *brute, char *why,
                       size_t why_size) {
    for (uint32_t n = 1; n <= hd_trace_length(index->trace); n++) {
        const heddle_event *event = hd_trace_event(index->trace, n);
        bool reads = hd_trace_reads(event) || event->kind == HEDDLE_TRYFAIL;
        if (reads && index->pair[n] != support_brute_saw(brute, n))
            return WRONG("event %u saw %u, not %u", n, support_brute_saw(brute, n), index->pair[n]);
    }
    return true;
}

/* The release of an acquire is the first that brings the depth of its thread's
 * holds of the lock below what it was with it. */
static uint32_t naive_release(const hd_trace *trace, uint32_t acquire) {
    const heddle_event *event = hd_trace_event(trace, acquire);
    int depth = 1;
    for (uint32_t n = acquire + 1; n <= hd_trace_length(trace); n++) {
        const heddle_event *other = hd_trace_event(trace, n);
        if (other->thread != event->thread || other->object != event->object)
            continue;
        depth += hd_trace_acquires(other);
        depth -= hd_trace_releases(other);
        if (depth == 0)
            return n;
    }
    return 0;
}

static bool same_holds(const hd_trace_index *index, char *why, size_t why_size) {
    for (uint32_t n = 1; n <= hd_trace_length(index->trace); n++) {
        const heddle_event *event = hd_trace_event(index->trace, n);
        if (!hd_trace_acquires(event))
            continue;
        uint32_t release = naive_release(index->trace, n);
        if (index->pair[n] != release || (release && index->pair[release] != n))
            return WRONG("acquire %u is released by %u, not %u", n, release, index->pair[n]);
    }
    return true;
}

/* Each list has exactly the events that belong in it, in order. */
static bool same_list(const hd_trace *trace, const hd_trace_lists *lists, int class) {
    for (uint32_t i = 0; i < lists->count; i++) {
        uint32_t at = 0, length = hd_trace_list_length(lists, i);
        for (uint32_t n = 1; n <= hd_trace_length(trace); n++) {
            const heddle_event *event = hd_trace_event(trace, n);
            bool in = class < 0 ? event->thread == i
                                : hd_trace_kinds[event->kind].class == class && event->object == i;
            if (in && (at == length || hd_trace_list(lists, i)[at++] != n))
                return false;
        }
        if (at != length)
            return false;
    }
    return true;
}

static bool same_lists(const hd_trace_index *index, char *why, size_t why_size) {
    if (!same_list(index->trace, &index->threads, -1))
        return WRONG("the list of a thread");
    if (!same_list(index->trace, &index->locks, HEDDLE_CLASS_LOCK))
        return WRONG("the list of a lock");
    if (!same_list(index->trace, &index->variables, HEDDLE_CLASS_VARIABLE))
        return WRONG("the list of a variable");
    return true;
}

static bool index_equals_brute(const hd_trace *trace, hd_random *random, char *why,
                               size_t why_size) {
    (void)random;
    hd_trace_index index;
    support_brute *brute = support_brute_create(trace);
    hd_trace_index_build(&index, trace);
    bool good = same_edges(&index, brute, why, why_size) &&
                same_reads(&index, brute, why, why_size) && same_holds(&index, why, why_size) &&
                same_lists(&index, why, why_size);
    hd_trace_index_release(&index);
    support_brute_free(brute);
    return good;
}

#define SMALL                                                                                      \
    {                                                                                              \
        .threads = 5, .events = 60, .locks = 3, .variables = 4,                                    \
        .features = SUPPORT_ALL | SUPPORT_ORDERS | SUPPORT_CERTAIN                                 \
    }
#define WAITING                                                                                    \
    {                                                                                              \
        .threads = 6, .events = 80, .locks = 2, .variables = 1,                                    \
        .features = SUPPORT_LOCKS | SUPPORT_REENTRANT | SUPPORT_RWLOCKS | SUPPORT_TRYFAIL |        \
                    SUPPORT_WAITS | SUPPORT_BARRIERS | SUPPORT_CHANNELS                            \
    }

SUPPORT_SUITE(random_trace) {
    static const support_property properties[] = {
        {"text gives back what it was given", SMALL, text_round_trip},
        {"binary gives back what it was given", SMALL, binary_round_trip},
        {"text to binary to text changes no byte", SMALL, conversion},
        {"a changed byte is found or harmless", SMALL, damage},
        {"all readers agree on what is a run", SMALL, verdicts},
        {"statistics equal naive counts", SMALL, statistics},
        {"the index equals brute force", SMALL, index_equals_brute},
        {"the index equals brute force where threads wait", WAITING, index_equals_brute},
    };
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
