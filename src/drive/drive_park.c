/*
 * Stages IV and V.  The program is driven to the state after the extended prefix; what
 * begins there is a machine of its own, without a1's thread (or with it, if asked) and with
 * a2's thread as number 0, because searches take the lowest thread first.  A step of it
 * fails when two threads come to be next with accesses that race at the two places; then
 * the search by source sets has what it looks for.
 *
 * Races at other places that were not known before are kept on the way.
 */
#include <string.h>

#include "drive_state.h"
#include "explore/explore.h"

#define NO_THREAD UINT32_MAX

typedef struct parked {
    hd_machine base;
    hd_driver *driver;
    hd_machine *inner;
    uint32_t left_out;                    /* a thread, NO_THREAD: none */
    uint32_t order[HEDDLE_WIRE_EXPLORED]; /* numbers here -> threads of the program */
    uint64_t ended_more[HD_MACHINE_MORE]; /* of the operation that was asked for last */
    size_t prefix;                        /* steps of it */
    hd_steps path;                        /* from main on */
    uint64_t pair;                        /* of places */
    hd_steps witness;                     /* the path that showed it, and both accesses */
    HD_VEC(hd_steps) others;              /* of other pairs of places */
    hd_map known;                         /* pairs of these */
    HD_VEC(hd_machine_operation) next;    /* scratch: what threads do next, */
    hd_vec_u32 whose;                     /* and which threads */
} parked;

static parked *self_of(hd_machine *machine) {
    return (parked *)machine;
}

/* ---- Races ---- */

static void copy_path(const parked *p, hd_steps *to, uint32_t first, uint32_t second) {
    hd_vec_clear(to);
    for (size_t i = 0; i < p->path.length; i++)
        hd_vec_push(to, p->path.data[i]);
    hd_vec_push(to, (hd_step){first, 0});
    hd_vec_push(to, (hd_step){second, 0});
}

/* Two threads are next with accesses that race. */
static bool note_race(parked *p, uint32_t a, const hd_machine_operation *one, uint32_t b,
                      const hd_machine_operation *other) {
    uint64_t pair = hd_drive_pair(hd_drive_place_of(p->driver, one->position),
                                  hd_drive_place_of(p->driver, other->position));
    bool added;
    if (pair == p->pair) {
        copy_path(p, &p->witness, a, b);
        return true;
    }
    if (hd_map_find(&p->driver->proved, pair))
        return false;
    hd_map_at(&p->known, pair, &added);
    if (added) {
        hd_steps steps = {0};
        copy_path(p, &steps, a, b);
        hd_vec_push(&p->others, steps);
    }
    return false;
}

/* Do the next accesses of two threads race at the two places? */
static bool races(parked *p) {
    hd_machine_operation operation;
    hd_vec_clear(&p->next);
    hd_vec_clear(&p->whose);
    for (uint32_t i = 0; i < p->inner->threads; i++)
        if (p->inner->type->next(p->inner, i, &operation) && operation.memory) {
            hd_vec_push(&p->next, operation);
            hd_vec_push(&p->whose, i);
        }
    for (size_t i = 1; i < p->next.length; i++)
        for (size_t k = 0; k < i; k++)
            if (hd_machine_collide(&p->next.data[i], &p->next.data[k]) &&
                note_race(p, p->whose.data[k], &p->next.data[k], p->whose.data[i],
                          &p->next.data[i]))
                return true;
    return false;
}

/* ---- The machine ---- */

/* Most operations come after the end of no thread. */
static void renumber_ended(parked *p, hd_machine_operation *operation) {
    uint64_t inner[HD_MACHINE_MORE + 1] = {operation->ended_before}, some = inner[0];
    uint64_t own[HD_MACHINE_MORE + 1] = {0};
    for (uint32_t i = 0; operation->ended_more && i < HD_MACHINE_MORE; i++)
        some |= inner[i + 1] = operation->ended_more[i];
    for (uint32_t i = 0; some && i < p->base.threads; i++)
        own[i / 64] |= (inner[p->order[i] / 64] >> p->order[i] % 64 & 1) << i % 64;
    operation->ended_before = own[0];
    memcpy(p->ended_more, own + 1, sizeof p->ended_more);
    operation->ended_more = p->base.threads > 64 ? p->ended_more : NULL;
}

