/*
 * Temporal predicates against brute force: random formulas over random predicates, of posets and
 * losets, decided by going along every maximal run, one after the other, with nothing remembered.
 */
#include <stdio.h>
#include <string.h>

#include "support_predicate.h"
#include "support_random.h"
#include "witness/witness.h"

enum { MOST_VECTORS = 400, MOST_WALKS = 200000, MEMORY = 64 << 20, TEXT = 4096, ATOMS = 3 };

/* A formula as it was drawn: the operators are numbered as in predicate_temporal.h, by the test. */
struct formula {
    char kind; /* 'F' 'G' 'U' '!' '&' '|' 'p' */
    bool every;
    int a, b; /* of `p`: the predicate */
};

struct test {
    hd_order order;
    support_states states;
    enum hd_order_model model;
    hd_predicate predicates[ATOMS];
    char atoms[ATOMS][TEXT];
    struct formula nodes[16];
    int count;
    char text[8 * TEXT];
    uint64_t walks; /* runs that may still be begun */
};

/* ---- Drawing ---- */

/* A predicate of counts, which is true in some states and false in others; now and then any. */
static void draw_atom(const struct test *test, const hd_trace *trace, hd_random *random, char *to) {
    static const char *const signs[] = {"<", "<=", "==", "!=", ">=", ">"};
    enum { SIGNS = 6, ROOM = TEXT / 8 };
    if (hd_random_chance(random, 200)) {
        support_predicate_draw(trace, random, to, ROOM);
        return;
    }
    uint32_t p = (uint32_t)hd_random_below(random, test->states.threads);
    uint32_t q = (uint32_t)hd_random_below(random, test->states.threads);
    const char *a = hd_trace_thread_name(&trace->tables, test->states.thread[p]);
    const char *b = hd_trace_thread_name(&trace->tables, test->states.thread[q]);
    unsigned x = (unsigned)hd_random_below(random, test->states.length[p] + 1);
    unsigned y = (unsigned)hd_random_below(random, test->states.length[q] + 1);
    const char *sign = signs[hd_random_below(random, SIGNS)];
    switch (hd_random_below(random, 4)) {
    case 0:
        snprintf(to, ROOM, "pos(%s) %s %u", a, sign, x);
        break;
    case 1:
        snprintf(to, ROOM, "pos(%s) >= %u && pos(%s) <= %u", a, x, b, y);
        break;
    case 2:
        snprintf(to, ROOM, "pos(%s) + pos(%s) %s %u", a, b, sign, x + y);
        break;
    default:
        snprintf(to, ROOM, "pos(%s) < %u || pos(%s) > %u", a, x, b, y);
    }
}

static int draw_formula(struct test *test, hd_random *random, int depth) {
    struct formula f = {.kind = 'p', .a = (int)hd_random_below(random, ATOMS)};
    if (depth && test->count < 10) {
        static const char kinds[] = "FGUFGU!&|";
        f.kind = kinds[hd_random_below(random, depth == 3 ? 6 : sizeof kinds - 1)];
        f.every = hd_random_chance(random, 500);
        f.a = draw_formula(test, random, depth - 1);
        f.b = f.kind == 'U' || f.kind == '&' || f.kind == '|'
                  ? draw_formula(test, random, depth - 1)
                  : 0;
    }
    test->nodes[test->count] = f;
    return test->count++;
}

static void write_formula(struct test *test, int node) {
    const struct formula *f = &test->nodes[node];
    char *to = test->text;
    if (f->kind == 'p') {
        snprintf(to + strlen(to), sizeof test->text - strlen(to), "(%s)", test->atoms[f->a]);
        return;
    }
    bool binary = f->kind == '&' || f->kind == '|';
    if (f->kind == '!')
        strcat(to, "!");
    else if (!binary)
        snprintf(to + strlen(to), 4, "%c%c", f->every ? 'A' : 'E', f->kind);
    strcat(to, "(");
    write_formula(test, f->a);
    if (binary || f->kind == 'U') {
        strcat(to, binary ? (f->kind == '&' ? " && " : " || ") : ", ");
        write_formula(test, f->b);
    }
    strcat(to, ")");
}

/* ---- By the definition ---- */

static const hd_bits *among(const struct test *test) {
    return test->model == HD_ORDER_POSET ? &test->states.poset
                                         : &test->states.classes[HD_CUT_REACHABLE];
}

