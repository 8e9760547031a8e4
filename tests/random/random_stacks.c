/*
 * Stacks against the plain list of them, one for each event: as they are recorded, with
 * events that turn out to be none; after a round through a binary file; a few of them, the others
 * forgotten; and damaged bytes are refused or read as something else, never more than that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support_random.h"
#include "trace/trace.h"
#include "trace/trace_binary_stacks.h"

#define WRONG(...) (snprintf(why, why_size, __VA_ARGS__), false)

enum { FUNCTIONS = 5, CALLS = 7 };

/* The stack of an event: frames, outermost first, and its function behind them. */
typedef hd_vec_u32 stack;

/* A trace with stacks, and what they are. */
typedef struct drawn {
    hd_trace trace;
    HD_VEC(stack) stacks; /* by event */
} drawn;

static void copy_names(hd_trace *to, const hd_trace *from) {
    hd_trace_init(to);
    for (unsigned class = 0; class < HEDDLE_CLASS_COUNT; class ++) {
        const hd_names *names = &from->tables.names[class];
        for (uint32_t i = 0; i < names->length; i++)
            hd_names_add(&to->tables.names[class], hd_names_text(names, i),
                         hd_names_size(names, i));
    }
}

static void draw_frames(hd_trace *trace) {
    char text[32];
    for (uint32_t i = 1; i <= FUNCTIONS; i++)
        hd_trace_stacks_function(trace->stacks, text,
                                 (size_t)snprintf(text, sizeof text, "f%u", i));
    for (uint32_t i = 1; i <= CALLS; i++)
        hd_trace_stacks_frame(
            trace->stacks,
            (hd_trace_frame){i % FUNCTIONS,
                             hd_trace_name(trace, HEDDLE_CLASS_LOCATION, "c.c:%u", i)});
}

/* Some calls and returns of a runner, now and then a great many. */
static void draw_calls(hd_trace_stacks *stacks, uint32_t runner, stack *calls, hd_random *random) {
    uint64_t count =
        hd_random_chance(random, 30) ? hd_random_below(random, 3000) : hd_random_below(random, 4);
    uint32_t deeper = hd_random_chance(random, 500) ? 700 : 300;
    while (count-- > 0)
        if (hd_random_chance(random, deeper)) {
            uint32_t frame = 1 + (uint32_t)hd_random_below(random, CALLS);
            hd_trace_stacks_enter(stacks, runner, frame);
            hd_vec_push(calls, frame);
        } else {
            hd_trace_stacks_leave(stacks, runner);
            calls->length -= calls->length > 0;
        }
}

static void drop(drawn *d, uint32_t i) {
    hd_vec_release(&d->stacks.data[i]);
    size_t behind = --d->trace.events.length - i;
    memmove(&d->trace.events.data[i], &d->trace.events.data[i + 1],
            behind * sizeof *d->trace.events.data);
    memmove(&d->stacks.data[i], &d->stacks.data[i + 1], behind * sizeof *d->stacks.data);
    d->stacks.length--;
    hd_trace_stacks_drop(d->trace.stacks, i + 1);
}

/* Of the events that are not settled, the first ones first, as readers do it, or the last ones, or
 * both. */
static void drop_some(drawn *d, uint32_t settled, hd_random *random) {
    uint64_t how = hd_random_below(random, 3);
    for (uint32_t i = settled; how != 1 && i < hd_trace_length(&d->trace);)
        if (hd_random_chance(random, 100))
            drop(d, i);
        else
            i++;
    for (uint32_t i = hd_trace_length(&d->trace); how && i-- > settled;)
        if (hd_random_chance(random, 100))
            drop(d, i);
}

