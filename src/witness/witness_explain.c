/*
 * Sentences.  Each function takes the state before the event that is wrong and
 * finds the other event involved, by looking, not by keeping more in the state.
 */
#include "witness_explain.h"

#include <stdio.h>

/* One thing to explain. */
typedef struct subject {
    const hd_witness_checker *checker;
    const hd_trace *trace;
    const hd_vec_u32 *schedule;
    size_t at;
    uint32_t number; /* schedule[at] */
    const heddle_event *event;
    const char *said; /* the event in words */
    hd_error *error;
} subject;

const char *hd_witness_say(hd_witness_words *words, const hd_trace *trace, uint32_t number) {
    int length = snprintf(words->text, sizeof words->text, "event %u, ", number);
    hd_trace_print(words->text + length, sizeof words->text - (size_t)length, &trace->tables,
                   hd_trace_event(trace, number));
    return words->text;
}

const char *hd_witness_say_name(hd_witness_words *words, const hd_trace *trace,
                                enum heddle_class class, uint32_t id) {
    const hd_names *names = &trace->tables.names[class];
    hd_text_printable(words->text, 64, hd_names_text(names, id), hd_names_size(names, id));
    return words->text;
}

static void out_of_turn(const subject *s) {
    uint32_t expected = s->checker->expected[s->event->thread];
    if (s->number < expected) {
        size_t before = 0;
        while (s->schedule->data[before] != s->number)
            before++;
        hd_error_write(s->error, "%s, is in the schedule twice, at positions %zu and %zu", s->said,
                       before + 1, s->at + 1);
        return;
    }
    hd_witness_words other;
    hd_error_write(s->error, "%s, is in the schedule before %s, which its thread does first",
                   s->said, hd_witness_say(&other, s->trace, expected));
}

static void not_started(const subject *s) {
    hd_witness_words other;
    hd_error_write(s->error, "%s, is in the schedule before %s, which starts its thread", s->said,
                   hd_witness_say(&other, s->trace, s->checker->pairs.fork[s->event->thread]));
}

static void too_early(const subject *s) {
    const char *role = s->event->kind == HEDDLE_JOIN   ? "the last event of the thread it awaits"
                       : s->event->kind == HEDDLE_WAKE ? "which wakes it"
                                                       : "whose message it takes";
    hd_witness_words other;
    hd_error_write(s->error, "%s, is in the schedule before %s, %s", s->said,
                   hd_witness_say(&other, s->trace, s->checker->pairs.pair[s->number]), role);
}

/* The first member of a group that is not in the schedule. */
static uint32_t missing_member(const subject *s, uint32_t group) {
    const hd_witness_pairs *pairs = &s->checker->pairs;
    for (uint32_t number = 1; number < pairs->end; number++) {
        uint8_t kind = hd_trace_event(s->trace, number)->kind;
        if ((kind == HEDDLE_WAIT || kind == HEDDLE_BARRIER_IN) && pairs->pair[number] == group &&
            !hd_witness_has(s->checker, number))
            return number;
    }
    assert(false); /* a group that is not complete lacks a member */
    return 1;
}

static void incomplete(const subject *s) {
    const char *role =
        s->event->kind == HEDDLE_BARRIER_OUT ? "which arrives at the same round" : "which it wakes";
    uint32_t group = s->checker->pairs.pair[s->number];
    hd_witness_words other;
    hd_error_write(s->error, "%s, is in the schedule before %s, %s", s->said,
                   hd_witness_say(&other, s->trace, missing_member(s, group)), role);
}

/* An acquire for reading of this lock that its thread has not given back: the
 * last one, found backwards, that no release of the same thread follows. */
static uint32_t reading_hold(const subject *s) {
    uint32_t threads = s->trace->tables.names[HEDDLE_CLASS_THREAD].length;
    hd_bits released;
    hd_bits_init(&released, threads);
    uint32_t found = 0;
    for (size_t i = s->at; i > 0 && !found; i--) {
        const heddle_event *event = hd_trace_event(s->trace, s->schedule->data[i - 1]);
        if (event->flags & HEDDLE_REENTRANT)
            continue;
        if (event->kind == HEDDLE_READ_RELEASE && event->object == s->event->object)
            hd_bits_set(&released, event->thread);
        if (!hd_trace_acquires(event) || !hd_trace_is_shared(event) ||
            event->object != s->event->object)
            continue;
        if (!hd_bits_has(&released, event->thread))
            found = s->schedule->data[i - 1];
        hd_bits_unset(&released, event->thread);
    }
    hd_bits_release(&released);
    assert(found);
    return found;
}

