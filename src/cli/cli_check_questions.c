/*
 * What heddle check asks: the compiler for a program, the recorder for traces, the
 * three predictions about each trace, the explorer about the program, and replay about
 * what was found.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_check.h"
#include "cli_model.h"

/* Shares of the time: what is over goes to the next, and the explorer has the rest. */
static const double record_share = 0.2, predict_share = 0.4;

static bool is_asked(const hd_cli_checkup *check, const char *command) {
    const char *list = check->asked;
    size_t length = strlen(command);
    if (!list)
        return true;
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, command, length) == 0 && (at[length] == ',' || !at[length]))
            return true;
    }
    return false;
}

static void push(hd_cli_check_words *words, const char *word) {
    hd_vec_push(words, word);
}

static void push_program(hd_cli_check_words *words, const hd_cli_checkup *check) {
    push(words, "--");
    push(words, check->program);
    for (int i = 0; i < check->word_count; i++)
        push(words, check->words[i]);
}

/* A question without an answer stands in the report with its reason. */
static void count_failure(hd_cli_checkup *check, const char *command,
                          const hd_cli_check_answer *answer) {
    hd_report_part *part = hd_report_part_of(&check->report, command);
    part->inputs++;
    if (answer->outcome != HD_CLI_CHECK_LATE || !part->complete)
        part->failed = hd_report_keep(&check->report, answer->why);
    hd_verdict_not(&part->verdict, answer->outcome == HD_CLI_CHECK_LATE ? "limit" : "refused", "%s",
                   answer->why);
}

/* ---- Compiling ---- */

bool hd_cli_check_compile(hd_cli_checkup *check) {
    const char *dot = strrchr(check->input, '.');
    bool c = strcmp(dot, ".c") == 0 || strcmp(dot, ".i") == 0;
    hd_cli_check_words words = {0};
    hd_cli_check_answer answer;
    size_t at = 0;
    int row = hd_cli_row(check->arguments->command, "flag");
    check->program = hd_cli_check_path(check, "program");
    push(&words, c ? "cc" : "c++");
    push(&words, "-O1");
    push(&words, "-g");
    push(&words, check->input);
    push(&words, "-o");
    push(&words, check->program);
    for (const char *flag; (flag = hd_cli_next(check->arguments, row, &at));)
        push(&words, flag);
    push(&words, "-pthread");
    hd_cli_check_ask(check, &words, hd_cli_check_left(check), false, &answer);
    if (answer.outcome == HD_CLI_CHECK_ANSWERED && answer.status == 0)
        return true;
    hd_cli_fail("%s: it does not compile: %s; 'heddle %s %s' says more", hd_text_name(check->input),
                answer.why, c ? "cc" : "c++", hd_text_name(check->input));
    return false;
}

/* ---- Recording ---- */

/* The rule that a run broke which ended badly; as the explorer calls it. */
static const char *rule_of_run(const hd_json_value *run, const char *ending) {
    enum { ABORTED = 6 };
    uint64_t signal = hd_json_uint_of(run, "signal", 0);
    if (strncmp(ending, "deadlock", 8) == 0)
        return "deadlock";
    if (signal == ABORTED)
        return strncmp(ending, "killed", 6) == 0 ? "abort" : hd_native_abort_rule(ending);
    return signal ? "signal" : "exit";
}

static hd_engine_words words_of(const hd_cli_checkup *check) {
    return (hd_engine_words){check->words, (size_t)check->word_count};
}

/* A line that was made, in the report. */
static const char *keep_line(hd_cli_checkup *check, char *line) {
    const char *kept = hd_report_keep(&check->report, line);
    free(line);
    return kept;
}