static bool next(hd_machine *machine, uint32_t thread, hd_machine_operation *operation) {
    parked *p = self_of(machine);
    uint32_t own = p->order[thread];
    if (own == p->left_out || !p->inner->type->next(p->inner, own, operation))
        return false;
    machine->locations = p->inner->locations; /* to look may show new ones */
    renumber_ended(p, operation);
    return true;
}

static enum hd_machine_result step(hd_machine *machine, uint32_t thread, uint32_t choice) {
    parked *p = self_of(machine);
    uint32_t own = p->order[thread];
    p->inner->asleep = 0;
    for (uint64_t rest = machine->asleep; rest; rest &= rest - 1) {
        uint32_t sleeper = p->order[__builtin_ctzll(rest)];
        p->inner->asleep |= sleeper < 64 ? UINT64_C(1) << sleeper : 0;
    }
    enum hd_machine_result result = p->inner->type->step(p->inner, own, choice);
    hd_vec_push(&p->path, (hd_step){own, choice});
    machine->locations = p->inner->locations;
    if (result != HD_MACHINE_WENT_ON)
        return result;
    return races(p) ? HD_MACHINE_FAILED : HD_MACHINE_WENT_ON;
}

static void undo(hd_machine *machine) {
    parked *p = self_of(machine);
    p->inner->type->undo(p->inner);
    (void)hd_vec_pop(&p->path);
}

static void restart(hd_machine *machine) {
    parked *p = self_of(machine);
    hd_steps steps = {0};
    p->inner->asleep = 0;
    p->path.length = p->prefix;
    for (size_t i = 0; i < p->prefix; i++)
        hd_vec_push(&steps, (hd_step){p->path.data[i].thread, p->path.data[i].choice});
    p->inner->type->expect(p->inner, steps.data, steps.length);
    for (size_t i = 0; i < steps.length; i++)
        p->inner->type->step(p->inner, steps.data[i].thread, steps.data[i].choice);
    hd_vec_release(&steps);
    machine->locations = p->inner->locations;
}

static const char *thread_name(hd_machine *machine, uint32_t thread) {
    const parked *p = self_of(machine);
    return p->inner->type->thread_name(p->inner, p->order[thread]);
}

static const hd_machine_type parked_type = {
    .name = "parked program",
    .next = next,
    .step = step,
    .undo = undo,
    .restart = restart,
    .thread_name = thread_name,
};

static void put_in_order(parked *p, uint32_t preferred) {
    uint32_t count = 0;
    if (preferred != NO_THREAD)
        p->order[count++] = preferred;
    for (uint32_t i = 0; i < p->inner->threads; i++)
        if (i != preferred)
            p->order[count++] = i;
}

/* ---- The search ---- */

static int visit(void *context, hd_machine *machine, enum hd_explore_end end,
                 const hd_step *schedule, size_t length) {
    (void)schedule;
    (void)length;
    (void)end;
    const parked *p = self_of(machine);
    (void)context;
    return p->witness.length || hd_drive_over(p->driver);
}

/* Steps after the prefix: more than the run that was seen had, but a loop that waits for the
 * parked thread would never end. */
static uint32_t most_steps(const parked *p) {
    enum { TIMES = 4, MORE = 1000, ROOM = 4 };
    size_t most = TIMES * p->driver->run.steps.length + MORE;
    size_t left =
        p->prefix + ROOM < HD_NATIVE_MOST_STEPS ? HD_NATIVE_MOST_STEPS - ROOM - p->prefix : 1;
    return (uint32_t)(most < left ? most : left);
}

static bool explore(parked *p, double seconds, hd_explore_result *result) {
    const hd_drive_options *options = p->driver->options;
    hd_explore_options how = {.algorithm = HD_EXPLORE_SDPOR,
                              .most_executions = options->most_executions,
                              .most_seconds = seconds,
                              .most_length = most_steps(p),
                              .visit = visit,
                              .context = p};
    hd_error error = {""};
    return hd_explore_run(&p->base, &how, result, &error);
}

