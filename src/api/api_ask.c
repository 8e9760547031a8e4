/*
 * heddle_ask: a question through the engine, under a guard, so that nothing ends the host.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api_trace.h"
#include "engine/engine.h"
#include "heddle/ask.h"

_Static_assert((int)HEDDLE_TESTS == (int)HD_ENGINE_TEST, "the questions are in one order");
_Static_assert((int)HEDDLE_CATCH2 == (int)HD_ENGINE_CATCH2, "frameworks are in one order");
_Static_assert((int)HEDDLE_NOT_COMPLETE == (int)HD_REPORT_TEST_OPEN, "ends are in one order");
_Static_assert((int)HEDDLE_FIND_OUTCOME == (int)HD_ENGINE_FIND_OUTCOME, "the same bits");
_Static_assert((int)HEDDLE_ERROR == (int)HD_REPORT_ERROR, "levels are in one order");
_Static_assert((int)HEDDLE_REPLAYED == (int)HD_REPORT_REPLAYED, "proofs are in one order");

struct heddle_answer {
    hd_engine_answer inner;
    int status;
    HD_VEC(heddle_finding) findings;
    HD_VEC(heddle_reason) reasons;
    HD_VEC(heddle_basis) bases;
    HD_VEC(heddle_outcome) outcomes;
    HD_VEC(heddle_test_result) tests;
};

/* ---- Findings ---- */

static void describe_finding(heddle_finding *to, const hd_report_finding *from) {
    heddle_place *places = HD_NEW_ARRAY(heddle_place, from->places.length + 1);
    to->places = places;
    heddle_step *steps = HD_NEW_ARRAY(heddle_step, from->steps.length + 1);
    to->steps = steps;
    for (size_t i = 0; i < from->places.length; i++) {
        const hd_report_place *place = &from->places.data[i];
        places[i] = (heddle_place){place->role, place->thread, place->text,
                                   place->file, place->line,   place->event};
    }
    for (size_t i = 0; i < from->steps.length; i++) {
        const hd_report_step *step = &from->steps.data[i];
        steps[i] = (heddle_step){step->thread, step->text, step->file, step->line, step->event};
    }
    to->size = sizeof *to;
    to->rule = from->id;
    to->message = from->message ? from->message : from->rule->text;
    to->variable = from->variable;
    to->witness = from->witness;
    to->level = (enum heddle_level)from->level;
    to->proof = (enum heddle_proof)from->proof;
    to->fingerprint = from->fingerprint   ? from->fingerprint
                      : from->said.length ? from->said.data[0]
                                          : 0;
    to->count = from->count;
    to->place_count = from->places.length;
    to->step_count = from->steps.length;
}

static void release_finding(heddle_finding *finding) {
    free((void *)(uintptr_t)finding->places);
    free((void *)(uintptr_t)finding->steps);
}

/* ---- The question ---- */

struct asked {
    heddle_question question; /* all members, whatever the version */
    double started;
};

static int tell(void *context, hd_report_finding *from) {
    const struct asked *asked = context;
    heddle_finding finding = {0};
    describe_finding(&finding, from);
    int enough = asked->question.found(asked->question.context, &finding);
    release_finding(&finding);
    return enough;
}

static bool stops(void *context) {
    const struct asked *asked = context;
    return asked->question.progress(asked->question.context,
                                    hd_progress_clock() - asked->started) != 0;
}

static hd_engine_question inner_question(struct asked *asked) {
    const heddle_question *q = &asked->question;
    return (hd_engine_question){
        .what = (enum hd_engine_what)q->what,
        .path = q->path,
        .arguments = {(char *const *)(uintptr_t)q->arguments, q->argument_count},
        .predicate = q->predicate,
        .witness = q->witness,
        .output = q->output,
        .accept = q->accept,
        .seconds = q->seconds,
        .executions = q->executions,
        .depth = q->depth,
        .effort = q->effort,
        .memory = (size_t)q->memory,
        .seeds = q->seeds,
        .find = q->find,
        .first = q->first,
        .threads = q->threads,
        .seed = q->seed,
        .filter = q->filter,
        .framework = (unsigned)q->framework,
        .test_seconds = q->test_seconds,
        .blocks = q->blocks != 0,
        .found = q->found ? tell : NULL,
        .stops = q->progress ? stops : NULL,
        .context = asked,
    };
}

