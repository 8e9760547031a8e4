/*
 * The room `cut` against brute force: every algorithm visits each state of its
 * class once and no other, in its order, on whole traces and on intervals, alone
 * and shared out; counts agree.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "support_random.h"
#include "support_states.h"

enum { MOST_VECTORS = 3000, MEMORY = 64 << 20 };

/* ---- What an algorithm visits ---- */

struct seen {
    const support_states *states;
    hd_bits bits;
    uint64_t count;
    size_t last; /* number of the last one, + 1 */
    bool twice, wrong, unordered;
    pthread_mutex_t mutex;
};

static void seen_init(struct seen *seen, const support_states *states) {
    *seen = (struct seen){.states = states};
    hd_bits_init(&seen->bits, states->vectors);
    pthread_mutex_init(&seen->mutex, NULL);
}

static void seen_release(struct seen *seen) {
    hd_bits_release(&seen->bits);
    pthread_mutex_destroy(&seen->mutex);
}

static int see(void *context, const uint32_t *state, uint32_t count) {
    struct seen *seen = context;
    const support_states *s = seen->states;
    pthread_mutex_lock(&seen->mutex);
    for (uint32_t p = 0; p < s->threads; p++)
        seen->wrong = seen->wrong || state[p] > s->length[p];
    if (s->threads && count > s->length[s->threads - 1] - state[s->threads - 1] + 1)
        seen->wrong = true;
    size_t number = support_states_number(s, state);
    for (uint32_t i = 0; i < count && !seen->wrong; i++, number++) {
        seen->unordered = seen->unordered || number < seen->last;
        seen->last = number + 1;
        seen->twice = seen->twice || hd_bits_has(&seen->bits, number);
        hd_bits_set(&seen->bits, number);
        seen->count++;
    }
    pthread_mutex_unlock(&seen->mutex);
    return 0;
}

static bool same_bits(const hd_bits *a, const hd_bits *b) {
    for (size_t i = 0; i < a->length; i++)
        if (hd_bits_has(a, i) != hd_bits_has(b, i))
            return false;
    return true;
}

/* What is wrong with what was seen, NULL if nothing. */
static const char *fault(const struct seen *seen, const hd_bits *wanted, bool lexical) {
    return seen->wrong                           ? "no state at all"
           : seen->twice                         ? "a state twice"
           : seen->count < hd_bits_count(wanted) ? "too few"
           : seen->count > hd_bits_count(wanted) ? "too many"
           : !same_bits(&seen->bits, wanted)     ? "others"
           : lexical && seen->unordered          ? "not in lexical order"
                                                 : NULL;
}

static bool complain(char *why, size_t size, const char *what, const char *name,
                     const char *fault) {
    snprintf(why, size, "%s by %s: %s", what, name, fault);
    return false;
}

/* ---- Whole traces, by the one question ---- */

static bool is_lexical(enum hd_cut_algorithm algorithm) {
    return algorithm != HD_CUT_BFS && algorithm != HD_CUT_DFS && algorithm != HD_CUT_TREE;
}

static bool check_visit(support_cut *test, hd_cut_request request, const hd_bits *wanted,
                        const char *what, char *why, size_t size) {
    struct seen seen;
    hd_cut_visitor visitors[4];
    hd_cut_answer answer;
    hd_error error = {""};
    seen_init(&seen, &test->states);
    for (int i = 0; i < 4; i++)
        visitors[i] = (hd_cut_visitor){.context = &seen, .run = see};
    request.visitors = visitors;
    const char *name = hd_cut_algorithm_names[request.algorithm], *wrong;
    if (!hd_cut_states(&test->order, &request, &answer, &error))
        wrong = "an error";
    else
        wrong = fault(&seen, wanted, request.workers == 1 && is_lexical(request.algorithm));
    uint64_t count;
    if (!wrong && (!hd_cut_count_fits(&answer.states, &count) || count != seen.count))
        wrong = "a count that is not that of the visits";
    if (!wrong && answer.why)
        wrong = "it stopped";
    hd_cut_answer_release(&answer);
    seen_release(&seen);
    return !wrong || complain(why, size, what, name, wrong);
}

