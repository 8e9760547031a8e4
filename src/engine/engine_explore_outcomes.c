/*
 * The ways in which executions of a program end: output, exit status and marks.
 *
 * Of the question nondet each of them is run again, by the checker, before it counts; and two are
 * compared only if the inputs that the program asked for agree: of each thread the values that one
 * got begin with those that the other got.  For then there are inputs with which both can happen.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_explore.h"
#include "engine_explore_parts.h"

void hd_engine_explore_nondet(hd_engine_exploration *e, bool all) {
    e->nondet = true;
    e->all_outcomes = all;
    e->find = HD_ENGINE_FIND_OUTCOME;
    hd_finding_list_release(&e->findings);
    hd_finding_list_init(&e->findings, 0);
}

static enum hd_replay_claim claim_of(const hd_engine_outcome *outcome) {
    return outcome->stuck ? HD_REPLAY_STUCK : outcome->failed ? HD_REPLAY_VIOLATION : HD_REPLAY_END;
}

static bool ends_alike(const hd_native_outcome *a, const hd_native_outcome *b) {
    return a->status == b->status && a->wrote == b->wrote && a->sum == b->sum;
}

/* ---- A new one ---- */

static char *keep(const char *text, size_t length) {
    return hd_mem_string(length ? text : "", length);
}

static void release(hd_engine_outcome *outcome) {
    free(outcome->output);
    free(outcome->marks);
    free(outcome->inputs);
    hd_vec_release(&outcome->schedule);
}

static hd_engine_outcome make(const hd_native_outcome *now, enum hd_explore_end end) {
    hd_engine_outcome made = {.end = *now,
                              .output = keep(now->output, now->shown),
                              .marks = keep(now->marks, now->marked),
                              .inputs = keep(now->inputs, now->asked),
                              .failed = end == HD_EXPLORE_VIOLATION,
                              .stuck = end == HD_EXPLORE_DEADLOCK};
    made.end.output = made.output;
    made.end.marks = made.marks;
    made.end.inputs = made.inputs;
    return made;
}

static uint64_t key_of(const hd_engine_exploration *e, const hd_native_outcome *now,
                       enum hd_explore_end end) {
    uint64_t key = now->sum * 31 + now->wrote * 1000003 + (uint64_t)(uint32_t)now->status;
    for (size_t i = 0; e->nondet && i < now->asked; i++)
        key = (key ^ (unsigned char)now->inputs[i]) * UINT64_C(0x100000001b3);
    return end == HD_EXPLORE_DEADLOCK ? ~key : key;
}

/* Does its schedule end like this once more?  If not, it is searched again, from fresh processes
 * or with every round; if that does not help, it is said that runs vary. */
static bool happens_again(hd_engine_exploration *e, hd_machine *machine,
                          const hd_engine_outcome *outcome) {
    hd_native_outcome again;
    hd_error error = {""};
    bool shown = hd_replay_check(hd_engine_explore_checker(e), claim_of(outcome),
                                 &outcome->schedule, &error);
    if (shown)
        hd_native_machine_outcome(hd_engine_explore_checker(e), &again);
    if (shown && ends_alike(&again, &outcome->end))
        return true;
    if (shown)
        hd_error_set(&error, "the same schedule printed something else");
    if (hd_native_machine_every_round(machine) || hd_native_machine_mistrust(machine, error.text))
        return false;
    hd_text_append(&e->varies,
                   "a run ends in another way when its schedule is run again, so something else "
                   "than the schedule decides: %s",
                   error.text);
    return false;
}

/* Other than 0: the search is over. */
static int compare(hd_engine_exploration *e) {
    size_t last = e->outcomes.length - 1;
    const hd_engine_outcome *now = &e->outcomes.data[last];
    for (size_t i = 0; i < last && !e->parts.length; i++) {
        const hd_engine_outcome *before = &e->outcomes.data[i];
        if ((before->stuck == now->stuck && ends_alike(&before->end, &now->end)) ||
            !hd_engine_inputs_agree(before->inputs, now->inputs))
            continue;
        e->differ[0] = i;
        e->differ[1] = last;
        hd_engine_outcomes_part(before, now, &e->parts);
    }
    return e->parts.length && !e->all_outcomes;
}

