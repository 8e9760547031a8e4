/*
 * The plan of heddle check: what is asked after what, and how much of the time each question gets.
 */
#include "engine_check.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "engine_asking.h"

/* Shares of the time: what is over goes to the next, and the explorer has the rest. */
static const double record_share = 0.2, predict_share = 0.4;

static bool is_asked(const hd_engine_check *check, unsigned question) {
    return !check->asked || check->asked & question;
}

const char *hd_engine_check_path(hd_engine_check *check, const char *name) {
    return hd_report_format(&check->report, "%s/%s", check->folder, name);
}

/* ---- One question ---- */

/* A question without an answer stands in the report with its reason. */
static void count_failure(hd_engine_check *check, const char *command, bool late, const char *why) {
    hd_report_part *part = hd_report_part_of(&check->report, command);
    part->inputs++;
    if (!late || !part->complete)
        part->failed = hd_report_keep(&check->report, why);
    hd_verdict_not(&part->verdict, late ? "limit" : "refused", "%s", why);
}

/* Can files be written to the folder?  The disk may be full. */
static bool can_write(hd_engine_check *check) {
    static const char some[4096];
    const char *path = hd_engine_check_path(check, "probe");
    hd_file *file = hd_file_create(path, NULL);
    if (!file)
        return false;
    hd_file_write(file, some, sizeof some);
    bool good = hd_file_commit(file, NULL);
    if (good)
        remove(path);
    return good;
}

/* How a question went. */
enum asked { ANSWERED, LATE, FAILED };

/* Asks one, with its share of the time.  An error, or memory that runs out, ends it alone: what it
 * found until then, and what the others say, stays. */
static enum asked ask_once(hd_engine_check *check, hd_engine_question *q, double seconds,
                           hd_error *error) {
    hd_engine_answer answer = {0};
    hd_clock clock = {.until = hd_progress_clock() + (seconds > 0 ? seconds : 0)};
    hd_clock_begin(&clock);
    enum asked how = LATE;
    q->suppressions = check->suppressions;
    q->found = check->found ? hd_engine_check_found : NULL;
    q->context = check;
    if (!check->enough && seconds > 0 && hd_clock_look() == HD_CLOCK_GOES)
        how = hd_engine_ask_into(q, &check->report, &answer, error) ? ANSWERED : FAILED;
    hd_engine_answer_release(&answer);
    hd_clock_end(&clock);
    check->interrupted |= hd_clock_look() == HD_CLOCK_STOPPED;
    return how;
}

/* So far, without the time. */
static hd_report_part count_of(const hd_engine_check *check, const char *command) {
    for (size_t i = 0; i < check->report.parts.length; i++) {
        const hd_report_part *part = &check->report.parts.data[i];
        if (strcmp(part->command, command) == 0)
            return (hd_report_part){
                .inputs = part->inputs, .complete = part->complete, .found = part->found};
    }
    return (hd_report_part){0};
}

/* The same; where its files cannot be written it is asked again without them, because what there is
 * to find does not depend on the disk. */
static enum asked ask_one(hd_engine_check *check, hd_engine_question *q, double seconds,
                          hd_error *error) {
    double until = hd_progress_clock() + seconds;
    const char *command = hd_engine_what_names[q->what];
    hd_report_part before = count_of(check, command);
    enum asked how = ask_once(check, q, seconds, error);
    if (how != FAILED || q->what == HD_ENGINE_RECORD || !q->output || can_write(check))
        return how;
    hd_log_write(HD_LOG_ERROR, "%s", error->text);
    *error = (hd_error){""};
    q->output = NULL;
    hd_report_part *part = hd_report_part_of(&check->report, command);
    part->inputs = before.inputs;
    part->complete = before.complete;
    part->found = before.found;
    return ask_once(check, q, until - hd_progress_clock(), error);
}

static enum asked ask_counted(hd_engine_check *check, hd_engine_question *q, double seconds) {
    hd_error error = {""};
    enum asked how = ask_one(check, q, seconds, &error);
    if (how != ANSWERED)
        count_failure(check, hd_engine_what_names[q->what], how == LATE,
                      how == LATE ? "no time was left" : error.text);
    return how;
}

/* ---- Recording ---- */

static void add_run(void *context, const hd_engine_run *from) {
    hd_engine_check *check = context;
    hd_report *report = &check->report;
    hd_engine_run run = *from;
    run.output = from->output ? (char *)(uintptr_t)hd_report_keep(report, from->output) : NULL;
    run.ending = (char *)(uintptr_t)hd_report_keep(report, from->ending);
    run.printed = (char *)(uintptr_t)hd_report_keep(report, from->printed ? from->printed : "");
    if (run.output)
        hd_vec_push(&check->traces, run.output);
    hd_vec_push(&check->runs, run);
    check->longest = run.summary.events > check->longest ? run.summary.events : check->longest;
}

