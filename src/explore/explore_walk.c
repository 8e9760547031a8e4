/*
 * Random runs: uniform, with priorities of threads, and with priorities of operations.
 *
 *   S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte: A randomized
 *   scheduler with probabilistic guarantees of finding bugs, ASPLOS 2010
 *
 *   paper            here
 *   n                machine->threads
 *   k                walk.length: steps of the longest run so far
 *   d                options.depth
 *   p_i              walk.priority[i]; the greater goes first
 *   k_1 .. k_(d-1)   walk.changes: before that step the foremost thread gets
 *                    priority i, below those that threads start with
 *
 * A thread that yields goes after all others, as the paper has it for such calls: else one that
 * waits in a loop would starve the thread that it waits for.
 *
 * k is learnt: the first run is uniform, every other takes the longest one before
 * it for k.  So the guarantee is that of runs after the longest; if all runs are
 * of one length, of all but the first.  Change points are sorted by step for the
 * run, but keep the i that they were drawn with: which of two is lowered further
 * is part of the chance.  Of two at one step the second lowers the thread that is
 * foremost after the first.
 *
 *   X. Yuan, J. Yang, R. Gu: Partial order aware concurrency sampling, CAV 2018: each operation has
 *   a priority of its own, walk.priority of its thread, which is drawn again when an operation that
 *   depends on it is taken before it.  So schedules that differ in the order of independent
 *   operations share their chance.
 *
 * A machine that draws by itself (hd_machine_type.draw) takes the threads as described here too;
 * then a run costs one run, and not one for each step.
 *
 * The way an operation goes, where it has choices, is drawn uniformly: PCT knows
 * no such thing, and its guarantee is for bugs that do not depend on it.
 *
 * A walk is drawn from one stream of random numbers in a fixed order: threads'
 * priorities, change points, then step by step.
 */
#include "explore_trace.h"

/* A change point. */
struct change {
    uint64_t step;     /* from 1 on */
    uint64_t priority; /* i */
};

struct walk {
    hd_machine *machine;
    const hd_explore_walk_options *options;
    hd_explore_walk_result *result;
    hd_random random;
    hd_explore_path path;
    hd_explore_trace trace; /* of the path */
    HD_VEC(hd_step) schedule;
    hd_map seen;     /* traces of runs that ended */
    uint64_t length; /* k; 0: not known yet */
    int64_t priority[HD_EXPLORE_SET_THREADS];
    int64_t lowest;                /* that a thread has which yielded */
    HD_VEC(struct change) changes; /* by step */
    size_t changed;                /* of them, used up */
    double started, ticked;
    uint32_t until_clock;
    bool drawn;      /* the machine draws the threads, */
    uint32_t choice; /* and perhaps how the next operation goes */
    bool stop;
};

/* ---- Which thread goes next ---- */

static hd_explore_set enabled_threads(struct walk *walk, bool *running) {
    hd_explore_set enabled = HD_EXPLORE_NO_THREADS;
    *running = false;
    for (uint32_t thread = 0; thread < walk->machine->threads; thread++) {
        hd_machine_operation operation;
        if (!walk->machine->type->next(walk->machine, thread, &operation))
            continue;
        *running |= !operation.idle;
        if (operation.enabled)
            enabled |= HD_EXPLORE_BIT(thread);
    }
    return enabled;
}

static uint32_t draw_thread(struct walk *walk, hd_explore_set enabled) {
    uint64_t skip = hd_random_below(&walk->random, hd_explore_set_count(enabled));
    while (skip--)
        enabled = hd_explore_set_rest(enabled);
    return hd_explore_set_first(enabled);
}

static uint32_t foremost(const struct walk *walk, hd_explore_set enabled) {
    assert(hd_explore_set_any(enabled));
    uint32_t best = hd_explore_set_first(enabled);
    HD_EXPLORE_EACH(rest, enabled) {
        uint32_t thread = hd_explore_set_first(rest);
        if (walk->priority[thread] > walk->priority[best])
            best = thread;
    }
    return best;
}

static bool priorities_differ(const struct walk *walk) {
    for (uint32_t i = 0; i < walk->machine->threads; i++)
        for (uint32_t j = 0; j < i; j++)
            if (walk->priority[i] == walk->priority[j])
                return false;
    return true;
}

/* The priorities 1 .. d - 1 are for the change points; the threads start with
 * those from d on, shuffled. */
