/*
 * Questions about models and programs: race and deadlock of a program, explore, replay, record.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "engine_asking.h"

/* ---- race, deadlock ---- */

/* The machine is between two searches: the schedule is run on it once more. */
static int take_driven(void *context, const hd_engine_drive *drive, const hd_drive_found *found,
                       uint32_t round) {
    hd_engine_asking *ask = context;
    hd_engine_driven driven;
    bool good = hd_engine_driven_make(&driven, drive, found, &ask->failed);
    if (good && hd_engine_driven_suppressed(drive, &driven)) {
        hd_engine_driven_release(&driven);
        return 0;
    }
    if (good) {
        hd_engine_report_driven(ask->a->report, drive, &driven, &ask->lines);
        size_t number = hd_engine_asking_settle(ask, round);
        hd_report_finding *finding = &ask->a->report->findings.data[ask->first + number];
        good = !ask->q->output || hd_engine_driven_save(drive, &driven, number, &ask->failed);
        if (good)
            hd_engine_report_witness(ask->a->report, finding, ask->q->output, number);
    }
    hd_engine_driven_release(&driven);
    return !good || hd_engine_asking_tell(ask);
}

bool hd_engine_ask_drive(hd_engine_asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    // cppcheck-suppress uninitvar ; it is filled in below if it is the one
    hd_engine_drive own, *d = q->whole.drive ? q->whole.drive : &own;
    if (d == &own) {
        hd_engine_drive_init(&own, q->path, q->arguments, q->what == HD_ENGINE_DEADLOCK);
        own.output = q->output;
        own.options.seeds = q->seeds ? q->seeds : own.options.seeds;
        if (q->executions)
            own.options.most_executions = own.options.whole_executions = q->executions;
        own.options.effort = q->effort ? q->effort : (uint64_t)2000 * 1000000;
        hd_drive_options_limit(&own.options, q->searching > 0 ? q->searching : q->seconds);
        own.each = take_driven;
        own.context = ask;
    }
    bool good = d != &own || !q->suppressions ||
                hd_finding_suppressions_load(&own.filter, q->suppressions, error);
    if (d == &own)
        own.options.whole |= own.filter.on;
    good = good && hd_engine_drive_start(d, error) && hd_engine_drive_run(d, error);
    if (good && ask->failed.text[0])
        good = hd_error_set(error, "%s", ask->failed.text);
    if (good) {
        hd_engine_asking_put(ask, d->deadlocks ? "deadlocks" : "races", (double)d->shown);
        hd_engine_asking_put(ask, "unproved", (double)d->result.unproved.length);
        hd_engine_asking_put(ask, "executions", (double)d->result.executions);
        hd_engine_asking_judge(ask, &d->verdict);
    }
    if (d == &own)
        hd_engine_drive_release(&own);
    return good;
}

/* ---- explore ---- */

static int take_explored(void *context, hd_engine_exploration *e, const hd_finding *finding,
                         const hd_replay_shrunk *shrunk) {
    hd_engine_asking *ask = context;
    hd_engine_report_explored(ask->a->report, e, finding, shrunk, &ask->lines);
    size_t number = hd_engine_asking_settle(ask, e->rounds);
    hd_report_finding *made = &ask->a->report->findings.data[ask->first + number];
    if (ask->q->output &&
        !hd_engine_explore_save(e, finding, shrunk, ask->q->output, number, &ask->failed))
        return 1;
    hd_engine_report_witness(ask->a->report, made, ask->q->output, number);
    hd_vec_push(&e->numbers, (hd_engine_number){finding->fingerprint, ask->first + number});
    return hd_engine_asking_tell(ask);
}

/* How often each was met is known at the end. */
static void count_explored(hd_engine_asking *ask, const hd_engine_exploration *e) {
    for (size_t i = 0; i < e->numbers.length; i++)
        for (size_t k = 0; k < e->findings.found.length; k++)
            if (e->findings.found.data[k].fingerprint == e->numbers.data[i].fingerprint)
                ask->a->report->findings.data[e->numbers.data[i].number].count =
                    e->findings.found.data[k].count;
}