static enum hd_drive_verdict search(parked *p, double seconds) {
    hd_drive_result *total = p->driver->result;
    hd_explore_result result = {0};
    hd_replay_outcome outcome;
    hd_error error = {""};
    double since = hd_progress_clock();
    if (!hd_replay_run(p->inner, &p->path, NULL, &outcome, &error) || outcome.failed)
        return HD_DRIVE_UNDECIDED; /* something orders the steps that left no event */
    restart(&p->base);
    hd_drive_spent(p->driver, HD_DRIVE_PARK, &since);
    bool at_once = races(p);
    if (!at_once && !explore(p, seconds, &result))
        return HD_DRIVE_UNDECIDED;
    total->executions += result.executions + result.blocked;
    total->states += result.steps;
    hd_drive_spent(p->driver, HD_DRIVE_SEARCH, &since);
    if (p->witness.length)
        return HD_DRIVE_PROVED;
    return result.complete && !result.stopped ? HD_DRIVE_REFUTED : HD_DRIVE_UNDECIDED;
}

static void release(parked *p) {
    hd_vec_release(&p->path);
    hd_vec_release(&p->witness);
    for (size_t i = 0; i < p->others.length; i++)
        hd_vec_release(&p->others.data[i]);
    hd_vec_release(&p->others);
    hd_map_release(&p->known);
    hd_vec_release(&p->next);
    hd_vec_release(&p->whose);
}

static void init(parked *p, hd_driver *driver, const hd_vec_u32 *prefix, uint32_t first) {
    hd_drive_way_there way = {.run = &driver->run, .steps = &p->path};
    p->base = (hd_machine){.type = &parked_type,
                           .threads = driver->machine->threads,
                           .locations = driver->machine->locations};
    p->driver = driver;
    p->inner = driver->machine;
    for (size_t i = 0; i < prefix->length; i++)
        hd_drive_go(&way, prefix->data[i]);
    hd_drive_go_before(&way, first);
    p->prefix = p->path.length;
}

static hd_native_manner manner_of(const parked *p, uint32_t preferred) {
    hd_native_manner manner = {.most_steps = (uint32_t)p->prefix + most_steps(p) + 2};
    if (preferred < HEDDLE_WIRE_EXPLORED)
        manner.first = preferred + 1;
    if (p->left_out < HEDDLE_WIRE_EXPLORED)
        manner.parked = p->left_out + 1;
    return manner;
}

enum hd_drive_verdict hd_drive_search(hd_driver *driver, const hd_vec_u32 *prefix, uint32_t first,
                                      uint32_t second, uint64_t pair, double seconds) {
    const hd_drive_options *options = driver->options;
    uint32_t t1 = hd_drive_thread(&driver->run, first), t2 = hd_drive_thread(&driver->run, second);
    parked p = {.pair = pair, .left_out = options->keep_t1 ? NO_THREAD : t1};
    uint64_t shown;
    init(&p, driver, prefix, first);
    uint32_t preferred = options->no_hint ? NO_THREAD : t2;
    put_in_order(&p, preferred);
    hd_native_machine_manner(driver->machine, manner_of(&p, preferred));
    enum hd_drive_verdict verdict = search(&p, seconds);
    hd_native_machine_manner(driver->machine, (hd_native_manner){0});
    if (verdict == HD_DRIVE_PROVED &&
        !(hd_drive_try_race(driver, &p.witness, HD_REPLAY_RACE, HD_DRIVE_SEARCHED, &shown) &&
          shown == pair))
        verdict = HD_DRIVE_UNDECIDED;
    for (size_t i = 0; i < p.others.length && !hd_drive_over(driver); i++)
        hd_drive_try_race(driver, &p.others.data[i], HD_REPLAY_RACE, HD_DRIVE_SEARCHED, &shown);
    release(&p);
    return verdict;
}
