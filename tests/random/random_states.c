/*
 * The search through states that are put together from runs (predict_states.h), against all states
 * of the program, gone through one by one: every step that fails is found, and whether there is a
 * state in which no thread can go on.  A drawn program is an automaton for each thread, over words,
 * locks and a value that the thread keeps to itself; main creates the threads, joins them in turn,
 * and fails by what some of them kept.  Runs of it are told as those of real programs are.
 */
#include <stdio.h>

#include "predict/predict_runs.h"
#include "predict/predict_states.h"
#include "support_random.h"

#define BIT(thread) (UINT64_C(1) << (thread))

enum { THREADS = 4, BASES = 4, VALUES = 3, WORDS = 2, LOCKS = 2, MOST_STEPS = 400 };

/* What a thread does at a base, in phases: one access; an access with a lock held, which is given
 * back in phase 2 and the value; two locks. */
enum kind { READS, WRITES, UPDATES, LOCKED, NESTED, KINDS };
enum { PHASES = 8, END = BASES, FAIL = BASES + 1 };
/* Where a thread is, if it is at no base. */
enum {
    UNBORN = BASES * PHASES,
    START,
    ENDED,
    FORKS,
    JOINS = FORKS + THREADS,
    OVER = JOINS + THREADS
};

typedef struct base {
    enum kind kind;
    uint8_t word, value, lock;
    uint8_t next[VALUES]; /* by what it found: a base, END or FAIL */
    bool keeps;           /* what it found */
} base;

typedef struct program {
    uint32_t threads; /* with main */
    base base[THREADS][BASES];
    uint64_t looks; /* main looks at what these kept, one after the other, */
    uint8_t until;  /* up to the first that kept this */
    uint8_t fails;  /* if the sum is this one */
    bool known;     /* the states of threads are told */
} program;

typedef struct state {
    uint8_t at[THREADS], kept[THREADS];
    uint8_t word[WORDS], owner[LOCKS];
    uint8_t births, joins;
} state;

typedef HD_VEC(state) states_left;

/* --- a program ------------------------------------------------------------------------------ */

static uint8_t draw_next(hd_random *random, uint32_t from) {
    if (hd_random_chance(random, 40))
        return FAIL;
    uint32_t first = hd_random_chance(random, 100) ? 0 : from + 1; /* a loop, now and then */
    return (uint8_t)(first + hd_random_below(random, END + 1 - first));
}

static void draw_program(program *p, hd_random *random) {
    *p = (program){.threads = 3 + (uint32_t)hd_random_below(random, 2),
                   .known = hd_random_chance(random, 900)};
    for (uint32_t t = 1; t < p->threads; t++)
        for (uint32_t i = 0; i < BASES; i++) {
            base *it = &p->base[t][i];
            *it = (base){.kind = (enum kind)hd_random_below(random, KINDS),
                         .word = (uint8_t)hd_random_below(random, WORDS),
                         .value = (uint8_t)hd_random_below(random, VALUES),
                         .lock = (uint8_t)hd_random_below(random, LOCKS),
                         .keeps = hd_random_chance(random, 400)};
            for (uint32_t v = 0; v < VALUES; v++)
                it->next[v] = draw_next(random, i);
        }
    for (uint32_t t = 1; t < p->threads; t++)
        p->looks |= hd_random_chance(random, 600) ? BIT(t) : 0;
    p->until = (uint8_t)hd_random_below(random, VALUES + 1);
    p->fails = (uint8_t)hd_random_below(random, 5);
}

static void begin(const program *p, state *s) {
    *s = (state){.at = {START}};
    for (uint32_t t = 1; t < THREADS; t++)
        s->at[t] = t < p->threads ? UNBORN : ENDED;
}

static const base *base_of(const program *p, const state *s, uint32_t t) {
    return &p->base[t][s->at[t] / PHASES];
}