static void set_schedule(hd_engine_exploration *e, const hd_machine *machine,
                         hd_engine_outcome *outcome, const hd_step *schedule, size_t length) {
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&outcome->schedule, (hd_step){schedule[i].thread, schedule[i].choice});
    if (!outcome->stuck)
        return;
    hd_vec_release(&e->schedule);
    e->schedule = outcome->schedule;
    hd_engine_explore_go_round(e, machine);
    outcome->schedule = e->schedule;
    e->schedule = (hd_steps){0};
}

/* ---- Often ----
 *
 * Most executions end like many before them, and only have to be counted.  Workers that took a lock
 * for that, at every execution, would wait for each other for most of the time: each has counters
 * of its own, mostly, and finds the number of an outcome without a lock. */

enum { NUMBERS = 64, SLOTS = 256, PROBES = 8, STRIPES = 16, SHOWN = 64 };

struct hd_engine_often {
    _Atomic uint64_t key[SLOTS]; /* and one more; 0: none */
    uint8_t number[SLOTS];       /* of the outcome; written before the key */
    _Atomic uint64_t count[STRIPES][NUMBERS];
    _Atomic uint32_t shown[STRIPES][64 / sizeof(uint32_t)]; /* the first; a cache line each */
};

static uint32_t mix(uint64_t value, uint32_t below) {
    return (uint32_t)(value * UINT64_C(0x9e3779b97f4a7c15) >> 40) % below;
}

/* Only one at a time enters something. */
static void enter_often(hd_engine_exploration *e, uint64_t key, size_t outcome) {
    struct hd_engine_often *often = atomic_load_explicit(&e->often, memory_order_relaxed);
    if (!++key || outcome >= NUMBERS)
        return;
    if (!often) {
        often = HD_NEW(struct hd_engine_often);
        atomic_store_explicit(&e->often, often, memory_order_release);
    }
    for (uint32_t i = 0; i < PROBES; i++) {
        uint32_t slot = (mix(key, SLOTS) + i) % SLOTS;
        if (atomic_load_explicit(&often->key[slot], memory_order_relaxed))
            continue;
        often->number[slot] = (uint8_t)outcome;
        atomic_store_explicit(&often->key[slot], key, memory_order_release);
        return;
    }
}

static _Atomic uint64_t *find_often(struct hd_engine_often *often, uint64_t key, uint32_t stripe) {
    key++;
    for (uint32_t i = 0; i < PROBES; i++) {
        uint32_t slot = (mix(key, SLOTS) + i) % SLOTS;
        uint64_t there = atomic_load_explicit(&often->key[slot], memory_order_acquire);
        if (there == key)
            return &often->count[stripe][often->number[slot]];
        if (!there)
            break;
    }
    return NULL;
}

/* One in a few is shown to the visitor anyway, which may know that the search should end. */
bool hd_engine_explore_glance(void *context, hd_machine *machine, size_t length) {
    hd_engine_exploration *e = context;
    struct hd_engine_often *often = atomic_load_explicit(&e->often, memory_order_acquire);
    uint32_t stripe = mix((uintptr_t)machine, STRIPES);
    hd_native_outcome now;
    if (!often || e->sv_comp || length > e->portfolio.longest ||
        atomic_fetch_add_explicit(&often->shown[stripe][0], 1, memory_order_relaxed) % SHOWN == 0 ||
        hd_native_machine_changed(machine) || hd_native_machine_broken(machine) ||
        hd_native_machine_pruned(machine))
        return false;
    hd_native_machine_outcome(machine, &now);
    _Atomic uint64_t *count = find_often(often, key_of(e, &now, HD_EXPLORE_COMPLETE), stripe);
    if (!count || now.unsaid)
        return false;
    atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
    return true;
}