/* Events come in batches, and some of a batch are dropped at its end. */
static void draw(drawn *d, const hd_trace *from, hd_random *random) {
    *d = (drawn){0};
    copy_names(&d->trace, from);
    d->trace.stacks = hd_trace_stacks_create();
    draw_frames(&d->trace);
    hd_trace_stacks *stacks = d->trace.stacks;
    stack calls[64] = {0};
    uint32_t settled = 0;
    for (uint32_t n = 1; n <= hd_trace_length(from); n++) {
        const heddle_event *event = hd_trace_event(from, n);
        uint32_t runner = 63 - event->thread % 64;
        stack now = {0};
        draw_calls(stacks, runner, &calls[runner], random);
        for (size_t i = 0; i < calls[runner].length; i++)
            hd_vec_push(&now, calls[runner].data[i]);
        hd_vec_push(&now, (uint32_t)hd_random_below(random, FUNCTIONS + 1));
        hd_trace_append(&d->trace, *event);
        hd_vec_push(&d->stacks, now);
        hd_trace_stacks_event(stacks, runner, event->thread, hd_trace_length(&d->trace),
                              *hd_vec_last(&now));
        if (!hd_random_chance(random, 100) && n < hd_trace_length(from))
            continue;
        drop_some(d, settled, random);
        hd_trace_stacks_settle(stacks);
        settled = hd_trace_length(&d->trace);
    }
    for (int i = 0; i < 64; i++)
        hd_vec_release(&calls[i]);
}

static void release(drawn *d) {
    for (size_t i = 0; i < d->stacks.length; i++)
        hd_vec_release(&d->stacks.data[i]);
    hd_vec_release(&d->stacks);
    hd_trace_release(&d->trace);
}

/* The stack of event n of the trace is the one that was drawn: by its texts, since numbers of
 * frames may differ. */
static bool is_right(const drawn *d, const hd_trace *trace, uint32_t n) {
    stack found = {0};
    uint32_t function;
    const stack *expected = &d->stacks.data[n - 1];
    hd_trace_stacks_find(trace->stacks, hd_trace_event(trace, n)->thread, n, &found, &function);
    bool good = found.length + 1 == expected->length &&
                strcmp(hd_trace_stacks_name(trace->stacks, function),
                       hd_trace_stacks_name(d->trace.stacks, *hd_vec_last(expected))) == 0;
    for (size_t i = 0; good && i < found.length; i++) {
        hd_trace_frame a = hd_trace_stacks_at(trace->stacks, found.data[i]),
                       b = hd_trace_stacks_at(d->trace.stacks, expected->data[i]);
        good =
            strcmp(hd_trace_stacks_name(trace->stacks, a.function),
                   hd_trace_stacks_name(d->trace.stacks, b.function)) == 0 &&
            strcmp(hd_names_text(&trace->tables.names[HEDDLE_CLASS_LOCATION], a.location),
                   hd_names_text(&d->trace.tables.names[HEDDLE_CLASS_LOCATION], b.location)) == 0;
    }
    hd_vec_release(&found);
    return good;
}

static bool recorded(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    drawn d;
    draw(&d, trace, random);
    uint32_t n = 1, last = hd_trace_length(&d.trace);
    while (n <= last && is_right(&d, &d.trace, n))
        n++;
    release(&d);
    return n > last || WRONG("event %u has another stack", n);
}

static bool saved(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    drawn d;
    draw(&d, trace, random);
    char path[4096];
    snprintf(path, sizeof path, "%s/heddle-stacks-XXXXXX", hd_file_temporary());
    hd_error error = {""};
    hd_trace again = {0};
    int file = mkstemp(path);
    uint32_t n = 1, last = hd_trace_length(&d.trace);
    bool good = file >= 0 && close(file) == 0;
    if (last) { /* dropping may leave what is no run: only the stacks are looked at */
        good = good && hd_trace_save(&d.trace, path, HD_TRACE_BINARY, &error) &&
               hd_trace_load(&again, path, HD_TRACE_UNCHECKED, &error);
        while (good && n <= last && is_right(&d, &again, n))
            n++;
    }
    unlink(path);
    hd_trace_release(&again);
    release(&d);
    if (!good)
        return WRONG("%s", error.text);
    return n > last || WRONG("event %u has another stack", n);
}

/* The changes up to event n, as they are read one after the other.  That of an event that was
 * dropped is at the next one. */