/* The state after a step of the thread; false if it cannot go on. */
static bool take_step(const struct test *test, uint32_t *state, uint32_t place) {
    if (state[place] == test->states.length[place])
        return false;
    state[place]++;
    if (!hd_bits_has(among(test), support_states_number(&test->states, state)) &&
        support_predicate_whole(&test->states, state)) {
        state[place]--;
        return false;
    }
    if (support_predicate_whole(&test->states, state))
        return true;
    state[place]++;
    if (state[place] <= test->states.length[place] &&
        hd_bits_has(among(test), support_states_number(&test->states, state)))
        return true;
    state[place] -= 2;
    return false;
}

static bool holds(struct test *test, int node, const uint32_t *state);

/* Goes along all runs from here: is there one (or are all of them so) with what the operator says?
 * `until` is what must come, `before` what must be up to then; NULL of them: -1. */
static bool along(struct test *test, const struct formula *f, const uint32_t *state) {
    uint32_t next[SUPPORT_STATES_THREADS];
    bool maximal = true;
    if (!test->walks)
        return false;
    test->walks--;
    if (f->kind == 'G') {
        if (!holds(test, f->a, state))
            return false; /* this run, and all that begin so, are not as asked */
    } else {
        if (holds(test, f->kind == 'U' ? f->b : f->a, state))
            return true;
        if (f->kind == 'U' && !holds(test, f->a, state))
            return false;
    }
    for (uint32_t p = 0; p < test->states.threads; p++) {
        memcpy(next, state, sizeof next);
        if (!take_step(test, next, p))
            continue;
        maximal = false;
        if (along(test, f, next) != f->every)
            return !f->every;
    }
    return maximal ? f->kind == 'G' : f->every;
}

static bool holds(struct test *test, int node, const uint32_t *state) {
    const struct formula *f = &test->nodes[node];
    switch (f->kind) {
    case 'p':
        return support_predicate_whole(&test->states, state) &&
               support_predicate_holds(&test->states, &test->predicates[f->a].tree, test->model,
                                       state);
    case '!':
        return !holds(test, f->a, state);
    case '&':
        return holds(test, f->a, state) && holds(test, f->b, state);
    case '|':
        return holds(test, f->a, state) || holds(test, f->b, state);
    default:
        return along(test, f, state);
    }
}

/* ---- Against heddle ---- */

static bool complain(const struct test *test, char *why, size_t size, const char *what) {
    snprintf(why, size, "%s, %s: %s", what, test->model == HD_ORDER_POSET ? "poset" : "loset",
             test->text);
    return false;
}

/* A path is a schedule, and what it passes is as the operator says. */
static bool check_path(struct test *test, const hd_trace *trace,
                       const hd_predicate_temporal_check *check, char *why, size_t size) {
    hd_witness witness;
    hd_error error = {""};
    if (!check->has_path)
        return true;
    int root = test->count - 1;
    bool turned = false;
    for (; test->nodes[root].kind == '!'; root = test->nodes[root].a)
        turned = !turned;
    struct formula f = test->nodes[root];
    bool truth = (check->start == HD_PREDICATE_T_TRUE) != turned;
    hd_witness_init(&witness);
    witness.claim.let_go = true;
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    bool right = truth != f.every; /* of what one run shows */
    bool was = true, came = false;
    for (size_t i = 0; right && i <= check->path.length; i++) {
        if (support_predicate_whole(&test->states, state)) {
            bool a = holds(test, f.a, state);
            bool b = f.kind == 'U' && holds(test, f.b, state);
            /* EG: all of it; AF that is false: none of it; until: see below */
            if (f.kind == 'G')
                came |= !a;
            else if (f.kind == 'F')
                came |= a;
            else if (truth ? b && was : !a && !b && !came)
                came = true;
            else if (!truth && b)
                right = came;
            was &= a;
        }
        if (i == check->path.length)
            break;
        uint32_t event = check->path.data[i];
        hd_vec_push(&witness.schedule, event);
        for (uint32_t p = 0; p < test->states.threads; p++)
            state[p] += test->states.thread[p] == hd_trace_event(trace, event)->thread;
    }
    bool maximal = true;
    for (uint32_t p = 0; p < test->states.threads; p++) {
        uint32_t next[SUPPORT_STATES_THREADS];
        memcpy(next, state, sizeof next);
        maximal &= !take_step(test, next, p);
    }
    if (f.kind == 'G')
        right = right && (truth ? !came && maximal : came);
    else if (f.kind == 'F')
        right = right && (truth ? came : !came && maximal);
    else
        right = right && (came || (!truth && maximal));
    if (right && !hd_witness_check(&witness, trace, &error))
        right = complain(test, why, size, error.text);
    else if (!right)
        complain(test, why, size, "a run that does not show it");
    hd_witness_release(&witness);
    return right;
}

