/*
 * A short schedule that shows the same: without the steps that have nothing to
 * do with it, and with few context switches.
 */
#include "replay_order.h"

/* A schedule longer than this is not trimmed: that takes a run for each try. */
enum { MOST_TRIMMED = 4096 };

typedef struct shrinker {
    hd_machine *machine;
    enum hd_replay_claim claim;
    hd_replay_shrunk *shrunk;
    hd_vec_char failure;    /* what the given schedule shows, in words */
    uint32_t first, second; /* of a race: the positions of the two */
    hd_vec_char text;       /* scratch */
    hd_steps smaller;
} shrinker;

static void copy_steps(hd_steps *to, const hd_steps *from) {
    hd_vec_clear(to);
    for (size_t i = 0; i < from->length; i++)
        hd_vec_push(to, from->data[i]);
}

/* Does the schedule show the claim, and the same failure? */
static bool shows_same(shrinker *s, const hd_steps *schedule) {
    hd_error error = {""};
    hd_replay_outcome outcome;
    if (!hd_replay_run_for(s->machine, s->claim, schedule, &outcome, &error) ||
        !hd_replay_shows(s->machine, &outcome, s->claim, &error))
        return false;
    if (s->claim == HD_REPLAY_RACE || s->claim == HD_REPLAY_UNORDERED)
        return outcome.first == s->first && outcome.second == s->second;
    hd_vec_clear(&s->text);
    if (s->claim == HD_REPLAY_VIOLATION)
        s->machine->type->failure(s->machine, &s->text);
    return s->text.length == s->failure.length &&
           (s->text.length == 0 || memcmp(s->text.data, s->failure.data, s->text.length) == 0);
}

/* Are the steps of each thread in `smaller` the first ones that it has in `schedule`? */
HD_ASSERT_ONLY static bool has_prefixes(const hd_steps *schedule, const hd_steps *smaller,
                                        uint32_t threads) {
    bool good = true;
    for (uint32_t thread = 0; thread < threads && good; thread++) {
        size_t at = 0;
        for (size_t i = 0; i < smaller->length && good; i++) {
            if (smaller->data[i].thread != thread)
                continue;
            while (at < schedule->length && schedule->data[at].thread != thread)
                at++;
            good = at < schedule->length && schedule->data[at++].choice == smaller->data[i].choice;
        }
    }
    return good;
}

/* Takes the smaller schedule if it shows the same.  Where that should be so anyway,
 * it is asked all the same: a machine may say less than its operations access. */
static bool take_smaller(shrinker *s) {
    assert(s->smaller.length <= s->shrunk->schedule.length);
    HD_COSTLY_ASSERT(has_prefixes(&s->shrunk->schedule, &s->smaller, s->machine->threads));
    if (!shows_same(s, &s->smaller))
        return false;
    copy_steps(&s->shrunk->schedule, &s->smaller);
    return true;
}

/* What is not shrunk when the time is up stays as it is. */
static bool is_late(void) {
    return hd_clock_look() == HD_CLOCK_LATE;
}

/* ---- Fewer steps ---- */

/* The causal past of the last step: a prefix of each thread. */
static void keep_past(shrinker *s) {
    hd_replay_order order;
    const hd_steps *schedule = &s->shrunk->schedule;
    if (hd_replay_order_init(&order, s->machine, schedule)) {
        const uint32_t *past = hd_replay_order_clock(&order, (uint32_t)schedule->length - 1);
        uint32_t *taken = HD_NEW_ARRAY(uint32_t, (size_t)order.width + 1);
        hd_vec_clear(&s->smaller);
        for (size_t i = 0; i < schedule->length; i++) {
            uint32_t column = order.columns.data[i];
            if (taken[column]++ < past[column])
                hd_vec_push(&s->smaller, schedule->data[i]);
        }
        free(taken);
        /* The last step is in its own past. */
        assert(s->smaller.length &&
               hd_vec_last(&s->smaller)->thread == schedule->data[schedule->length - 1].thread);
        if (s->smaller.length < schedule->length)
            take_smaller(s);
    }
    hd_replay_order_release(&order);
}

/* Is step i the last one of its thread? */
static bool is_last(const hd_steps *schedule, size_t i) {
    for (size_t k = i + 1; k < schedule->length; k++)
        if (schedule->data[k].thread == schedule->data[i].thread)
            return false;
    return true;
}

/* A step can be in the past of the failing one and not matter: a read whose value
 * was overwritten on the way.  The last steps of the other threads are tried one
 * after the other, from the end; what fails the same without one can do so. */
