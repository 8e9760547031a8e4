/*
 * Detection against brute force: random predicates over random traces, evaluated at
 * every state; the least state where one is true, how many there are and which, and
 * whether every run passes one; by every way there is.
 */
#include <stdio.h>
#include <string.h>

#include "support_predicate.h"
#include "support_random.h"
#include "witness/witness.h"

enum { MOST_VECTORS = 3000, MEMORY = 64 << 20, TEXT = 4096 };

struct test {
    hd_order order;
    support_states states;
    char text[TEXT];
    hd_predicate predicate;
    hd_predicate_instance scene;
    enum hd_order_model model;
    hd_bits holds; /* by number of the vector, of all vectors */
    bool has_scene;
};

static bool complain(struct test *test, char *why, size_t size, const char *what) {
    snprintf(why, size, "%s: %s", what, test->text);
    return false;
}

/* Is it true at each consistent vector, and do both ways to evaluate say so? */
static bool evaluate(struct test *test, char *why, size_t size) {
    uint32_t state[SUPPORT_STATES_THREADS];
    const hd_bits *consistent = test->model == HD_ORDER_POSET
                                    ? &test->states.poset
                                    : &test->states.classes[HD_CUT_CONSISTENT];
    hd_bits_init(&test->holds, test->states.vectors);
    for (size_t i = 0; i < test->states.vectors; i++) {
        if (!hd_bits_has(consistent, i))
            continue;
        support_states_vector(&test->states, i, state);
        bool whole = support_predicate_whole(&test->states, state);
        bool holds = whole && support_predicate_holds(&test->states, &test->predicate.tree,
                                                      test->model, state);
        if (holds)
            hd_bits_set(&test->holds, i);
        if (hd_predicate_true(&test->scene, state) != holds)
            return complain(test, why, size, "evaluated differently");
    }
    return true;
}

/* False if there is nothing to test: the case is too large, or the predicate does not
 * fit the trace. */
static bool test_init(struct test *test, const hd_trace *trace, enum hd_order_model model,
                      hd_random *random) {
    hd_error error = {""};
    hd_predicate_error wrong = {0};
    *test = (struct test){.model = model};
    hd_order_init(&test->order, trace);
    support_predicate_draw(trace, random, test->text, TEXT);
    if (!hd_predicate_init(&test->predicate, test->text, &wrong)) {
        fprintf(stderr, "not a predicate: %s: %s\n", test->text, wrong.error.text);
        abort();
    }
    if (hd_predicate_uses(&test->predicate, HD_PREDICATE_RACE))
        hd_order_count_orders(&test->order);
    bool built =
        hd_order_need(&test->order,
                      HD_ORDER_SCOPES | HD_ORDER_HELD | HD_ORDER_LOSET_CLOCKS |
                          HD_ORDER_LOSET_REVERSE | HD_ORDER_POSET_CLOCKS | HD_ORDER_POSET_REVERSE,
                      SIZE_MAX, &error);
    assert(built);
    (void)built;
    uint32_t places[SUPPORT_STATES_THREADS];
    if (hd_order_threads(&test->order) > SUPPORT_STATES_THREADS)
        return false;
    hd_cut_space_threads(&test->order, places);
    if (!support_states_init(&test->states, &test->order, places, MOST_VECTORS))
        return false;
    test->has_scene = hd_predicate_instance_init(&test->scene, &test->order, &test->predicate,
                                                 model, MEMORY, &wrong);
    return test->has_scene;
}

static void test_release(struct test *test) {
    if (test->has_scene)
        hd_predicate_instance_release(&test->scene);
    hd_bits_release(&test->holds);
    support_states_release(&test->states);
    hd_predicate_release(&test->predicate);
    hd_order_release(&test->order);
}

/* ---- The questions ---- */

/* The least solution among the states of a class; false if none exists. */
static bool least(const struct test *test, const hd_bits *among, uint32_t *state, size_t *count) {
    uint32_t other[SUPPORT_STATES_THREADS];
    bool found = false;
    *count = 0;
    for (size_t i = 0; i < test->states.vectors; i++) {
        if (!hd_bits_has(among, i) || !hd_bits_has(&test->holds, i))
            continue;
        support_states_vector(&test->states, i, other);
        if (!found || hd_predicate_less(&test->scene.space, other, state))
            memcpy(state, other, sizeof other);
        found = true;
        ++*count;
    }
    return found;
}