static bool rename_witness(const char *from, const char *to, hd_error *error) {
    return rename(from, to) == 0 ||
           hd_error_set(error, "%s: cannot be renamed to %s: %s", hd_text_name(from),
                        hd_text_name(to), strerror(errno));
}

/* From the number that the witness was saved with to the name aside, or from there to the name that
 * it has at the end. */
static bool move_witness(const hd_engine_asking *ask, size_t number, size_t k, bool last,
                         hd_error *error) {
    char *old = hd_engine_witness_file(ask->q->output, number);
    char *now = hd_engine_witness_file(ask->q->output, k), *aside = NULL;
    hd_mem_made(asprintf(&aside, "%s.new", now) < 0 ? NULL : aside);
    bool good = rename_witness(last ? aside : old, last ? now : aside, error);
    free(aside);
    free(now);
    free(old);
    return good;
}

/* Gives the witness of each finding the number that it has at the end, where failures come before
 * races.  The new names are taken in two steps, as another finding may still have one. */
static bool renumber_witnesses(hd_engine_asking *ask, const hd_engine_exploration *e,
                               hd_error *error) {
    hd_map saved = {0}; /* fingerprint: its place in e->numbers */
    hd_map taken = {0}; /* number of a witness: the finding that has it, plus 1 */
    bool good = true;
    for (size_t i = 0; i < e->numbers.length; i++) {
        bool added;
        uint32_t *at = hd_map_at(&saved, e->numbers.data[i].fingerprint, &added);
        *at = added ? (uint32_t)i : *at;
    }
    for (int last = 0; last < 2; last++)
        for (size_t k = 0; k < e->findings.found.length && good; k++) {
            const uint32_t *at = hd_map_find(&saved, e->findings.found.data[k].fingerprint);
            size_t number = at ? e->numbers.data[*at].number : 0;
            if (!at)
                continue; /* it has no witness */
            /* A search that started over may have found one again as two, which are one here. */
            uint32_t *first = hd_map_at(&taken, number, NULL);
            *first = *first ? *first : (uint32_t)k + 1;
            if (*first != k + 1 || number - ask->first == k)
                continue; /* another one has it, or it has its name already */
            good = move_witness(ask, number - ask->first, k, last, error);
            if (good && last)
                hd_engine_report_witness(ask->a->report, &ask->a->report->findings.data[number],
                                         ask->q->output, k);
        }
    hd_map_release(&saved);
    hd_map_release(&taken);
    return good;
}

static void add_outcomes(hd_engine_answer *answer, const hd_engine_exploration *e) {
    for (size_t i = 0; i < e->outcomes.length; i++) {
        const hd_engine_outcome *from = &e->outcomes.data[i];
        bool killed = WIFSIGNALED(from->end.status);
        hd_vec_push(&answer->outcomes, (hd_engine_way){
                                           .killed = killed,
                                           .status = killed ? WTERMSIG(from->end.status)
                                                            : WEXITSTATUS(from->end.status),
                                           .output = hd_report_keep(answer->report, from->output),
                                           .bytes = from->end.wrote,
                                           .executions = hd_engine_explore_outcome_count(e, i),
                                       });
    }
}

static void add_figures(hd_engine_asking *ask, const hd_engine_exploration *e) {
    hd_engine_asking_put(ask, "executions", (double)e->result.executions);
    hd_engine_asking_put(ask, "blocked", (double)e->result.blocked);
    hd_engine_asking_put(ask, "deadlocks", (double)e->result.deadlocks);
    hd_engine_asking_put(ask, "violations", (double)e->result.violations);
    hd_engine_asking_put(ask, "steps", (double)e->result.steps);
    hd_engine_asking_put(ask, "threads", e->machine->threads);
    if (e->program) {
        hd_native_tally tally = hd_native_machine_tally(e->machine);
        hd_engine_asking_put(ask, "runs", (double)tally.done);
        hd_engine_asking_put(ask, "predicted", (double)tally.predicted);
    }
}

