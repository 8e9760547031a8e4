/*
 * The question states in slices (cut_slices.h): for a count that is kept in checkpoints, and for
 * one that several processes share (room team).
 *
 * What is known of a count is which slices were counted, and their sum.  A slice that was not
 * finished was not begun.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_keep.h"
#include "engine_states.h"
#include "engine_team.h"

struct slicing {
    hd_engine_states *s;
    hd_cut_slices slices;
    hd_bits done;
    size_t left;
    hd_cut_count sum;
    bool blocks; /* not all were counted by diagrams */
    pthread_mutex_t lock;
    double kept;
};

/* ---- Checkpoints ---- */

static void keep(struct slicing *x) {
    hd_vec_char state = {0}, none = {0};
    x->kept = hd_progress_clock();
    if (!x->s->keep.to)
        return;
    hd_bytes_put(&state, x->slices.count);
    hd_bytes_put(&state, x->blocks);
    hd_cut_count_put(&x->sum, &state);
    for (size_t i = 0; i < x->slices.count;) { /* lengths of what was counted and what was not */
        size_t from = i;
        bool done = hd_bits_has(&x->done, i);
        while (i < x->slices.count && hd_bits_has(&x->done, i) == done)
            i++;
        hd_bytes_put(&state, (i - from) << 1 | done);
    }
    hd_engine_keep_write(&x->s->keep, &state, &none);
    hd_vec_release(&state);
}

static bool go_on(struct slicing *x, hd_error *error) {
    const hd_vec_char *state = &x->s->keep.state;
    hd_bytes from = {state->data, state->data + state->length, false};
    size_t at = 0;
    if (hd_bytes_get(&from, UINT64_MAX) != x->slices.count)
        from.bad = true;
    x->blocks = hd_bytes_get(&from, 1);
    hd_cut_count_get(&x->sum, &from);
    while (at < x->slices.count && !from.bad) {
        uint64_t run = hd_bytes_get(&from, UINT64_MAX);
        if (!(run >> 1) || run >> 1 > x->slices.count - at)
            from.bad = true;
        for (uint64_t i = 0; i < run >> 1 && !from.bad; i++, at++)
            if (run & 1) {
                hd_bits_set(&x->done, at);
                x->left--;
            }
    }
    return hd_bytes_done(&from) || hd_error_set(error, "%s: a checkpoint that is not well-formed",
                                                hd_text_name(x->s->keep.from));
}

/* ---- One process ---- */

static void add(struct slicing *x, size_t slice, const hd_cut_count *states, bool symbolic) {
    assert(!hd_bits_has(&x->done, slice));
    hd_bits_set(&x->done, slice);
    x->left--;
    x->blocks |= !symbolic;
    if (states->limbs.length)
        hd_cut_count_add_product(&x->sum, states->limbs.data, states->limbs.length, 1);
    if (hd_progress_clock() - x->kept > x->s->keep.every)
        keep(x);
}

static int count_slice(void *context, unsigned worker, size_t slice) {
    struct slicing *x = context;
    hd_cut_count states = {0};
    bool symbolic;
    (void)worker;
    hd_mem_lock(&x->lock);
    bool done = hd_bits_has(&x->done, slice);
    hd_mem_unlock(&x->lock);
    if (done)
        return 0;
    int why = hd_cut_slices_count(&x->slices, slice, &states, &symbolic);
    if (!why) {
        hd_mem_lock(&x->lock);
        add(x, slice, &states, symbolic);
        hd_mem_unlock(&x->lock);
    }
    hd_cut_count_release(&states);
    return why;
}

/* ---- Several ---- */

/* To the lead: slices that were counted, from one on, with their sum. */
static bool take_slices(struct slicing *x, int member, const hd_vec_char *message, size_t *given,
                        hd_error *error) {
    hd_bytes from = {message->data, message->data + message->length, false};
    hd_cut_count states = {0};
    uint64_t slice = hd_bytes_get(&from, x->slices.count - 1);
    bool symbolic = hd_bytes_get(&from, 1);
    hd_cut_count_get(&states, &from);
    bool good = hd_bytes_done(&from) && given[member] == slice + 1;
    if (good)
        add(x, slice, &states, symbolic);
    given[member] = 0;
    hd_cut_count_release(&states);
    return good || hd_error_set(error, "process %d sent a count that is not one", member);
}

/* The first slice from one on that was neither counted nor given to a member. */
static size_t next_slice(const struct slicing *x, const size_t *given, int size, size_t slice) {
    for (; slice < x->slices.count; slice++) {
        bool taken = hd_bits_has(&x->done, slice);
        for (int i = 1; i < size && !taken; i++)
            taken = given[i] == slice + 1;
        if (!taken)
            break;
    }
    return slice;
}

/* The slice of a member that has died is another's. */
static void lose(size_t *given, bool *ready, size_t *next, int member) {
    hd_engine_team_lost(member);
    if (given[member] && given[member] <= *next)
        *next = given[member] - 1;
    given[member] = 0;
    ready[member] = false;
}