static void add_run(hd_cli_checkup *check, const hd_json_value *run) {
    const char *trace = hd_json_text_of(run, "output"), *ending = hd_json_text_of(run, "ending");
    const char *printed = hd_json_text_of(hd_json_get(run, "printed"), "text");
    if (!trace || !ending)
        return;
    hd_vec_push(&check->traces, hd_report_keep(&check->report, trace));
    uint64_t events = hd_json_uint_of(run, "events", 0);
    check->longest = events > check->longest ? events : check->longest;
    hd_vec_push(&check->runs, (hd_cli_check_run){
                                  .trace = *hd_vec_last(&check->traces),
                                  .ending = hd_report_keep(&check->report, ending),
                                  .printed = hd_report_keep(&check->report, printed ? printed : ""),
                                  .bytes = hd_json_uint_of(hd_json_get(run, "printed"), "bytes", 0),
                                  .exit_status = hd_json_uint_of(run, "exit_status", 0),
                                  .signal = hd_json_uint_of(run, "signal", 0),
                                  .deadlock = strncmp(ending, "deadlock", 8) == 0,
                                  .stopped = strncmp(ending, "stopped", 7) == 0,
                              });
    if (strncmp(ending, "stopped", 7) == 0) {
        hd_report_part_of(&check->report, "record")->complete = 0;
        return;
    }
    if (hd_json_get(run, "signal") == NULL && hd_json_uint_of(run, "exit_status", 0) == 0 &&
        strncmp(ending, "deadlock", 8) != 0)
        return;
    hd_report_finding *finding = hd_report_new(&check->report, rule_of_run(run, ending), "record");
    finding->message = hd_report_keep(&check->report, ending);
    finding->proof = HD_REPORT_SEEN;
    finding->witness = *hd_vec_last(&check->traces);
    hd_report_part_of(&check->report, "record")->found++;
}

static void add_runs(hd_cli_checkup *check, const hd_json_value *answer) {
    const hd_json_value *result = hd_json_get(answer, "result");
    const hd_json_value *kept = hd_json_get(result, "kept");
    hd_report_part *part = hd_report_part_of(&check->report, "record");
    const hd_json_value *seconds = hd_json_get(answer, "seconds");
    hd_verdict_read(&part->verdict, answer);
    part->inputs = part->complete = 1;
    part->seconds = seconds ? strtod(seconds->text, NULL) : 0;
    part->detail = hd_report_format(&check->report, "%llu runs, %llu of them different",
                                    (unsigned long long)hd_json_uint_of(result, "runs", 1),
                                    (unsigned long long)hd_json_uint_of(result, "different", 1));
    if (!kept)
        add_run(check, result);
    for (const hd_json_value *run = hd_json_first(kept); run; run = run->next)
        add_run(check, run);
}

bool hd_cli_check_record(hd_cli_checkup *check) {
    double share = hd_cli_check_left(check) * record_share;
    hd_cli_check_words words = {0};
    hd_cli_check_answer answer;
    char seeds[32], timeout[32];
    unsigned each = (unsigned)(share / (double)check->seeds);
    snprintf(seeds, sizeof seeds, "%llu", (unsigned long long)check->seeds);
    snprintf(timeout, sizeof timeout, "%u", each < 1 ? 1 : each);
    push(&words, "record");
    push(&words, "--json");
    push(&words, "--keep-output");
    push(&words, "--runs");
    push(&words, seeds);
    push(&words, "--timeout");
    push(&words, timeout);
    push(&words, "-o");
    push(&words, hd_cli_check_path(check, "run.htr"));
    push_program(&words, check);
    hd_cli_check_ask(check, &words, hd_cli_check_left(check), true, &answer);
    if (answer.outcome == HD_CLI_CHECK_REFUSED) {
        hd_cli_fail("%s", answer.why);
        return false;
    }
    if (answer.outcome == HD_CLI_CHECK_ANSWERED)
        add_runs(check, answer.document.root);
    else
        count_failure(check, "record", &answer);
    hd_cli_check_release(&answer);
    return true;
}

/* ---- Predicting ---- */

