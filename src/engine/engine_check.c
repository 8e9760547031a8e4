/*
 * What the question check asks: the compiler for a program, the recorder for traces, the
 * predictions about each trace and the program, the explorer, and replay about what was found.
 */
#include "engine_check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_detect.h"
#include "engine_replay.h"
#include "engine_report.h"

/* Shares of the time: what is over goes to the next, and the explorer has the rest. */
static const double record_share = 0.2, predict_share = 0.4;

static bool is_asked(const hd_engine_check *check, unsigned question) {
    return !check->asked || check->asked & question;
}

const char *hd_engine_check_path(hd_engine_check *check, const char *name) {
    return hd_report_format(&check->report, "%s/%s", check->folder, name);
}

/* ---- One question ---- */

/* A question of its own: its share of the time, and what it logs is not said twice. */
typedef struct question {
    hd_engine_check *check;
    hd_clock clock;
    double started;
    hd_error error;
} question;

static void forget(void *context, enum hd_log_level level, const char *text) {
    (void)context;
    (void)level;
    (void)text;
}

/* False if there is no time for it. */
static bool begin(question *q, hd_engine_check *check, double seconds) {
    *q = (question){.check = check, .started = hd_progress_clock()};
    q->clock.until = q->started + (seconds > 0 ? seconds : 0);
    hd_clock_begin(&q->clock);
    hd_log_divert(forget, NULL);
    return seconds > 0 && hd_clock_look() == HD_CLOCK_GOES;
}

static void end(question *q) {
    hd_log_divert(NULL, NULL);
    hd_clock_end(&q->clock);
    q->check->interrupted |= hd_clock_look() == HD_CLOCK_STOPPED;
}

static double seconds_of(const question *q) {
    return hd_progress_clock() - q->started;
}

/* A question without an answer stands in the report with its reason. */
static void count_failure(hd_engine_check *check, const char *command, const char *code,
                          const char *why) {
    hd_report_part *part = hd_report_part_of(&check->report, command);
    part->inputs++;
    if (strcmp(code, "limit") != 0 || !part->complete)
        part->failed = hd_report_keep(&check->report, why);
    hd_verdict_not(&part->verdict, code, "%s", why);
}

static void count_late(hd_engine_check *check, const char *command) {
    count_failure(check, command, "limit", "no time was left");
}

/* ---- Compiling ---- */