/* The lock that the thread wants next, or gives back next; LOCKS: none. */
static uint8_t lock_of(const program *p, const state *s, uint32_t t, bool wants) {
    if (s->at[t] >= UNBORN)
        return LOCKS;
    const base *it = base_of(p, s, t);
    uint32_t phase = s->at[t] % PHASES;
    uint8_t other = (uint8_t)(1 - it->lock);
    if (it->kind == LOCKED)
        return (wants ? phase == 0 : phase >= 2) ? it->lock : LOCKS;
    if (it->kind != NESTED || wants != (phase < 2))
        return LOCKS;
    return phase == 0 || phase == 3 ? it->lock : other;
}

static bool can_go_on(const program *p, const state *s, uint32_t t) {
    uint8_t at = s->at[t], lock = lock_of(p, s, t, true);
    if (at == UNBORN || at == ENDED || at == OVER || s->at[0] == OVER)
        return false;
    if (at >= JOINS)
        return s->at[at - JOINS] == ENDED;
    return lock == LOCKS || !s->owner[lock];
}

static uint64_t able(const program *p, const state *s) {
    uint64_t set = 0;
    for (uint32_t t = 0; t < p->threads; t++)
        set |= can_go_on(p, s, t) ? BIT(t) : 0;
    return set;
}

static uint64_t code_of(const state *s) {
    uint64_t code = 1;
    for (uint32_t t = 0; t < THREADS; t++)
        code = code << 8 | (uint64_t)(s->at[t] + 64 * s->kept[t]);
    for (uint32_t i = 0; i < WORDS; i++)
        code = code << 4 | s->word[i];
    for (uint32_t i = 0; i < LOCKS; i++)
        code = code << 3 | s->owner[i];
    return code; /* births and joins follow from where main is */
}

/* --- steps ---------------------------------------------------------------------------------- */

/* What is told of a run: NULL where that is not asked for. */
typedef struct telling {
    hd_launch_log log;
    heddle_wire_looks looks;
} telling;

static void tell_next(telling *told, const program *p, const state *s, uint32_t t) {
    static const uint8_t kinds[] = {[READS] = HEDDLE_ATOMIC_READ + 1,
                                    [WRITES] = HEDDLE_ATOMIC_WRITE + 1,
                                    [UPDATES] = HEDDLE_ATOMIC_RMW + 1};
    if (!told)
        return;
    uint8_t at = s->at[t], wants = lock_of(p, s, t, true), gives = lock_of(p, s, t, false);
    heddle_wire_next next = {.thread = (uint16_t)t, .ended = at == ENDED};
    heddle_wire_operation *it = &next.operation;
    it->code = 0x100 + at;
    if (at == START)
        it->kind = HEDDLE_WIRE_START;
    else if (at >= JOINS)
        *it = (heddle_wire_operation){.kind = HEDDLE_JOIN + 1, .address = at - JOINS + 0U};
    else if (at >= FORKS)
        *it = (heddle_wire_operation){.kind = HEDDLE_FORK + 1, .address = at - FORKS + 0U};
    else if (wants < LOCKS || gives < LOCKS) {
        it->kind = wants < LOCKS ? HEDDLE_ACQUIRE + 1 : HEDDLE_RELEASE + 1;
        it->address = 0x2000U + 8U * (wants < LOCKS ? wants : gives);
    } else if (at < UNBORN) {
        const base *from = base_of(p, s, t);
        it->kind = kinds[from->kind == LOCKED ? READS : from->kind];
        it->size = 4;
        it->address = 0x1000U + 4U * from->word; /* in one granule */
    }
    hd_vec_push(&told->log.nexts, next);
    hd_vec_push(&told->log.locals, p->known ? 1U + at + 256U * s->kept[t] : 0);
}

static uint8_t at_base(uint8_t next) {
    return next == END ? ENDED : (uint8_t)(next * PHASES);
}

/* What the thread finds, and where it is then; false: it fails. */
static bool move_on(state *s, uint32_t t, const base *it, uint8_t found) {
    if (it->keeps)
        s->kept[t] = found;
    if (it->next[found] == FAIL)
        return false;
    s->at[t] = at_base(it->next[found]);
    return true;
}

