/*
 * The claims.  Each is two functions: what must be true of its events whatever
 * the schedule, and what must be true of the state after it.  doc/witness.md
 * has the same in words.  Those about blocks are in witness_claim_block.c.
 */
#include "witness_claim.h"

#include "witness_before.h"
#include "witness_end.h"
#include "witness_explain.h"
#include "witness_trial.h"

/* ---- Words ---- */

bool hd_witness_blame(const hd_witness_trial *t, uint32_t number, const char *what) {
    hd_witness_words said;
    if (t->fault)
        t->fault->event = number;
    if (!t->error)
        return false;
    return hd_error_set(t->error, "%s, %s", hd_witness_say(&said, t->trace, number), what);
}

bool hd_witness_blame_two(const hd_witness_trial *t, uint32_t number, const char *what,
                          uint32_t other, const char *rest) {
    hd_witness_words said, also;
    if (t->fault)
        t->fault->event = number;
    if (!t->error)
        return false;
    return hd_error_set(t->error, "%s, %s %s%s%s", hd_witness_say(&said, t->trace, number), what,
                        other ? hd_witness_say(&also, t->trace, other) : "the initial value",
                        *rest ? ", " : "", rest);
}

/* ---- Does it fit? ---- */

static bool in_trace(const hd_witness_trial *t, uint32_t number) {
    uint32_t length = hd_trace_length(t->trace);
    if (number >= 1 && number <= length)
        return true;
    return hd_error_set(t->error, "there is no event %u in the trace, which has %u", number,
                        length);
}

/* 0, the initial value, or an event that writes the variable. */
static bool writes_variable(const hd_witness_trial *t, uint32_t number, uint32_t variable) {
    if (number == 0)
        return true;
    if (!in_trace(t, number))
        return false;
    const heddle_event *event = hd_trace_event(t->trace, number);
    if (hd_trace_writes(event) && event->object == variable)
        return true;
    hd_witness_words said, name;
    if (t->fault)
        t->fault->event = number;
    return hd_error_set(t->error, "%s, does not write variable %s",
                        hd_witness_say(&said, t->trace, number),
                        hd_witness_say_name(&name, t->trace, HEDDLE_CLASS_VARIABLE, variable));
}

/* What the three numbers and the order of any read must be. */
static bool writes_fit(const hd_witness_trial *t, uint32_t variable) {
    const hd_witness_claim *c = t->claim;
    if (!writes_variable(t, c->sees, variable) || !writes_variable(t, c->writer, variable) ||
        !writes_variable(t, c->challenger, variable))
        return false;
    if (c->sees == c->writer)
        return hd_error_set(t->error, "the write that it sees is its writer in the trace");
    if (c->challenger == c->writer)
        return hd_error_set(t->error, "the challenger is the writer");
    if (c->order == HD_WITNESS_WCR && c->challenger == 0)
        return hd_error_set(t->error, "the initial value cannot come after the writer");
    if (c->order != HD_WITNESS_WCR && c->writer == 0)
        return hd_error_set(t->error, "the initial value cannot be absent");
    return true;
}

static bool read_fits(const hd_witness_trial *t) {
    const hd_witness_claim *c = t->claim;
    if (!in_trace(t, c->read))
        return false;
    const heddle_event *read = hd_trace_event(t->trace, c->read);
    if (!hd_trace_reads(read))
        return hd_witness_blame(t, c->read, "is no read");
    if (!writes_fit(t, read->object))
        return false;
    if (c->challenger == c->read)
        return hd_witness_blame(t, c->read, "cannot be its own challenger");
    if (c->order == HD_WITNESS_CRW && hd_trace_event(t->trace, c->writer)->thread == read->thread)
        return hd_witness_blame_two(t, c->read, "cannot be next together with", c->writer,
                                    "which is in the same thread");
    return true;
}

static bool final_read_fits(const hd_witness_trial *t) {
    const hd_witness_claim *c = t->claim;
    if (c->variable >= t->trace->tables.names[HEDDLE_CLASS_VARIABLE].length)
        return hd_error_set(t->error, "there is no such variable in the trace");
    if (c->order != HD_WITNESS_WCR)
        return hd_error_set(t->error, "the order of a final read is wcr");
    return writes_fit(t, c->variable);
}

bool hd_witness_access_fits(const hd_witness_trial *t, uint32_t number) {
    if (!in_trace(t, number))
        return false;
    return hd_trace_is_access(hd_trace_event(t->trace, number)) ||
           hd_witness_blame(t, number, "accesses no variable");
}