uint64_t hd_engine_explore_outcome_count(const hd_engine_exploration *e, size_t outcome) {
    struct hd_engine_often *often = atomic_load_explicit(&e->often, memory_order_acquire);
    uint64_t count = e->outcomes.data[outcome].count;
    for (uint32_t i = 0; often && outcome < NUMBERS && i < STRIPES; i++)
        count += atomic_load_explicit(&often->count[i][outcome], memory_order_relaxed);
    return count;
}

void hd_engine_explore_recount_outcomes(hd_engine_exploration *e) {
    struct hd_engine_often *often = e->often;
    for (size_t i = 0; i < e->outcomes.length; i++)
        e->outcomes.data[i].count = 0;
    for (uint32_t i = 0; often && i < STRIPES * NUMBERS; i++)
        often->count[i / NUMBERS][i % NUMBERS] = 0;
}

/* ---- One more ---- */

int hd_engine_explore_outcome(hd_engine_exploration *e, hd_machine *machine,
                              enum hd_explore_end end, bool apart, const hd_step *schedule,
                              size_t length) {
    hd_native_outcome now;
    bool added;
    hd_native_machine_outcome(machine, &now);
    e->unsaid |= now.unsaid;
    uint64_t key = key_of(e, &now, end);
    const uint32_t *known = hd_map_find(&e->outcome_numbers, key);
    if (known) {
        e->outcomes.data[*known].count += !apart;
        return 0;
    }
    hd_engine_outcome outcome = make(&now, end);
    outcome.count = !apart;
    set_schedule(e, machine, &outcome, schedule, length);
    if (e->nondet && !happens_again(e, machine, &outcome)) {
        release(&outcome);
        return 1;
    }
    *hd_map_at(&e->outcome_numbers, key, &added) = (uint32_t)e->outcomes.length;
    enter_often(e, key, e->outcomes.length);
    hd_vec_push(&e->outcomes, outcome);
    return e->nondet ? compare(e) : 0;
}

/* ---- As bytes ---- */

void hd_engine_explore_put_outcomes(const hd_engine_exploration *e, hd_vec_char *to) {
    hd_bytes_put(to, e->outcomes.length);
    for (size_t i = 0; i < e->outcomes.length; i++) {
        const hd_engine_outcome *outcome = &e->outcomes.data[i];
        hd_bytes_put(to, (uint32_t)outcome->end.status);
        hd_bytes_put(to, outcome->end.wrote);
        hd_bytes_put(to, outcome->end.sum);
        hd_bytes_put_text(to, outcome->output, outcome->end.shown);
        hd_bytes_put_text(to, outcome->marks, outcome->end.marked);
        hd_bytes_put_text(to, outcome->inputs, outcome->end.asked);
        hd_bytes_put(to, outcome->end.unsaid);
        hd_bytes_put(to, outcome->failed);
        hd_bytes_put(to, outcome->stuck);
        hd_bytes_put(to, hd_engine_explore_outcome_count(e, i));
        hd_bytes_put_steps(to, &outcome->schedule);
    }
}

static hd_engine_outcome get_outcome(hd_bytes *from) {
    hd_native_outcome end = {.status = (int)(uint32_t)hd_bytes_get(from, UINT32_MAX)};
    end.wrote = hd_bytes_get(from, UINT64_MAX);
    end.sum = hd_bytes_get(from, UINT64_MAX);
    end.output = hd_bytes_get_text(from, &end.shown);
    end.marks = hd_bytes_get_text(from, &end.marked);
    end.inputs = hd_bytes_get_text(from, &end.asked);
    end.unsaid = hd_bytes_get(from, 1);
    bool failed = hd_bytes_get(from, 1), stuck = hd_bytes_get(from, 1);
    hd_engine_outcome outcome = make(&end, stuck    ? HD_EXPLORE_DEADLOCK
                                           : failed ? HD_EXPLORE_VIOLATION
                                                    : HD_EXPLORE_COMPLETE);
    outcome.count = hd_bytes_get(from, UINT64_MAX / 2);
    hd_bytes_get_steps(from, &outcome.schedule);
    return outcome;
}