static void fill_exploration(hd_engine_asking *ask, hd_engine_exploration *e) {
    const hd_engine_question *q = ask->q;
    hd_engine_explore_init(e, q->path, q->arguments);
    e->find = q->find ? q->find : hd_engine_explore_usual(e);
    e->findings.enough = q->first ? 1 : 0;
    e->workers = q->threads ? q->threads : 1;
    e->options.most_seconds = q->searching > 0 ? q->searching : q->seconds;
    e->options.most_executions = q->executions;
    e->options.most_steps = q->depth;
    e->options.bounded = e->alone = q->bounded;
    if (q->bounded)
        e->options.threads = e->workers;
    e->options.preemptions = q->preemptions;
    for (size_t i = 0; i < q->words.count; i++) {
        const char *word = q->words.data[i];
        hd_vec_push(&e->words, hd_mem_string(word, strlen(word)));
        e->no_predict |= strcmp(word, "reuse=1") == 0;
    }
    e->each = take_explored;
    e->at_once = q->found != NULL;
    e->context = ask;
    if (q->what == HD_ENGINE_NONDET)
        hd_engine_explore_nondet(e, false);
}

bool hd_engine_ask_explore(hd_engine_asking *ask, hd_error *error) {
    // cppcheck-suppress uninitvar ; it is filled in below if it is the one
    hd_engine_exploration own, *e = ask->q->whole.explore ? ask->q->whole.explore : &own;
    if (e == &own)
        fill_exploration(ask, &own);
    bool good = e != &own || !ask->q->suppressions ||
                hd_finding_suppressions_load(&own.filter, ask->q->suppressions, error);
    good = good && hd_engine_explore_start(e, error) && hd_engine_explore_run(e, error);
    if (good && ask->failed.text[0])
        good = hd_error_set(error, "%s", ask->failed.text);
    if (good) {
        count_explored(ask, e);
        if (ask->q->output && !ask->q->found) /* else the names were told */
            good = renumber_witnesses(ask, e, error);
        add_outcomes(ask->a, e);
        add_figures(ask, e);
        hd_engine_asking_judge(ask, &e->verdict);
        hd_report_part_of(ask->a->report, hd_engine_what_names[ask->q->what])->detail =
            hd_report_format(ask->a->report, "%s",
                             hd_text_count(e->result.executions, "execution", "executions"));
        if (ask->q->explored)
            ask->q->explored(ask->q->context, e);
    }
    if (e == &own)
        hd_engine_explore_release(&own);
    return good;
}

/* ---- replay ---- */

static bool follow(hd_engine_asking *ask, hd_engine_follow *f, hd_error *error) {
    if (!hd_engine_follow_run(f, error))
        return false;
    if (f->end == HD_ENGINE_SHOWN && !ask->q->whole.follow)
        hd_engine_report_followed(ask->a->report, f);
    hd_engine_asking_put(ask, "events", (double)f->followed.events);
    hd_engine_asking_judge(ask, &f->verdict);
    return f->end != HD_ENGINE_DIVERGED || ask->q->whole.follow ||
           hd_error_set(error, "%s: diverges from %s: %s", hd_text_name(f->path),
                        hd_text_name(f->file), f->reason.text);
}

/* Of a recording the program is run along its events. */
static bool ask_follow(hd_engine_asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    hd_engine_replay r;
    hd_engine_replay_init(&r, q->path, q->witness, q->arguments);
    bool good = hd_engine_replay_program(&r, error);
    if (good) {
        hd_engine_follow f = {.path = q->path,
                              .file = q->witness,
                              .argv = r.argv,
                              .silent = true,
                              .timeout = q->seconds > 0 ? (unsigned)q->seconds + 1 : 0};
        good = follow(ask, &f, error);
        hd_engine_follow_release(&f);
    }
    hd_engine_replay_release(&r);
    return good;
}

static bool ask_witness(hd_engine_asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    // cppcheck-suppress uninitvar ; it is filled in below if it is the one
    hd_engine_replay own, *r = q->whole.replay ? q->whole.replay : &own;
    if (r == &own)
        hd_engine_replay_init(&own, q->path, q->witness, q->arguments);
    bool good = hd_engine_replay_load(r, error);
    if (good) {
        hd_engine_replay_run(r);
        if (r->end == HD_ENGINE_SHOWN && r == &own)
            hd_engine_report_replayed(ask->a->report, r);
        hd_engine_asking_put(ask, "steps", (double)r->outcome.steps);
        hd_engine_asking_judge(ask, &r->verdict);
    }
    if (good && r == &own && r->end == HD_ENGINE_DIVERGED)
        good = hd_error_set(error, "%s: diverges from %s: %s", hd_text_name(r->path),
                            hd_text_name(r->file), r->reason.text);
    if (r == &own)
        hd_engine_replay_release(&own);
    return good;
}