static bool race_fits(const hd_witness_trial *t) {
    const hd_witness_claim *c = t->claim;
    if (!hd_witness_access_fits(t, c->first) || !hd_witness_access_fits(t, c->second))
        return false;
    const heddle_event *a = hd_trace_event(t->trace, c->first);
    const heddle_event *b = hd_trace_event(t->trace, c->second);
    const char *why = a->thread == b->thread                       ? "are in one thread"
                      : a->object != b->object                     ? "access two variables"
                      : !hd_trace_writes(a) && !hd_trace_writes(b) ? "only read"
                      : hd_trace_traits(a) & hd_trace_traits(b) & HEDDLE_T_ATOMIC ? "are atomic"
                      : hd_trace_is_exempt(a) || hd_trace_is_exempt(b)
                          ? "are accesses one of which is exempt"
                          : NULL;
    if (!why)
        return true;
    hd_witness_words first, second;
    return hd_error_set(t->error, "%s, and %s, both %s", hd_witness_say(&first, t->trace, c->first),
                        hd_witness_say(&second, t->trace, c->second), why);
}

static bool state_fits(const hd_witness_trial *t) {
    if (t->claim->counts.length <= t->trace->tables.names[HEDDLE_CLASS_THREAD].length)
        return true;
    return hd_error_set(t->error, "the state has more threads than the trace");
}

static bool acquire_fits(const hd_witness_trial *t, uint32_t number) {
    if (!in_trace(t, number))
        return false;
    const heddle_event *event = hd_trace_event(t->trace, number);
    if (event->kind == HEDDLE_TRY_ACQUIRE || event->kind == HEDDLE_TRY_READ_ACQUIRE)
        return hd_witness_blame(t, number, "does not wait for its lock");
    if (event->kind != HEDDLE_ACQUIRE && event->kind != HEDDLE_READ_ACQUIRE)
        return hd_witness_blame(t, number, "acquires no lock");
    return !(event->flags & HEDDLE_REENTRANT) ||
           hd_witness_blame(t, number, "takes a lock that its thread holds already");
}

static bool deadlock_fits(const hd_witness_trial *t) {
    const hd_vec_u32 *acquires = &t->claim->acquires;
    if (acquires->length < 2)
        return hd_error_set(t->error, "a deadlock takes two acquires or more");
    for (size_t i = 0; i < acquires->length; i++)
        if (!acquire_fits(t, acquires->data[i]))
            return false;
    return true;
}

/* ---- Is it shown? ---- */

bool hd_witness_is_next(const hd_witness_trial *t, uint32_t number) {
    const hd_witness_pairs *pairs = &t->checker->pairs;
    uint32_t thread = hd_trace_event(t->trace, number)->thread;
    uint32_t expected = t->checker->expected[thread];
    if (number < expected)
        return hd_witness_blame(t, number, "is in the schedule, not next after it");
    if (number > expected)
        return hd_witness_blame_two(t, number, "is not next:", expected,
                                    "comes first in its thread");
    uint32_t fork = pairs->fork[thread];
    if (number == pairs->first[thread] && fork && !hd_witness_has(t->checker, fork))
        return hd_witness_blame_two(t, number, "is not next:", fork,
                                    "which starts its thread, is not in the schedule");
    return true;
}

bool hd_witness_is_in(const hd_witness_trial *t, uint32_t number) {
    return number == 0 || hd_witness_has(t->checker, number) ||
           hd_witness_blame(t, number, "is not in the schedule");
}

static bool is_absent(const hd_witness_trial *t, uint32_t number) {
    return !hd_witness_has(t->checker, number) || hd_witness_blame(t, number, "is in the schedule");
}

bool hd_witness_comes_before(const hd_witness_trial *t, uint32_t a, uint32_t b) {
    size_t i = 0;
    if (a == 0)
        return true;
    while (t->schedule->data[i] != a && t->schedule->data[i] != b)
        i++;
    return t->schedule->data[i] == a ||
           hd_witness_blame_two(t, a, "is in the schedule after", b, "");
}

static bool order_holds(const hd_witness_trial *t) {
    const hd_witness_claim *c = t->claim;
    if (!hd_witness_is_in(t, c->challenger))
        return false;
    switch (c->order) {
    case HD_WITNESS_CRW:
        return is_absent(t, c->writer) && hd_witness_is_next(t, c->writer);
    case HD_WITNESS_WCR:
        return hd_witness_is_in(t, c->writer) &&
               hd_witness_comes_before(t, c->writer, c->challenger);
    case HD_WITNESS_CR:
        return is_absent(t, c->writer);
    }
    return hd_error_set(t->error, "there is no such order");
}

/* The variable's last write in the schedule is the one that is claimed to be
 * seen, and its writer in the trace is the one claimed. */
