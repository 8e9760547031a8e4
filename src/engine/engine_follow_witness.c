/*
 * A witness of a recording, as events that its program is to make again.
 *
 * The witness names its recording, which knows the build of its program, and which events are one
 * access.  What the claim says to be next after the schedule is added to it: the read, both
 * accesses of a race, one after the other.  So they come without an event of their threads between.
 * A deadlock has no such events; there the program goes on by itself after the schedule, until it
 * ends.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine_follow.h"

/* ---- The witness and its recording ---- */

/* What its comment lines say. */
typedef struct head {
    bool witness; /* it is one, */
    bool of_run;  /* of a model or program */
    char *trace;  /* that it names; NULL: none */
} head;

static void take_line(head *it, const char *line) {
    static const char first[] = "# heddle witness ", trace[] = "# trace: ";
    size_t length = strcspn(line, "\r\n");
    it->witness |= strncmp(line, first, sizeof first - 1) == 0;
    it->of_run |= strncmp(line, "# schedule:", strlen("# schedule:")) == 0 ||
                  strncmp(line, "# program:", strlen("# program:")) == 0;
    if (!it->trace && strncmp(line, trace, sizeof trace - 1) == 0)
        it->trace = hd_mem_string(line + sizeof trace - 1, length - (sizeof trace - 1));
}

static head head_of(const char *file) {
    head it = {0};
    char *line = NULL;
    size_t room = 0;
    int peeked = hd_file_peek(file);
    FILE *in = peeked < 0 ? NULL : fdopen(peeked, "r");
    while (in && getline(&line, &room, in) > 0 && line[0] == '#')
        take_line(&it, line);
    free(line);
    if (in)
        fclose(in);
    return it;
}

bool hd_engine_is_trace_witness(const char *file) {
    head it = head_of(file);
    free(it.trace);
    return it.witness && !it.of_run;
}

/* As it is named, or beside the witness. */
static char *find_recording(const char *file, const char *name) {
    const char *slash = strrchr(file, '/');
    char *path = NULL;
    if (access(name, R_OK) == 0 || name[0] == '/' || !slash)
        return hd_mem_string(name, strlen(name));
    if (asprintf(&path, "%.*s/%s", (int)(slash - file), file, name) < 0)
        path = hd_mem_made(NULL);
    return path;
}

static bool load(hd_engine_follow *f, hd_error *error) {
    head it = head_of(f->file);
    if (!it.trace)
        return hd_error_set(error, "%s: a witness of a trace, and does not say which ('# trace:')",
                            hd_text_name(f->file));
    f->recording = find_recording(f->file, it.trace);
    free(it.trace);
    hd_witness_init(&f->witness);
    if (!hd_engine_is_recording(f->recording))
        return hd_error_set(error,
                            "%s is a witness of %s, which is no recording of a program: 'heddle "
                            "record' writes these as .htr",
                            hd_text_name(f->file), hd_text_name(f->recording));
    f->has_trace = hd_trace_load(&f->trace, f->recording, 0, error);
    return f->has_trace && hd_witness_load(&f->witness, &f->trace, f->file, error);
}

/* The build is known at the end of the recording. */
static bool is_of_build(const hd_engine_follow *f, hd_error *error) {
    hd_native_followed whole;
    if (!hd_native_follow_load(&whole, f->recording, 0, error))
        return false;
    bool known =
        whole.build[0] || hd_error_set(error, "%s does not say of which program it is a recording",
                                       hd_text_name(f->recording));
    bool same = known && hd_engine_same_build(f->recording, f->path, f->argv[0], whole.build,
                                              "record", f->any_build, error);
    hd_native_followed_release(&whole);
    return same;
}

/* ---- The events ---- */

static heddle_event *add(hd_engine_follow *f, uint32_t number) {
    heddle_event event = *hd_trace_event(&f->trace, number);
    if (f->witness.claim.let_go ||
        f->witness.claim.decisions) /* other values are read, so others may be written */
        event.flags &= (uint8_t)~HEDDLE_HAS_VALUE;
    hd_vec_push(&f->reordered.events, event);
    hd_vec_push(&f->reordered.numbers, number);
    return hd_vec_last(&f->reordered.events);
}

/* The event of the thread before or after this one; 0: none. */
static uint32_t neighbour(const hd_trace *trace, uint32_t number, int step) {
    uint32_t thread = hd_trace_event(trace, number)->thread, end = hd_trace_length(trace) + 1;
    do
        number += (uint32_t)step;
    while (number && number < end && hd_trace_event(trace, number)->thread != thread);
    return number < end ? number : 0;
}

static bool is_part(const hd_trace *trace, uint32_t number) {
    return number && hd_trace_event(trace, number)->flags & HEDDLE_CONTINUED;
}

/* Has another thread used what an event of the schedule, at this place of it, did? */
static bool is_used(const hd_engine_follow *f, size_t at) {
    const heddle_event *event = &f->reordered.events.data[at];
    for (size_t i = at + 1; i < f->reordered.events.length; i++) {
        const heddle_event *other = &f->reordered.events.data[i];
        if (other->thread != event->thread && other->object == event->object &&
            hd_trace_kinds[other->kind].class == hd_trace_kinds[event->kind].class)
            return true;
    }
    return false;
}

/* An access comes as a whole: the schedule has no part of one that is next after it. */
static bool drop_parts(hd_engine_follow *f, uint32_t first, uint32_t number) {
    size_t kept = 0, length = f->reordered.events.length;
    uint32_t thread = hd_trace_event(&f->trace, number)->thread;
    bool good = true;
    for (size_t i = 0; i < length; i++) {
        uint32_t it = f->reordered.numbers.data[i];
        bool drop = f->reordered.events.data[i].thread == thread && it >= first && it < number;
        good = good && !(drop && is_used(f, i));
        if (drop)
            continue;
        f->reordered.events.data[kept] = f->reordered.events.data[i];
        f->reordered.numbers.data[kept++] = it;
    }
    f->reordered.events.length = f->reordered.numbers.length = kept;
    return good;
}

