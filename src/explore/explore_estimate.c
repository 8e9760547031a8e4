#include "explore_estimate.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

/* Locations that operations of a thread may access, by a hash of so many bits. */
enum { WORDS = 4, BITS = 64 * WORDS };

typedef struct footprint {
    uint64_t reads[WORDS], writes[WORDS];
    uint64_t orders[WORDS]; /* of which searches do not try both orders (HD_MACHINE_ORDER) */
} footprint;

typedef HD_VEC(footprint) footprints;

/* What is known of a thread: its operations after so many steps, and from there on. */
struct known {
    footprints at, from;
    hd_explore_set makers; /* threads that create it */
};

/* A node that stands for a stratum. */
struct sample {
    double weight; /* 0: the stratum is empty */
    hd_explore_set sleep;
    HD_VEC(hd_step) steps;
};

/* A sample being taken. */
typedef struct sampling {
    hd_explore_path path;
    hd_explore_result ignored;
    hd_random random;
    struct known *known;        /* [thread] */
    struct sample *now, *below; /* [stratum] of the depth at hand, of the next one */
    uint32_t strata;
    uint32_t next; /* stratum of the depth at hand to look at */
    bool deeper;   /* there is one at the next depth */
    bool lost;     /* the machine does not say any more what the search would be told */
    double leaves;
    const atomic_bool *stop; /* NULL: nothing stops it */
} sampling;

/* Has the copy found something out, or no time left?  Runs of programs are so long that this is
 * asked at every step. */
static bool is_lost(sampling *s) {
    const hd_machine *machine = s->path.machine;
    s->lost |= hd_machine_changed(machine) || machine->late || (s->stop && atomic_load(s->stop));
    return s->lost;
}

/* ---- What threads may do ---- */

static uint32_t steps_of(const hd_explore_path *path, uint32_t thread) {
    uint32_t last = path->last_event[thread];
    return last ? path->events.data[last - 1].sequence : 0;
}

static bool add_footprint(footprint *to, const footprint *more) {
    bool grows = false;
    for (int i = 0; i < WORDS; i++) {
        grows |= (more->reads[i] & ~to->reads[i]) || (more->writes[i] & ~to->writes[i]) ||
                 (more->orders[i] & ~to->orders[i]);
        to->reads[i] |= more->reads[i];
        to->writes[i] |= more->writes[i];
        to->orders[i] |= more->orders[i];
    }
    return grows;
}

static bool footprints_meet(const footprint *a, const footprint *b) {
    for (int i = 0; i < WORDS; i++) {
        uint64_t reads = a->reads[i] & (b->writes[i] | b->orders[i]);
        uint64_t writes = a->writes[i] & (b->reads[i] | b->writes[i] | b->orders[i]);
        uint64_t orders = a->orders[i] & (b->reads[i] | b->writes[i]);
        if (reads | writes | orders)
            return true;
    }
    return false;
}

