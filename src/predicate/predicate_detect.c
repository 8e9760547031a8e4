#include "predicate_detect.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "predicate_diagram.h"
#include "predicate_races.h"
#include "predicate_visit.h"

struct job {
    hd_predicate_instance *instance;
    hd_predicate_request *request;
    hd_predicate_answer *answer;
    hd_predicate_form form;
    unsigned classes; /* 1 << class of each term */
};

static void because(hd_predicate_answer *answer, const char *format, ...) HD_PRINTF(2, 3);

static void because(hd_predicate_answer *answer, const char *format, ...) {
    size_t used = strlen(answer->why);
    va_list arguments;
    va_start(arguments, format);
    if (used)
        used += (size_t)snprintf(answer->why + used, HD_PREDICATE_WORDS - used, "; ");
    if (used < HD_PREDICATE_WORDS)
        vsnprintf(answer->why + used, HD_PREDICATE_WORDS - used, format, arguments);
    va_end(arguments);
}

static void by(hd_predicate_answer *answer, const char *algorithm) {
    snprintf(answer->algorithm, sizeof answer->algorithm, "%s", algorithm);
}

/* ---- What class it is of ---- */

static const char *const class_names[] = {
    [HD_PREDICATE_CONJUNCTIVE] = "conjunctive",
    [HD_PREDICATE_LINEAR] = "linear",
    [HD_PREDICATE_ADDITIVE] = "additive",
    [HD_PREDICATE_RACES] = "pairs of events",
    [HD_PREDICATE_SLICED] = "general, with a conjunctive part",
    [HD_PREDICATE_GENERAL] = "general",
};

static void name_class(struct job *job) {
    hd_predicate_answer *answer = job->answer;
    size_t terms = job->form.terms.length;
    int worst = 0;
    for (size_t i = 0; i < terms; i++) {
        int class = (int)hd_predicate_term_class(&job->form, i);
        job->classes |= 1U << class;
        worst = class > worst ? class : worst;
    }
    const char *stable = hd_predicate_form_stable(&job->form) ? "stable, " : "";
    if (!terms)
        snprintf(answer->class, sizeof answer->class, "never true");
    else if (terms == 1)
        snprintf(answer->class, sizeof answer->class, "%s%s", stable, class_names[worst]);
    else
        snprintf(answer->class, sizeof answer->class, "%sa disjunction of %zu terms, %s", stable,
                 terms, class_names[worst]);
}

/* ---- Over consistent states: term by term ---- */

static void take_state(struct job *job, const uint32_t *state) {
    hd_predicate_answer *answer = job->answer;
    const hd_cut_space *space = &job->instance->space;
    HD_COSTLY_ASSERT(hd_cut_seems_consistent(space, state));
    /* The least one is looked for without the steps of a loset that is no run. */
    HD_COSTLY_ASSERT(job->instance->together.rows || hd_predicate_true(job->instance, state));
    if (answer->found && !hd_predicate_less(space, state, answer->state))
        return;
    memcpy(answer->state, state, space->threads * sizeof *state);
    answer->found = true;
}

static void least_of_term(struct job *job, const hd_predicate_term *term) {
    uint32_t *state = HD_NEW_ARRAY(uint32_t, job->instance->space.stride + 1);
    if (hd_predicate_least(&job->form, term, state))
        take_state(job, state);
    free(state);
}

static bool race_wants_all(const struct job *job) {
    const hd_predicate *predicate = job->instance->facts.predicate;
    for (size_t i = 0; i < predicate->tree.nodes.length; i++)
        if (predicate->tree.nodes.data[i].initialisation)
            return true;
    return false;
}

static void least_race(struct job *job) {
    uint32_t *state = HD_NEW_ARRAY(uint32_t, job->instance->space.stride + 1);
    uint64_t pairs;
    if (hd_predicate_least_race(&job->form, race_wants_all(job), state, &pairs))
        take_state(job, state);
    job->answer->looked_at += pairs;
    free(state);
}

/* Sums over the diagram, if it is not too large. */
static bool sum_term(struct job *job, const hd_predicate_term *term,
                     const hd_predicate_slice *slice) {
    hd_predicate_diagram *diagram =
        slice->empty
            ? NULL
            : hd_predicate_diagram_create(&job->form, term, slice, job->request->memory / 4);
    if (!diagram)
        return false;
    job->answer->found = hd_predicate_diagram_least(diagram, &job->request->control,
                                                    job->answer->state, job->answer->found);
    hd_predicate_diagram_free(diagram);
    return true;
}

static void search_term(struct job *job, const hd_predicate_term *term) {
    hd_predicate_slice slice;
    hd_predicate_slice_init(&slice, &job->form, term, job->request->memory / 4);
    bool sums = !term->opaque && !term->races;
    if (!sums || !sum_term(job, term, &slice))
        job->answer->found = hd_predicate_search(&job->form, term, &slice, &job->request->control,
                                                 job->answer->state, job->answer->found);
    hd_predicate_slice_release(&slice);
}

