/*
 * The rules of a reordering, one event at a time.  This is the checker's hot loop: constant time
 * per event, with arrays that the pairs make possible. doc/witness.md numbers the rules.
 */
#include "witness_state.h"

static void touch(hd_vec_u32 *list, uint32_t id) {
    hd_vec_push(list, id);
}

/* Rule 1: each thread contributes a prefix of its events. */
static enum hd_witness_wrong take_turn(hd_witness_checker *checker, uint32_t number,
                                       const heddle_event *event) {
    const hd_witness_pairs *pairs = &checker->pairs;
    uint32_t thread = event->thread;
    if (checker->expected[thread] != number)
        return HD_WITNESS_OUT_OF_TURN;
    if (pairs->first[thread] != number)
        return HD_WITNESS_FINE;
    uint32_t fork = pairs->fork[thread];
    if (fork && !hd_witness_has(checker, fork))
        return HD_WITNESS_NOT_STARTED;
    touch(&checker->touched.threads, thread);
    return HD_WITNESS_FINE;
}

/* Of a loset that is no run: what its file says comes before. */
static bool has_before(const hd_witness_checker *checker, uint32_t number) {
    const hd_trace_loset *loset = checker->pairs.trace->loset;
    size_t count, first = hd_trace_loset_into(loset, number, &count);
    for (size_t i = first; i < first + count; i++)
        if (!hd_witness_has(checker, loset->edges.data[i].first))
            return false;
    return true;
}

/* Rule 3: one writer, or readers. */
static enum hd_witness_wrong take_lock(hd_witness_checker *checker, uint32_t number,
                                       const heddle_event *event) {
    if (event->flags & HEDDLE_REENTRANT)
        return HD_WITNESS_FINE;
    hd_witness_lock *lock = &checker->locks[event->object];
    bool writes = event->kind == HEDDLE_ACQUIRE || event->kind == HEDDLE_TRY_ACQUIRE;
    if (lock->writer || (writes && lock->readers))
        return HD_WITNESS_LOCKED;
    if (!lock->changed)
        touch(&checker->touched.locks, event->object);
    lock->changed = number;
    if (writes)
        lock->writer = number;
    else
        lock->readers++;
    return HD_WITNESS_FINE;
}

static void give_back(hd_witness_checker *checker, uint32_t number, const heddle_event *event) {
    if (event->flags & HEDDLE_REENTRANT)
        return;
    hd_witness_lock *lock = &checker->locks[event->object];
    lock->changed = number;
    if (event->kind == HEDDLE_RELEASE)
        lock->writer = 0;
    else
        lock->readers--;
}

/* Rule 5: a release and the wait that follows it in its thread are one step. */
static void expect_wait(hd_witness_checker *checker, uint32_t number) {
    const hd_witness_pairs *pairs = &checker->pairs;
    uint32_t next = pairs->next[number];
    if (next < pairs->end && hd_trace_event(pairs->trace, next)->kind == HEDDLE_WAIT)
        checker->wait = next;
}

static void write_variable(hd_witness_checker *checker, uint32_t number, uint32_t variable) {
    if (!checker->written[variable])
        touch(&checker->touched.variables, variable);
    checker->written[variable] = number;
}

static void arrive(hd_witness_checker *checker, uint32_t group) {
    if (group && checker->arrived[group]++ == 0)
        touch(&checker->touched.groups, group);
}

/* Rule 6: no more takes than units at first and posts. */
static enum hd_witness_wrong count_unit(hd_witness_checker *checker, const heddle_event *event) {
    int64_t *posted = &checker->posted[event->object];
    bool takes = event->kind == HEDDLE_TAKE;
    if (takes && *posted + checker->pairs.initial[event->object] <= 0)
        return HD_WITNESS_NO_UNIT;
    touch(&checker->touched.semaphores, event->object);
    *posted += takes ? -1 : 1;
    return HD_WITNESS_FINE;
}

/* May the event see something else than it saw?  An atomic read, and a try, decides by itself: what
 * it does depends on what it sees. */
static bool is_let_go(const hd_witness_checker *checker, uint32_t number, const heddle_event *event,
                      enum hd_witness_keep keep) {
    if (keep != HD_WITNESS_KEEP_MATTERING)
        return keep == HD_WITNESS_KEEP_NONE;
    bool plain = event->kind == HEDDLE_READ || event->kind == HEDDLE_RMW;
    return plain && number > checker->matters[event->thread];
}