static int note(void *context, const uint32_t *state) {
    hd_vec_u64 *seen = context;
    (void)state;
    hd_vec_push(seen, 1);
    return 0;
}

static const char *compare(struct test *test, hd_predicate_request *request, const hd_bits *among) {
    hd_predicate_answer answer;
    hd_error error = {""};
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    size_t count;
    uint64_t counted;
    hd_vec_u64 seen = {0};
    bool found = least(test, among, state, &count);
    request->sink = note;
    request->context = &seen; // cppcheck-suppress autoVariables ; used up before this returns
    if (!hd_predicate_detect(&test->scene, request, &answer, &error))
        return "an error";
    const char *wrong = NULL;
    if (!answer.complete)
        wrong = "not complete";
    else if (answer.found != found)
        wrong = found ? "not found" : "found";
    else if (found && request->ask == HD_PREDICATE_LEAST_STATE &&
             memcmp(answer.state, state, test->states.threads * sizeof *state) != 0)
        wrong = "not the least state";
    else if (request->ask == HD_PREDICATE_HOW_MANY &&
             (!hd_cut_count_fits(&answer.states, &counted) || counted != count))
        wrong = "a wrong number";
    else if (request->ask == HD_PREDICATE_EVERY_STATE && seen.length != count)
        wrong = "not all states";
    hd_vec_release(&seen);
    hd_predicate_answer_release(&answer);
    return wrong;
}

/* Every question, by one algorithm over one class. */
static bool ask(struct test *test, enum hd_cut_class class, enum hd_cut_algorithm algorithm,
                unsigned workers, char *why, size_t size) {
    static const enum hd_predicate_ask asks[] = {HD_PREDICATE_LEAST_STATE, HD_PREDICATE_HOW_MANY,
                                                 HD_PREDICATE_EVERY_STATE};
    const hd_bits *among =
        test->model == HD_ORDER_POSET ? &test->states.poset : &test->states.classes[class];
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        hd_predicate_request request = {.class = class,
                                        .algorithm = algorithm,
                                        .ask = asks[i],
                                        .workers = workers,
                                        .memory = MEMORY};
        const char *wrong = compare(test, &request, among);
        if (wrong) {
            snprintf(why, size, "%s, %s states, ask %zu: %s: %s", hd_cut_algorithm_names[algorithm],
                     hd_cut_class_names[class], i, wrong, test->text);
            return false;
        }
    }
    return true;
}

/* ---- Every run ---- */

/* How many events the next step of a thread has in this state. */
static uint32_t step_length(const struct test *test, uint32_t place, const uint32_t *state) {
    uint32_t next[SUPPORT_STATES_THREADS];
    memcpy(next, state, sizeof next);
    next[place]++;
    return next[place] < test->states.length[place] && !support_predicate_whole(&test->states, next)
               ? 2
               : 1;
}

/* [number of the state]: a run that avoids it can come here.  Vectors come in an order
 * in which what is before a state has a smaller number. */
static bool can_avoid(const struct test *test, const hd_bits *states) {
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    hd_bits here;
    bool avoided = false;
    hd_bits_init(&here, test->states.vectors);
    if (!hd_bits_has(&test->holds, 0))
        hd_bits_set(&here, 0);
    for (size_t i = 0; i < test->states.vectors && !avoided; i++) {
        if (!hd_bits_has(&here, i))
            continue;
        support_states_vector(&test->states, i, state);
        bool maximal = true;
        for (uint32_t p = 0; p < test->states.threads; p++) {
            uint32_t events = step_length(test, p, state);
            if (state[p] + events > test->states.length[p])
                continue;
            size_t next = i + events * test->states.weight[p];
            if (!hd_bits_has(states, next))
                continue;
            maximal = false;
            if (!hd_bits_has(&test->holds, next))
                hd_bits_set(&here, next);
        }
        avoided = maximal;
    }
    hd_bits_release(&here);
    return avoided;
}

/* The run is one of the trace, passes no solution, and cannot go on. */
static bool is_avoiding(const struct test *test, const hd_vec_u32 *run, const hd_bits *states) {
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    for (size_t i = 0; i <= run->length; i++) {
        size_t number = support_states_number(&test->states, state);
        if (!hd_bits_has(states, number) || hd_bits_has(&test->holds, number))
            return false;
        if (i < run->length)
            state[test->scene.place_of[hd_order_thread_of(&test->order, run->data[i])]]++;
    }
    for (uint32_t p = 0; p < test->states.threads; p++)
        if (state[p] < test->states.length[p] &&
            hd_bits_has(states,
                        support_states_number(&test->states, state) + test->states.weight[p]))
            return false;
    return true;
}