/* A program that cannot be recorded is bad input, unless the recording could not be written: then
 * it is explored without. */
static bool record(hd_engine_check *check, hd_error *error) {
    enum { LEAST = 1 }; /* seconds, or half of what is left: so much for at least one run */
    double left = hd_clock_left(check->seconds), share = left * record_share;
    if (share < LEAST)
        share = left / 2 < LEAST ? left / 2 : LEAST;
    /* Whole runs, as many as there is time for; but one that hangs does not take all of it. */
    unsigned each = (unsigned)(share / 2) + 1;
    hd_engine_question q = {.what = HD_ENGINE_RECORD,
                            .path = check->program,
                            .arguments = check->words,
                            .output = hd_engine_check_path(check, "run.htr"),
                            .seeds = check->seeds,
                            .run_seconds = each,
                            .no_stacks = check->no_stacks,
                            .recorded = add_run};
    double began = hd_progress_clock();
    enum asked how = ask_one(check, &q, share, error);
    /* A run that was ended before it did anything is not a bad program. */
    if (how == FAILED && hd_progress_clock() - began >= 0.9 * share)
        how = LATE;
    if (how == LATE)
        count_failure(check, "record", true, "no time was left");
    if (how != FAILED || can_write(check))
        return how != FAILED;
    hd_log_write(HD_LOG_ERROR, "%s", error->text);
    count_failure(check, "record", false, error->text);
    return true;
}

/* Compares one run with another of the same schedule. */
typedef struct again {
    const hd_engine_run *before;
    bool varies;
} again;

static void compare_again(void *context, const hd_engine_run *now) {
    again *it = context;
    const hd_engine_run *before = it->before;
    it->varies =
        now->summary.events == before->summary.events &&
        (now->bytes != before->bytes ||
         strcmp(now->printed ? now->printed : "", before->printed ? before->printed : "") != 0);
}

bool hd_engine_check_varies(hd_engine_check *check, const hd_engine_run *run) {
    double left = hd_clock_left(check->seconds);
    again it = {.before = run};
    hd_error error = {""};
    hd_engine_answer answer;
    hd_engine_question q = {.what = HD_ENGINE_RECORD,
                            .path = check->program,
                            .arguments = check->words,
                            .output = hd_engine_check_path(check, "again.htr"),
                            .seed = run->seed,
                            .run_seconds = left < 1 ? 1 : (unsigned)left,
                            .recorded = compare_again,
                            .context = &it};
    hd_engine_ask(&q, &answer, &error);
    hd_engine_answer_release(&answer);
    remove(q.output);
    return it.varies;
}

/* ---- Predicting ---- */

/* Races and deadlocks of the program itself: what is found is replayed on it.  False if
 * there is no answer, so that its traces are asked instead. */
static bool drive(hd_engine_check *check, bool deadlocks, double seconds) {
    enum { LONG = 200000 }; /* events: to run it step by step takes longer than to ask the trace */
    hd_error error = {""};
    if (check->kind != HD_ENGINE_PROGRAM || check->longest > LONG)
        return false;
    hd_engine_question q = {
        .what = deadlocks ? HD_ENGINE_DEADLOCK : HD_ENGINE_RACE,
        .path = check->program,
        .arguments = check->words,
        .output = hd_engine_check_path(check, deadlocks ? "deadlock.std" : "race.std"),
        .searching = seconds > 0.2 ? seconds / 2 : 0.1};
    return ask_one(check, &q, seconds, &error) == ANSWERED;
}

/* A question about each trace. */
typedef struct wanted {
    enum hd_engine_what what;
    const char *predicate; /* of detect */
} wanted;

typedef HD_VEC(wanted) wanted_list;

/* What the traces are asked, when the program has been. */
static void list_questions(hd_engine_check *check, double until, wanted_list *list) {
    if (is_asked(check, HD_ENGINE_ASK_RACE) &&
        !drive(check, false, (until - hd_progress_clock()) / 2))
        hd_vec_push(list, (wanted){HD_ENGINE_RACE, NULL});
    if (is_asked(check, HD_ENGINE_ASK_DEADLOCK) &&
        !drive(check, true, (until - hd_progress_clock()) / 2))
        hd_vec_push(list, (wanted){HD_ENGINE_DEADLOCK, NULL});
    if (is_asked(check, HD_ENGINE_ASK_NONDET))
        hd_vec_push(list, (wanted){HD_ENGINE_NONDET, NULL});
    for (size_t i = 0; i < check->predicates.count; i++)
        hd_vec_push(list, (wanted){HD_ENGINE_DETECT, check->predicates.data[i]});
}