static void locked(const subject *s) {
    uint32_t hold = s->checker->locks[s->event->object].writer;
    const char *mode = hold ? "" : " for reading";
    if (!hold)
        hold = reading_hold(s);
    hd_witness_words lock, holder;
    hd_error_write(s->error, "%s, takes lock %s, which %s holds%s since event %u", s->said,
                   hd_witness_say_name(&lock, s->trace, HEDDLE_CLASS_LOCK, s->event->object),
                   hd_witness_say_name(&holder, s->trace, HEDDLE_CLASS_THREAD,
                                       hd_trace_event(s->trace, hold)->thread),
                   mode, hold);
}

static void no_unit(const subject *s) {
    hd_witness_words semaphore;
    hd_error_write(
        s->error, "%s, takes a unit of semaphore %s, which has none left", s->said,
        hd_witness_say_name(&semaphore, s->trace, HEDDLE_CLASS_SEMAPHORE, s->event->object));
}

static const char *say_or(hd_witness_words *words, const subject *s, uint32_t number,
                          const char *none) {
    return number ? hd_witness_say(words, s->trace, number) : none;
}

static void other_write(const subject *s) {
    hd_witness_words now, then;
    hd_error_write(s->error, "%s, reads from %s, but in the trace from %s", s->said,
                   say_or(&now, s, s->checker->written[s->event->object], "the initial value"),
                   say_or(&then, s, s->checker->pairs.pair[s->number], "the initial value"));
}

static void other_lock(const subject *s) {
    hd_witness_words now, then;
    hd_error_write(s->error, "%s, finds its lock as left by %s, but in the trace by %s", s->said,
                   say_or(&now, s, s->checker->locks[s->event->object].changed, "no thread"),
                   say_or(&then, s, s->checker->pairs.pair[s->number], "no thread"));
}

static void split(const subject *s) {
    hd_witness_words release, wait;
    hd_witness_say(&wait, s->trace, s->checker->wait);
    uint32_t before = s->at ? s->schedule->data[s->at - 1] : 0;
    if (before && s->checker->pairs.next[before] == s->checker->wait)
        hd_error_write(s->error, "%s, comes between %s, and %s, which are one step", s->said,
                       hd_witness_say(&release, s->trace, before), wait.text);
    else /* the release itself, at the end */
        hd_error_write(s->error, "%s, ends the schedule without %s, which is one step with it",
                       s->said, wait.text);
}

static void no_event(const hd_trace *trace, uint32_t number, hd_error *error) {
    hd_error_write(error, "there is no event %u in the trace, which has %u", number,
                   hd_trace_length(trace));
}

static void explain(const subject *s, enum hd_witness_wrong wrong) {
    switch (wrong) {
    case HD_WITNESS_FINE:
    case HD_WITNESS_NO_EVENT:
        assert(false); /* has no words, or was handled before */
        break;
    case HD_WITNESS_OUT_OF_TURN:
        out_of_turn(s);
        break;
    case HD_WITNESS_NOT_STARTED:
        not_started(s);
        break;
    case HD_WITNESS_TOO_EARLY:
        too_early(s);
        break;
    case HD_WITNESS_INCOMPLETE:
        incomplete(s);
        break;
    case HD_WITNESS_LOCKED:
        locked(s);
        break;
    case HD_WITNESS_NO_UNIT:
        no_unit(s);
        break;
    case HD_WITNESS_OTHER_WRITE:
        other_write(s);
        break;
    case HD_WITNESS_OTHER_LOCK:
        other_lock(s);
        break;
    case HD_WITNESS_SPLIT:
        split(s);
        break;
    }
}

void hd_witness_explain(const hd_witness_checker *checker, const hd_vec_u32 *schedule, size_t at,
                        enum hd_witness_wrong wrong, hd_error *error) {
    assert(at < schedule->length && wrong != HD_WITNESS_FINE);
    const hd_trace *trace = checker->pairs.trace;
    uint32_t number = schedule->data[at];
    if (wrong == HD_WITNESS_NO_EVENT) {
        no_event(trace, number, error);
    } else {
        hd_witness_words said;
        subject s = {checker,
                     trace,
                     schedule,
                     at,
                     number,
                     hd_trace_event(trace, number),
                     hd_witness_say(&said, trace, number),
                     error};
        explain(&s, wrong);
    }
    hd_error_lead(error, "position %zu: ", at + 1);
}