void hd_engine_explore_get_outcomes(hd_engine_exploration *e, hd_bytes *from) {
    enum { LEAST = 11 };
    size_t count = hd_bytes_get_count(from, LEAST);
    bool added;
    for (size_t i = 0; i < count && !from->bad; i++) {
        hd_engine_outcome outcome = get_outcome(from);
        if (from->bad) {
            release(&outcome);
            return;
        }
        uint64_t key =
            key_of(e, &outcome.end, outcome.stuck ? HD_EXPLORE_DEADLOCK : HD_EXPLORE_COMPLETE);
        uint32_t *number = hd_map_at(&e->outcome_numbers, key, &added);
        if (!added) {
            e->outcomes.data[*number].count += outcome.count;
            release(&outcome);
            continue;
        }
        *number = (uint32_t)e->outcomes.length;
        enter_often(e, key, e->outcomes.length);
        hd_vec_push(&e->outcomes, outcome);
        if (e->nondet)
            compare(e);
    }
}

/* ---- Findings ---- */

static void push(hd_engine_exploration *e, size_t i, size_t number, size_t of) {
    static const enum hd_finding_sort sorts[HD_REPLAY_CLAIMS] = {
        [HD_REPLAY_STUCK] = HD_FINDING_DEADLOCK,
        [HD_REPLAY_VIOLATION] = HD_FINDING_FAILURE,
        [HD_REPLAY_END] = HD_FINDING_OUTCOME};
    const hd_engine_outcome *outcome = &e->outcomes.data[i];
    hd_finding finding;
    hd_vec_char text = {0};
    hd_text_append(&text, "outcome %zu of %zu: ", number, of);
    hd_engine_explore_end(outcome, &text);
    if (e->parts.length && i == e->differ[1])
        hd_text_append(&text, "; it parts from outcome %zu at %.*s",
                       e->all_outcomes ? e->differ[0] + 1 : 1, (int)e->parts.length, e->parts.data);
    hd_finding_init(&finding, sorts[claim_of(outcome)], "outcome");
    finding.location = hd_mem_string(e->path, strlen(e->path));
    finding.message = text.data;
    finding.fingerprint = i + 1;
    uint64_t count = hd_engine_explore_outcome_count(e, i);
    finding.count = count ? count : 1;
    for (size_t k = 0; k < outcome->schedule.length; k++)
        hd_vec_push(&finding.schedule, outcome->schedule.data[k]);
    hd_finding_list_add(&e->findings, &finding);
    hd_finding_release(&finding);
}

/* Of outcomes that differ each is a finding, but those that failed, if failures are found anyway.
 * Of the question nondet, which does not mind failures, the two that differ are, or all. */
void hd_engine_explore_gather_outcomes(hd_engine_exploration *e) {
    size_t count = e->outcomes.length;
    if (e->nondet && e->parts.length && !e->all_outcomes) {
        push(e, e->differ[0], 1, 2);
        push(e, e->differ[1], 2, 2);
        return;
    }
    if (!(e->find & HD_ENGINE_FIND_OUTCOME) || count < 2 || (e->nondet && !e->parts.length))
        return;
    bool anyway = !e->nondet && e->find & HD_ENGINE_FIND_FAILURE;
    for (size_t i = 0; i < count; i++)
        if (!anyway || !e->outcomes.data[i].failed)
            push(e, i, i + 1, count);
}

void hd_engine_explore_forget_outcomes(hd_engine_exploration *e) {
    hd_map_release(&e->outcome_numbers);
    e->outcome_numbers = (hd_map){0};
    for (size_t i = 0; i < e->outcomes.length; i++)
        release(&e->outcomes.data[i]);
    hd_vec_clear(&e->outcomes);
    free(e->often);
    e->often = NULL;
    e->differ[0] = e->differ[1] = 0;
    e->unsaid = false;
    hd_vec_clear(&e->parts);
    hd_vec_clear(&e->varies);
}