static bool every_run(struct test *test, char *why, size_t size) {
    bool poset = test->model == HD_ORDER_POSET;
    const hd_bits *states = poset ? &test->states.poset : &test->states.classes[HD_CUT_REACHABLE];
    hd_predicate_request request = {.class = poset ? HD_CUT_CONSISTENT : HD_CUT_REACHABLE,
                                    .ask = HD_PREDICATE_EVERY_RUN,
                                    .workers = 1,
                                    .memory = MEMORY};
    hd_predicate_answer answer;
    hd_error error = {""};
    if (!hd_predicate_detect(&test->scene, &request, &answer, &error))
        return complain(test, why, size, "an error");
    bool avoidable = can_avoid(test, states);
    bool good = answer.found == !avoidable && answer.complete;
    bool shown = !answer.avoiding.length || is_avoiding(test, &answer.avoiding, states);
    hd_predicate_answer_release(&answer);
    if (!good)
        return complain(test, why, size, avoidable ? "some run avoids it" : "no run avoids it");
    return shown || complain(test, why, size, "a run that does not avoid it");
}

/* ---- Schedules ---- */

static bool proved(struct test *test, const hd_bits *states, char *why, size_t size) {
    hd_error error = {""};
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    hd_vec_u32 schedule = {0};
    hd_witness witness;
    hd_witness_init(&witness);
    hd_predicate_prover *prover = hd_predicate_prover_create(&test->scene, false, MEMORY, &error);
    bool good = true;
    for (size_t i = 0; i < test->states.vectors && good; i += 1 + i % 7) {
        support_states_vector(&test->states, i, state);
        if (!hd_cut_consistent(&test->scene.space, state) ||
            !support_predicate_whole(&test->states, state))
            continue;
        bool proves = hd_predicate_prove(prover, state, &schedule) == HD_ORDER_FEASIBLE;
        good = proves == hd_bits_has(states, i) &&
               (!proves || hd_predicate_witness(prover, state, &schedule, &witness, &error));
    }
    hd_predicate_prover_free(prover);
    hd_vec_release(&schedule);
    hd_witness_release(&witness);
    return good || complain(test, why, size, "a state without a schedule, or a schedule to none");
}

/* ---- Marks alone ---- */

/* How many states of marks are solutions: those that some solution of the whole has. */
static size_t states_of_marks(const struct test *test, const hd_predicate_instance *small) {
    hd_bits seen;
    size_t count = 0, weight = 1, number = 0;
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    for (uint32_t p = 0; p < test->states.threads; p++)
        weight *= small->space.length[p] + 1;
    hd_bits_init(&seen, weight + 1);
    for (size_t i = 0; i < test->states.vectors; i++, number = 0) {
        if (!hd_bits_has(&test->states.poset, i) || !hd_bits_has(&test->holds, i))
            continue;
        support_states_vector(&test->states, i, state);
        for (uint32_t p = 0; p < test->states.threads; p++) {
            uint32_t marks = 0;
            for (uint32_t c = 1; c <= state[p]; c++) {
                uint32_t event = hd_trace_event_at(&test->order.index, test->states.thread[p], c);
                marks += hd_trace_event(test->order.trace, event)->kind == HEDDLE_MARK;
            }
            number = number * (small->space.length[p] + 1) + marks;
        }
        count += !hd_bits_has(&seen, number);
        hd_bits_set(&seen, number);
    }
    hd_bits_release(&seen);
    return count;
}