static bool check_count(support_cut *test, hd_cut_request request, const hd_bits *wanted,
                        const char *what, char *why, size_t size) {
    hd_cut_answer answer;
    hd_error error = {""};
    uint64_t count;
    bool right = hd_cut_states(&test->order, &request, &answer, &error) &&
                 hd_cut_count_fits(&answer.states, &count) && count == hd_bits_count(wanted) &&
                 answer.why == 0;
    hd_cut_answer_release(&answer);
    return right ||
           complain(why, size, what, hd_cut_algorithm_names[request.algorithm], "a wrong count");
}

/* ---- Jobs ---- */

/* What a worker sees of one job, until it is its turn. */
struct turn {
    struct turns *turns;
    size_t job;
    hd_vec_u32 states; /* vectors */
};

struct turns {
    struct seen seen;
    struct turn workers[4];
    size_t next;
    bool wrong;
    pthread_mutex_t mutex;
    pthread_cond_t moved;
};

static void begin_turn(void *context, size_t job) {
    struct turn *turn = context;
    turn->job = job;
}

static int keep_states(void *context, const uint32_t *state, uint32_t count) {
    struct turn *turn = context;
    uint32_t threads = turn->turns->seen.states->threads;
    for (uint32_t p = 0; p < threads; p++)
        hd_vec_push(&turn->states, state[p]);
    hd_vec_push(&turn->states, count);
    return 0;
}

/* In the order of jobs the states are to be in lexical order. */
static void end_turn(void *context, size_t job) {
    struct turn *turn = context;
    struct turns *turns = turn->turns;
    uint32_t threads = turns->seen.states->threads;
    pthread_mutex_lock(&turns->mutex);
    turns->wrong = turns->wrong || turn->job != job;
    while (turns->next != job)
        pthread_cond_wait(&turns->moved, &turns->mutex);
    for (size_t i = 0; i < turn->states.length; i += threads + 1)
        see(&turns->seen, turn->states.data + i, turn->states.data[i + threads]);
    hd_vec_clear(&turn->states);
    turns->next++;
    pthread_cond_broadcast(&turns->moved);
    pthread_mutex_unlock(&turns->mutex);
}

static bool check_jobs(support_cut *test, hd_cut_request request, const hd_bits *wanted,
                       const char *what, char *why, size_t size) {
    struct turns turns = {.next = 0};
    hd_cut_visitor visitors[4];
    hd_cut_answer answer;
    hd_error error = {""};
    seen_init(&turns.seen, &test->states);
    pthread_mutex_init(&turns.mutex, NULL);
    pthread_cond_init(&turns.moved, NULL);
    for (int i = 0; i < 4; i++) {
        turns.workers[i] = (struct turn){.turns = &turns};
        visitors[i] = (hd_cut_visitor){.context = &turns.workers[i],
                                       .run = keep_states,
                                       .begin_job = begin_turn,
                                       .end_job = end_turn};
    }
    request.visitors = visitors;
    bool done = hd_cut_states(&test->order, &request, &answer, &error);
    for (int i = 0; i < 4; i++) { /* what belongs to no job is all there is */
        for (size_t at = 0; at < turns.workers[i].states.length; at += test->states.threads + 1)
            see(&turns.seen, turns.workers[i].states.data + at,
                turns.workers[i].states.data[at + test->states.threads]);
        turns.wrong = turns.wrong || (turns.next && turns.workers[i].states.length);
        hd_vec_release(&turns.workers[i].states);
    }
    const char *wrong = !done         ? "an error"
                        : turns.wrong ? "jobs out of order"
                                      : fault(&turns.seen, wanted, true);
    hd_cut_answer_release(&answer);
    pthread_mutex_destroy(&turns.mutex);
    pthread_cond_destroy(&turns.moved);
    seen_release(&turns.seen);
    return !wrong || complain(why, size, what, hd_cut_algorithm_names[request.algorithm], wrong);
}