static void predict_one(hd_engine_check *check, wanted what, const char *path, size_t number,
                        const hd_trace *trace, double seconds) {
    hd_engine_question q = {
        .what = what.what, .path = path, .trace = trace, .predicate = what.predicate};
    /* Reads are notes, and there may be very many: they get no files. */
    if (what.what != HD_ENGINE_NONDET)
        q.output =
            hd_engine_check_path(check, hd_report_format(&check->report, "%s.%zu.std",
                                                         hd_engine_what_names[what.what], number));
    ask_counted(check, &q, seconds);
}

static void predict(hd_engine_check *check) {
    wanted_list questions = {0};
    bool all = check->kind == HD_ENGINE_TRACE;
    double until = hd_progress_clock() + hd_clock_left(check->seconds) * (all ? 1 : predict_share);
    list_questions(check, until, &questions);
    size_t left = check->traces.length * questions.length;
    for (size_t i = 0; i < check->traces.length; i++) {
        hd_trace trace = {0};
        hd_error error = {""};
        bool loaded = hd_trace_load(&trace, check->traces.data[i], HD_TRACE_TIMED, &error);
        /* Most questions take no time: each may take half of what is left. */
        for (size_t k = 0; k < questions.length; k++, left--)
            if (loaded)
                predict_one(check, questions.data[k], check->traces.data[i],
                            questions.data[k].predicate ? i * questions.length + k + 1 : i + 1,
                            &trace, (until - hd_progress_clock()) / (left > 1 ? 2 : 1));
            else
                count_failure(check, hd_engine_what_names[questions.data[k].what], false,
                              error.text);
        hd_trace_release(&trace);
    }
    hd_vec_release(&questions);
}

/* ---- Exploring ---- */

static void add_exploration(void *context, const hd_engine_exploration *e) {
    hd_engine_check *check = context;
    hd_error error = {""};
    hd_engine_check_fold_outcomes(check, check->before, e);
    check->explored_file = "the answer of heddle explore";
    if (check->explored) {
        const char *file = check->explored(check->context, e, check->explore_began);
        check->explored_file = file ? hd_report_keep(&check->report, file) : check->explored_file;
    }
    hd_engine_check_compare_runs(check, e);
    if (e->find & HD_ENGINE_FIND_OUTCOME && !check->varies)
        check->ends = e->outcomes.length + (e->result.deadlocks > 0);
    if (check->sv_comp)
        check->word = hd_engine_explore_word(e);
    if (check->sv_comp && !hd_engine_explore_sequence(e, check->input, check->yaml, &error))
        hd_log_write(HD_LOG_WARNING, "%s", error.text);
}

/* Nothing has read a model before: a bad one is bad input. */
static bool is_model(const hd_engine_check *check, hd_error *error) {
    hd_machine *machine = hd_engine_model_load(check->program, NULL, 0, error);
    if (machine)
        machine->type->free(machine);
    return machine != NULL;
}

static bool explore(hd_engine_check *check, hd_error *error) {
    double left = hd_clock_left(check->seconds), rest = left - 0.1 * left;
    if (!is_asked(check, HD_ENGINE_ASK_EXPLORE) && !is_asked(check, HD_ENGINE_ASK_OUTCOME))
        return true;
    if (check->kind == HD_ENGINE_MODEL && !is_model(check, error))
        return false;
    unsigned find = HD_ENGINE_FIND_FAILURE | HD_ENGINE_FIND_DEADLOCK;
    if (check->kind == HD_ENGINE_PROGRAM)
        find |= HD_ENGINE_FIND_RACE | HD_ENGINE_FIND_OUTCOME;
    if (check->sv_comp)
        find = hd_engine_property_find(check->property);
    /* The rest of the time, less what it takes to print and to replay. */
    hd_engine_question q = {.what = HD_ENGINE_EXPLORE,
                            .path = check->program,
                            .arguments = check->words,
                            .find = find,
                            .threads = check->threads ? check->threads : hd_pool_cores(),
                            .depth = check->depth,
                            .bounded = check->bounded,
                            .preemptions = check->preemptions,
                            .searching = rest > 0.1 ? rest : 0.1,
                            .output = hd_engine_check_path(check, "explore.std"),
                            .explored = add_exploration};
    check->before = check->report.findings.length;
    check->explore_began = hd_progress_clock();
    ask_counted(check, &q, left);
    return true;
}

/* ---- The plan ---- */