static bool marks_alone(struct test *test, char *why, size_t size) {
    static const enum hd_cut_algorithm algorithms[] = {HD_CUT_AUTO, HD_CUT_QUICKLEX};
    hd_predicate_error wrong;
    hd_error error = {""};
    hd_predicate_instance small;
    uint32_t state[SUPPORT_STATES_THREADS] = {0}, lifted[SUPPORT_STATES_THREADS + 1] = {0};
    size_t all;
    bool good = true, found = least(test, &test->states.poset, state, &all);
    if (!hd_predicate_project(&small, &test->scene, &wrong))
        return true;
    for (int i = 0; i < 4 && good; i++) {
        hd_predicate_request request = {.algorithm = algorithms[i / 2],
                                        .ask = i % 2 ? HD_PREDICATE_HOW_MANY
                                                     : HD_PREDICATE_LEAST_STATE,
                                        .workers = 1,
                                        .memory = MEMORY};
        hd_predicate_answer answer;
        uint64_t count = 0;
        good = hd_predicate_detect(&small, &request, &answer, &error) && answer.found == found;
        if (good && i % 2)
            good =
                hd_cut_count_fits(&answer.states, &count) && count == states_of_marks(test, &small);
        if (good && found && i % 2 == 0) {
            hd_predicate_lift(&small, &test->scene, answer.state, lifted);
            good = hd_bits_has(&test->holds, support_states_number(&test->states, lifted));
        }
        hd_predicate_answer_release(&answer);
    }
    hd_predicate_instance_release(&small);
    return good || complain(test, why, size, "of marks alone");
}

/* ---- Online ---- */

/* The number of the last event of a state; that of the empty one is 1. */
static uint32_t last_event(const struct test *test, const uint32_t *state) {
    uint32_t last = 1;
    for (uint32_t p = 0; p < test->states.threads; p++)
        if (state[p]) {
            uint32_t event =
                hd_trace_event_at(&test->order.index, test->states.thread[p], state[p]);
            last = event > last ? event : last;
        }
    return last;
}

struct sights {
    struct test *test;
    const hd_bits *states; /* those of the class */
    uint32_t first;
    bool wrong;
    hd_predicate_window window;
    bool unshown; /* the checker does not take the window's schedule to a state */
};

/* Of a poset: is there a schedule in what is still known? */
static bool is_shown(struct sights *sights, const hd_predicate_sight *seen) {
    hd_witness witness;
    hd_vec_u32 schedule = {0};
    hd_witness_init(&witness);
    witness.claim.kind = HD_WITNESS_STATE;
    witness.claim.let_go = true;
    hd_predicate_window_schedule(&sights->window, seen, &schedule, &witness.claim.counts);
    for (size_t i = 0; i < schedule.length; i++)
        hd_vec_push(&witness.schedule, schedule.data[i]);
    sights->window.trace.tables = sights->test->order.trace->tables;
    bool shown = hd_witness_check(&witness, &sights->window.trace, NULL);
    sights->window.trace.tables = (hd_trace_tables){0};
    hd_vec_release(&schedule);
    hd_witness_release(&witness);
    return shown;
}

static int sight(void *context, const hd_predicate_sight *seen) {
    struct sights *sights = context;
    struct test *test = sights->test;
    uint32_t state[SUPPORT_STATES_THREADS] = {0};
    for (uint32_t p = 0; p < seen->places; p++)
        if (seen->state[p])
            state[test->scene.place_of[seen->threads[p]]] = seen->state[p];
    size_t number = support_states_number(&test->states, state);
    sights->wrong |=
        !hd_bits_has(sights->states, number) ||
        !support_predicate_holds(&test->states, &test->predicate.tree, test->model, state) ||
        last_event(test, state) != seen->event;
    if (!sights->first)
        sights->first = seen->event;
    sights->wrong |= !support_predicate_whole(&test->states, state);
    if (test->model == HD_ORDER_POSET)
        sights->unshown |= !is_shown(sights, seen);
    return 0;
}

/* The first event after which it is possible; 0 if none exists. */
static uint32_t first_possible(const struct test *test, const hd_bits *states) {
    uint32_t state[SUPPORT_STATES_THREADS], first = 0;
    for (size_t i = 0; i < test->states.vectors; i++) {
        if (!hd_bits_has(states, i))
            continue;
        support_states_vector(&test->states, i, state);
        uint32_t event = last_event(test, state);
        if ((!first || event < first) && support_predicate_whole(&test->states, state) &&
            support_predicate_holds(&test->states, &test->predicate.tree, test->model, state))
            first = event;
    }
    return first;
}

/* Online, `all threads` are those that have come so far.  Does it matter? */
static bool counts_absent(const struct test *test) {
    const hd_predicate *predicate = &test->predicate;
    for (size_t i = 0; i < predicate->locals.length; i++)
        if (predicate->locals.data[i].thread == HD_PREDICATE_NONE &&
            test->scene.facts.initial[i] != 0)
            return true;
    return hd_predicate_uses(predicate, HD_PREDICATE_ALL) ||
           hd_predicate_uses(predicate, HD_PREDICATE_LEAST) ||
           hd_predicate_uses(predicate, HD_PREDICATE_MOST);
}