static void read_changes(const drawn *d, hd_trace_changes *at, hd_trace_stacks *to, uint32_t n) {
    hd_trace_changes before = *at;
    hd_trace_change change;
    while (hd_trace_changes_next(at, d->trace.stacks, &change) && change.event <= n) {
        hd_trace_stacks_change(to, &change);
        before = *at;
    }
    before.frames = at->frames;
    *at = before;
}

static bool few(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    drawn d;
    draw(&d, trace, random);
    hd_trace passing, kept;
    copy_names(&passing, trace);
    passing.stacks = hd_trace_stacks_create();
    draw_frames(&passing);
    kept = passing;
    kept.events = d.trace.events;
    kept.stacks = hd_trace_stacks_create();
    hd_trace_changes at[64] = {0};
    uint32_t wrong = 0, last = hd_trace_length(&d.trace);
    hd_vec_u32 numbers = {0};
    for (uint32_t n = 1; n <= last; n++) {
        uint32_t thread = hd_trace_event(&d.trace, n)->thread;
        at[thread].thread = thread;
        read_changes(&d, &at[thread], passing.stacks, n);
        if (hd_random_chance(random, 200)) {
            hd_trace_stacks_copy(kept.stacks, passing.stacks, thread, n);
            hd_vec_push(&numbers, n);
        }
        if (hd_random_chance(random, 100))
            hd_trace_stacks_forget(passing.stacks);
    }
    for (size_t i = 0; i < numbers.length && !wrong; i++)
        wrong = is_right(&d, &kept, numbers.data[i]) ? 0 : numbers.data[i];
    for (int i = 0; i < 64; i++)
        hd_vec_release(&at[i].frames);
    hd_vec_release(&numbers);
    hd_trace_stacks_free(kept.stacks);
    hd_trace_release(&passing);
    release(&d);
    return !wrong || WRONG("event %u has another stack", wrong);
}

static bool damaged(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    drawn d;
    draw(&d, trace, random);
    hd_trace_stacks_writer writer = {0};
    hd_trace_bytes bytes = {0};
    uint32_t last = hd_trace_length(&d.trace);
    hd_trace_stacks *read = hd_trace_stacks_create();
    if (hd_trace_stacks_writer_put(&writer, d.trace.stacks, 1, last, &bytes)) {
        for (int i = 0; i < 3; i++)
            bytes.data[hd_random_below(random, bytes.length)] ^=
                (unsigned char)(1 << hd_random_below(random, 8));
        if (hd_random_chance(random, 300))
            bytes.length = hd_random_below(random, bytes.length + 1);
        size_t length = bytes.length;
        hd_vec_resize(&bytes, length + 16); /* the reader's padding */
        hd_trace_stacks_read(read, &d.trace.tables, 1, bytes.data, bytes.data + length);
    }
    bool good = true;
    for (uint32_t n = 1; n <= last && good; n++) {
        stack found = {0};
        uint32_t function;
        hd_trace_stacks_find(read, hd_trace_event(&d.trace, n)->thread, n, &found, &function);
        good = function <= hd_trace_stacks_functions(read);
        for (size_t i = 0; good && i < found.length; i++)
            good = found.data[i] <= hd_trace_stacks_frames(read);
        hd_vec_release(&found);
    }
    hd_trace_stacks_free(read);
    hd_trace_stacks_writer_release(&writer);
    hd_vec_release(&bytes);
    release(&d);
    return good || WRONG("a stack has a frame that there is not");
}

#define SMALL                                                                                      \
    { .threads = 4, .events = 120, .locks = 3, .variables = 6, .features = SUPPORT_ALL }

SUPPORT_SUITE(random_stacks) {
    static const support_property properties[] = {
        {"recorded stacks are those of the events", SMALL, recorded},
        {"saved stacks come back", SMALL, saved},
        {"a few stacks, the others forgotten", SMALL, few},
        {"damaged stacks are refused or harmless", SMALL, damaged},
    };
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