static void draw_priorities(struct walk *walk) {
    for (uint32_t i = 0; i < walk->machine->threads; i++) {
        uint32_t place = (uint32_t)hd_random_below(&walk->random, i + 1);
        walk->priority[i] = walk->priority[place];
        walk->priority[place] = (int64_t)walk->options->depth + i;
    }
    walk->lowest = 0;
    HD_COSTLY_ASSERT(priorities_differ(walk));
}

static int64_t draw_priority(struct walk *walk) {
    return (int64_t)(hd_random_next(&walk->random) >> 1);
}

static void draw_operations(struct walk *walk) {
    for (uint32_t i = 0; i < walk->machine->threads; i++)
        walk->priority[i] = draw_priority(walk);
}

static int by_step(const void *a, const void *b) {
    const struct change *first = a, *second = b;
    if (first->step != second->step)
        return first->step < second->step ? -1 : 1;
    return first->priority < second->priority ? -1 : 1;
}

static void draw_changes(struct walk *walk) {
    hd_vec_clear(&walk->changes);
    walk->changed = 0;
    for (uint32_t i = 1; i < walk->options->depth; i++) {
        uint64_t step = 1 + hd_random_below(&walk->random, walk->length);
        hd_vec_push(&walk->changes, (struct change){step, i});
    }
    if (walk->changes.length)
        qsort(walk->changes.data, walk->changes.length, sizeof *walk->changes.data, by_step);
}

/* The machine draws it, if it can. */
static bool is_drawn(struct walk *walk, hd_explore_set enabled, uint32_t *thread) {
    hd_step step;
    if (!walk->drawn || !walk->machine->type->drawn(walk->machine, &step) ||
        step.thread >= walk->machine->threads || !hd_explore_set_has(enabled, step.thread))
        return false;
    *thread = step.thread;
    walk->choice = step.choice;
    return true;
}

/* The operation with the highest priority; those that depend on it get others. */
static uint32_t foremost_operation(struct walk *walk, hd_explore_set enabled) {
    uint32_t thread = foremost(walk, enabled);
    HD_EXPLORE_EACH(again, hd_explore_meets(&walk->path, thread) | HD_EXPLORE_BIT(thread))
    walk->priority[hd_explore_set_first(again)] = draw_priority(walk);
    return thread;
}

static uint32_t next_thread(struct walk *walk, hd_explore_set enabled) {
    uint32_t drawn;
    walk->choice = HD_MACHINE_ANY_CHOICE;
    if (is_drawn(walk, enabled, &drawn))
        return drawn;
    if (walk->options->kind == HD_EXPLORE_POS)
        return foremost_operation(walk, enabled);
    if (walk->options->kind == HD_EXPLORE_UNIFORM || !walk->length)
        return draw_thread(walk, enabled);
    uint64_t step = walk->path.events.length + 1;
    /* No change point is passed over. */
    assert(walk->changed == walk->changes.length || walk->changes.data[walk->changed].step >= step);
    uint32_t thread = foremost(walk, enabled);
    while (walk->changed < walk->changes.length && walk->changes.data[walk->changed].step == step) {
        walk->priority[thread] = (int64_t)walk->changes.data[walk->changed++].priority;
        thread = foremost(walk, enabled);
    }
    assert(hd_explore_set_has(enabled, thread));
    return thread;
}

/* ---- One run ---- */

static void cut_off(struct walk *walk, enum hd_explore_limit limit) {
    walk->result->seen.limit = limit;
    walk->stop = true;
}

static void walk_tick(struct walk *walk, double now) {
    enum { A_SECOND = 4 };
    if (!walk->options->tick || now - walk->ticked < 1.0 / A_SECOND)
        return;
    walk->ticked = now;
    hd_explore_status status = {.executions = walk->result->seen.executions,
                                .steps = walk->result->seen.steps,
                                .seconds = now - walk->started};
    walk->options->tick(walk->options->context, &status);
}

static void look_at_clock(struct walk *walk) {
    enum { STEPS_BETWEEN = 4096 };
    if (walk->until_clock-- && !hd_clock_has_worked())
        return;
    walk->until_clock = STEPS_BETWEEN;
    double now = hd_progress_clock();
    walk_tick(walk, now);
    if (walk->options->most_seconds > 0 && now - walk->started > walk->options->most_seconds)
        cut_off(walk, HD_EXPLORE_LIMIT_TIME);
    else if (hd_clock_look() != HD_CLOCK_GOES)
        cut_off(walk, hd_clock_look() == HD_CLOCK_LATE ? HD_EXPLORE_LIMIT_TIME
                                                       : HD_EXPLORE_LIMIT_INTERRUPT);
}