static bool writes_hold(const hd_witness_trial *t, uint32_t variable, uint32_t writer) {
    const hd_witness_claim *c = t->claim;
    hd_witness_words claimed, real;
    const char *initial = "the initial value";
    if (c->writer != writer)
        return hd_error_set(t->error, "its writer in the trace is %s, not %s",
                            writer ? hd_witness_say(&real, t->trace, writer) : initial,
                            c->writer ? hd_witness_say(&claimed, t->trace, c->writer) : initial);
    uint32_t last = t->checker->written[variable];
    if (c->sees != last)
        return hd_error_set(t->error, "it sees %s, not %s",
                            last ? hd_witness_say(&real, t->trace, last) : initial,
                            c->sees ? hd_witness_say(&claimed, t->trace, c->sees) : initial);
    assert(last != writer); /* as claim and truth agree, and the claim fits */
    return true;
}

static bool read_holds(const hd_witness_trial *t) {
    uint32_t read = t->claim->read;
    return hd_witness_is_next(t, read) &&
           writes_hold(t, hd_trace_event(t->trace, read)->object, t->checker->pairs.pair[read]) &&
           order_holds(t);
}

static bool final_read_holds(const hd_witness_trial *t) {
    uint32_t variable = t->claim->variable;
    if (t->schedule->length < hd_trace_length(t->trace))
        return hd_error_set(t->error, "the schedule has %zu events, not all %u of the trace",
                            t->schedule->length, hd_trace_length(t->trace));
    return writes_hold(t, variable, t->checker->pairs.final[variable]) && order_holds(t);
}

static bool race_holds(const hd_witness_trial *t) {
    return hd_witness_is_next(t, t->claim->first) && hd_witness_is_next(t, t->claim->second);
}

static bool unordered_holds(const hd_witness_trial *t) {
    const hd_witness_claim *c = t->claim;
    if (!hd_witness_is_in(t, c->first) || !hd_witness_is_next(t, c->second))
        return false;
    return !hd_witness_before(t->checker, t->schedule, c->first, c->second) ||
           hd_witness_blame_two(t, c->first, "happens before", c->second, "");
}

static bool count_holds(const hd_witness_trial *t, uint32_t thread) {
    const hd_vec_u32 *claimed = &t->claim->counts;
    uint32_t wanted = thread < claimed->length ? claimed->data[thread] : 0;
    uint32_t count = t->checker->counts[thread];
    hd_witness_words name;
    return count == wanted ||
           hd_error_set(t->error, "thread %s is at %u after the schedule, not at %u",
                        hd_witness_say_name(&name, t->trace, HEDDLE_CLASS_THREAD, thread), count,
                        wanted);
}

static bool state_holds(const hd_witness_trial *t) {
    for (size_t i = 0; i < t->schedule->length; i++)
        t->checker->counts[hd_trace_event(t->trace, t->schedule->data[i])->thread]++;
    for (uint32_t thread = 0; thread < t->claim->counts.length; thread++)
        if (!count_holds(t, thread))
            return false;
    const hd_vec_u32 *touched = &t->checker->touched.threads;
    for (size_t i = 0; i < touched->length; i++)
        if (!count_holds(t, touched->data[i]))
            return false;
    return true;
}

/* Enters the acquires under their threads; there may be only one per thread. */
static bool enter_blocked(const hd_witness_trial *t) {
    const hd_vec_u32 *acquires = &t->claim->acquires;
    for (size_t i = 0; i < acquires->length; i++) {
        uint32_t *entry = &t->checker->counts[hd_trace_event(t->trace, acquires->data[i])->thread];
        if (*entry == acquires->data[i])
            return hd_witness_blame(t, acquires->data[i], "is named twice");
        if (*entry)
            return hd_witness_blame_two(t, acquires->data[i], "cannot be next together with",
                                        *entry, "which is in the same thread");
        *entry = acquires->data[i];
    }
    return true;
}

static void forget_blocked(const hd_witness_trial *t) {
    const hd_vec_u32 *acquires = &t->claim->acquires;
    for (size_t i = 0; i < acquires->length; i++)
        t->checker->counts[hd_trace_event(t->trace, acquires->data[i])->thread] = 0;
}

/* How many of the threads entered hold each lock for reading. */
static void count_blocked_readers(const hd_witness_trial *t) {
    for (size_t i = 0; i < t->schedule->length; i++) {
        const heddle_event *event = hd_trace_event(t->trace, t->schedule->data[i]);
        if ((event->flags & HEDDLE_REENTRANT) || !t->checker->counts[event->thread])
            continue;
        if (event->kind == HEDDLE_READ_ACQUIRE || event->kind == HEDDLE_TRY_READ_ACQUIRE)
            t->checker->locks[event->object].blocked++;
        if (event->kind == HEDDLE_READ_RELEASE)
            t->checker->locks[event->object].blocked--;
    }
}