/* "heddle validate TRACE WITNESS" for those that are new. */
static void say_how_to_validate(hd_cli_checkup *check, size_t from, const char *trace) {
    for (size_t i = from; i < check->report.findings.length; i++) {
        hd_report_finding *finding = &check->report.findings.data[i];
        char *witness = (char *)finding->witness;
        if (!finding->replay && witness)
            finding->replay =
                keep_line(check, hd_engine_command_line("heddle validate", trace,
                                                        (hd_engine_words){&witness, 1}));
    }
}

/* A question about a trace: a command, and for detect a predicate. */
struct question {
    const char *command, *predicate;
};

static void predict_one(hd_cli_checkup *check, struct question question, const char *path,
                        size_t number, const hd_trace *trace, double seconds) {
    hd_cli_check_words words = {0};
    hd_cli_check_answer answer;
    hd_error error = {""};
    const char *command = question.command;
    size_t before = check->report.findings.length;
    push(&words, command);
    push(&words, "--json");
    /* Reads are notes, and there may be very many: they get no files. */
    if (strcmp(command, "nondet") != 0) {
        push(&words, "-o");
        push(&words, hd_cli_check_path(
                         check, hd_report_format(&check->report, "%s.%zu.std", command, number)));
    }
    push(&words, "--");
    push(&words, path);
    if (question.predicate)
        push(&words, question.predicate);
    hd_cli_check_ask(check, &words, seconds, true, &answer);
    if (answer.outcome == HD_CLI_CHECK_ANSWERED &&
        !hd_report_add(&check->report, answer.document.root, trace, &error)) {
        answer.outcome = HD_CLI_CHECK_CRASHED;
        snprintf(answer.why, sizeof answer.why, "%s", error.text);
    }
    if (answer.outcome == HD_CLI_CHECK_ANSWERED)
        say_how_to_validate(check, before, path);
    else
        count_failure(check, command, &answer);
    hd_cli_check_release(&answer);
}

/* A witness of a program is the trace of its schedule. */
static void add_schedules(hd_cli_checkup *check, size_t from) {
    for (size_t i = from; i < check->report.findings.length; i++) {
        hd_report_finding *finding = &check->report.findings.data[i];
        hd_trace trace = {0};
        hd_error error = {""};
        if (!finding->steps.length && finding->witness &&
            hd_trace_load(&trace, finding->witness, 0, &error))
            hd_report_add_schedule(&check->report, finding, &trace);
        hd_trace_release(&trace);
    }
}

/* Races and deadlocks of the program itself: what is found is replayed on it.  False if
 * there is no answer, so that its traces are asked instead. */
static bool drive(hd_cli_checkup *check, const hd_cli_command *command, double seconds) {
    hd_cli_check_words words = {0};
    hd_cli_check_answer answer;
    hd_error error = {""};
    size_t before = check->report.findings.length;
    enum { LONG = 200000 }; /* events: to run it step by step takes longer than to ask the trace */
    if (check->kind != HD_CLI_CHECK_PROGRAM || !strstr(command->operands, "PROGRAM") ||
        check->longest > LONG)
        return false;
    char total[32];
    snprintf(total, sizeof total, "--total=%.2fs", seconds > 0.2 ? seconds / 2 : 0.1);
    push(&words, command->name);
    push(&words, "--json");
    push(&words, total);
    push(&words, "-o");
    push(&words,
         hd_cli_check_path(check, hd_report_format(&check->report, "%s.std", command->name)));
    push_program(&words, check);
    hd_cli_check_ask(check, &words, seconds, true, &answer);
    bool good = answer.outcome == HD_CLI_CHECK_ANSWERED &&
                hd_report_add(&check->report, answer.document.root, NULL, &error);
    add_schedules(check, before);
    hd_cli_check_release(&answer);
    return good;
}

typedef HD_VEC(struct question) question_list;