static enum hd_machine_result walk_take_step(struct walk *walk, uint32_t thread) {
    hd_machine_operation operation;
    walk->machine->type->next(walk->machine, thread, &operation);
    uint32_t choice = 0;
    if (operation.yields && walk->options->kind == HD_EXPLORE_PCT)
        walk->priority[thread] = --walk->lowest;
    if (operation.choices > 1)
        choice = walk->choice < operation.choices
                     ? walk->choice
                     : (uint32_t)hd_random_below(&walk->random, operation.choices);
    enum hd_machine_result result = hd_explore_push(&walk->path, thread, choice);
    uint32_t event = (uint32_t)walk->path.events.length - 1;
    walk->trace = hd_explore_trace_add(walk->trace, hd_explore_trace_of(&walk->path, event));
    hd_vec_push(&walk->schedule, (hd_step){thread, choice});
    return result;
}

static void walk_show(struct walk *walk, enum hd_explore_end end) {
    const hd_explore_walk_options *options = walk->options;
    if (options->visit && options->visit(options->context, walk->machine, end, walk->schedule.data,
                                         walk->schedule.length)) {
        walk->result->seen.stopped = true;
        walk->stop = true;
    }
}

/* A run that came to no end.  The wait for a step that never ends was long: it is time to look at
 * the clock. */
static void walk_unfinished(struct walk *walk, enum hd_explore_end end, uint64_t *count,
                            enum hd_explore_limit limit) {
    ++*count;
    if (!walk->result->seen.limit)
        walk->result->seen.limit = limit;
    walk->until_clock = 0;
    look_at_clock(walk);
    if (!walk->stop)
        walk_show(walk, end);
}

static void walk_ended(struct walk *walk, enum hd_explore_end end) {
    hd_explore_result *seen = &walk->result->seen;
    bool added;
    hd_map_at(&walk->seen, walk->trace.low + end, &added);
    seen->traces += added;
    seen->executions++;
    seen->deadlocks += end == HD_EXPLORE_DEADLOCK;
    seen->violations += end == HD_EXPLORE_VIOLATION;
    assert(seen->traces == walk->seen.length && seen->traces <= seen->executions);
    walk_show(walk, end);
}

/* To the end of a run, or to a limit. */
static void walk_run_once(struct walk *walk) {
    uint64_t most = walk->options->most_steps;
    while (!walk->stop) {
        bool running;
        assert(walk->schedule.length == walk->path.events.length);
        hd_explore_set enabled = enabled_threads(walk, &running);
        assert(!hd_explore_set_any(enabled ^ walk->path.enabled) ||
               hd_machine_changed(walk->machine));
        bool none = !hd_explore_set_any(enabled);
        if (walk->machine->late) {
            cut_off(walk, HD_EXPLORE_LIMIT_TIME);
            return;
        }
        if (none && running && hd_machine_retries(walk->machine)) {
            walk->result->seen.blocked++;
            return;
        }
        if (none) {
            walk_ended(walk, running ? HD_EXPLORE_DEADLOCK : HD_EXPLORE_COMPLETE);
            return;
        }
        if (hd_machine_changed(walk->machine)) {
            walk->stop = walk->result->seen.stopped = true;
            return;
        }
        if (most && walk->path.events.length >= most) {
            walk->result->cut++;
            walk_unfinished(walk, HD_EXPLORE_CUT, &walk->result->seen.cut, HD_EXPLORE_LIMIT_STEPS);
            return;
        }
        enum hd_machine_result result = walk_take_step(walk, next_thread(walk, enabled));
        if (result == HD_MACHINE_HUNG)
            walk_unfinished(walk, HD_EXPLORE_HANG, &walk->result->seen.hung, HD_EXPLORE_LIMIT_HANG);
        else if (result == HD_MACHINE_FAILED)
            walk_ended(walk, HD_EXPLORE_VIOLATION);
        if (result != HD_MACHINE_WENT_ON)
            return;
        look_at_clock(walk);
    }
}

/* ---- All runs ---- */