/* What cannot mean anything, or is no value of a member, is a mistake that the caller should hear
 * of. */
static bool means_something(const heddle_question *q, hd_error *error) {
    enum {
        ALL = HEDDLE_FIND_FAILURE | HEDDLE_FIND_DEADLOCK | HEDDLE_FIND_RACE | HEDDLE_FIND_OUTCOME
    };
    if (q->find & ~(unsigned)ALL)
        return hd_error_set(error, "find has bits that are none of HEDDLE_FIND_...: %#x",
                            q->find & ~(unsigned)ALL);
    if (q->argument_count && !q->arguments)
        return hd_error_set(error, "arguments is NULL, and argument_count is %zu",
                            q->argument_count);
    for (size_t i = 0; i < q->argument_count; i++)
        if (!q->arguments[i])
            return hd_error_set(error, "arguments[%zu] is NULL", i);
    if (!(q->seconds >= 0) || !(q->test_seconds >= 0))
        return hd_error_set(error, "%s is not a time",
                            q->seconds >= 0 ? "test_seconds" : "seconds");
    struct stat state;
    bool in_folder = q->output && (q->what == HEDDLE_CHECK || q->what == HEDDLE_TESTS);
    if (in_folder && (stat(q->output, &state) != 0 || !S_ISDIR(state.st_mode)))
        return hd_error_set(error, "%s: no such folder", q->output);
    if (q->blocks > 1)
        return hd_error_set(error, "blocks is 0 or 1");
    return true;
}

/* A question of an older version is shorter; of a newer one what is not known here must be 0. */
static bool take_question(struct asked *asked, const heddle_question *question, hd_error *error) {
    const char *bytes = (const char *)question;
    size_t least = offsetof(heddle_question, path) + sizeof question->path;
    if (!question || question->size < least || question->size > 4096)
        return hd_error_set(error, "the question has no size: begin it with HEDDLE_QUESTION");
    for (size_t i = sizeof *question; i < question->size; i++)
        if (bytes[i])
            return hd_error_set(error, "the question is of a newer version than this library");
    memcpy(&asked->question, question,
           question->size < sizeof *question ? question->size : sizeof *question);
    if ((unsigned)question->what > HEDDLE_TESTS)
        return hd_error_set(error, "there is no question %d", (int)question->what);
    return means_something(&asked->question, error);
}

/* ---- The answer ---- */

static void fill_in(heddle_answer *answer) {
    const hd_engine_answer *inner = &answer->inner;
    const hd_verdict *verdict = &inner->verdict;
    answer->status = hd_verdict_status(verdict);
    for (size_t i = 0; i < inner->report->findings.length; i++) {
        hd_vec_push(&answer->findings, (heddle_finding){0});
        describe_finding(hd_vec_last(&answer->findings), &inner->report->findings.data[i]);
    }
    for (size_t i = 0; i < verdict->why_not.length; i++)
        hd_vec_push(&answer->reasons,
                    (heddle_reason){verdict->why_not.data[i].code, verdict->why_not.data[i].text});
    for (size_t i = 0; i < verdict->rests_on.length; i++) {
        const hd_verdict_basis *basis = verdict->rests_on.data[i];
        hd_vec_push(&answer->bases,
                    (heddle_basis){basis->code, basis->what, basis->text,
                                   basis->trust == HD_VERDICT_SHAKY, basis->accepted});
    }
    for (size_t i = 0; i < inner->outcomes.length; i++) {
        const hd_engine_way *way = &inner->outcomes.data[i];
        hd_vec_push(&answer->outcomes, (heddle_outcome){way->killed, way->status, way->output,
                                                        way->bytes, way->executions});
    }
    for (size_t i = 0; i < inner->report->tests.length; i++) {
        const hd_report_test *test = &inner->report->tests.data[i];
        hd_vec_push(&answer->tests,
                    (heddle_test_result){test->name, (enum heddle_test_end)test->end, test->reason,
                                         test->replay, test->history, test->executions,
                                         test->seconds});
    }
}

static void out_of_guard(heddle_error *error, const char *text) {
    if (!error)
        return;
    snprintf(error->text, sizeof error->text, "%s", text);
    for (char *end = strchr(error->text, '\n'); end; end = strchr(end, '\n'))
        *end = ' ';
}