static bool is_source(const char *path) {
    static const char *const endings[] = {".c", ".i", ".cc", ".cpp", ".cxx", ".C"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

/* What the compiler said is in the file; its first line. */
static void read_reason(FILE *said, char *why, size_t size) {
    char line[1024] = "";
    rewind(said);
    if (!fgets(line, sizeof line, said))
        line[0] = '\0';
    hd_text_printable(why, size, line, strcspn(line, "\n"));
}

/* The compiler's status; what it says goes to the file. */
static int run_compiler(char **words, FILE *said) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(fileno(said), STDOUT_FILENO);
        dup2(fileno(said), STDERR_FILENO);
        execvp(words[0], words);
        dprintf(STDERR_FILENO, "%s: %s\n", words[0], strerror(errno));
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool compile_with(hd_engine_check *check, char **arguments, int count, bool cxx,
                         hd_error *error) {
    const char *compiler = getenv(cxx ? "HEDDLE_CXX" : "HEDDLE_CC");
    hd_launch_command command;
    char why[512] = "";
    FILE *said = tmpfile();
    if (!said)
        return hd_error_set(error, "cannot make a file: %s", strerror(errno));
    bool good = hd_launch_command_make(&command, compiler && *compiler ? compiler : NULL, cxx,
                                       arguments, count, error);
    if (good) {
        good = run_compiler(command.words.data, said) == 0;
        read_reason(said, why, sizeof why);
        if (!good)
            hd_error_set(error, "%s: it does not compile: %s; 'heddle %s %s' says more",
                         hd_text_name(check->input), why, cxx ? "c++" : "cc",
                         hd_text_name(check->input));
        hd_launch_command_release(&command);
    }
    fclose(said);
    return good;
}

static bool compile(hd_engine_check *check, hd_error *error) {
    const char *dot = strrchr(check->input, '.');
    bool cxx = strcmp(dot, ".c") != 0 && strcmp(dot, ".i") != 0;
    HD_VEC(const char *) words = {0};
    check->program = hd_engine_check_path(check, "program");
    hd_vec_push(&words, "-O1");
    hd_vec_push(&words, "-g");
    hd_vec_push(&words, check->input);
    hd_vec_push(&words, "-o");
    hd_vec_push(&words, check->program);
    for (size_t i = 0; i < check->flags.count; i++)
        hd_vec_push(&words, check->flags.data[i]);
    hd_vec_push(&words, "-pthread");
    bool good = compile_with(check, (char **)(uintptr_t)words.data, (int)words.length, cxx, error);
    hd_vec_release(&words);
    return good;
}

/* ---- Recording ---- */

/* A line that was made, in the report. */
static const char *keep_line(hd_engine_check *check, char *line) {
    const char *kept = hd_report_keep(&check->report, line);
    free(line);
    return kept;
}

static void add_run(hd_engine_check *check, const hd_engine_run *from) {
    hd_report *report = &check->report;
    hd_engine_run run = *from;
    run.output = (char *)hd_report_keep(report, from->output);
    run.ending = (char *)hd_report_keep(report, from->ending);
    run.printed = (char *)hd_report_keep(report, from->printed ? from->printed : "");
    hd_vec_push(&check->traces, run.output);
    hd_vec_push(&check->runs, run);
    check->longest = run.summary.events > check->longest ? run.summary.events : check->longest;
    if (run.end == HD_ENGINE_ENDED_LATE)
        hd_report_part_of(report, "record")->complete = 0;
    if (run.end == HD_ENGINE_ENDED_LATE || run.end == HD_ENGINE_ENDED_WELL)
        return;
    hd_report_finding *finding = hd_report_new(report, run.rule, "record");
    finding->message = run.ending;
    finding->proof = HD_REPORT_SEEN;
    finding->witness = run.output;
    hd_report_part_of(report, "record")->found++;
}

static void add_runs(hd_engine_check *check, const hd_engine_recording *r, double seconds) {
    hd_report_part *part = hd_report_part_of(&check->report, "record");
    hd_verdict_init(&part->verdict, r->verdict.asked);
    hd_verdict_join(&part->verdict, &r->verdict);
    part->inputs = part->complete = 1;
    part->seconds = seconds;
    part->detail =
        hd_report_format(&check->report, "%llu runs, %llu of them different",
                         (unsigned long long)r->runs, (unsigned long long)r->kept.length);
    for (size_t i = 0; i < r->kept.length; i++)
        add_run(check, &r->kept.data[i]);
}

static char **argv_of(const hd_engine_check *check) {
    char **argv = HD_NEW_ARRAY(char *, check->words.count + 2);
    argv[0] = (char *)check->program;
    for (size_t i = 0; i < check->words.count; i++)
        argv[i + 1] = check->words.data[i];
    return argv;
}

static bool record(hd_engine_check *check, hd_error *error) {
    question q;
    double left = hd_clock_left(check->seconds);
    unsigned each = (unsigned)(left * record_share / (double)check->seeds);
    hd_engine_recording r = {.how = {.argv = argv_of(check),
                                     .seed = 1,
                                     .timeout = each < 1 ? 1 : each,
                                     .patience = 10,
                                     .limit = (uint64_t)4096 << 20,
                                     .calls = true,
                                     .no_input = true},
                             .arguments = check->words,
                             .output = hd_engine_check_path(check, "run.htr"),
                             .format = HD_TRACE_BINARY,
                             .runs = check->seeds};
    bool good = true;
    if (!begin(&q, check, left))
        count_late(check, "record");
    else if (hd_engine_record_capture(&r, error) && hd_engine_record_run(&r, error))
        add_runs(check, &r, seconds_of(&q));
    else
        good = false;
    end(&q);
    free(r.how.argv);
    hd_engine_record_release(&r);
    return good;
}

bool hd_engine_check_varies(hd_engine_check *check, const hd_engine_run *run) {
    question q;
    const char *trace = hd_engine_check_path(check, "again.htr");
    double left = hd_clock_left(check->seconds);
    hd_engine_recording r = {.how = {.argv = argv_of(check),
                                     .seed = run->seed,
                                     .timeout = left < 1 ? 1 : (unsigned)left,
                                     .patience = 10,
                                     .limit = (uint64_t)4096 << 20,
                                     .calls = true,
                                     .no_input = true},
                             .arguments = check->words,
                             .output = trace,
                             .format = HD_TRACE_BINARY,
                             .runs = 1};
    bool varies = false;
    if (begin(&q, check, left) && hd_engine_record_capture(&r, &q.error) &&
        hd_engine_record_run(&r, &q.error) && r.kept.length) {
        const hd_engine_run *again = &r.kept.data[0];
        varies = again->summary.events == run->summary.events &&
                 (again->bytes != run->bytes || strcmp(again->printed ? again->printed : "",
                                                       run->printed ? run->printed : "") != 0);
    }
    end(&q);
    remove(trace);
    free(r.how.argv);
    hd_engine_record_release(&r);
    return varies;
}

/* ---- Predicting ---- */

/* Races and deadlocks of the program itself: what is found is replayed on it.  False if
 * there is no answer, so that its traces are asked instead. */
static bool drive(hd_engine_check *check, bool deadlocks, double seconds) {
    enum { LONG = 200000 }; /* events: to run it step by step takes longer than to ask the trace */
    question q;
    hd_engine_drive d;
    if (check->kind != HD_ENGINE_PROGRAM || check->longest > LONG)
        return false;
    hd_engine_drive_init(&d, check->program, check->words, deadlocks);
    d.options.total_seconds = seconds > 0.2 ? seconds / 2 : 0.1;
    d.output = hd_engine_check_path(check, deadlocks ? "deadlock.std" : "race.std");
    bool good = begin(&q, check, seconds) && hd_engine_drive_start(&d, &q.error) &&
                hd_engine_drive_run(&d, &q.error) &&
                hd_engine_report_drive(&check->report, &d, seconds_of(&q), &q.error);
    end(&q);
    hd_engine_drive_release(&d);
    return good;
}

/* A question about a trace. */
typedef struct asked {
    enum { RACES, DEADLOCKS, READS, STATES } what;
    const char *predicate; /* of STATES */
} asked;

static const char *const commands[] = {
    [RACES] = "race", [DEADLOCKS] = "deadlock", [READS] = "nondet", [STATES] = "detect"};

/* A trace, and the question that is asked about it. */
typedef struct predicted {
    hd_engine_check *check;
    const hd_trace *trace;
    const char *path;
    const char *output; /* of witnesses */
    hd_report_scene scene;
    uint64_t found;
} predicted;

static bool ask_order(predicted *p, bool deadlocks, question *q) {
    hd_engine_prediction prediction;
    hd_engine_predict_init(&prediction, p->trace, deadlocks);
    prediction.options.limit = (uint64_t)2000 * 1000000;
    bool good = hd_engine_predict_run(&prediction, &q->error);
    for (size_t i = 0; good && i < prediction.found.length; i++)
        good = hd_engine_finding_save(p->output, p->path, p->trace, &prediction.found.data[i], i,
                                      &q->error);
    if (good)
        hd_engine_report_prediction(&p->check->report, &prediction, p->output, p->path,
                                    seconds_of(q));
    hd_engine_predict_release(&prediction);
    return good;
}

/* Reads are notes, and there may be very many: they get no files. */
static int take_read(void *context, hd_finding *finding) {
    predicted *p = context;
    hd_engine_report_read(&p->check->report, &p->scene, finding);
    p->found++;
    return 0;
}

static bool ask_reads(predicted *p, question *q) {
    hd_engine_reads r = {.trace = p->trace};
    hd_nondet_options_init(&r.options);
    r.options.limit = (uint64_t)2000000 * 1000;
    bool good = hd_engine_reads_run(&r, take_read, p, &q->error);
    if (good)
        hd_engine_report_reads(&p->check->report, &r, p->found, seconds_of(q));
    hd_engine_reads_release(&r);
    return good;
}

static void add_state(predicted *p, const hd_engine_detection *d, const char *predicate) {
    hd_report_finding *finding = hd_engine_report_state(&p->check->report, &p->scene, d, predicate);
    if (!d->proved)
        return;
    finding->witness = p->output;
    char *witness = (char *)p->output;
    finding->replay = keep_line(p->check, hd_engine_command_line("heddle validate", p->path,
                                                                 (hd_engine_words){&witness, 1}));
}

static bool save_state(const predicted *p, hd_engine_detection *d, const char *predicate,
                       hd_error *error) {
    hd_witness *witness = &d->witness;
    if (!d->proved)
        return true;
    witness->question = hd_mem_string("detect", strlen("detect"));
    witness->verdict = hd_mem_string(predicate, strcspn(predicate, "\r\n"));
    witness->trace = hd_mem_string(p->path, strlen(p->path));
    return hd_witness_save(witness, p->trace, p->output, error);
}

static bool ask_state(predicted *p, const char *predicate, question *q) {
    hd_engine_detection d;
    bool good = hd_engine_detect_run(&d, p->trace, predicate, &q->error) &&
                save_state(p, &d, predicate, &q->error);
    if (good) {
        if (d.found)
            add_state(p, &d, predicate);
        hd_report_count_answer(&p->check->report, "detect", &d.verdict, d.found, seconds_of(q));
    }
    hd_engine_detect_release(&d);
    return good;
}

static void predict_one(hd_engine_check *check, asked what, const char *path, size_t number,
                        const hd_trace *trace, double seconds) {
    question q;
    const char *command = commands[what.what];
    predicted p = {.check = check, .trace = trace, .path = path};
    p.output = hd_engine_check_path(
        check, hd_report_format(&check->report, "%s.%zu.std", command, number));
    hd_report_scene_init(&p.scene, trace);
    bool in_time = begin(&q, check, seconds);
    bool good = in_time && (what.what == RACES       ? ask_order(&p, false, &q)
                            : what.what == DEADLOCKS ? ask_order(&p, true, &q)
                            : what.what == READS     ? ask_reads(&p, &q)
                                                     : ask_state(&p, what.predicate, &q));
    end(&q);
    hd_report_scene_release(&p.scene);
    if (!in_time)
        count_late(check, command);
    else if (!good)
        count_failure(check, command, "refused", q.error.text);
}

typedef HD_VEC(asked) asked_list;

/* What the traces are asked, when the program has been. */
static void list_questions(hd_engine_check *check, double until, asked_list *list) {
    if (is_asked(check, HD_ENGINE_ASK_RACE) &&
        !drive(check, false, (until - hd_progress_clock()) / 2))
        hd_vec_push(list, (asked){RACES, NULL});
    if (is_asked(check, HD_ENGINE_ASK_DEADLOCK) &&
        !drive(check, true, (until - hd_progress_clock()) / 2))
        hd_vec_push(list, (asked){DEADLOCKS, NULL});
    if (is_asked(check, HD_ENGINE_ASK_NONDET))
        hd_vec_push(list, (asked){READS, NULL});
    for (size_t i = 0; i < check->predicates.count; i++)
        hd_vec_push(list, (asked){STATES, check->predicates.data[i]});
}

static void predict(hd_engine_check *check) {
    asked_list questions = {0};
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
                count_failure(check, commands[questions.data[k].what], "refused", error.text);
        hd_trace_release(&trace);
    }
    hd_vec_release(&questions);
}

/* ---- Exploring ---- */

/* Other ends are failures, which are found as such. */
static bool ends_well(const hd_engine_outcome *outcome) {
    return WIFEXITED(outcome->end.status) && WEXITSTATUS(outcome->end.status) == 0;
}

/* "it prints '1', or '2'": as much as fits a line. */
static void add_outcome(hd_engine_check *check, const hd_engine_outcome *outcome,
                        const char **text) {
    enum { MOST = 40 };
    const char *output = outcome->output;
    char shown[4 * MOST + 1];
    size_t length = output ? strlen(output) : 0;
    size_t line = length && output[length - 1] == '\n' ? length - 1 : length;
    hd_text_printable(shown, sizeof shown, output ? output : "", line < MOST ? line : MOST);
    *text = hd_report_format(&check->report, "%s%s '%s%s'", *text ? *text : "",
                             *text ? ", or" : "it prints", shown, line > MOST ? "..." : "");
}

/* Ways to end that differ are one finding, and a note unless they were asked for: most programs
 * may print what they like in the order they like. */
static void fold_outcomes(hd_engine_check *check, size_t from, const hd_engine_exploration *e) {
    enum { MOST = 4 };
    hd_report *report = &check->report;
    const char *text = NULL;
    size_t kept = from, count = 0, ways = 0;
    for (size_t i = 0; i < e->outcomes.length; i++)
        if (ends_well(&e->outcomes.data[i]) && ways++ < MOST)
            add_outcome(check, &e->outcomes.data[i], &text);
    for (size_t i = from; i < report->findings.length; i++) {
        hd_report_finding *finding = &report->findings.data[i];
        bool outcome = strcmp(finding->id, "outcome") == 0;
        if (outcome && (count++ || ways < 2)) {
            hd_report_finding_release(finding);
            continue;
        }
        if (outcome && !(check->asked & HD_ENGINE_ASK_OUTCOME))
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

static void add_exploration(hd_engine_check *check, const hd_engine_exploration *e,
                            const question *q) {
    size_t before = check->report.findings.length;
    hd_engine_report_exploration(&check->report, e, seconds_of(q));
    fold_outcomes(check, before, e);
    check->explored_file = "the answer of heddle explore";
    if (check->explored) {
        const char *file = check->explored(check->context, e, q->started);
        check->explored_file = file ? hd_report_keep(&check->report, file) : check->explored_file;
    }
    hd_engine_check_compare_runs(check, e);
}

/* Of a model this is the first who reads it: false then, if it is bad. */
static bool explore(hd_engine_check *check, hd_error *error) {
    question q;
    hd_engine_exploration e;
    double left = hd_clock_left(check->seconds), rest = left - 0.1 * left;
    bool good = true;
    if (!is_asked(check, HD_ENGINE_ASK_EXPLORE) && !is_asked(check, HD_ENGINE_ASK_OUTCOME))
        return true;
    hd_engine_explore_init(&e, check->program, check->words);
    e.findings.enough = 0;
    /* The rest of the time, less what it takes to print and to replay. */
    e.options.most_seconds = rest > 0.1 ? rest : 0.1;
    e.find = hd_engine_explore_usual(&e);
    if (check->kind == HD_ENGINE_PROGRAM)
        e.find |= HD_ENGINE_FIND_OUTCOME;
    e.output = hd_engine_check_path(check, "explore.std");
    if (!begin(&q, check, left))
        count_late(check, "explore");
    else if (!hd_engine_explore_start(&e, &q.error)) {
        good = check->kind != HD_ENGINE_MODEL;
        *error = q.error;
        if (good)
            count_failure(check, "explore", "refused", q.error.text);
    } else if (hd_engine_explore_run(&e, &q.error))
        add_exploration(check, &e, &q);
    else
        count_failure(check, "explore", "refused", q.error.text);
    end(&q);
    hd_engine_explore_release(&e);
    return good;
}

/* ---- Replaying ---- */

/* A recording is replayed by following its events. */
static bool fails_again(const hd_engine_check *check, const char *file, hd_error *error) {
    hd_native_followed followed = {0};
    hd_launch_run run = {0};
    hd_native_difference difference = {0};
    char **argv = argv_of(check);
    bool good = hd_native_follow_load(&followed, file, 0, error);
    if (good) {
        hd_launch_options how = hd_native_follow_options(&followed, argv);
        unsigned left = (unsigned)hd_clock_left(check->seconds) + 1;
        how.silent = how.no_input = true;
        how.timeout = left;
        good = hd_launch_run_program(&run, &how, error) &&
               hd_native_follow_compare(&followed, &run, NULL, NULL, &difference, error);
    }
    bool again = good && !difference.event && !run.timed_out &&
                 run.wire->ending != HEDDLE_WIRE_STOPPED && !hd_launch_run_succeeded(&run);
    hd_native_followed_release(&followed);
    hd_launch_run_release(&run);
    free(argv);
    return again;
}

static bool shows_again(const hd_engine_check *check, const char *file, hd_error *error) {
    hd_engine_replay r;
    if (check->kind == HD_ENGINE_PROGRAM && hd_engine_is_recording(file))
        return fails_again(check, file, error);
    hd_engine_replay_init(&r, check->program, file, check->words);
    bool good = hd_engine_replay_load(&r, error);
    if (good)
        hd_engine_replay_run(&r, NULL);
    bool shown = good && r.end == HD_ENGINE_SHOWN;
    hd_engine_replay_release(&r);
    return shown;
}

static void replay_one(hd_engine_check *check, hd_report_finding *finding) {
    question q;
    /* A replay is short; it is worth a moment more than there was time. */
    begin(&q, check, hd_clock_left(check->seconds) + 2);
    if (shows_again(check, finding->witness, &q.error))
        finding->proof = HD_REPORT_REPLAYED;
    end(&q);
    finding->replay =
        keep_line(check, hd_engine_replay_line(check->program, finding->witness, check->words));
}

/* What was not seen again on the program is not told as a failure of it. */
static void doubt(hd_engine_check *check, hd_report_finding *finding) {
    hd_report_part *part = hd_report_part_of(&check->report, finding->found_by.data[0]);
    finding->level = HD_REPORT_NOTE;
    hd_verdict_not(&part->verdict, "undecided", "not replayed on the program: %s",
                   finding->message ? finding->message : finding->rule->text);
    part->complete = 0;
}

static void replay(hd_engine_check *check) {
    for (size_t i = 0; i < check->report.findings.length; i++) {
        hd_report_finding *finding = &check->report.findings.data[i];
        if (finding->witness && !finding->replay)
            replay_one(check, finding);
        if (check->kind == HD_ENGINE_PROGRAM && finding->level > HD_REPORT_NOTE &&
            finding->proof < HD_REPORT_REPLAYED)
            doubt(check, finding);
    }
}

/* ---- The plan ---- */

void hd_engine_check_init(hd_engine_check *check, const char *input, hd_engine_words words) {
    *check = (hd_engine_check){.input = input, .words = words, .seeds = 8, .seconds = 60};
    check->started = hd_progress_clock();
    hd_report_init(&check->report, "check", input);
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
    if (is_source(input) || hd_engine_is_program(input)) {
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
    if (check->kind == HD_ENGINE_PROGRAM &&
        ((is_source(check->input) && !compile(check, error)) || !record(check, error)))
        return false;
    if (check->kind != HD_ENGINE_MODEL)
        predict(check);
    return check->kind == HD_ENGINE_TRACE || explore(check, error);
}

static void note_interrupt(hd_engine_check *check) {
    hd_report_part *part = hd_report_part_of(&check->report, "check");
    part->inputs = 1;
    part->failed = "interrupted";
    hd_verdict_not(&part->verdict, "interrupted", "interrupted before all was asked");
}

bool hd_engine_check_run(hd_engine_check *check, hd_error *error) {
    check->clock = (hd_clock){.until = check->started + check->seconds};
    hd_clock_begin(&check->clock);
    bool good = ask_all(check, error);
    hd_clock_end(&check->clock);
    if (!good)
        return false;
    hd_report_merge(&check->report);
    replay(check);
    if (check->kind == HD_ENGINE_PROGRAM) {
        hd_engine_check_compare_findings(check);
        hd_engine_check_cover(check);
    }
    if (check->interrupted)
        note_interrupt(check);
    check->report.seconds = hd_progress_clock() - check->started;
    return true;
}

void hd_engine_check_release(hd_engine_check *check) {
    hd_report_release(&check->report);
    hd_vec_release(&check->traces);
    hd_vec_release(&check->runs);
}