/* Back to the first state. */
static void start_again(struct walk *walk) {
    hd_vec_clear(&walk->schedule);
    walk->trace = (hd_explore_trace){0, 0};
    if (walk->machine->type->undo) {
        while (walk->path.events.length)
            hd_explore_pop(&walk->path);
        return;
    }
    hd_explore_path_release(&walk->path);
    walk->machine->type->restart(walk->machine);
    hd_explore_path_init(&walk->path, walk->machine, &walk->result->seen);
}

/* Draws what a run is to be. */
static void begin_run(struct walk *walk) {
    const hd_explore_walk_options *options = walk->options;
    bool first = options->kind == HD_EXPLORE_PCT && !walk->length;
    hd_machine_drawing how = {.kind = options->kind == HD_EXPLORE_POS ? HD_MACHINE_ORDERS
                                      : options->kind == HD_EXPLORE_PCT && !first
                                          ? HD_MACHINE_PRIORITIES
                                          : HD_MACHINE_UNIFORM,
                              .depth = options->depth,
                              .length = walk->length};
    walk->drawn = walk->machine->type->draw != NULL;
    if (walk->drawn) {
        how.seed = hd_random_next(&walk->random) | 1;
        walk->machine->type->draw(walk->machine, &how);
    } else if (how.kind == HD_MACHINE_ORDERS)
        draw_operations(walk);
    else if (how.kind == HD_MACHINE_PRIORITIES) {
        draw_priorities(walk);
        draw_changes(walk);
    }
}

/* Is the slice used up? */
static bool walk_is_over(const struct walk *walk, uint64_t began) {
    return walk->options->most_work &&
           walk->result->seen.steps + walk->machine->work - began >= walk->options->most_work;
}

static void walk_run_all(struct walk *walk) {
    uint64_t began = walk->machine->work;
    for (uint64_t run = 0; run < walk->options->runs && !walk->stop && !walk_is_over(walk, began);
         run++) {
        begin_run(walk);
        walk_run_once(walk);
        walk->result->runs++;
        if (walk->path.events.length > walk->length)
            walk->length = walk->path.events.length;
        start_again(walk);
    }
}

static double guarantee(const hd_explore_walk_options *options, uint32_t threads, uint64_t steps) {
    if (options->kind != HD_EXPLORE_PCT || !threads || !steps)
        return 0;
    double chance = 1.0 / threads;
    for (uint32_t i = 1; i < options->depth; i++)
        chance /= (double)steps;
    return chance;
}

static bool can_walk(const hd_machine *machine, const hd_explore_walk_options *options,
                     hd_error *error) {
    if (machine->threads > HD_EXPLORE_SET_THREADS)
        return hd_error_set(error, "%u threads; at most %d can be explored", machine->threads,
                            HD_EXPLORE_SET_THREADS);
    if (options->kind == HD_EXPLORE_PCT &&
        (options->depth < 1 || options->depth > HD_EXPLORE_MAX_DEPTH))
        return hd_error_set(error, "a depth of %u; it must be from 1 to %d", options->depth,
                            HD_EXPLORE_MAX_DEPTH);
    return true;
}

bool hd_explore_walk(hd_machine *machine, const hd_explore_walk_options *options,
                     hd_explore_walk_result *result, hd_error *error) {
#ifdef HD_EXPLORE_WIDER
    if (machine->threads > HD_EXPLORE_SET_THREADS)
        return HD_EXPLORE_WIDER(walk)(machine, options, result, error);
#endif
    if (!can_walk(machine, options, error))
        return false;
    *result = (hd_explore_walk_result){.threads = machine->threads};
    struct walk walk = {.machine = machine, .options = options, .result = result};
    hd_stop_listen();
    walk.started = walk.ticked = hd_progress_clock();
    walk.length = options->length;
    hd_random_seed(&walk.random, options->seed);
    machine->type->restart(machine);
    hd_explore_path_init(&walk.path, machine, &result->seen);
    walk.path.collide = options->collide;
    walk.path.context = options->context;
    walk_run_all(&walk);
    if (walk.drawn)
        machine->type->draw(machine, NULL);
    result->longest = walk.length;
    result->guarantee = guarantee(options, machine->threads, walk.length);
    hd_explore_path_release(&walk.path);
    hd_vec_release(&walk.schedule);
    hd_vec_release(&walk.changes);
    hd_map_release(&walk.seen);
    machine->type->restart(machine);
    return true;
}