/* The first event of an access, none of which is in the schedule from now on; 0, with an error, if
 * another thread has used a part of it. */
static uint32_t begin_access(hd_engine_follow *f, uint32_t number, hd_error *error) {
    uint32_t first = number;
    while (is_part(&f->trace, first))
        first = neighbour(&f->trace, first, -1);
    if (first && (first == number || drop_parts(f, first, number)))
        return first;
    hd_error_set(error, "%s: event %u is a part of an access, which comes as a whole",
                 hd_text_name(f->file), number);
    return 0;
}

/* One that is next after the schedule, with all of its access; of what comes with it the value may
 * be another.  *added is it. */
static bool add_next(hd_engine_follow *f, uint32_t number, heddle_event **added, hd_error *error) {
    size_t at = 0;
    uint32_t first = begin_access(f, number, error), part = first;
    if (!first)
        return false;
    do {
        if (part == number)
            at = f->reordered.events.length;
        add(f, part)->flags &= (uint8_t)(part == number ? 0xff : 0xff & ~HEDDLE_HAS_VALUE);
        part = neighbour(&f->trace, part, 1);
    } while (is_part(&f->trace, part));
    *added = &f->reordered.events.data[at];
    return true;
}

/* It sees the value of another write, if that is known; 0: the initial value. */
static bool add_read(hd_engine_follow *f, uint32_t number, uint32_t sees, hd_error *error) {
    heddle_event *read;
    if (!add_next(f, number, &read, error))
        return false;
    const heddle_event *write = sees ? hd_trace_event(&f->trace, sees) : NULL;
    bool plain = read->kind == HEDDLE_READ || read->kind == HEDDLE_ATOMIC_READ;
    if (write && plain && write->flags & HEDDLE_HAS_VALUE && write->size == read->size)
        read->value = write->value;
    else
        read->flags &= (uint8_t)~HEDDLE_HAS_VALUE;
    return true;
}

/* An access that is next; if it reads, it sees the last write of the schedule. */
static bool add_last(hd_engine_follow *f, uint32_t number, hd_error *error) {
    const heddle_event *event = hd_trace_event(&f->trace, number);
    heddle_event *added;
    uint32_t last = 0;
    if (!hd_trace_reads(event))
        return add_next(f, number, &added, error);
    for (size_t i = 0; i < f->witness.schedule.length; i++) {
        const heddle_event *other = hd_trace_event(&f->trace, f->witness.schedule.data[i]);
        if (hd_trace_is_access(other) && hd_trace_writes(other) && other->object == event->object)
            last = f->witness.schedule.data[i];
    }
    return add_read(f, number, last, error);
}

/* The second access of the block is next, after another thread's write; or a read of another thread
 * that sees the first one. */
static bool add_atomicity(hd_engine_follow *f, hd_error *error) {
    const hd_witness_claim *claim = &f->witness.claim;
    heddle_event *added;
    bool written = false;
    if (claim->back)
        return add_last(f, claim->second, error);
    for (size_t i = 0; i < f->witness.schedule.length; i++)
        written |= f->witness.schedule.data[i] == claim->between;
    if (!written)
        return add_read(f, claim->between, claim->first, error);
    if (hd_trace_reads(hd_trace_event(&f->trace, claim->second)))
        return add_read(f, claim->second, claim->between, error);
    return add_next(f, claim->second, &added, error);
}

static bool add_claimed(hd_engine_follow *f, hd_error *error) {
    const hd_witness_claim *claim = &f->witness.claim;
    heddle_event *added;
    switch (claim->kind) {
    case HD_WITNESS_READ:
        return add_read(f, claim->read, claim->sees, error);
    case HD_WITNESS_RACE:
        if (!begin_access(f, claim->second, error) || !add_next(f, claim->first, &added, error))
            return false;
        /* Neither is in the schedule, which says nothing of what they see. */
        added->flags &= (uint8_t)~HEDDLE_HAS_VALUE;
        if (!add_next(f, claim->second, &added, error))
            return false;
        added->flags &= (uint8_t)~HEDDLE_HAS_VALUE;
        return true;
    case HD_WITNESS_UNORDERED:
        return add_next(f, claim->second, &added, error);
    case HD_WITNESS_ATOMICITY:
        return add_atomicity(f, error);
    case HD_WITNESS_REORDERING:
    case HD_WITNESS_FINAL_READ:
    case HD_WITNESS_STATE:
    case HD_WITNESS_DEADLOCK:
    case HD_WITNESS_END:
        break;
    }
    return true;
}

bool hd_engine_follow_load_witness(hd_engine_follow *f, hd_error *error) {
    if (!load(f, error) || !is_of_build(f, error))
        return false;
    if (!hd_witness_check(&f->witness, &f->trace, error))
        return hd_error_prefix(error, "%s: not valid: ", hd_text_name(f->file));
    hd_witness_claim_print(&f->witness.claim, &f->trace, &f->claim);
    f->reordered.tables = &f->trace.tables;
    f->reordered.end = &f->trace.end;
    for (size_t i = 0; i < f->witness.schedule.length; i++)
        add(f, f->witness.schedule.data[i]);
    if (!add_claimed(f, error))
        return false;
    bool deadlock =
        f->witness.claim.kind == HD_WITNESS_DEADLOCK || f->witness.claim.kind == HD_WITNESS_END;
    return hd_native_follow_reordered(&f->followed, f->recording, &f->reordered, !deadlock, f->to,
                                      error);
}