static bool lead(struct slicing *x, int *why, hd_error *error) {
    static const double moment = 0.02;
    int size = hd_team_current()->size, from, kind;
    size_t *given = HD_NEW_ARRAY(size_t, (size_t)size), next = 0; /* slice + 1; 0: none */
    bool *ready = HD_NEW_ARRAY(bool, (size_t)size), good = true;
    hd_vec_char message = {0};
    while (good && x->left && !*why && hd_team_lost() < size - 1) {
        for (int i = 1; i < size; i++) {
            next = next_slice(x, given, size, next);
            if (!ready[i] || given[i] || next == x->slices.count)
                continue;
            hd_vec_char unit = {0};
            hd_bytes_put(&unit, next);
            hd_team_send(i, HD_ENGINE_UNIT, &unit);
            given[i] = ++next;
            hd_vec_release(&unit);
        }
        if (hd_stop_asked() || hd_clock_look() != HD_CLOCK_GOES)
            *why = HD_CUT_STOPPED;
        if (hd_progress_clock() - x->kept > x->s->keep.every)
            keep(x);
        if (!hd_team_receive(moment, &from, &kind, &message))
            continue;
        if (kind == HD_ENGINE_READY)
            ready[from] = true;
        else if (kind == HD_ENGINE_REPORT)
            good = take_slices(x, from, &message, given, error);
        else if (kind == HD_ENGINE_LEFT)
            *why = HD_CUT_STOPPED;
        else if (kind == HD_TEAM_LOST)
            lose(given, ready, &next, from);
        else
            good = hd_error_set(error, "process %d: %.*s", from, (int)message.length, message.data);
    }
    hd_vec_release(&message);
    free(given);
    free(ready);
    return good;
}

static bool is_told(void *context) {
    (void)context;
    return hd_team_waits();
}

/* Slices for the lead, until it says that it is over; that ends the one that is being counted. */
static bool serve(struct slicing *x, hd_error *error) {
    static const double moment = 1;
    hd_vec_char message = {0}, answer = {0};
    int from, kind = 0;
    bool good = true, left = false;
    hd_team_send(0, HD_ENGINE_READY, NULL);
    while (good && kind != HD_ENGINE_OVER) {
        if (hd_stop_asked() && !left) {
            left = true;
            hd_team_send(0, HD_ENGINE_LEFT, NULL);
        }
        bool came = hd_team_receive(moment, &from, &kind, &message);
        if (hd_team_leaderless())
            good = hd_error_set(error, "the process that led has died");
        if (!came || kind != HD_ENGINE_UNIT || left)
            continue;
        hd_bytes bytes = {message.data, message.data + message.length, false};
        size_t slice = hd_bytes_get(&bytes, x->slices.count - 1);
        hd_cut_count states = {0};
        bool symbolic;
        hd_clock clock = {.stops = is_told};
        hd_clock_begin(&clock);
        int why = hd_cut_slices_count(&x->slices, slice, &states, &symbolic);
        hd_clock_end(&clock);
        hd_vec_clear(&answer);
        hd_bytes_put(&answer, slice);
        hd_bytes_put(&answer, symbolic);
        hd_cut_count_put(&states, &answer);
        if (!why)
            hd_team_send(0, HD_ENGINE_REPORT, &answer);
        else if (why != HD_CUT_STOPPED)
            good = hd_error_set(error, "%s needs more than the memory of --memory",
                                hd_cut_algorithm_names[x->s->request.algorithm]);
        hd_cut_count_release(&states);
    }
    hd_vec_release(&message);
    hd_vec_release(&answer);
    return good;
}

/* ---- Both ---- */

static bool run(struct slicing *x, int *why, hd_error *error) {
    const hd_team *team = x->s->team ? hd_team_current() : NULL;
    if (team && team->rank)
        return serve(x, error);
    if (team && !lead(x, why, error))
        return false;
    if (*why || !x->left)
        return true;
    *why = hd_cut_share(x->s->request.workers, x->slices.count, count_slice, x, NULL);
    return true;
}

bool hd_engine_states_sliced(hd_engine_states *s, hd_error *error) {
    struct slicing x = {.s = s};
    int why = 0;
    bool good = hd_cut_slices_init(&x.slices, &s->order, &s->request, error);
    if (x.slices.late && !s->team) {
        hd_engine_states_none(s);
        hd_cut_slices_release(&x.slices);
        return true;
    }
    pthread_mutex_init(&x.lock, NULL);
    hd_bits_init(&x.done, x.slices.count);
    x.left = x.slices.count;
    x.kept = hd_progress_clock();
    good = good &&
           (!hd_engine_keep_on(&s->keep) || hd_engine_keep_begin(&s->keep, s->sum, error)) &&
           (!s->keep.from || go_on(&x, error)) && run(&x, &why, error);
    if (good && x.left)
        keep(&x);
    if (good) {
        enum hd_cut_algorithm asked = x.slices.request.algorithm;
        bool ours = asked == HD_CUT_AUTO || asked == HD_CUT_DIAGRAM;
        s->counted = (hd_cut_answer){.states = x.sum, .why = why};
        s->counted.algorithm = !ours ? asked : x.blocks ? HD_CUT_BOUNDS : HD_CUT_DIAGRAM;
        s->counted.manner = !x.blocks                        ? HD_CUT_SYMBOLIC
                            : ours || asked == HD_CUT_BOUNDS ? HD_CUT_BLOCKS
                                                             : HD_CUT_SINGLY;
        if (x.left && !why)
            s->counted.why = HD_CUT_STOPPED;
    } else
        hd_cut_count_release(&x.sum);
    hd_bits_release(&x.done);
    pthread_mutex_destroy(&x.lock);
    hd_cut_slices_release(&x.slices);
    return good;
}