heddle_answer *heddle_ask(const heddle_question *question, heddle_error *error) {
    struct asked asked = {.started = hd_progress_clock()};
    const hd_clock *clock = hd_clock_current();
    hd_error wrong = {""};
    hd_mem_guard guard;
    hd_progress_allow(false);
    hd_engine_ask_begin();
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) { /* the answer so far is lost */
        hd_engine_ask_abandon(clock);
        out_of_guard(error, guard.text);
        return NULL;
    }
    bool good = take_question(&asked, question, &wrong);
    heddle_answer *answer = HD_NEW(heddle_answer);
    if (good) {
        hd_engine_question inner = inner_question(&asked);
        good = hd_engine_ask(&inner, &answer->inner, &wrong);
        if (good)
            fill_in(answer);
    }
    hd_mem_guard_end(&guard);
    if (good)
        return answer;
    out_of_guard(error, wrong.text);
    heddle_answer_free(answer);
    return NULL;
}

void heddle_answer_free(heddle_answer *answer) {
    if (!answer)
        return;
    for (size_t i = 0; i < answer->findings.length; i++)
        release_finding(&answer->findings.data[i]);
    hd_vec_release(&answer->findings);
    hd_vec_release(&answer->reasons);
    hd_vec_release(&answer->bases);
    hd_vec_release(&answer->outcomes);
    hd_vec_release(&answer->tests);
    hd_engine_answer_release(&answer->inner);
    free(answer);
}

int heddle_answer_status(const heddle_answer *answer) {
    return answer->status;
}

const char *heddle_answer_asked(const heddle_answer *answer) {
    return answer->inner.verdict.asked;
}

bool heddle_answer_found(const heddle_answer *answer) {
    return answer->inner.verdict.found;
}

bool heddle_answer_complete(const heddle_answer *answer) {
    return hd_verdict_complete(&answer->inner.verdict);
}

size_t heddle_answer_reasons(const heddle_answer *answer) {
    return answer->reasons.length;
}

const heddle_reason *heddle_answer_reason(const heddle_answer *answer, size_t number) {
    return number < answer->reasons.length ? &answer->reasons.data[number] : NULL;
}

size_t heddle_answer_bases(const heddle_answer *answer) {
    return answer->bases.length;
}

const heddle_basis *heddle_answer_basis(const heddle_answer *answer, size_t number) {
    return number < answer->bases.length ? &answer->bases.data[number] : NULL;
}

size_t heddle_answer_findings(const heddle_answer *answer) {
    return answer->findings.length;
}

const heddle_finding *heddle_answer_finding(const heddle_answer *answer, size_t number) {
    return number < answer->findings.length ? &answer->findings.data[number] : NULL;
}

bool heddle_answer_figure(const heddle_answer *answer, const char *name, double *value) {
    for (size_t i = 0; i < answer->inner.figures.length; i++)
        if (strcmp(answer->inner.figures.data[i].name, name) == 0) {
            *value = answer->inner.figures.data[i].value;
            return true;
        }
    return false;
}

const char *heddle_answer_figure_name(const heddle_answer *answer, size_t number) {
    return number < answer->inner.figures.length ? answer->inner.figures.data[number].name : NULL;
}

size_t heddle_answer_outcomes(const heddle_answer *answer) {
    return answer->outcomes.length;
}

const heddle_outcome *heddle_answer_outcome(const heddle_answer *answer, size_t number) {
    return number < answer->outcomes.length ? &answer->outcomes.data[number] : NULL;
}

size_t heddle_answer_tests(const heddle_answer *answer) {
    return answer->tests.length;
}

const heddle_test_result *heddle_answer_test(const heddle_answer *answer, size_t number) {
    return number < answer->tests.length ? &answer->tests.data[number] : NULL;
}

size_t heddle_answer_messages(const heddle_answer *answer) {
    return answer->inner.messages.length;
}

const char *heddle_answer_message(const heddle_answer *answer, size_t number) {
    return number < answer->inner.messages.length ? answer->inner.messages.data[number] : NULL;
}

double heddle_answer_seconds(const heddle_answer *answer) {
    return answer->inner.seconds;
}