/* One slice after the other, from the last on: all of them together are the states. */
static bool check_slices(support_cut *test, const hd_cut_request *request, const hd_bits *wanted,
                         const char *what, char *why, size_t size) {
    hd_cut_slices slices;
    hd_cut_count sum = {0};
    hd_error error = {""};
    uint64_t count;
    bool right = hd_cut_slices_init(&slices, &test->order, request, &error);
    for (size_t i = right ? slices.count : 0; right && i--;) {
        bool symbolic;
        right = hd_cut_slices_count(&slices, i, &sum, &symbolic) == 0;
    }
    right = right && hd_cut_count_fits(&sum, &count) && count == hd_bits_count(wanted);
    hd_cut_slices_release(&slices);
    hd_cut_count_release(&sum);
    return right || complain(why, size, what, hd_cut_algorithm_names[request->algorithm],
                             error.text[0] ? error.text : "a wrong count of slices");
}

/* Some levels at a time, each by a count that begins with the bytes of the one
 * before. */
static bool check_stages(support_cut *test, const hd_cut_request *request, const hd_bits *wanted,
                         const char *what, char *why, size_t size) {
    hd_vec_char bytes = {0};
    hd_error error = {""};
    uint64_t count = 0;
    bool right = true, over = false;
    for (uint32_t some = 1; right && !over; some++) {
        hd_cut_stages stages;
        right = hd_cut_stages_init(&stages, &test->order, request, &error);
        hd_bytes from = {bytes.data, bytes.data + bytes.length, false};
        if (right && bytes.length)
            right = hd_cut_stages_get(&stages, &from);
        if (right && stages.done < stages.levels)
            right = hd_cut_stages_take(&stages, some) == 0;
        over = right && stages.done == stages.levels;
        hd_vec_clear(&bytes);
        if (right)
            hd_cut_stages_put(&stages, &bytes);
        right = right && hd_cut_count_fits(&stages.states, &count);
        hd_cut_stages_release(&stages);
    }
    hd_vec_release(&bytes);
    return (right && count == hd_bits_count(wanted)) ||
           complain(why, size, what, hd_cut_algorithm_names[request->algorithm],
                    error.text[0] ? error.text : "a wrong count of stages");
}

static bool check_whole(support_cut *test, enum hd_order_model model, enum hd_cut_class class,
                        const hd_bits *wanted, char *why, size_t size) {
    const char *what = hd_cut_class_names[class];
    for (int a = 0; a < HD_CUT_ALGORITHMS; a++) {
        hd_cut_request request = {.model = model, .class = class, .workers = 1, .memory = MEMORY};
        request.algorithm = (enum hd_cut_algorithm)a;
        request.cell_places = (uint32_t)(hd_bits_count(wanted) % 4);
        if (!hd_cut_serves(request.algorithm, model, class))
            continue;
        bool sliced = class <= HD_CUT_VIABLE && a != HD_CUT_LEX1 && a != HD_CUT_LEX2;
        bool units = class == HD_CUT_REACHABLE &&
                     test->order.trace->tables.names[HEDDLE_CLASS_SEMAPHORE].length;
        bool staged = !units && hd_cut_staged(&test->order, &request);
        if (!check_count(test, request, wanted, what, why, size) ||
            (sliced && !check_slices(test, &request, wanted, what, why, size)) ||
            (staged && !check_stages(test, &request, wanted, what, why, size)))
            return false;
        request.places = test->places;
        if (!check_count(test, request, wanted, what, why, size) ||
            !check_visit(test, request, wanted, what, why, size))
            return false;
        request.workers = 2 + (unsigned)(test->states.vectors % 2);
        if (!check_count(test, request, wanted, what, why, size) ||
            !check_visit(test, request, wanted, what, why, size))
            return false;
        if (staged && !check_stages(test, &request, wanted, what, why, size))
            return false;
        request.lexical = true;
        if (hd_cut_shares(request.algorithm, class, true) &&
            !check_jobs(test, request, wanted, what, why, size))
            return false;
    }
    return true;
}