/* What the traces are asked, when the program has been. */
static void list_questions(hd_cli_checkup *check, double until, question_list *list) {
    static const hd_cli_command *const commands[] = {&hd_cli_race, &hd_cli_deadlock,
                                                     &hd_cli_nondet};
    int row = hd_cli_row(check->arguments->command, "detect");
    size_t at = 0;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (is_asked(check, commands[i]->name) &&
            !drive(check, commands[i], (until - hd_progress_clock()) / 2))
            hd_vec_push(list, (struct question){commands[i]->name, NULL});
    for (const char *text; (text = hd_cli_next(check->arguments, row, &at));)
        hd_vec_push(list, (struct question){"detect", text});
}

void hd_cli_check_predict(hd_cli_checkup *check) {
    question_list questions = {0};
    bool all = check->kind == HD_CLI_CHECK_TRACE;
    double until = hd_progress_clock() + hd_cli_check_left(check) * (all ? 1 : predict_share);
    list_questions(check, until, &questions);
    size_t left = check->traces.length * questions.length;
    for (size_t i = 0; i < check->traces.length; i++) {
        hd_trace trace = {0};
        hd_error error = {""};
        bool loaded = hd_trace_load(&trace, check->traces.data[i], 0, &error);
        /* Most questions take no time: each may take half of what is left. */
        for (size_t k = 0; k < questions.length; k++, left--)
            predict_one(check, questions.data[k], check->traces.data[i],
                        questions.data[k].predicate ? i * questions.length + k + 1 : i + 1,
                        loaded ? &trace : NULL, (until - hd_progress_clock()) / (left > 1 ? 2 : 1));
        hd_trace_release(&trace);
    }
    hd_vec_release(&questions);
}

/* ---- Exploring ---- */

/* Other ends are failures, which are found as such. */
static bool ends_well(const hd_json_value *outcome) {
    return !hd_json_get(outcome, "signal") && hd_json_uint_of(outcome, "exit_status", 0) == 0;
}

/* "it prints '1', or '2'": as much as fits a line. */
static void add_outcome(hd_cli_checkup *check, const hd_json_value *outcome, const char **text) {
    enum { MOST = 40 };
    const char *output = hd_json_text_of(outcome, "output");
    char shown[4 * MOST + 1];
    size_t length = output ? strlen(output) : 0;
    size_t line = length && output[length - 1] == '\n' ? length - 1 : length;
    hd_text_printable(shown, sizeof shown, output ? output : "", line < MOST ? line : MOST);
    *text = hd_report_format(&check->report, "%s%s '%s%s'", *text ? *text : "",
                             *text ? ", or" : "it prints", shown, line > MOST ? "..." : "");
}

/* Ways to end that differ are one finding, and a note unless they were asked for: most programs
 * may print what they like in the order they like. */
static void fold_outcomes(hd_cli_checkup *check, size_t from, const hd_json_value *result) {
    enum { MOST = 4 };
    hd_report *report = &check->report;
    const char *text = NULL;
    size_t kept = from, count = 0, ways = 0;
    for (const hd_json_value *o = hd_json_first(hd_json_get(result, "outcomes")); o; o = o->next)
        if (ends_well(o) && ways++ < MOST)
            add_outcome(check, o, &text);
    for (size_t i = from; i < report->findings.length; i++) {
        hd_report_finding *finding = &report->findings.data[i];
        bool outcome = strcmp(finding->id, "outcome") == 0;
        if (outcome && (count++ || ways < 2)) {
            hd_report_finding_release(finding);
            continue;
        }
        if (outcome && !(check->asked && is_asked(check, "outcome")))
            finding->level = HD_REPORT_NOTE;
        report->findings.data[kept++] = *finding;
    }
    report->findings.length = kept;
    if (!count)
        return;
    hd_report_part_of(report, "explore")->found -= ways < 2 ? count : count - 1;
    for (size_t i = from; i < kept; i++)
        if (strcmp(report->findings.data[i].id, "outcome") == 0)
            report->findings.data[i].message =
                ways > MOST ? hd_report_format(report, "%s, or %zu others", text, ways - MOST)
                            : text;
}