static bool take_access(state *s, uint32_t t, const base *it, heddle_wire_step *step) {
    uint8_t *word = &s->word[it->word], found = it->kind == WRITES ? 0 : *word;
    step->before = it->kind == UPDATES ? found : 0;
    if (it->kind == WRITES)
        *word = it->value;
    else if (it->kind == UPDATES)
        *word = (uint8_t)((found + it->value) % VALUES);
    step->value = *word;
    return move_on(s, t, it, found);
}

static bool take_at_base(state *s, uint32_t t, const base *it, heddle_wire_step *step) {
    uint32_t phase = s->at[t] % PHASES;
    uint8_t other = (uint8_t)(1 - it->lock);
    if (it->kind < LOCKED)
        return take_access(s, t, it, step);
    if (phase == 0)
        s->owner[it->lock] = (uint8_t)(t + 1);
    else if (it->kind == LOCKED && phase == 1)
        phase += (uint32_t)(step->value = s->word[it->word]);
    else if (it->kind == NESTED && phase < 3)
        s->owner[other] = phase == 1 ? (uint8_t)(t + 1) : 0;
    else {
        s->owner[it->lock] = 0;
        return move_on(s, t, it, it->kind == LOCKED ? (uint8_t)(phase - 2) : 0);
    }
    s->at[t] = (uint8_t)(s->at[t] / PHASES * PHASES + phase + 1);
    return true;
}

/* Main, alone, looks at what others kept. */
static bool take_end(const program *p, state *s, telling *told) {
    uint32_t sum = 0;
    bool on = true;
    for (uint32_t t = 1; t < p->threads && on; t++) {
        if (!(p->looks >> t & 1))
            continue;
        if (told)
            told->looks.look[told->looks.count++] =
                (heddle_wire_look){0x5000U + t, (uint32_t)told->log.steps.length, t};
        sum += s->kept[t];
        on = s->kept[t] != p->until;
    }
    s->at[0] = OVER;
    return !p->looks || sum != p->fails;
}

static void take_join(const program *p, state *s) {
    uint32_t next = s->at[0] - JOINS + 1U;
    s->joins++;
    s->at[0] = next < p->threads ? (uint8_t)(JOINS + next) : OVER;
}

/* Ends of threads, and joins that are no steps of their own. */
static void go_along(const program *p, state *s, uint32_t newborn, telling *told) {
    while (s->at[0] >= JOINS && s->at[0] < OVER && s->at[s->at[0] - JOINS] == ENDED &&
           s->births != s->joins + 1) {
        take_join(p, s);
        tell_next(told, p, s, 0);
    }
    if (newborn)
        tell_next(told, p, s, newborn);
}

/* Takes a step; false: it fails. */
static bool take(const program *p, state *s, uint32_t t, telling *told) {
    heddle_wire_step none, *step = told ? hd_vec_last(&told->log.steps) : &none;
    uint8_t at = s->at[t];
    uint32_t newborn = 0;
    if (at < UNBORN) {
        if (!take_at_base(s, t, base_of(p, s, t), step))
            return false;
    } else if (at == START)
        s->at[t] = t ? 0 : FORKS + 1;
    else if (at >= JOINS) {
        take_join(p, s);
        if (!take_end(p, s, told))
            return false;
        step->over = HEDDLE_WIRE_OVER;
        return true;
    } else {
        newborn = at - FORKS;
        s->at[newborn] = START;
        s->births++;
        s->at[0] = newborn + 1 < p->threads ? (uint8_t)(at + 1) : JOINS + 1;
    }
    tell_next(told, p, s, t);
    go_along(p, s, newborn, told);
    return true;
}

/* --- what there is to find ------------------------------------------------------------------- */

/* Steps that fail, by the state before them as far as the step depends on it; and stuck states. */
typedef struct found {
    hd_map fails;
    bool stuck;
} found;