/* Rules 2 to 4 and 6, by kind; also updates the state. */
static enum hd_witness_wrong take_event(hd_witness_checker *checker, uint32_t number,
                                        const heddle_event *event, enum hd_witness_keep keep) {
    uint32_t pair = checker->pairs.pair[number];
    uint32_t object = event->object;
    bool let_go = is_let_go(checker, number, event, keep);
    switch ((enum heddle_kind)event->kind) {
    case HEDDLE_RMW:
    case HEDDLE_ATOMIC_RMW:
        if (checker->written[object] != pair && !let_go)
            return HD_WITNESS_OTHER_WRITE;
        write_variable(checker, number, object);
        break;
    case HEDDLE_READ:
    case HEDDLE_ATOMIC_READ:
        if (checker->written[object] != pair && !let_go)
            return HD_WITNESS_OTHER_WRITE;
        break;
    case HEDDLE_WRITE:
    case HEDDLE_ATOMIC_WRITE:
    case HEDDLE_FREE:
        write_variable(checker, number, object);
        break;
    case HEDDLE_ACQUIRE:
    case HEDDLE_READ_ACQUIRE:
    case HEDDLE_TRY_ACQUIRE:
    case HEDDLE_TRY_READ_ACQUIRE:
        return take_lock(checker, number, event);
    case HEDDLE_RELEASE:
        give_back(checker, number, event);
        expect_wait(checker, number);
        break;
    case HEDDLE_READ_RELEASE:
        give_back(checker, number, event);
        break;
    case HEDDLE_TRYFAIL:
        if (checker->locks[object].changed != pair && !let_go)
            return HD_WITNESS_OTHER_LOCK;
        break;
    case HEDDLE_JOIN:
    case HEDDLE_WAKE:
    case HEDDLE_RECV:
        if (pair && !hd_witness_has(checker, pair))
            return HD_WITNESS_TOO_EARLY;
        break;
    case HEDDLE_WAIT:
    case HEDDLE_BARRIER_IN:
        arrive(checker, pair);
        break;
    case HEDDLE_NOTIFY:
    case HEDDLE_NOTIFYALL:
    case HEDDLE_BARRIER_OUT:
        if (pair && checker->arrived[pair] != checker->pairs.members.data[pair])
            return HD_WITNESS_INCOMPLETE;
        break;
    case HEDDLE_POST:
    case HEDDLE_TAKE:
        return count_unit(checker, event);
    case HEDDLE_FORK:
    case HEDDLE_BEGIN:
    case HEDDLE_END:
    case HEDDLE_SEND:
    case HEDDLE_MARK:
    case HEDDLE_FENCE:
    case HEDDLE_KIND_COUNT:
        break;
    }
    return HD_WITNESS_FINE;
}

enum hd_witness_wrong hd_witness_state_step(hd_witness_checker *checker, uint32_t number,
                                            enum hd_witness_keep keep) {
    const hd_witness_pairs *pairs = &checker->pairs;
    if (number == 0 || number >= pairs->end)
        return HD_WITNESS_NO_EVENT;
    if (checker->wait && checker->wait != number)
        return HD_WITNESS_SPLIT;
    checker->wait = 0;
    const heddle_event *event = hd_trace_event(pairs->trace, number);
    enum hd_witness_wrong wrong = take_turn(checker, number, event);
    if (wrong == HD_WITNESS_FINE && pairs->trace->loset && !has_before(checker, number))
        wrong = HD_WITNESS_TOO_EARLY;
    if (wrong == HD_WITNESS_FINE)
        wrong = take_event(checker, number, event, keep);
    if (wrong == HD_WITNESS_FINE)
        checker->expected[event->thread] = pairs->next[number];
    return wrong;
}

enum hd_witness_wrong hd_witness_state_run(hd_witness_checker *checker, const hd_vec_u32 *schedule,
                                           enum hd_witness_keep keep, size_t *at) {
    assert(checker->touched.threads.length == 0 && checker->wait == 0);
    for (*at = 0; *at < schedule->length; ++*at) {
        enum hd_witness_wrong wrong = hd_witness_state_step(checker, schedule->data[*at], keep);
        if (wrong != HD_WITNESS_FINE)
            return wrong;
    }
    if (!checker->wait)
        return HD_WITNESS_FINE;
    --*at;
    return HD_WITNESS_SPLIT;
}

void hd_witness_state_reset(hd_witness_checker *checker) {
    const hd_vec_u32 *threads = &checker->touched.threads, *variables = &checker->touched.variables;
    const hd_vec_u32 *locks = &checker->touched.locks, *groups = &checker->touched.groups;
    for (size_t i = 0; i < threads->length; i++) {
        checker->expected[threads->data[i]] = checker->pairs.first[threads->data[i]];
        checker->counts[threads->data[i]] = 0;
    }
    for (size_t i = 0; i < variables->length; i++)
        checker->written[variables->data[i]] = 0;
    for (size_t i = 0; i < locks->length; i++)
        checker->locks[locks->data[i]] = (hd_witness_lock){0};
    for (size_t i = 0; i < groups->length; i++)
        checker->arrived[groups->data[i]] = 0;
    for (size_t i = 0; i < checker->touched.semaphores.length; i++)
        checker->posted[checker->touched.semaphores.data[i]] = 0;
    hd_vec_clear(&checker->touched.semaphores);
    hd_vec_clear(&checker->touched.threads);
    hd_vec_clear(&checker->touched.variables);
    hd_vec_clear(&checker->touched.locks);
    hd_vec_clear(&checker->touched.groups);
    checker->wait = 0;
}
