/*
 * The verdict of the question explore: what was asked, why the search is not complete, and what the
 * answer rests on.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_explore.h"
#include "engine_sequence.h"
#include "engine_verdict.h"

/* ---- What was asked ---- */

static const char *failures_of(enum hd_engine_property property) {
    return property == HD_ENGINE_UNREACH_CALL      ? "errors reached, crashes"
           : property == HD_ENGINE_VALID_MEMSAFETY ? "uses of memory that are not valid, crashes"
           : property == HD_ENGINE_NO_OVERFLOW     ? "overflow of signed numbers, crashes"
                                                   : "crashes";
}

static char *words_of(const hd_engine_exploration *e) {
    const char *words[4];
    size_t count = 0;
    hd_vec_char text = {0};
    if (e->find & HD_ENGINE_FIND_FAILURE)
        words[count++] = e->sv_comp   ? failures_of(e->property)
                         : e->program ? "assertions, crashes, exit status"
                                      : "assertions";
    if (e->find & HD_ENGINE_FIND_DEADLOCK)
        words[count++] = "deadlocks";
    if (e->find & HD_ENGINE_FIND_RACE)
        words[count++] = "data races";
    if (e->find & HD_ENGINE_FIND_OUTCOME)
        words[count++] = e->nondet ? "whether output, exit status and marks differ" : "outcomes";
    for (size_t i = 0; i < count; i++) {
        const char *parts[] = {i == 0 ? "" : i + 1 == count ? " and " : ", ", words[i]};
        for (size_t k = 0; k < 2; k++)
            for (const char *c = parts[k]; *c; c++)
                hd_vec_push(&text, *c);
    }
    hd_vec_push(&text, '\0');
    return text.data;
}

/* ---- Why it is not complete ---- */

static void not_all_runs(const hd_engine_exploration *e, hd_verdict *verdict) {
    if (e->walk)
        hd_verdict_not(verdict, "sampled", "random runs are not all schedules");
    if (e->graph)
        hd_verdict_not(verdict, "sampled", "states that are predicted prove nothing");
    if (e->options.bounded && e->result.complete && e->result.beyond)
        hd_verdict_not(verdict, "sampled",
                       "all schedules with up to %s were searched; there are others",
                       hd_text_count(e->options.preemptions, "preemption", "preemptions"));
}

/* An estimate of two digits, which is never all: the search was not complete. */
static void print_covered(const hd_explore_result *result, char *to, size_t size) {
    double share = 100 * result->covered, error = 100 * result->covered_error;
    if (share >= 99)
        snprintf(to, size, ", more than 99 %% covered");
    else if (error >= 1)
        snprintf(to, size, ", about %.2g %% covered (give or take %.0f %% of that)", share, error);
    else
        snprintf(to, size, ", about %.2g %% covered", share);
}

/* A run is left out because another one shows what it would, so one is not. */
static void lost_all_runs(const hd_engine_exploration *e, hd_verdict *verdict) {
    if (e->program && e->result.complete && !e->result.executions)
        hd_verdict_not(verdict, "contradiction",
                       "every run was left out for another one: please report this program");
}

/* What a search that did not see everything came up against. */
static void not_finished(const hd_engine_exploration *e, hd_verdict *verdict) {
    const hd_explore_result *result = &e->result;
    char covered[64] = "";
    if (result->complete)
        return;
    if (result->covered > 0 && result->covered < 1)
        print_covered(result, covered, sizeof covered);
    if (result->cut)
        hd_verdict_not(verdict, "cut", "executions were cut off at the limit on steps%s", covered);
    if (e->portfolio.depth)
        hd_verdict_not(verdict, "cut", "only the first %s of each thread were searched completely",
                       hd_text_count(e->portfolio.depth, "step", "steps"));
    if (result->hung && e->hung.length)
        hd_verdict_not(verdict, "hang", "%.*s", (int)e->hung.length, e->hung.data);
    else if (result->hung)
        hd_verdict_not(verdict, "hang", "a thread takes no step any more");
    if (result->limit == HD_EXPLORE_LIMIT_INTERRUPT)
        hd_verdict_not(verdict, "interrupted", "interrupted%s", covered);
    else if (result->limit && result->limit != HD_EXPLORE_LIMIT_STEPS &&
             result->limit != HD_EXPLORE_LIMIT_HANG)
        hd_verdict_not(verdict, "limit", "stopped by the limit on %s%s",
                       hd_explore_limit_name(result->limit), covered);
    if (result->stopped)
        hd_verdict_not(verdict, "stopped", "stopped at the first %s",
                       e->nondet ? "difference" : "failure");
    if (e->keep.back)
        hd_verdict_not(verdict, "undecided",
                       "the search started over, for more was learnt of the program than "
                       "the checkpoint has, and has not found again what that has, which is "
                       "what is shown");
    if (hd_verdict_complete(verdict))
        hd_verdict_not(verdict, "limit", "the search ended early%s", covered);
    if (e->widened && !e->walk && !e->graph && !e->findings.found.length)
        hd_verdict_note(verdict, "inputs",
                        "with 0, 1, -1, 2, 3 for every input the search was complete");
}

/* ---- What it rests on ---- */