static footprint footprint_of(const hd_explore_path *path, const hd_explore_operation *operation) {
    footprint it = {{0}, {0}, {0}};
    for (uint32_t i = 0; i < operation->count; i++) {
        const hd_machine_access *access = &path->accesses.data[operation->accesses + i];
        uint32_t bit = access->location % BITS;
        uint64_t *to = access->mode == HD_MACHINE_READ    ? it.reads
                       : access->mode == HD_MACHINE_ORDER ? it.orders
                                                          : it.writes;
        to[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    return it;
}

static void learn_operation(struct known *known, uint32_t steps, const footprint *operation) {
    while (known->at.length <= steps) {
        hd_vec_push(&known->at, ((footprint){{0}, {0}, {0}}));
        hd_vec_push(&known->from, ((footprint){{0}, {0}, {0}}));
    }
    add_footprint(&known->at.data[steps], operation);
    for (uint32_t i = steps + 1; i-- > 0;)
        if (!add_footprint(&known->from.data[i], operation))
            break; /* those before it have it, too */
}

/* It ends the execution, so it depends on everything. */
static void learn_failure(sampling *s, uint32_t thread) {
    footprint all;
    memset(&all, 0xFF, sizeof all);
    learn_operation(&s->known[thread], steps_of(&s->path, thread), &all);
}

/* A join comes after the end of what it joins in every execution: it can wake nothing. */
static void learn_next(sampling *s) {
    HD_EXPLORE_EACH(rest, s->path.running) {
        uint32_t thread = hd_explore_set_first(rest);
        const hd_explore_operation *operation = hd_explore_next(&s->path, thread);
        footprint it = {{0}, {0}, {0}};
        if (!operation->joins)
            it = footprint_of(&s->path, operation);
        learn_operation(&s->known[thread], steps_of(&s->path, thread), &it);
    }
}

/* Its next operation, over all that it may be, and all that it may do from now on. */
static const footprint *next_of(const sampling *s, uint32_t thread) {
    return &s->known[thread].at.data[steps_of(&s->path, thread)];
}

static const footprint *rest_of(const sampling *s, uint32_t thread) {
    static const footprint nothing;
    const footprints *from = &s->known[thread].from;
    uint32_t steps = steps_of(&s->path, thread);
    bool ended = steps && !hd_explore_set_has(s->path.running, thread);
    return !ended && steps < from->length ? &from->data[steps] : &nothing;
}

/* Others that may do what an operation of a thread depends on; some may have to be started first.
 */
static hd_explore_set may_access(const sampling *s, uint32_t thread, const footprint *own) {
    hd_explore_set others = HD_EXPLORE_NO_THREADS;
    for (uint32_t other = 0; other < s->path.threads; other++)
        if (other != thread && footprints_meet(own, rest_of(s, other)))
            others |= HD_EXPLORE_BIT(other);
    return others;
}

/* Of its next operation. */
static hd_explore_set may_meet(const sampling *s, uint32_t thread) {
    return may_access(s, thread, next_of(s, thread));
}

/* Others that the thread may depend on before it can go on, or that have to come before it is
 * there. */
static hd_explore_set may_precede(const sampling *s, uint32_t thread) {
    if (!hd_explore_set_has(s->path.running, thread))
        return s->known[thread].makers;
    hd_explore_set others = may_meet(s, thread);
    if (!hd_explore_set_has(s->path.enabled, thread)) {
        footprint waits = footprint_of(&s->path, hd_explore_next(&s->path, thread));
        others |= may_access(s, thread, &waits);
    }
    return others;
}

/* The least set with the thread whose next operations nothing outside of it meets, nor lets one of
 * it go on that waits: what does so accesses what that one waits for, or creates it. */
static hd_explore_set persistent_from(const sampling *s, uint32_t thread) {
    hd_explore_set set = HD_EXPLORE_BIT(thread), todo = set;
    while (hd_explore_set_any(todo)) {
        hd_explore_set more = may_precede(s, hd_explore_set_first(todo)) & ~set;
        set |= more;
        todo = hd_explore_set_rest(todo) | more;
    }
    return set;
}

static hd_explore_set persistent_set(const sampling *s, hd_explore_set awake) {
    hd_explore_set best = s->path.enabled;
    HD_EXPLORE_EACH(rest, awake) {
        hd_explore_set set = persistent_from(s, hd_explore_set_first(rest)) & s->path.enabled;
        if (hd_explore_set_count(set) < hd_explore_set_count(best))
            best = set;
    }
    return best;
}

/* Does one sleep that no other can wake? */
static bool is_doomed(const sampling *s, hd_explore_set sleep) {
    HD_EXPLORE_EACH(rest, sleep & s->path.enabled)
    if (!hd_explore_set_any(may_meet(s, hd_explore_set_first(rest))))
        return true;
    return false;
}

/* ---- A sample ---- */

/* Are the next operations of two threads dependent on each other?  Not if they only have an order
 * that searches do not turn round, as arrivals at a barrier, whatever else they share. */
static bool is_met(const hd_explore_path *path, uint32_t thread, uint32_t other) {
    const hd_explore_operation *one = hd_explore_next(path, thread);
    const hd_explore_operation *two = hd_explore_next(path, other);
    bool met = false;
    for (uint32_t i = 0, j = 0; i < one->count && j < two->count;) {
        hd_machine_access a = path->accesses.data[one->accesses + i];
        hd_machine_access b = path->accesses.data[two->accesses + j];
        if (a.location == b.location && a.mode == HD_MACHINE_ORDER && b.mode == HD_MACHINE_ORDER)
            return false;
        met |= a.location == b.location && (a.mode | b.mode) & HD_MACHINE_WRITES;
        i += a.location <= b.location;
        j += b.location <= a.location;
    }
    return met;
}

/* Those that sleep and go on sleeping after the next step of a thread. */
static hd_explore_set still_asleep(const hd_explore_path *path, hd_explore_set sleep,
                                   uint32_t thread) {
    hd_explore_set woken = HD_EXPLORE_NO_THREADS;
    HD_EXPLORE_EACH(rest, sleep & hd_explore_meets(path, thread)) {
        uint32_t other = hd_explore_set_first(rest);
        if (is_met(path, thread, other))
            woken |= HD_EXPLORE_BIT(other);
    }
    return sleep & ~woken;
}

static enum hd_machine_result take_step(sampling *s, uint32_t thread, uint32_t choice) {
    hd_explore_set before = s->path.running;
    enum hd_machine_result result = hd_explore_push(&s->path, thread, choice);
    HD_EXPLORE_EACH(rest, s->path.running & ~before)
    s->known[hd_explore_set_first(rest)].makers |= HD_EXPLORE_BIT(thread);
    return result;
}

static uint64_t mix(uint64_t hash, uint64_t more) {
    hash = (hash ^ more) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 29;
}

/* Of the state at the end of the path. */
static struct sample *stratum_of(sampling *s, hd_explore_set sleep) {
    uint64_t hash = 1;
    for (uint32_t thread = 0; thread < s->path.threads; thread++)
        hash = mix(hash,
                   (uint64_t)steps_of(&s->path, thread) << 1 | hd_explore_set_has(sleep, thread));
    return &s->below[mix(hash, hash >> 32) % s->strata];
}

/* The child stands for its stratum with the chance that its weight has there. */
static void enter_child(sampling *s, const struct sample *parent, hd_explore_set sleep) {
    const double unit = 1.0 / 9007199254740992.0; /* of 53 bits */
    const hd_explore_event *last = hd_vec_last(&s->path.events);
    struct sample *to = stratum_of(s, sleep);
    to->weight += parent->weight;
    s->deeper = true;
    if ((double)(hd_random_next(&s->random) >> 11) * unit * to->weight >= parent->weight)
        return;
    hd_vec_clear(&to->steps);
    for (size_t i = 0; i < parent->steps.length; i++)
        hd_vec_push(&to->steps, parent->steps.data[i]);
    hd_vec_push(&to->steps, ((hd_step){last->thread, last->choice}));
    to->sleep = sleep;
}

/* Whether one fails: then the thread does not sleep, since whatever the others do may come first.
 */
static bool look_at_children(sampling *s, const struct sample *parent, uint32_t thread,
                             hd_explore_set sleep) {
    uint32_t choices = hd_explore_next(&s->path, thread)->choices;
    bool fails = false;
    for (uint32_t choice = 0; choice < choices && !s->lost; choice++) {
        enum hd_machine_result result = take_step(s, thread, choice);
        if (is_lost(s)) {
        } else if (result == HD_MACHINE_WENT_ON) {
            enter_child(s, parent, sleep);
        } else {
            s->leaves += parent->weight;
            fails = true;
        }
        hd_explore_pop(&s->path);
        if (fails)
            learn_failure(s, thread);
    }
    return fails;
}

/* Goes to a node, from wherever the path is; false if the machine does not. */
static bool go_to(sampling *s, const struct sample *node) {
    hd_explore_path *path = &s->path;
    size_t same = 0;
    while (same < path->events.length && same < node->steps.length &&
           path->events.data[same].thread == node->steps.data[same].thread &&
           path->events.data[same].choice == node->steps.data[same].choice)
        same++;
    while (path->events.length > same)
        hd_explore_pop(path);
    if (path->machine->type->foresee && same < node->steps.length)
        path->machine->type->foresee(path->machine, node->steps.data + same,
                                     node->steps.length - same, UINT32_MAX);
    for (size_t i = same; i < node->steps.length; i++) {
        hd_step step = node->steps.data[i];
        if (!hd_explore_set_has(path->enabled, step.thread) ||
            take_step(s, step.thread, step.choice) != HD_MACHINE_WENT_ON || is_lost(s))
            return false;
    }
    return true;
}

static void look_at_node(sampling *s, struct sample *node) {
    hd_explore_path *path = &s->path;
    if (!go_to(s, node)) {
        assert(s->lost || path->machine->type->learn);
        s->lost = true;
        return;
    }
    learn_next(s);
    if (!hd_explore_set_any(path->enabled)) {
        s->leaves += node->weight;
        return;
    }
    hd_explore_set awake = path->enabled & ~node->sleep, sleep = node->sleep;
    if (!hd_explore_set_any(awake) || is_doomed(s, sleep))
        return;
    HD_EXPLORE_EACH(rest, persistent_set(s, awake) & awake) {
        uint32_t thread = hd_explore_set_first(rest);
        if (s->lost)
            return;
        if (!look_at_children(s, node, thread, still_asleep(path, sleep, thread)))
            sleep |= HD_EXPLORE_BIT(thread);
    }
}

static void release_samples(struct sample *samples, uint32_t count) {
    for (uint32_t i = 0; i < count && samples; i++)
        hd_vec_release(&samples[i].steps);
    free(samples);
}

static void begin_sample(sampling *s, uint32_t strata) {
    if (s->strata != strata) {
        release_samples(s->now, s->strata);
        release_samples(s->below, s->strata);
        s->now = HD_NEW_ARRAY(struct sample, strata);
        s->below = HD_NEW_ARRAY(struct sample, strata);
        s->strata = strata;
    }
    for (uint32_t i = 0; i < strata; i++)
        s->now[i].weight = s->below[i].weight = 0;
    s->now[0].weight = 1;
    s->now[0].sleep = HD_EXPLORE_NO_THREADS;
    hd_vec_clear(&s->now[0].steps);
    s->next = 0;
    s->deeper = false;
    s->leaves = 0;
}

/* The next node; false when the sample is there, or lost. */
static bool go_on_with_sample(sampling *s) {
    if (s->lost)
        return false;
    while (s->next < s->strata && s->now[s->next].weight <= 0)
        s->next++;
    if (s->next < s->strata) {
        look_at_node(s, &s->now[s->next++]);
        return true;
    }
    struct sample *empty = s->now;
    if (!s->deeper)
        return false;
    for (uint32_t i = 0; i < s->strata; i++)
        empty[i].weight = 0;
    s->now = s->below;
    s->below = empty;
    s->next = 0;
    s->deeper = false;
    return true;
}

/* ---- Beginning ---- */

/* Runs that learn what threads do: at random, and with each thread first or last. */
static void warm_up(sampling *s, uint32_t run) {
    hd_explore_path *path = &s->path;
    while (path->events.length)
        hd_explore_pop(path);
    for (learn_next(s); hd_explore_set_any(path->enabled); learn_next(s)) {
        hd_explore_set from = path->enabled;
        hd_explore_set special = HD_EXPLORE_BIT(run / 3 % path->threads);
        if (run % 3 == 1 && hd_explore_set_any(from & special))
            from = special;
        else if (run % 3 == 2 && hd_explore_set_any(from & ~special))
            from &= ~special;
        for (uint64_t skip = hd_random_below(&s->random, hd_explore_set_count(from)); skip; skip--)
            from = hd_explore_set_rest(from);
        uint32_t thread = hd_explore_set_first(from);
        uint32_t choices = hd_explore_next(path, thread)->choices;
        uint32_t choice = (uint32_t)hd_random_below(&s->random, choices ? choices : 1);
        enum hd_machine_result result = take_step(s, thread, choice);
        if (is_lost(s))
            return;
        if (result != HD_MACHINE_WENT_ON) {
            hd_explore_pop(path);
            learn_failure(s, thread);
            return;
        }
    }
}

static void init_sampling(sampling *s, hd_machine *machine, uint64_t most_steps, uint64_t seed) {
    *s = (sampling){.known = HD_NEW_ARRAY(struct known, machine->threads + 1)};
    hd_random_seed(&s->random, seed);
    machine->type->restart(machine);
    hd_explore_path_init(&s->path, machine, &s->ignored);
    s->path.most = most_steps;
}

static void release_sampling(sampling *s) {
    hd_machine *machine = s->path.machine;
    for (uint32_t i = 0; i < machine->threads; i++) {
        hd_vec_release(&s->known[i].at);
        hd_vec_release(&s->known[i].from);
    }
    free(s->known);
    release_samples(s->now, s->strata);
    release_samples(s->below, s->strata);
    hd_explore_path_release(&s->path);
    machine->type->restart(machine);
}

double hd_explore_estimate_sample(hd_machine *machine, uint32_t strata, uint64_t seed,
                                  uint32_t warming) {
    sampling s;
    init_sampling(&s, machine, 0, seed);
    for (uint32_t i = 0; i < warming; i++)
        warm_up(&s, i);
    begin_sample(&s, strata);
    while (go_on_with_sample(&s)) {
    }
    double leaves = s.leaves;
    release_sampling(&s);
    return leaves;
}

/* ---- Beside a search ---- */

/* Samples with few strata vary more; they count by their strata, and those with much fewer than the
 * last no more. */
struct taken {
    double leaves, strata;
};

struct hd_explore_estimate {
    pthread_t thread;
    hd_worker_for ties;
    hd_worker_failure failure;
    atomic_bool stop;
    _Atomic double alive; /* when the search last said so */
    hd_machine *machine;
    uint64_t most_steps;
    pthread_mutex_t lock; /* of what follows */
    HD_VEC(struct taken) samples;
};

/* Seconds of this thread; of a machine that has processes of its own, and makes it wait for them,
 * on the clock. */
static double time_used(const hd_explore_estimate *e) {
    struct timespec now;
    if (e->machine->type->learn)
        return hd_progress_clock();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Works for a moment, and then for a twentieth of the time, or a tenth if runs are slow; false if
 * it is to end. */
static bool may_go_on(hd_explore_estimate *e, double began, double *busy, double *since) {
    enum { REST = 10 * 1000 * 1000 };
    static const double patience = 60;
    bool slow = e->machine->type->learn != NULL;
    double part = slow ? 0.1 : 0.05, first = slow ? 0.5 : 0.25;
    double now = hd_progress_clock(), used = time_used(e);
    *busy += used - *since;
    if (now - atomic_load(&e->alive) > patience)
        return false;
    while (!atomic_load(&e->stop) && *busy > first + part * (now - began)) {
        nanosleep(&(struct timespec){.tv_nsec = REST}, NULL);
        now = hd_progress_clock();
    }
    *since = slow ? now : used;
    return !atomic_load(&e->stop);
}

static void keep_sample(hd_explore_estimate *e, const sampling *s) {
    hd_mem_lock(&e->lock);
    hd_vec_push(&e->samples, ((struct taken){s->leaves, s->strata}));
    hd_mem_unlock(&e->lock);
}

static void take_samples(void *context) {
    enum { FEWEST = 256, FEWEST_SLOW = 32, MOST = 1 << 14, EACH = 6, WARMING = 30 };
    hd_explore_estimate *e = context;
    sampling s;
    double began = hd_progress_clock(), since = time_used(e), busy = 0;
    init_sampling(&s, e->machine, e->most_steps, 1);
    s.stop = &e->stop;
    uint32_t warming = WARMING + 3 * e->machine->threads;
    for (uint32_t i = 0; i < warming && !s.lost && may_go_on(e, began, &busy, &since); i++)
        warm_up(&s, i);
    uint32_t strata = e->machine->type->learn ? FEWEST_SLOW : FEWEST;
    for (uint32_t taken = 0; !s.lost && may_go_on(e, began, &busy, &since); taken++) {
        if (taken && taken % EACH == 0 && strata < MOST)
            strata *= 2;
        begin_sample(&s, strata);
        bool more = true;
        while (more && may_go_on(e, began, &busy, &since))
            more = go_on_with_sample(&s);
        if (!more && !s.lost)
            keep_sample(e, &s);
    }
    release_sampling(&s);
}

static void *run_thread(void *context) {
    hd_explore_estimate *e = context;
    hd_worker_run(&e->ties, take_samples, e, &e->failure);
    return NULL;
}

hd_explore_estimate *hd_explore_estimate_start(const hd_machine *machine, uint64_t most_steps) {
    assert(hd_explore_estimate_can(machine));
    const hd_machine_type *type = machine->type;
    hd_machine *copy = type->spare ? type->spare(machine) : type->copy(machine);
    if (!copy)
        return NULL;
    hd_explore_estimate *e = HD_NEW(hd_explore_estimate);
    e->machine = copy;
    e->most_steps = most_steps;
    e->ties = (hd_worker_for){.asker = hd_worker_ties().asker, .guarded = true};
    hd_explore_estimate_alive(e);
    pthread_mutex_init(&e->lock, NULL);
    if (pthread_create(&e->thread, NULL, run_thread, e) == 0)
        return e;
    pthread_mutex_destroy(&e->lock);
    e->machine->type->free(e->machine);
    free(e);
    return NULL;
}

void hd_explore_estimate_alive(hd_explore_estimate *e) {
    atomic_store(&e->alive, hd_progress_clock());
}

double hd_explore_estimate_get(hd_explore_estimate *e, double *error) {
    enum { FEWEST = 6, FEWER = 4 };
    double weights = 0, sum = 0, squares = 0, middle = 0;
    size_t count = 0;
    hd_mem_lock(&e->lock);
    double last = e->samples.length ? hd_vec_last(&e->samples)->strata : 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < e->samples.length; i++) {
            const struct taken *it = &e->samples.data[i];
            double off = it->leaves - middle;
            if (it->strata * FEWER < last)
                continue;
            count += pass == 0;
            weights += pass == 0 ? it->strata : 0;
            sum += pass == 0 ? it->strata * it->leaves : 0;
            squares += pass == 0 ? 0 : it->strata * it->strata * off * off;
        }
        middle = weights > 0 ? sum / weights : 0;
    }
    hd_mem_unlock(&e->lock);
    bool enough = count >= FEWEST && middle > 0;
    *error = enough ? sqrt(squares) / weights / middle : 0;
    return enough ? middle : 0;
}

void hd_explore_estimate_free(hd_explore_estimate *e) {
    if (!e)
        return;
    atomic_store(&e->stop, true);
    pthread_join(e->thread, NULL);
    pthread_mutex_destroy(&e->lock);
    hd_vec_release(&e->samples);
    e->machine->type->free(e->machine);
    free(e);
}