/* What the detector is asked. */
static hd_predicate_online_options draw_options(const struct test *test, hd_random *random) {
    static const enum hd_cut_class classes[] = {HD_CUT_CONSISTENT, HD_CUT_FEASIBLE,
                                                HD_CUT_LOCK_FREE, HD_CUT_STRONGLY_FEASIBLE};
    bool small = hd_random_below(random, 2);
    hd_predicate_online_options options = {.workers = 1 + (unsigned)hd_random_below(random, 2),
                                           .window = small ? 1 + hd_random_below(random, 12) : 0,
                                           .loset = test->model == HD_ORDER_LOSET};
    if (options.loset)
        options.class = classes[hd_random_below(random, sizeof classes / sizeof *classes)];
    return options;
}

/* Lets a detector watch the trace; false if the predicate became unclear. */
static bool feed(hd_predicate_online *online, struct sights *sights, const hd_trace *trace,
                 hd_random *random) {
    hd_predicate_error wrong = {0};
    bool good = true;
    for (uint32_t n = 1; n <= hd_trace_length(trace) && good; n++) {
        hd_predicate_window_take(&sights->window, n, hd_trace_event(trace, n));
        good = hd_predicate_online_take(online, hd_trace_event(trace, n), &wrong);
        if (hd_random_below(random, 3) == 0) {
            hd_predicate_online_look(online, sight, sights);
            hd_predicate_window_forget(&sights->window, online);
        }
    }
    good = good && hd_predicate_online_end(online, &wrong);
    hd_predicate_online_finish(online, sight, sights);
    hd_predicate_window_release(&sights->window);
    return good;
}

/* The same without collections: found with the same event, and with no fewer looks. */
static bool watch_singly(struct test *test, const hd_trace *trace,
                         hd_predicate_online_options options, uint32_t first, uint64_t states,
                         hd_random *random, char *why, size_t size) {
    hd_predicate_error wrong = {0};
    struct sights sights = {.test = test, .states = &test->states.poset};
    if (options.loset)
        sights.states = &test->states.classes[options.class];
    options.singly = true;
    options.window = 0; /* with other looks in between, other events would be forgotten */
    hd_predicate_online *online =
        hd_predicate_online_create(&test->predicate, &trace->tables, &options, &wrong);
    feed(online, &sights, trace, random);
    uint64_t looks = hd_predicate_online_effort_of(online).states;
    hd_predicate_online_free(online);
    if (sights.wrong || sights.first != first)
        return complain(test, why, size, "another answer without collections");
    bool alone = test->predicate.tree.nodes.data[test->predicate.tree.root].kind ==
                 HD_PREDICATE_RACE; /* which counts pairs of accesses */
    enum { OVERLAP = 4 };           /* terms of which nothing is known may look at a state twice */
    return first || alone || states <= OVERLAP * looks ||
           complain(test, why, size, "more to look at with collections");
}

static bool watch(struct test *test, const hd_trace *trace, hd_random *random, char *why,
                  size_t size) {
    hd_predicate_error wrong = {0};
    hd_predicate_online_options options = draw_options(test, random);
    struct sights sights = {.test = test, .states = &test->states.poset};
    if (options.loset)
        sights.states = &test->states.classes[options.class];
    hd_predicate_online *online =
        hd_predicate_online_create(&test->predicate, &trace->tables, &options, &wrong);
    if (!online)
        return true; /* needs a whole trace */
    bool good = feed(online, &sights, trace, random);
    hd_predicate_online_effort effort = hd_predicate_online_effort_of(online);
    hd_predicate_online_free(online);
    if (!good)
        return complain(test, why, size, "unclear online, clear offline");
    uint32_t first = first_possible(test, sights.states);
    if (sights.wrong)
        return complain(test, why, size, "reported what is not so");
    if (sights.unshown)
        return complain(test, why, size, "no schedule in what is still known");
    if (effort.guessed && !options.window)
        return complain(test, why, size, "a notification is let on too early");
    bool missed = effort.unseen || effort.guessed; /* states may be */
    if (missed ? sights.first && sights.first < first : sights.first != first) {
        snprintf(why, size, "possible since %u, online since %u: %s", first, sights.first,
                 test->text);
        return false;
    }
    return missed || watch_singly(test, trace, options, first, effort.states, random, why, size);
}