/* Does another of the threads hold its lock against it?  Its own thread holds
 * it in no mode, or the acquire would be re-entrant, or an upgrade, which no
 * trace has. */
static bool is_blocked(const hd_witness_trial *t, uint32_t acquire) {
    const heddle_event *event = hd_trace_event(t->trace, acquire);
    const hd_witness_lock *lock = &t->checker->locks[event->object];
    if (lock->writer) {
        uint32_t holder = hd_trace_event(t->trace, lock->writer)->thread;
        assert(holder != event->thread);
        return t->checker->counts[holder] ||
               hd_witness_blame_two(t, acquire, "waits for", lock->writer,
                                    "whose thread is not in the deadlock");
    }
    if (event->kind == HEDDLE_ACQUIRE && lock->blocked)
        return true;
    return hd_witness_blame(t, acquire,
                            "does not wait for a lock that another of the threads holds");
}

static bool all_blocked(const hd_witness_trial *t) {
    const hd_vec_u32 *acquires = &t->claim->acquires;
    for (size_t i = 0; i < acquires->length; i++)
        if (!hd_witness_is_next(t, acquires->data[i]))
            return false;
    count_blocked_readers(t);
    for (size_t i = 0; i < acquires->length; i++)
        if (!is_blocked(t, acquires->data[i]))
            return false;
    return true;
}

static bool deadlock_holds(const hd_witness_trial *t) {
    bool holds = enter_blocked(t) && all_blocked(t);
    forget_blocked(t);
    return holds;
}

/* ---- The end of the run ---- */

static bool end_fits(const hd_witness_trial *t) {
    return hd_witness_end_fits(t->trace, t->error);
}

static bool end_holds(const hd_witness_trial *t) {
    return hd_witness_end_holds(t->checker, t->schedule, t->error);
}

/* ---- The table of claims ---- */

static bool always(const hd_witness_trial *t) {
    (void)t;
    return true;
}

static const struct {
    const char *name;
    bool may_let_go, may_decide;
    bool (*fits)(const hd_witness_trial *t);
    bool (*holds)(const hd_witness_trial *t);
} claims[] = {
    [HD_WITNESS_REORDERING] = {"reordering", true, true, always, always},
    [HD_WITNESS_READ] = {"read", false, false, read_fits, read_holds},
    [HD_WITNESS_FINAL_READ] = {"final read", false, false, final_read_fits, final_read_holds},
    [HD_WITNESS_RACE] = {"race", false, true, race_fits, race_holds},
    [HD_WITNESS_STATE] = {"state", true, false, state_fits, state_holds},
    [HD_WITNESS_DEADLOCK] = {"deadlock", false, true, deadlock_fits, deadlock_holds},
    [HD_WITNESS_END] = {"recorded deadlock", false, false, end_fits, end_holds},
    [HD_WITNESS_UNORDERED] = {"unordered pair", false, false, race_fits, unordered_holds},
    [HD_WITNESS_ATOMICITY] = {"atomicity violation", false, false, hd_witness_atomicity_fits,
                              hd_witness_atomicity_holds},
};

bool hd_witness_claim_fits(const hd_witness_claim *claim, const hd_trace *trace,
                           hd_witness_fault *fault, hd_error *error) {
    hd_witness_trial t = {.claim = claim, .trace = trace, .fault = fault, .error = error};
    assert(claim->kind < sizeof claims / sizeof *claims);
    if (claim->let_go && !claims[claim->kind].may_let_go)
        return hd_error_set(error, "bad claim: a %s keeps its reads", claims[claim->kind].name);
    if (claim->decisions && (claim->let_go || !claims[claim->kind].may_decide))
        return hd_error_set(error, "bad claim: a %s does not keep decisions alone",
                            claims[claim->kind].name);
    if (claims[claim->kind].fits(&t))
        return true;
    return hd_error_prefix(error, "bad claim: ");
}

bool hd_witness_claim_holds(hd_witness_checker *checker, const hd_witness *witness,
                            hd_witness_fault *fault, hd_error *error) {
    const hd_witness_claim *claim = &witness->claim;
    hd_witness_trial t = {claim, checker->pairs.trace, checker, &witness->schedule, fault, error};
    if (claims[claim->kind].holds(&t))
        return true;
    return hd_error_prefix(error, "the %s is not shown: ", claims[claim->kind].name);
}