static void explain_terms(struct job *job) {
    hd_predicate_answer *answer = job->answer;
    unsigned easy = 1U << HD_PREDICATE_CONJUNCTIVE | 1U << HD_PREDICATE_LINEAR;
    assert(job->classes); /* there is a term, and it has one */
    if (job->classes & (1U << HD_PREDICATE_CONJUNCTIVE))
        because(answer, "each condition is of one thread, so a false one says which thread must "
                        "go on");
    if (job->classes & (1U << HD_PREDICATE_LINEAR))
        because(answer, "while a sum is too small, only one thread can make it larger");
    if (job->classes & (1U << HD_PREDICATE_RACES))
        because(answer, "two accesses have a least state with both");
    if (job->classes & (1U << HD_PREDICATE_ADDITIVE))
        because(answer, "states with the same completions have the same sums to come");
    if (job->classes & (1U << HD_PREDICATE_SLICED))
        because(answer, "the conjunctive part leaves a slice of the states to search");
    if (job->classes & (1U << HD_PREDICATE_GENERAL))
        because(answer, "nothing is known of its form but how to evaluate it");
    if (!(job->classes & ~easy))
        by(answer, job->classes & (1U << HD_PREDICATE_LINEAR) ? "least state, by forbidden threads"
                                                              : "least state of conjunctions");
    else if (!(job->classes & ~(1U << HD_PREDICATE_RACES)))
        by(answer, "pairs of accesses");
    else if (!(job->classes & ~(easy | 1U << HD_PREDICATE_ADDITIVE)))
        by(answer, "sums over the diagram");
    else
        by(answer, job->classes & (1U << HD_PREDICATE_SLICED) ? "branch and bound on a slice"
                                                              : "branch and bound");
}

/* A stable predicate that is false in the last state never was true. */
static bool refuted_at_the_end(struct job *job) {
    if (!hd_predicate_form_stable(&job->form) ||
        hd_predicate_holds(&job->instance->facts, job->instance->space.length))
        return false;
    by(job->answer, "last state");
    because(job->answer, "once true it stays true, and in the last state it is false");
    return true;
}

static void detect_terms(struct job *job) {
    if (!job->form.terms.length) {
        by(job->answer, "none");
        because(job->answer, "it cannot be true in any state of this model");
        return;
    }
    if (refuted_at_the_end(job))
        return;
    explain_terms(job);
    for (int pass = 0; pass < 2; pass++) /* what is found quickly bounds the others */
        for (size_t i = 0; i < job->form.terms.length; i++) {
            const hd_predicate_term *term = &job->form.terms.data[i];
            enum hd_predicate_class class = hd_predicate_term_class(&job->form, i);
            bool quick = class <= HD_PREDICATE_LINEAR || class == HD_PREDICATE_RACES;
            if (quick != (pass == 0) || job->request->control.stopped)
                continue;
            if (class == HD_PREDICATE_RACES)
                least_race(job);
            else if (quick)
                least_of_term(job, term);
            else
                search_term(job, term);
        }
    HD_COSTLY_ASSERT(!job->answer->found || hd_predicate_true(job->instance, job->answer->state));
}

/* ---- Every run ---- */

static bool single_condition(const struct job *job) {
    return job->form.terms.length == 1 && job->form.terms.data[0].places == 1 &&
           hd_predicate_term_class(&job->form, 0) == HD_PREDICATE_CONJUNCTIVE;
}

static void avoid(struct job *job, const hd_cut_loset *loset) {
    by(job->answer, "search for a run that avoids it");
    int there_is = hd_predicate_avoid(job->instance, loset, job->request->memory,
                                      &job->request->control, &job->answer->avoiding);
    assert(there_is == 1 || !job->answer->avoiding.length);
    job->answer->found = there_is == 0;
    job->answer->complete = there_is >= 0;
}

static void every_run(struct job *job) {
    bool poset = job->request->class == HD_CUT_CONSISTENT;
    bool conjunctive = job->form.terms.length == 1 &&
                       hd_predicate_term_class(&job->form, 0) == HD_PREDICATE_CONJUNCTIVE;
    if (poset && hd_predicate_form_stable(&job->form)) {
        by(job->answer, "last state");
        because(job->answer, "once true it stays true, and every run ends in the last state");
        job->answer->found = hd_predicate_holds(&job->instance->facts, job->instance->space.length);
    } else if (poset && conjunctive) {
        by(job->answer, "overlapping intervals");
        because(job->answer, single_condition(job)
                                 ? "every run passes every count of a thread"
                                 : "each interval must begin before every other one ends");
        job->answer->found = hd_predicate_is_strong(&job->form, &job->form.terms.data[0]);
    } else if (poset) {
        because(job->answer, "nothing quicker is known for its form");
        avoid(job, NULL);
    } else {
        hd_cut_loset loset;
        hd_cut_loset_init(&loset, &job->instance->space, !job->instance->order->trace->loset);
        because(job->answer, "a run of a loset can end in a deadlock");
        avoid(job, &loset);
        hd_cut_loset_release(&loset);
    }
}

/* ---- All of it ---- */