static void note_failure(found *into, const program *p, const state *s, uint32_t t) {
    bool added;
    uint64_t what = s->at[t] < UNBORN ? s->word[base_of(p, s, t)->word] : 0;
    bool on = !t;
    for (uint32_t i = 1; i < p->threads && on; i++)
        if (p->looks >> i & 1) {
            what = what << 2 | (s->kept[i] + 1U);
            on = s->kept[i] != p->until;
        }
    hd_map_at(&into->fails, (uint64_t)t << 32 | (uint64_t)s->at[t] << 16 | what, &added);
}

static void enter(states_left *left, hd_map *known, const state *s) {
    bool added;
    hd_map_at(known, code_of(s), &added);
    if (added)
        hd_vec_push(left, *s);
}

static void enumerate(const program *p, found *into) {
    hd_map known = {0};
    states_left left = {0};
    state first;
    begin(p, &first);
    enter(&left, &known, &first);
    while (left.length) {
        state s = left.data[--left.length];
        uint64_t set = able(p, &s);
        into->stuck |= !set && s.at[0] != OVER;
        for (uint32_t t = 0; t < p->threads; t++) {
            state after = s;
            if (!(set >> t & 1))
                continue;
            if (take(p, &after, t, NULL))
                enter(&left, &known, &after);
            else
                note_failure(into, p, &s, t);
        }
    }
    hd_map_release(&known);
    hd_vec_release(&left);
}

/* --- what the search finds ------------------------------------------------------------------- */

typedef struct seeker {
    const program *p;
    hd_random *random;
    hd_predict_runs runs;
    hd_predict_states search;
    hd_predict_path path;
    telling told;
    found found;
} seeker;

static uint32_t draw_thread(hd_random *random, uint64_t set) {
    uint64_t skip = hd_random_below(random, (uint64_t)__builtin_popcountll(set));
    while (skip--)
        set &= set - 1;
    return (uint32_t)__builtin_ctzll(set);
}

/* Makes a run along the path, which goes on at random; false: it cannot follow the path. */
static bool run_along(seeker *it) {
    hd_launch_log *log = &it->told.log;
    state s;
    begin(it->p, &s);
    hd_vec_clear(&log->steps);
    hd_vec_clear(&log->nexts);
    hd_vec_clear(&log->locals);
    it->told.looks.count = 0;
    log->end = HD_LAUNCH_CUT;
    for (size_t i = 0; i < MOST_STEPS; i++) {
        uint64_t set = able(it->p, &s);
        if (!set && i >= it->path.length) {
            log->end = s.at[0] == OVER ? HD_LAUNCH_ENDED : HD_LAUNCH_STUCK;
            it->found.stuck |= s.at[0] != OVER;
            return true;
        }
        uint32_t t = i < it->path.length ? it->path.data[i].thread : draw_thread(it->random, set);
        state before = s;
        if (!(set >> t & 1))
            return false;
        hd_vec_push(&log->steps, (heddle_wire_step){.thread = (uint16_t)t});
        bool good = take(it->p, &s, t, &it->told);
        heddle_wire_step *step = hd_vec_last(&log->steps);
        step->nexts = (uint32_t)log->nexts.length & 0xffffffU;
        step->enabled = step->succeeds = able(it->p, &s);
        if (good)
            continue;
        note_failure(&it->found, it->p, &before, t);
        log->end = HD_LAUNCH_FAILED;
        return i + 1 >= it->path.length;
    }
    return true;
}