static void add_exploration(hd_cli_checkup *check, hd_cli_check_answer *answer) {
    hd_error error = {""};
    size_t before = check->report.findings.length;
    if (answer->outcome == HD_CLI_CHECK_ANSWERED &&
        !hd_report_add(&check->report, answer->document.root, NULL, &error)) {
        answer->outcome = HD_CLI_CHECK_CRASHED;
        snprintf(answer->why, sizeof answer->why, "%s", error.text);
    }
    if (answer->outcome != HD_CLI_CHECK_ANSWERED)
        count_failure(check, "explore", answer);
    else {
        fold_outcomes(check, before, hd_json_get(answer->document.root, "result"));
        check->explored = hd_cli_check_path(check, "explore.json");
        hd_cli_check_compare_runs(check, answer->document.root);
        if (!hd_cli_check_keep(answer, check->explored))
            check->explored = "the answer of heddle explore";
    }
    hd_cli_check_release(answer);
}

bool hd_cli_check_explore(hd_cli_checkup *check) {
    hd_cli_check_words words = {0};
    hd_cli_check_answer answer;
    double left = hd_cli_check_left(check);
    char limit[32];
    if (!is_asked(check, "explore") && !is_asked(check, "outcome"))
        return true;
    /* The rest of the time, less what it takes to print and to replay. */
    double rest = left - 0.1 * left;
    snprintf(limit, sizeof limit, "%.2fs", rest > 0.1 ? rest : 0.1);
    push(&words, "explore");
    push(&words, "--json");
    push(&words, "--stop");
    push(&words, "never");
    push(&words, "--time");
    push(&words, limit);
    if (check->kind == HD_CLI_CHECK_PROGRAM) {
        push(&words, "--find");
        push(&words, "failure,deadlock,race,outcome");
    }
    push(&words, "-o");
    push(&words, hd_cli_check_path(check, "explore.std"));
    push_program(&words, check);
    hd_cli_check_ask(check, &words, left, true, &answer);
    /* Of a model this is the first who reads it. */
    if (check->kind == HD_CLI_CHECK_MODEL && answer.outcome == HD_CLI_CHECK_REFUSED) {
        hd_cli_fail("%s", answer.why);
        return false;
    }
    add_exploration(check, &answer);
    return true;
}

/* ---- Replaying ---- */

static void replay_one(hd_cli_checkup *check, hd_report_finding *finding) {
    hd_cli_check_words words = {0};
    hd_cli_check_answer answer;
    push(&words, "replay");
    push(&words, "--quiet");
    push(&words, check->program);
    push(&words, finding->witness);
    push(&words, "--");
    for (int i = 0; i < check->word_count; i++)
        push(&words, check->words[i]);
    /* A replay is short; it is worth a moment more than there was time. */
    hd_cli_check_ask(check, &words, hd_cli_check_left(check) + 2, false, &answer);
    if (answer.outcome == HD_CLI_CHECK_ANSWERED && answer.status == HD_CLI_FOUND)
        finding->proof = HD_REPORT_REPLAYED;
    finding->replay =
        keep_line(check, hd_engine_replay_line(check->program, finding->witness, words_of(check)));
}

/* What was not seen again on the program is not told as a failure of it. */
static void doubt(hd_cli_checkup *check, hd_report_finding *finding) {
    hd_report_part *part = hd_report_part_of(&check->report, finding->found_by.data[0]);
    finding->level = HD_REPORT_NOTE;
    hd_verdict_not(&part->verdict, "undecided", "not replayed on the program: %s",
                   finding->message ? finding->message : finding->rule->text);
    part->complete = 0;
}

void hd_cli_check_replay(hd_cli_checkup *check) {
    for (size_t i = 0; i < check->report.findings.length; i++) {
        hd_report_finding *finding = &check->report.findings.data[i];
        if (finding->witness && !finding->replay)
            replay_one(check, finding);
        if (check->kind == HD_CLI_CHECK_PROGRAM && finding->level > HD_REPORT_NOTE &&
            finding->proof < HD_REPORT_REPLAYED)
            doubt(check, finding);
    }
}