/* Over consistent states a quick answer that none exists holds for fewer states too. */
static bool refuted(struct job *job) {
    unsigned easy = 1U << HD_PREDICATE_CONJUNCTIVE | 1U << HD_PREDICATE_LINEAR;
    if (job->classes & ~(easy | 1U << HD_PREDICATE_RACES))
        return false;
    for (size_t i = 0; i < job->form.terms.length && !job->answer->found; i++)
        if (hd_predicate_term_class(&job->form, i) == HD_PREDICATE_RACES)
            least_race(job);
        else
            least_of_term(job, &job->form.terms.data[i]);
    bool none = !job->answer->found;
    job->answer->found = false;
    if (none) {
        by(job->answer, job->classes & (1U << HD_PREDICATE_RACES) ? "pairs of accesses"
                                                                  : "least state of conjunctions");
        because(job->answer, "not even a consistent state has it");
    }
    return none;
}

/* Are the states all that are closed under the order?  Those of a loset with semaphores need
 * enough units, too, which only visiting them tells. */
static bool is_lattice(const struct job *job) {
    const hd_predicate_instance *instance = job->instance;
    bool counts = instance->model == HD_ORDER_LOSET &&
                  instance->order->trace->tables.names[HEDDLE_CLASS_SEMAPHORE].length;
    return job->request->class == HD_CUT_CONSISTENT && !counts && !instance->together.rows;
}

/* One term of local conditions and sums, over consistent states: nothing is visited. */
/* Is the number of states zero if and only if none was found? */
HD_ASSERT_ONLY static bool count_says_found(const hd_predicate_answer *answer) {
    uint64_t states;
    bool fits = hd_cut_count_fits(&answer->states, &states);
    return answer->found == (!fits || states);
}

static bool count_symbolically(struct job *job) {
    const hd_predicate_request *request = job->request;
    const hd_predicate_term *term = job->form.terms.data;
    if (request->ask != HD_PREDICATE_HOW_MANY || request->algorithm != HD_CUT_AUTO ||
        !is_lattice(job) || request->keep || job->form.terms.length != 1 || term->opaque ||
        term->races)
        return false;
    hd_predicate_slice slice;
    hd_predicate_slice_init(&slice, &job->form, term, request->memory / 4);
    hd_predicate_diagram *diagram =
        slice.empty ? NULL
                    : hd_predicate_diagram_create(&job->form, term, &slice, request->memory / 4);
    bool good = slice.empty || (diagram && hd_predicate_diagram_count(diagram, request->memory / 4,
                                                                      &job->answer->states));
    hd_predicate_diagram_free(diagram);
    hd_predicate_slice_release(&slice);
    if (good) {
        job->answer->found = job->answer->states.limbs.length != 0;
        assert(count_says_found(job->answer));
        by(job->answer, "sums over the diagram");
        because(job->answer, "states with the same completions have the same sums to come");
    }
    return good;
}

/* Is it a matter of pairs of events alone, of which only the number is asked? */
static bool count_races(struct job *job) {
    const hd_predicate_request *request = job->request;
    if (request->ask != HD_PREDICATE_HOW_MANY || request->algorithm != HD_CUT_AUTO ||
        !is_lattice(job) || request->keep || job->classes != 1U << HD_PREDICATE_RACES ||
        !hd_predicate_count_races(job->instance, race_wants_all(job), job->request, job->answer))
        return false;
    assert(count_says_found(job->answer));
    by(job->answer, "pairs of accesses, in blocks of states");
    because(job->answer, "two accesses race whatever the other threads do");
    return true;
}

static bool enumerate(struct job *job, hd_error *error) {
    if (count_symbolically(job) || count_races(job) ||
        (job->request->ask != HD_PREDICATE_EVERY_STATE && refuted(job)))
        return true;
    job->answer->why[0] = '\0';
    return hd_predicate_visit(job->instance, job->request, job->answer, error);
}

bool hd_predicate_detect(hd_predicate_instance *instance, hd_predicate_request *request,
                         hd_predicate_answer *answer, hd_error *error) {
    *answer = (hd_predicate_answer){.complete = true};
    answer->state = HD_NEW_ARRAY(uint32_t, instance->space.stride + 1);
    struct job job = {.instance = instance, .request = request, .answer = answer};
    hd_predicate_form_init(&job.form, instance);
    name_class(&job);
    bool direct = request->algorithm == HD_CUT_AUTO && is_lattice(&job) && !request->keep &&
                  request->ask == HD_PREDICATE_LEAST_STATE;
    bool good = true;
    if (request->ask == HD_PREDICATE_EVERY_RUN)
        every_run(&job);
    else if (direct)
        detect_terms(&job);
    else
        good = enumerate(&job, error);
    answer->looked_at += request->control.states;
    answer->complete &= !request->control.stopped;
    assert(!good || answer->algorithm[0]); /* one of them gave the answer */
    hd_predicate_form_release(&job.form);
    if (!good)
        hd_predicate_answer_release(answer);
    return good;
}

void hd_predicate_answer_release(hd_predicate_answer *answer) {
    free(answer->state);
    hd_cut_count_release(&answer->states);
    hd_vec_release(&answer->avoiding);
    *answer = (hd_predicate_answer){0};
}