static void trim_steps(shrinker *s) {
    const hd_steps *schedule = &s->shrunk->schedule;
    if (schedule->length > MOST_TRIMMED || schedule->length < 2)
        return;
    for (size_t i = schedule->length - 1; i-- > 0 && !is_late();) {
        if (!is_last(schedule, i))
            continue;
        copy_steps(&s->smaller, schedule);
        memmove(s->smaller.data + i, s->smaller.data + i + 1,
                (s->smaller.length - i - 1) * sizeof *s->smaller.data);
        s->smaller.length--;
        take_smaller(s);
    }
}

/* Trimming can leave steps that are in the past no more. */
static void drop_steps(shrinker *s) {
    size_t before;
    if (s->claim == HD_REPLAY_RACE ||
        s->claim == HD_REPLAY_UNORDERED) { /* of a race both are in the past of the last step */
        keep_past(s);
        return;
    }
    do {
        before = s->shrunk->schedule.length;
        keep_past(s);
        trim_steps(s);
    } while (s->shrunk->schedule.length < before && !is_late());
}

/* ---- Fewer context switches ---- */

/* Context switches of an order of the steps. */
HD_ASSERT_ONLY static size_t switches_of(const hd_replay_order *order, const hd_vec_u32 *sequence) {
    size_t count = 0;
    for (size_t i = 1; i < sequence->length; i++)
        count +=
            order->columns.data[sequence->data[i]] != order->columns.data[sequence->data[i - 1]];
    return count;
}

static void reorder_steps(shrinker *s, size_t budget) {
    hd_replay_order order;
    hd_vec_u32 sequence = {0};
    hd_replay_shrunk *shrunk = s->shrunk;
    hd_steps part = shrunk->schedule; /* the two of a race stay where they are */
    part.length -= s->claim == HD_REPLAY_RACE ? 2 : 0;
    shrunk->fewest = part.length == 0;
    if (shrunk->fewest)
        return;
    if (hd_replay_order_init(&order, s->machine, &part)) {
        shrunk->fewest = hd_replay_order_fewest(&order, budget, &sequence);
        assert(sequence.length == part.length);
        /* The order that the steps have is one, so the best has no more switches. */
        assert(!shrunk->fewest || switches_of(&order, &sequence) <= hd_replay_switches(&part));
        hd_vec_clear(&s->smaller);
        for (size_t i = 0; i < sequence.length; i++)
            hd_vec_push(&s->smaller, part.data[sequence.data[i]]);
        for (size_t i = part.length; i < shrunk->schedule.length; i++)
            hd_vec_push(&s->smaller, shrunk->schedule.data[i]);
        /* A greedy order may be worse than what there was. */
        if (hd_replay_switches(&s->smaller) < hd_replay_switches(&shrunk->schedule) &&
            !take_smaller(s))
            shrunk->fewest = false;
    }
    hd_vec_release(&sequence);
    hd_replay_order_release(&order);
}

bool hd_replay_shrink(hd_machine *machine, enum hd_replay_claim claim, const hd_steps *schedule,
                      size_t budget, hd_replay_shrunk *shrunk, hd_error *error) {
    shrinker s = {.machine = machine, .claim = claim, .shrunk = shrunk};
    *shrunk = (hd_replay_shrunk){0};
    hd_replay_outcome outcome;
    if (!hd_replay_run_for(machine, claim, schedule, &outcome, error) ||
        !hd_replay_shows(machine, &outcome, claim, error))
        return false;
    copy_steps(&shrunk->schedule, schedule);
    s.first = outcome.first;
    s.second = outcome.second;
    if (is_late()) {
        shrunk->switches = hd_replay_switches(schedule);
        return true;
    }
    if (claim == HD_REPLAY_VIOLATION)
        machine->type->failure(machine, &s.failure);
    if (claim != HD_REPLAY_STUCK)
        drop_steps(&s);
    if (!is_late())
        reorder_steps(&s, budget ? budget : HD_REPLAY_BUDGET);
    assert(shrunk->schedule.length <= schedule->length);
    shrunk->dropped = schedule->length - shrunk->schedule.length;
    shrunk->switches = hd_replay_switches(&shrunk->schedule);
    assert(shrunk->switches <= hd_replay_switches(schedule));
    hd_vec_release(&s.failure);
    hd_vec_release(&s.text);
    hd_vec_release(&s.smaller);
    return hd_replay_check(machine, claim, &shrunk->schedule, error);
}