static void rest_on_model(const hd_engine_exploration *e, hd_verdict *verdict) {
    hd_verdict_rests(verdict, "memory-model", NULL, HD_VERDICT_FIRM,
                     "sequential consistency: a read sees the last write");
    hd_verdict_basis *basis = hd_verdict_rests(
        verdict, "inputs", NULL, HD_VERDICT_FIRM, "%s of the model%s",
        e->defines.length ? hd_text_count(e->defines.length, "parameter", "parameters")
                          : "the parameters",
        e->defines.length ? " given, others as they are there" : " as they are there");
    for (size_t i = 0; i < e->defines.length; i++)
        hd_verdict_name(basis, e->defines.data[i].name);
}

static void rest_on_program(const hd_engine_exploration *e, hd_verdict *verdict) {
    hd_native_machine_rests(e->machine, verdict);
    hd_verdict_join_doubts(verdict, &e->rested);
    hd_native_machine_notes(e->machine, verdict);
    hd_engine_verdict_inputs(verdict, e->arguments, false);
    if (!hd_verdict_complete(verdict))
        return;
    hd_verdict_basis *basis = hd_verdict_rests(
        verdict, "depth", NULL, HD_VERDICT_FIRM, "every thread of every execution ended within %s",
        hd_text_count(e->options.most_steps, "step", "steps"));
    hd_verdict_figure(basis, "limit", e->options.most_steps);
}

/* Of a model the text shows that they do the same, unless they were declared. */
static void rest_on_symmetry(const hd_engine_exploration *e, hd_verdict *verdict) {
    if (!e->options.symmetric || !e->result.classes)
        return;
    hd_verdict_basis *basis =
        hd_verdict_rests(verdict, "symmetry", NULL, HD_VERDICT_FIRM,
                         "%u threads, in %s, are interchangeable%s%s: of executions in which they "
                         "change places one is explored",
                         e->result.alike, hd_text_count(e->result.classes, "class", "classes"),
                         *e->symmetry ? " by the word of --symmetry"
                         : e->program ? ", as they run the same function with the same argument"
                                      : "",
                         e->program ? ", wherever their stacks, blocks and thread-local variables "
                                      "are"
                                    : "");
    hd_verdict_figure(basis, "classes", e->result.classes);
    hd_verdict_figure(basis, "threads", e->result.alike);
    if (e->program && hd_native_machine_shows_alike(e->machine))
        hd_verdict_rests(verdict, "symmetry", "addresses", HD_VERDICT_SHAKY,
                         "interchangeable threads store addresses of their own stacks, blocks or "
                         "thread-local variables where others find them: if these are compared for "
                         "more than equality, they tell the threads apart");
}

/* ---- The competition's word for it ---- */

size_t hd_engine_explore_violation(const hd_engine_exploration *e) {
    size_t i = 0;
    while (i < e->findings.found.length &&
           !hd_engine_property_broken(e->property, e->findings.found.data[i].rule,
                                      e->findings.found.data[i].message))
        i++;
    return i;
}

const char *hd_engine_explore_word(const hd_engine_exploration *e) {
    size_t i = hd_engine_explore_violation(e);
    const hd_finding *finding = i < e->findings.found.length ? &e->findings.found.data[i] : NULL;
    unsigned wanted = hd_engine_property_find(e->property);
    return hd_engine_property_word(
        e->property,
        finding ? hd_engine_property_broken(e->property, finding->rule, finding->message) : NULL,
        (e->find & wanted) == wanted, &e->verdict);
}

bool hd_engine_explore_sequence(const hd_engine_exploration *e, const char *source,
                                const char *path, hd_error *error) {
    size_t i = path ? hd_engine_explore_violation(e) : e->findings.found.length;
    if (i == e->findings.found.length)
        return true;
    hd_engine_shown shown = hd_engine_explore_shown(e, i);
    return hd_engine_sequence_save(&shown, e->property, source, path, error);
}

/* ---- All of it ---- */

void hd_engine_explore_judge(hd_engine_exploration *e) {
    char *asked = words_of(e);
    hd_verdict *verdict = &e->verdict;
    hd_verdict_init(verdict, asked);
    free(asked);
    not_all_runs(e, verdict);
    lost_all_runs(e, verdict);
    not_finished(e, verdict);
    hd_engine_verdict_stopped(verdict, e->fault);
    if (e->varies.length)
        hd_verdict_not(verdict, "varies", "%.*s", (int)e->varies.length, e->varies.data);
    if (e->unsaid && e->find & HD_ENGINE_FIND_OUTCOME)
        hd_verdict_not(verdict, "limit", "a run has more marks and inputs than are compared");
    if (e->program)
        rest_on_program(e, verdict);
    else
        rest_on_model(e, verdict);
    hd_verdict_basis *basis =
        hd_verdict_rests(verdict, "threads", NULL, HD_VERDICT_FIRM, "%s",
                         hd_text_count(e->machine->threads, "thread", "threads"));
    hd_verdict_figure(basis, "threads", e->machine->threads);
    rest_on_symmetry(e, verdict);
    if (e->nondet)
        hd_engine_verdict_left_out(verdict, &e->filter, "mark or call that prints is not compared",
                                   "marks or calls that print are not compared");
    else
        hd_engine_verdict_filter(verdict, &e->filter);
    verdict->found = e->findings.found.length > 0;
}