void hd_engine_check_init(hd_engine_check *check, const char *input, hd_engine_words words) {
    *check = (hd_engine_check){.input = input, .words = words, .seeds = 8, .seconds = 60};
    check->started = hd_progress_clock();
    hd_report_init(&check->report, "check", input);
    check->sv_comp = hd_engine_property_held(&check->property);
    if (check->sv_comp) /* what else could be asked is no part of the property */
        check->asked = check->property == HD_ENGINE_NO_DATA_RACE
                           ? HD_ENGINE_ASK_RACE | HD_ENGINE_ASK_EXPLORE
                           : HD_ENGINE_ASK_EXPLORE;
    for (size_t i = 0; i < words.count; i++)
        hd_vec_push(&check->report.arguments, hd_report_keep(&check->report, words.data[i]));
}

static bool ends_with(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

bool hd_engine_check_kind(hd_engine_check *check, hd_error *error) {
    const char *input = check->input;
    if (access(input, R_OK) != 0)
        return hd_error_set(error, "%s: cannot open: %s", hd_text_name(input), strerror(errno));
    check->program = input;
    if (hd_engine_check_is_source(input) || hd_engine_is_program(input)) {
        check->kind = HD_ENGINE_PROGRAM;
        /* A name without a slash is a file here; exec would look for it elsewhere. */
        if (!strchr(input, '/'))
            check->program = hd_report_format(&check->report, "./%s", input);
    } else
        check->kind = ends_with(input, ".hdm") ? HD_ENGINE_MODEL : HD_ENGINE_TRACE;
    return true;
}

static bool ask_all(hd_engine_check *check, hd_error *error) {
    if (check->kind == HD_ENGINE_TRACE)
        hd_vec_push(&check->traces, check->input);
    if (check->kind == HD_ENGINE_PROGRAM && hd_engine_check_is_source(check->input) &&
        !hd_engine_check_compile(check, error))
        return false;
    if (check->kind == HD_ENGINE_PROGRAM && !hd_engine_check_files(check, error))
        return false;
    /* A run may end at its first assumption, and have nothing to record. */
    if (check->kind == HD_ENGINE_PROGRAM && !check->sv_comp && !record(check, error))
        return false;
    if (check->kind != HD_ENGINE_MODEL)
        predict(check);
    return check->kind == HD_ENGINE_TRACE || explore(check, error);
}

static void note_end(hd_engine_check *check) {
    hd_report_part *part = hd_report_part_of(&check->report, "check");
    part->inputs = 1;
    part->failed = check->interrupted ? "interrupted" : "stopped";
    if (check->interrupted)
        hd_verdict_not(&part->verdict, "interrupted",
                       "interrupted before every question was asked");
    else
        hd_verdict_not(&part->verdict, "stopped", "stopped when enough was found");
}

bool hd_engine_check_run(hd_engine_check *check, hd_error *error) {
    check->clock = (hd_clock){.until = check->started + check->seconds};
    hd_clock_begin(&check->clock);
    bool good = ask_all(check, error);
    check->late = !good && hd_clock_look() != HD_CLOCK_GOES;
    hd_clock_end(&check->clock);
    if (!good)
        return false;
    hd_report_merge(&check->report);
    hd_engine_check_replay(check);
    if (check->kind == HD_ENGINE_PROGRAM) {
        hd_engine_check_compare_findings(check);
        hd_engine_check_cover(check);
    }
    hd_engine_check_tell_rest(check);
    if (check->interrupted || check->enough)
        note_end(check);
    check->report.seconds = hd_progress_clock() - check->started;
    if (check->sv_comp) {
        check->report.property = hd_engine_property_name(check->property);
        check->report.word = hd_engine_check_word(check);
    }
    return true;
}

const hd_report_finding *hd_engine_check_violation(const hd_engine_check *check) {
    for (size_t i = 0; i < check->report.findings.length; i++) {
        const hd_report_finding *finding = &check->report.findings.data[i];
        if (finding->proof != HD_REPORT_UNPROVED &&
            hd_engine_property_broken(check->property, finding->id, finding->message))
            return finding;
    }
    return NULL;
}

const char *hd_engine_check_word(const hd_engine_check *check) {
    const hd_report_finding *finding = hd_engine_check_violation(check);
    if (finding)
        return hd_engine_property_word(
            check->property,
            hd_engine_property_broken(check->property, finding->id, finding->message), true,
            &check->report.verdict);
    return check->word && !check->contradicted && !check->interrupted ? check->word : "unknown";
}

void hd_engine_check_release(hd_engine_check *check) {
    hd_report_release(&check->report);
    hd_vec_release(&check->traces);
    hd_vec_release(&check->runs);
}