static bool online_of(const hd_trace *trace, enum hd_order_model model, hd_random *random,
                      char *why, size_t size) {
    struct test test;
    bool good = true;
    if (hd_trace_length(trace) && test_init(&test, trace, model, random)) {
        good = counts_absent(&test) || watch(&test, trace, random, why, size);
        test_release(&test);
    } else if (hd_trace_length(trace)) {
        test_release(&test);
    }
    return good;
}

static bool online(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    return online_of(trace, HD_ORDER_POSET, random, why, size);
}

static bool online_loset(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    return online_of(trace, HD_ORDER_LOSET, random, why, size);
}

/* ---- Properties ---- */

static bool poset(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    static const enum hd_cut_algorithm algorithms[] = {HD_CUT_AUTO, HD_CUT_BFS, HD_CUT_LEX,
                                                       HD_CUT_QUICKLEX, HD_CUT_BOUNDS};
    struct test test;
    bool good = true;
    if (test_init(&test, trace, HD_ORDER_POSET, random)) {
        good = evaluate(&test, why, size);
        for (size_t i = 0; good && i < sizeof algorithms / sizeof *algorithms; i++)
            good = ask(&test, HD_CUT_CONSISTENT, algorithms[i], 1, why, size);
        good = good && ask(&test, HD_CUT_CONSISTENT, HD_CUT_BOUNDS, 2, why, size) &&
               ask(&test, HD_CUT_CONSISTENT, HD_CUT_AUTO, 2, why, size) &&
               every_run(&test, why, size) && proved(&test, &test.states.poset, why, size) &&
               marks_alone(&test, why, size);
    }
    test_release(&test);
    return good;
}

static bool loset(const hd_trace *trace, hd_random *random, char *why, size_t size) {
    struct test test;
    bool good = true;
    if (test_init(&test, trace, HD_ORDER_LOSET, random)) {
        good = evaluate(&test, why, size);
        for (int class = 0; good && class < HD_CUT_CLASSES; class ++)
            good = ask(&test, (enum hd_cut_class) class, HD_CUT_AUTO, class % 2 ? 2 : 1, why, size);
        good = good && every_run(&test, why, size) &&
               proved(&test, &test.states.classes[HD_CUT_REACHABLE], why, size);
    }
    test_release(&test);
    return good;
}

enum {
    MARKS = SUPPORT_MARKS | SUPPORT_VALUES,
    MESSAGES = MARKS | SUPPORT_CHANNELS | SUPPORT_FORKS,
    LOCKS = MARKS | SUPPORT_LOCKS | SUPPORT_RWLOCKS | SUPPORT_WAITS | SUPPORT_FORKS,
    ORDERS = SUPPORT_ATOMICS | SUPPORT_RMW | SUPPORT_ORDERS | SUPPORT_MARKS | SUPPORT_LOCKS |
             SUPPORT_FORKS
};

static const support_property properties[] = {
    {"posets of messages and marks", {4, 16, 1, 0, MESSAGES}, poset},
    {"posets of marks", {4, 12, 1, 0, MARKS}, poset},
    {"posets with locks", {4, 16, 2, 2, LOCKS}, poset},
    {"posets of all kinds", {4, 16, 2, 2, SUPPORT_ALL}, poset},
    {"online", {4, 16, 2, 1, MESSAGES | SUPPORT_LOCKS}, online},
    {"online, of all kinds", {4, 18, 2, 2, SUPPORT_ALL}, online},
    {"online, much waiting",
     {4, 18, 2, 1, SUPPORT_LOCKS | SUPPORT_WAITS | SUPPORT_MARKS | SUPPORT_SEMAPHORES},
     online},
    {"posets with memory orders", {4, 16, 2, 2, ORDERS}, poset},
    {"online, with memory orders", {4, 18, 2, 2, ORDERS}, online},
    {"online, losets", {4, 16, 2, 2, LOCKS}, online_loset},
    {"online, losets of all kinds",
     {4, 16, 2, 2, SUPPORT_ALL & ~(unsigned)SUPPORT_SEMAPHORES},
     online_loset},
    {"losets with locks", {4, 16, 2, 1, LOCKS}, loset},
    {"losets of all kinds", {3, 16, 2, 2, SUPPORT_ALL}, loset},
};

SUPPORT_SUITE(random_predicate) {
    return support_random_main(argc, argv, properties, sizeof properties / sizeof *properties);
}