static bool check_formula(struct test *test, const hd_trace *trace, char *why, size_t size) {
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    hd_predicate_temporal formula;
    hd_predicate_error wrong = {0};
    test->walks = MOST_WALKS;
    bool truth = holds(test, test->count - 1, state), right = true;
    if (!test->walks)
        return true;
    uint64_t count = 0;
    for (size_t v = 0; v < test->states.vectors && test->walks; v++) {
        support_states_vector(&test->states, v, state);
        count += hd_bits_has(among(test), v) && support_predicate_whole(&test->states, state) &&
                 holds(test, test->count - 1, state);
    }
    bool counted = test->walks != 0;
    test->walks = UINT64_MAX;
    if (!hd_predicate_temporal_is(test->text))
        return true;
    if (!hd_predicate_temporal_init(&formula, test->text, &wrong))
        return complain(test, why, size, wrong.error.text);
    for (int way = 0; way < 3 && right; way++) {
        hd_predicate_temporal_check check = {.order = &test->order,
                                             .model = test->model,
                                             .memory = MEMORY,
                                             .all = way == 2,
                                             .enumerate = way == 1};
        if (!hd_predicate_temporal_decide(&formula, &check, &wrong))
            right = true; /* a predicate that does not fit */
        else if (check.start != (truth ? HD_PREDICATE_T_TRUE : HD_PREDICATE_T_FALSE))
            right = complain(test, why, size, truth ? "not true" : "not false");
        else if (way == 2 && counted && check.states != count)
            right = complain(test, why, size, "in another number of states");
        else
            right = check_path(test, trace, &check, why, size);
        hd_predicate_temporal_check_release(&check);
    }
    hd_predicate_temporal_release(&formula);
    return right;
}

static bool temporal(const hd_trace *trace, hd_random *random, char *why, size_t size,
                     enum hd_order_model model) {
    static struct test test;
    hd_error error = {""};
    hd_predicate_error wrong = {0};
    test = (struct test){.model = model};
    hd_order_init(&test.order, trace);
    unsigned what = HD_ORDER_SCOPES | HD_ORDER_HELD | HD_ORDER_LOSET_CLOCKS |
                    HD_ORDER_LOSET_REVERSE | HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE;
    uint32_t places[SUPPORT_STATES_THREADS];
    bool right = true;
    if (hd_order_need(&test.order, what, SIZE_MAX, &error) &&
        hd_order_threads(&test.order) <= SUPPORT_STATES_THREADS &&
        hd_cut_space_threads(&test.order, places) &&
        support_states_init(&test.states, &test.order, places, MOST_VECTORS)) {
        bool fits = true;
        for (int i = 0; i < ATOMS && fits; i++) { /* one may be of what the trace does not have */
            hd_predicate_instance instance;
            draw_atom(&test, trace, random, test.atoms[i]);
            bool read = hd_predicate_init(&test.predicates[i], test.atoms[i], &wrong);
            fits = read && !hd_predicate_uses(&test.predicates[i], HD_PREDICATE_RACE) &&
                   hd_predicate_instance_init(&instance, &test.order, &test.predicates[i], model,
                                              MEMORY, &wrong);
            if (fits)
                hd_predicate_instance_release(&instance);
        }
        draw_formula(&test, random, 3);
        write_formula(&test, test.count - 1);
        right = !fits || check_formula(&test, trace, why, size);
        support_states_release(&test.states);
    }
    for (int i = 0; i < ATOMS; i++)
        hd_predicate_release(&test.predicates[i]);
    hd_order_release(&test.order);
    return right;
}

static bool posets(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    return temporal(trace, random, why, size, HD_ORDER_POSET);
}

static bool losets(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    return temporal(trace, random, why, size, HD_ORDER_LOSET);
}

static const support_property properties[] = {
    {"posets", {3, 10, 2, 2, SUPPORT_ALL & ~SUPPORT_SEMAPHORES}, posets},
    {"posets of marks", {3, 9, 1, 1, SUPPORT_MARKS | SUPPORT_CHANNELS | SUPPORT_VALUES}, posets},
    {"losets", {3, 10, 2, 2, SUPPORT_LOCKS | SUPPORT_WAITS | SUPPORT_MARKS}, losets},
    {"losets of all kinds", {3, 10, 2, 2, SUPPORT_ALL}, losets},
};

SUPPORT_SUITE(random_temporal) {
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