bool hd_engine_ask_replay(hd_engine_asking *ask, hd_error *error) {
    const hd_engine_question *q = ask->q;
    if (q->whole.follow)
        return follow(ask, q->whole.follow, error);
    if (!q->whole.replay && hd_engine_is_program(q->path) &&
        (hd_engine_is_recording(q->witness) || hd_engine_is_trace_witness(q->witness)))
        return ask_follow(ask, error);
    return ask_witness(ask, error);
}

/* ---- record ---- */

/* Did the run end in a deadlock that suppressions name, and no other?  Its trace says where. */
static bool is_suppressed(const hd_engine_asking *ask, const hd_engine_run *run) {
    hd_trace trace = {0};
    hd_error error = {""};
    if (!ask->q->suppressions || !run->output || !run->rule || strcmp(run->rule, "deadlock") != 0 ||
        !hd_trace_load(&trace, run->output, HD_TRACE_TIMED, &error))
        return false;
    hd_engine_prediction p;
    hd_engine_predict_init(&p, &trace, true);
    bool good = hd_finding_suppressions_load(&p.filter, ask->q->suppressions, &error) &&
                hd_engine_predict_run(&p, &error);
    bool suppressed = good && !p.found.length && !p.unproved.length && p.filter.suppressed;
    hd_engine_predict_release(&p);
    hd_trace_release(&trace);
    return suppressed;
}

static int take_run(void *context, const hd_engine_run *run) {
    hd_engine_asking *ask = context;
    if (ask->q->recorded)
        ask->q->recorded(ask->q->context, run);
    if (run->end == HD_ENGINE_ENDED_LATE || run->end == HD_ENGINE_ENDED_WELL ||
        is_suppressed(ask, run))
        return 0;
    hd_engine_report_run(ask->a->report, run);
    return hd_engine_asking_tell(ask);
}

static char **argv_of(const hd_engine_question *q) {
    char **argv = HD_NEW_ARRAY(char *, q->arguments.count + 2);
    argv[0] = (char *)(uintptr_t)q->path;
    for (size_t i = 0; i < q->arguments.count; i++)
        argv[i + 1] = q->arguments.data[i];
    return argv;
}

/* Nothing of the program's is shown: what it prints is kept. */
static bool fill_recording(hd_engine_asking *ask, hd_engine_recording *r, hd_error *error) {
    const hd_engine_question *q = ask->q;
    hd_engine_record_init(r);
    r->how.argv = argv_of(q);
    r->how.seed = q->seed ? q->seed : r->how.seed;
    r->how.timeout = q->run_seconds;
    r->how.calls = !q->no_stacks;
    r->how.no_input = true;
    r->arguments = q->arguments;
    r->output = q->output;
    r->format = hd_trace_format_of(q->output);
    r->runs = q->seeds ? q->seeds : 1;
    r->each = take_run;
    r->context = ask;
    return hd_engine_record_capture(r, error);
}

bool hd_engine_ask_record(hd_engine_asking *ask, hd_error *error) {
    hd_engine_recording own = {0}, *r = ask->q->whole.record ? ask->q->whole.record : &own;
    bool good = (r != &own || fill_recording(ask, &own, error)) && hd_engine_record_run(r, error);
    if (good) {
        hd_engine_asking_put(ask, "runs", (double)r->runs);
        hd_engine_asking_put(ask, "different", (double)r->kept.length);
        hd_engine_asking_put(ask, "failed", (double)r->failed);
        hd_engine_asking_judge(ask, &r->verdict);
        hd_report_part_of(ask->a->report, "record")->detail =
            r->runs == 1
                ? "1 run"
                : hd_report_format(ask->a->report, "%llu runs, %llu of them different",
                                   (unsigned long long)r->runs, (unsigned long long)r->kept.length);
    }
    if (r == &own) {
        free(own.how.argv);
        hd_engine_record_release(&own);
    }
    return good;
}