/* Of these, the states: none lies between the halves of a step. */
static hd_bits keep_whole(const support_states *s, const hd_bits *of) {
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    hd_bits whole;
    hd_bits_init(&whole, s->vectors);
    for (size_t v = hd_bits_next(of, 0); v < s->vectors; v = hd_bits_next(of, v + 1)) {
        support_states_vector(s, v, state);
        if (support_states_whole(s, state))
            hd_bits_set(&whole, v);
    }
    return whole;
}

static bool check_class(support_cut *test, enum hd_order_model model, enum hd_cut_class class,
                        const hd_bits *wanted, char *why, size_t size) {
    hd_bits whole = keep_whole(&test->states, wanted);
    bool right = check_whole(test, model, class, &whole, why, size);
    hd_bits_release(&whole);
    return right;
}

static bool poset(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    support_cut test;
    if (!support_cut_init(&test, trace, random, MOST_VECTORS))
        return true;
    bool right =
        check_class(&test, HD_ORDER_POSET, HD_CUT_CONSISTENT, &test.states.poset, why, size);
    support_cut_release(&test);
    return right;
}

static bool loset(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    support_cut test;
    if (!support_cut_init(&test, trace, random, MOST_VECTORS))
        return true;
    bool right = true;
    for (int class = 0; class < HD_CUT_CLASSES && right; class ++)
        right = check_class(&test, HD_ORDER_LOSET, (enum hd_cut_class) class,
                            &test.states.classes[class], why, size);
    support_cut_release(&test);
    return right;
}

/* With hardly any memory, what is ours finds another way, and never a wrong one. */
static bool little_memory(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    support_cut test;
    if (!support_cut_init(&test, trace, random, MOST_VECTORS))
        return true;
    bool right = true;
    for (int class = 0; class < HD_CUT_CLASSES && right; class ++) {
        hd_cut_request request = {.model = HD_ORDER_LOSET, .class = (enum hd_cut_class) class};
        request.workers = 1;
        request.memory = 16 + hd_random_below(random, 2000);
        request.places = test.places;
        hd_bits wanted = keep_whole(&test.states, &test.states.classes[class]);
        right = check_count(&test, request, &wanted, "little memory", why, size) &&
                check_visit(&test, request, &wanted, "little memory", why, size);
        hd_bits_release(&wanted);
    }
    support_cut_release(&test);
    return right;
}

/* ---- Intervals ---- */

static void random_state(const support_states *s, const hd_bits *of, hd_random *random,
                         uint32_t *state) {
    size_t number = hd_bits_next(of, hd_random_below(random, s->vectors));
    support_states_vector(s, number < s->vectors ? number : 0, state);
}

/* The consistent states between two. */
static void between(const support_states *s, const uint32_t *least, const uint32_t *most,
                    hd_bits *to) {
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    for (size_t v = 0; v < s->vectors; v++) {
        support_states_vector(s, v, state);
        bool inside = hd_bits_has(&s->poset, v);
        for (uint32_t p = 0; p < s->threads; p++)
            inside = inside && least[p] <= state[p] && state[p] <= most[p];
        if (inside)
            hd_bits_set(to, v);
    }
}

static int count_block(void *context, const hd_cut_block *block) {
    uint64_t *states = context;
    for (uint32_t i = 0; i < block->count; i++)
        *states += (uint64_t)block->most[i] - block->least[i] + 1;
    return 0;
}

static int see_packed(void *context, const hd_cut_packed *packed) {
    struct seen *seen = context;
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    for (uint32_t p = 0; p < seen->states->threads; p++)
        state[p] = packed->bytes[p]; /* threads are short */
    return see(seen, state, 1);
}

static int see_batch(void *context, const hd_cut_packed *states, size_t count) {
    for (size_t i = 0; i < count; i++)
        see_packed(context, &states[i]);
    return 0;
}