/* Makes the run that the search asks for, and learns from it; what is wrong, or NULL. */
static const char *show(seeker *it, bool wanted, bool *again) {
    hd_predict_simulator *r = it->search.simulator;
    hd_vec_clear(&it->path);
    for (size_t i = 0; i < r->steps.length; i++)
        hd_vec_push(&it->path, ((heddle_wire_decision){.thread = r->steps.data[i].thread}));
    hd_predict_states_shorten(r, &it->path);
    if (wanted)
        hd_vec_push(&it->path, it->search.wanted);
    if (!run_along(it))
        return "a run does not follow what was put together";
    const hd_launch_log *log = &it->told.log;
    bool failed = log->end == HD_LAUNCH_FAILED && log->steps.length == it->path.length;
    if (!wanted && (log->end != HD_LAUNCH_STUCK || log->steps.length != it->path.length))
        return "a state is stuck that is not";
    hd_predict_learn(&it->runs, log, &it->told.looks);
    if (it->runs.wrong)
        return it->runs.wrong;
    if ((*again = r->stale))
        return NULL;
    enum hd_predict_states_back back = hd_predict_states_return(&it->search, wanted, failed);
    if (back == HD_PREDICT_STATES_LOST)
        return "the search does not come back";
    /* What is found in an idle cell is known only of points that were known when it began. */
    return back == HD_PREDICT_STATES_DROPS && !it->search.idles
               ? "a step that was shown is not known"
               : NULL;
}

/* One search, until nothing is left or points have to be learnt again. */
static const char *search(seeker *it, bool *again) {
    const char *wrong = NULL;
    *again = false;
    hd_predict_states_begin(&it->search);
    while (!wrong && !*again) {
        uint64_t work = 1 + hd_random_below(it->random, 200);
        switch (hd_predict_states_go_on(&it->search, &work)) {
        case HD_PREDICT_STATES_PAUSED:
            break;
        case HD_PREDICT_STATES_UNKNOWN:
            wrong = show(it, true, again);
            break;
        case HD_PREDICT_STATES_STUCK:
            wrong = show(it, false, again);
            break;
        case HD_PREDICT_STATES_ALL:
            return NULL;
        default:
            return "there is no room";
        }
    }
    return wrong;
}

static const char *seek(seeker *it) {
    bool again = true;
    const char *wrong = NULL;
    hd_predict_states *s = &it->search;
    *s = (hd_predict_states){.simulator = &it->runs.simulator,
                             .most = 1 << 20,
                             .seed = hd_random_next(it->random),
                             .depth = 16,
                             .idles = hd_random_chance(it->random, 500)};
    it->runs.simulator.merges = true;
    while (!wrong) {
        if (again) {
            hd_predict_forget(&it->runs);
            hd_predict_states_forget(s);
            hd_vec_clear(&it->path);
            run_along(it);
            hd_predict_learn(&it->runs, &it->told.log, &it->told.looks);
            if (it->runs.simulator.stale)
                continue;
        }
        wrong = search(it, &again);
        if (again || wrong)
            continue;
        if (s->cut && s->depth < MOST_STEPS / 2)
            s->depth *= 2;
        else if (s->idles)
            s->idles = false;
        else
            break;
    }
    return wrong;
}

static void release(seeker *it) {
    hd_predict_states_release(&it->search);
    hd_predict_release(&it->runs);
    hd_vec_release(&it->path);
    hd_launch_log_release(&it->told.log);
    hd_map_release(&it->found.fails);
}

static bool check_states(const hd_trace *trace, hd_random *random, char *why, size_t why_size) {
    (void)trace;
    program p;
    found all = {0};
    draw_program(&p, random);
    enumerate(&p, &all);
    seeker it = {.p = &p, .random = random};
    const char *wrong = seek(&it);
    size_t at = 0;
    uint64_t key, missing = 0;
    uint32_t value;
    while (!wrong && hd_map_each(&all.fails, &at, &key, &value))
        if (!hd_map_find(&it.found.fails, key)) {
            wrong = "a failure is not found";
            missing = key;
        }
    if (!wrong && it.found.fails.length != all.fails.length)
        wrong = "a failure is found that cannot be";
    if (!wrong && it.found.stuck != all.stuck)
        wrong = all.stuck ? "no stuck state is found" : "a stuck state is found that cannot be";
    if (wrong)
        snprintf(why, why_size, "%s (%llx)", wrong, (unsigned long long)missing);
    hd_map_release(&all.fails);
    release(&it);
    return !wrong;
}

SUPPORT_SUITE(random_states) {
    static const support_property properties[] = {
        {"states put together have every failure", {2, 2, 1, 1, 0}, check_states},
    };
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