/* Over stored completions, with any split and too little memory. */
static const hd_cut_tails_size sizes[] = {{1, 1}, {4, 200}, {20, 100000}, {100000, 100000}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *check_packed(const support_cut *test, const hd_cut_space *space,
                                const uint32_t *least, const uint32_t *most,
                                const hd_bits *wanted) {
    const char *wrong = NULL;
    for (int i = 0; i < 2 * SIZES + 2 && !wrong; i++) {
        const hd_cut_tails_size *size = i / 2 < SIZES ? &sizes[i / 2] : NULL;
        struct seen seen;
        uint64_t visited;
        seen_init(&seen, &test->states);
        int why = i % 2
                      ? hd_cut_packed_batches(space, least, most, see_batch, &seen, size, &visited)
                      : hd_cut_packed_each(space, least, most, see_packed, &seen, size, &visited);
        wrong = why || visited != seen.count ? "another count" : fault(&seen, wanted, false);
        seen_release(&seen);
    }
    return wrong;
}

static const char *check_sums(const support_cut *test, const hd_cut_space *space,
                              const uint32_t *least, const uint32_t *most, const hd_bits *wanted) {
    int16_t value[SUPPORT_STATES_EVENTS + SUPPORT_STATES_THREADS + 1] = {0};
    uint32_t state[SUPPORT_STATES_THREADS];
    const int bound = 20;
    uint64_t above = 0;
    for (size_t i = 0; i < space->start[space->threads]; i++)
        value[i] = (int16_t)(i * 7 % 23) - 4;
    for (size_t i = hd_bits_next(wanted, 0); i < wanted->length; i = hd_bits_next(wanted, i + 1)) {
        int sum = 0;
        support_states_vector(&test->states, i, state);
        for (uint32_t p = 0; p < space->threads; p++)
            sum += value[space->start[p] + state[p]];
        above += sum >= bound;
    }
    for (int i = 0; i <= SIZES; i++) {
        uint64_t states = 0, found = 0;
        hd_cut_sums(space, least, most, value, bound, i < SIZES ? &sizes[i] : NULL, &states,
                    &found);
        if (states != hd_bits_count(wanted) || found != above)
            return "another sum";
    }
    return NULL;
}

/* Some pairs of counts, about one in so many. */
static bool does_clash(const hd_cut_space *space, uint32_t p, uint32_t c, uint32_t q, uint32_t d,
                       uint32_t one_in) {
    size_t a = space->start[p] + c, b = space->start[q] + d;
    return p != q && ((a + b) * 31 + a * b * 17) % one_in == 0;
}

static const char *check_clashes(const support_cut *test, const hd_cut_space *space,
                                 const uint32_t *least, const uint32_t *most,
                                 const hd_bits *wanted) {
    HD_VEC(hd_cut_clash) pairs = {0};
    uint32_t state[SUPPORT_STATES_THREADS], one_in = 5 + 40 * (least[0] % 3);
    uint64_t clashing = 0;
    for (uint32_t p = 0; p < space->threads; p++)
        for (uint32_t q = p + 1; q < space->threads; q++)
            for (uint32_t c = 0; c <= space->length[p]; c++)
                for (uint32_t d = 0; d <= space->length[q]; d++)
                    if (does_clash(space, p, c, q, d, one_in))
                        hd_vec_push(&pairs, ((hd_cut_clash){(uint32_t)(space->start[q] + d),
                                                            (uint32_t)(space->start[p] + c)}));
    for (size_t i = hd_bits_next(wanted, 0); i < wanted->length; i = hd_bits_next(wanted, i + 1)) {
        bool found = false;
        support_states_vector(&test->states, i, state);
        for (uint32_t p = 0; p < space->threads; p++)
            for (uint32_t q = p + 1; q < space->threads; q++)
                found = found || does_clash(space, p, state[p], q, state[q], one_in);
        clashing += found;
    }
    hd_cut_clashes clashes;
    const char *wrong = NULL;
    hd_cut_clashes_init(&clashes, space, pairs.data, pairs.length);
    for (int i = 0; i <= SIZES && !wrong; i++) {
        uint64_t states = 0, found = 0;
        if (hd_cut_clash_count(&clashes, least, most, i < SIZES ? &sizes[i] : NULL, NULL, &states,
                               &found) ||
            states != hd_bits_count(wanted) || found != clashing)
            wrong = "another number of clashes";
    }
    hd_cut_clashes_release(&clashes);
    hd_vec_release(&pairs);
    return wrong;
}

static const char *check_interval(const support_cut *test, const hd_cut_space *space,
                                  const hd_cut_covers *covers, const uint32_t *least,
                                  const uint32_t *most, const char **name) {
    hd_bits wanted;
    const char *wrong = NULL;
    hd_bits_init(&wanted, test->states.vectors);
    between(&test->states, least, most, &wanted);
    for (int a = HD_CUT_BFS; a <= HD_CUT_BOUNDS && !wrong; a++) {
        hd_cut_subroutine subroutine = {(enum hd_cut_algorithm)a, space, covers, MEMORY};
        struct seen seen;
        seen_init(&seen, &test->states);
        hd_cut_visitor visitor = {.context = &seen, .run = see};
        hd_cut_enumerate(&subroutine, least, most, &visitor);
        wrong = fault(&seen, &wanted, is_lexical((enum hd_cut_algorithm)a));
        *name = hd_cut_algorithm_names[a];
        seen_release(&seen);
    }
    if (!wrong && (wrong = check_packed(test, space, least, most, &wanted)))
        *name = "packed states";
    if (!wrong && ((wrong = check_sums(test, space, least, most, &wanted)) ||
                   (wrong = check_clashes(test, space, least, most, &wanted))))
        *name = "stored completions";
    uint64_t states = 0, count = 0;
    hd_cut_visitor blocks = {.context = &states, .block = count_block};
    hd_cut_bounds(space, least, most, &blocks);
    if (!wrong && space->threads > 1 && states != hd_bits_count(&wanted))
        wrong = "blocks of another size";
    hd_cut_budget budget = {UINT64_MAX, MEMORY, NULL};
    hd_cut_diagram_size made;
    hd_cut_count counted = {0};
    if (!wrong && (!hd_cut_diagram_count(space, least, most, &budget, &counted, &made) ||
                   !hd_cut_count_fits(&counted, &count) || count != hd_bits_count(&wanted)))
        wrong = "another count by diagram";
    hd_cut_count_release(&counted);
    hd_bits_release(&wanted);
    return wrong;
}

static bool intervals(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    support_cut test;
    if (!support_cut_init(&test, trace, random, MOST_VECTORS))
        return true;
    if (!test.states.threads) {
        support_cut_release(&test);
        return true;
    }
    hd_cut_space space;
    hd_cut_covers covers;
    hd_cut_space_init(&space, &test.order, HD_ORDER_POSET, test.places);
    hd_cut_covers_init(&covers, &space);
    const char *wrong = NULL, *name = "";
    for (int i = 0; i < 4 && !wrong; i++) {
        uint32_t a[SUPPORT_STATES_THREADS] = {0}, b[SUPPORT_STATES_THREADS] = {0};
        random_state(&test.states, &test.states.poset, random, a);
        random_state(&test.states, &test.states.poset, random, b);
        for (uint32_t p = 0; p < space.threads; p++)
            if (a[p] > b[p]) { /* meet and join are consistent */
                uint32_t more = a[p];
                a[p] = b[p];
                b[p] = more;
            }
        wrong = check_interval(&test, &space, &covers, a, b, &name);
    }
    for (uint32_t e = 1; e <= hd_order_length(&test.order) && !wrong; e++) {
        uint32_t least[SUPPORT_STATES_THREADS], most[SUPPORT_STATES_THREADS];
        hd_cut_event_interval(&space, e, least, most);
        wrong = check_interval(&test, &space, &covers, least, most, &name);
    }
    hd_cut_covers_release(&covers);
    hd_cut_space_release(&space);
    support_cut_release(&test);
    return !wrong || complain(why, size, "an interval", name, wrong);
}

/* ---- One state at a time ---- */

static bool is_below(const uint32_t *a, const uint32_t *b, uint32_t threads) {
    for (uint32_t p = 0; p < threads; p++)
        if (a[p] > b[p])
            return false;
    return true;
}

/* The greatest lock-free state below is one, and no lock-free one is not below it. */
static bool is_greatest(const support_states *s, const uint32_t *state, const uint32_t *below) {
    uint32_t other[SUPPORT_STATES_THREADS] = {0};
    const hd_bits *free = &s->classes[HD_CUT_LOCK_FREE];
    if (!hd_bits_has(free, support_states_number(s, below)) || !is_below(below, state, s->threads))
        return false;
    for (size_t v = hd_bits_next(free, 0); v < s->vectors; v = hd_bits_next(free, v + 1)) {
        support_states_vector(s, v, other);
        if (is_below(other, state, s->threads) && !is_below(other, below, s->threads))
            return false;
    }
    return true;
}

static bool check_vector(const support_states *s, hd_cut_reach *reach, const hd_cut_loset *loset,
                         size_t v, char *why, size_t size) {
    uint32_t state[SUPPORT_STATES_THREADS] = {0}, below[SUPPORT_STATES_THREADS] = {0};
    support_states_vector(s, v, state);
    for (int class = 0; class < HD_CUT_CLASSES; class ++)
        if (hd_cut_in_class(reach, (enum hd_cut_class) class, state) !=
            hd_bits_has(&s->classes[class], v))
            return complain(why, size, hd_cut_class_names[class], "itself", "a wrong answer");
    if (hd_bits_has(&s->classes[HD_CUT_CONSISTENT], v) && !loset->units.semaphores) {
        hd_cut_lock_free_below(loset, state, below);
        if (!is_greatest(s, state, below))
            return complain(why, size, "the lock-free state below", "itself", "not the greatest");
    }
    return true;
}

static bool singly(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    support_cut test;
    if (!support_cut_init(&test, trace, random, MOST_VECTORS))
        return true;
    hd_cut_space space;
    hd_cut_loset loset;
    hd_cut_space_init(&space, &test.order, HD_ORDER_LOSET, test.places);
    hd_cut_loset_init(&loset, &space, hd_random_chance(random, 700));
    hd_cut_reach *reach = hd_cut_reach_create(&loset);
    bool right = true;
    for (size_t v = 0; v < test.states.vectors && right; v++)
        right = check_vector(&test.states, reach, &loset, v, why, size);
    hd_cut_reach_free(reach);
    hd_cut_loset_release(&loset);
    hd_cut_space_release(&space);
    support_cut_release(&test);
    return right;
}

enum {
    POSET = SUPPORT_ALL,
    LOCKS = SUPPORT_LOCKS | SUPPORT_RWLOCKS | SUPPORT_CHANNELS | SUPPORT_FORKS | SUPPORT_WAITS |
            SUPPORT_REENTRANT,
    MESSAGES = SUPPORT_CHANNELS | SUPPORT_FORKS | SUPPORT_BARRIERS | SUPPORT_WAITS
};

static const support_property properties[] = {
    {"posets", {5, 16, 2, 2, POSET}, poset},
    {"posets of messages", {6, 18, 1, 1, MESSAGES}, poset},
    {"intervals", {5, 14, 2, 2, POSET}, intervals},
    {"losets", {4, 16, 3, 2, LOCKS}, loset},
    {"losets of all kinds", {4, 18, 2, 2, POSET}, loset},
    {"losets of many threads", {7, 15, 2, 1, SUPPORT_LOCKS | SUPPORT_FORKS}, loset},
    {"two threads", {2, 24, 3, 1, LOCKS}, loset},
    {"little memory", {4, 14, 2, 2, LOCKS}, little_memory},
    {"losets with semaphores",
     {4, 16, 2, 1, SUPPORT_LOCKS | SUPPORT_SEMAPHORES | SUPPORT_WAITS},
     loset},
    {"one state at a time, with semaphores",
     {4, 14, 2, 1, SUPPORT_LOCKS | SUPPORT_SEMAPHORES},
     singly},
    {"one state at a time", {4, 16, 3, 2, LOCKS}, singly},
};

SUPPORT_SUITE(random_cut) {
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
