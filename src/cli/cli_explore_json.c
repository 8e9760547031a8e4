/*
 * The answer of heddle explore, as JSON.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli_explore.h"

/* How it was searched. */
static void write_method(const hd_engine_exploration *e, hd_json *json) {
    if (e->walk) {
        bool pct = e->walks.kind == HD_EXPLORE_PCT;
        hd_json_text(json, "algorithm", pct ? "pct" : "random");
        hd_json_uint(json, "runs", e->walks.runs);
        hd_json_uint(json, "seed", e->walks.seed);
        hd_json_uint(json, "cut", e->walked.cut);
        if (pct) {
            hd_json_uint(json, "depth", e->walks.depth);
            hd_json_real(json, "guarantee", e->walked.guarantee);
        }
    } else if (e->graph) {
        hd_json_text(json, "algorithm", "graph");
        hd_json_uint(json, "states", e->portfolio.graph_seen.states);
        hd_json_bool(json, "finished", e->portfolio.graph_seen.finished);
    } else if (e->options.bounded) {
        hd_json_text(json, "algorithm", "bounded");
        hd_json_uint(json, "preemptions", e->options.preemptions);
        hd_json_uint(json, "prefixes", e->result.prefixes);
        hd_json_uint(json, "levels", e->result.levels);
        hd_json_bool(json, "beyond", e->result.beyond);
        hd_json_uint(json, "workers", hd_engine_explore_workers(e));
    } else {
        hd_json_text(json, "algorithm",
                     hd_cli_explored_by_states(e) ? "states"
                                                  : hd_explore_algorithm_name(e->result.used));
        if (e->unread)
            hd_json_text(json, "unsupported", e->unread);
        if (e->result.used == HD_EXPLORE_UNFOLD) {
            if (e->options.by_reads)
                hd_json_text(json, "classes", "reads");
            hd_json_uint(json, "events", e->result.events);
        }
        hd_json_uint(json, "workers", hd_engine_explore_workers(e));
    }
}

static size_t count_races(const hd_engine_exploration *e) {
    size_t count = 0;
    for (size_t i = 0; i < e->findings.found.length; i++)
        count += strcmp(e->findings.found.data[i].rule, "race") == 0;
    return count;
}

static void write_lines(hd_json *json, const char *key, const char *text, size_t length) {
    hd_json_open(json, key, '[');
    for (size_t at = 0; at < length;) {
        size_t line = strcspn(text + at, "\n");
        hd_json_string(json, NULL, text + at, line);
        at += line + 1;
    }
    hd_json_close(json);
}

static void write_outcomes(const hd_engine_exploration *e, hd_json *json) {
    hd_json_open(json, "outcomes", '[');
    for (size_t i = 0; i < e->outcomes.length; i++) {
        const hd_native_outcome *outcome = &e->outcomes.data[i].end;
        hd_json_open(json, NULL, '{');
        if (e->outcomes.data[i].stuck)
            hd_json_bool(json, "deadlock", true);
        else if (WIFSIGNALED(outcome->status))
            hd_json_uint(json, "signal", (uint64_t)WTERMSIG(outcome->status));
        else
            hd_json_uint(json, "exit_status", (uint64_t)WEXITSTATUS(outcome->status));
        hd_json_string(json, "output", outcome->output, outcome->shown);
        hd_json_uint(json, "bytes", outcome->wrote);
        write_lines(json, "marks", outcome->marks, outcome->marked);
        if (e->nondet)
            write_lines(json, "inputs", outcome->inputs, outcome->asked);
        hd_json_uint(json, "executions", hd_engine_explore_outcome_count(e, i));
        hd_json_close(json);
    }
    hd_json_close(json);
}

/* Of nondet: whether it is the same in every schedule, null if that is not known; and where two
 * outcomes part, by their numbers from 1. */
static void write_same(const hd_engine_exploration *e, hd_json *json) {
    bool differs = e->parts.length > 0;
    if (differs || hd_verdict_complete(&e->verdict))
        hd_json_bool(json, "same", !differs);
    else
        hd_json_null(json, "same");
    if (!differs)
        return;
    hd_json_open(json, "parts", '{');
    hd_json_uint(json, "first", e->differ[0] + 1);
    hd_json_uint(json, "second", e->differ[1] + 1);
    hd_json_string(json, "at", e->parts.data, e->parts.length);
    hd_json_close(json);
}

/* What a search that is not complete came up against. */
static void write_limit(const hd_engine_exploration *e, hd_json *json) {
    if (hd_verdict_complete(&e->verdict) || e->result.stopped)
        hd_json_null(json, "limit");
    else if (e->result.limit)
        hd_json_text(json, "limit", hd_explore_limit_name(e->result.limit));
    else if (e->graph) /* it came to its end, or was given up */
        hd_json_null(json, "limit");
    else
        hd_json_text(json, "limit", e->options.bounded ? "preemptions" : "runs");
}

static void write_apart(const hd_engine_exploration *e, hd_json *json) {
    hd_json_open(json, "reads_apart", '{');
    hd_json_uint(json, "reads", e->apart.reads);
    hd_json_uint(json, "nondeterministic_reads", e->apart.differ);
    hd_json_uint(json, "unknown_reads", e->apart.undecided);
    hd_json_open(json, "variables", '[');
    for (size_t i = 0; i < e->apart.variables.length; i++) {
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "variable", e->apart.variables.data[i].name);
        hd_json_uint(json, "reads", e->apart.variables.data[i].reads);
        hd_json_uint(json, "nondeterministic", e->apart.variables.data[i].differ);
        hd_json_close(json);
    }
    hd_json_close(json);
    hd_json_close(json);
}

void hd_cli_explore_write_result(const hd_engine_exploration *e, hd_json *json) {
    const hd_explore_result *result = &e->result;
    write_method(e, json);
    hd_json_uint(json, "threads", e->machine->threads);
    hd_json_open(json, "parameters", '{');
    for (size_t i = 0; i < e->defines.length; i++) {
        const char *name = e->defines.data[i].name;
        char *key = hd_mem_string(name, strcspn(name, "="));
        hd_json_int(json, key, e->defines.data[i].value);
        free(key);
    }
    hd_json_close(json);
    hd_json_uint(json, "executions", result->executions);
    if (e->program) {
        hd_native_tally tally = hd_native_machine_tally(e->machine);
        hd_json_uint(json, e->walk ? "executed" : "runs", tally.done);
        hd_json_uint(json, "predicted", tally.predicted);
    }
    hd_json_uint(json, "blocked", result->blocked);
    hd_json_uint(json, "deadlocks", result->deadlocks);
    hd_json_uint(json, "violations", result->violations);
    if (e->program)
        hd_json_uint(json, "pruned", e->assumed + e->pruned);
    if (!e->walk)
        hd_json_uint(json, "cut", result->cut);
    hd_json_uint(json, "hung", result->hung);
    hd_json_uint(json, "dependency_checks", result->dependency_checks);
    hd_json_uint(json, "race_checks", result->race_checks);
    hd_json_uint(json, "unsatisfiable", result->unsatisfiable);
    if (e->program && hd_cli_explored_eagerly(e)) {
        hd_json_uint(json, "sections", result->sections);
        hd_json_uint(json, "taken_back", result->taken_back);
    }
    if (e->filter.on)
        hd_json_uint(json, "suppressed", e->filter.suppressed);
    if (e->apart.known)
        write_apart(e, json);
    if (result->traces)
        hd_json_uint(json, "traces", result->traces);
    hd_json_uint(json, "steps", result->steps);
    hd_json_real(json, "covered", result->covered);
    if (result->covered_error > 0)
        hd_json_real(json, "covered_error", result->covered_error);
    write_limit(e, json);
    hd_json_bool(json, "stopped", result->stopped);
    if ((!e->alone || e->chosen) && !e->walk && !e->graph)
        hd_cli_strategies_write(e, json);
    if (e->explanation.length)
        hd_json_string(json, "explanation", e->explanation.data, e->explanation.length);
    if (e->find & HD_ENGINE_FIND_RACE)
        hd_json_uint(json, "races", count_races(e));
    if (e->nondet)
        write_same(e, json);
    if (e->program && !e->sv_comp)
        write_outcomes(e, json);
    if (e->sv_comp)
        hd_cli_sv_comp_write(e->property, hd_engine_explore_word(e), json);
}

static void write_schedule(hd_json *json, hd_machine *machine, const hd_steps *schedule) {
    hd_json_open(json, "schedule", '[');
    for (size_t i = 0; i < schedule->length; i++) {
        hd_json_open(json, NULL, '{');
        hd_json_text(json, "thread", machine->type->thread_name(machine, schedule->data[i].thread));
        hd_json_uint(json, "choice", schedule->data[i].choice);
        hd_json_close(json);
    }
    hd_json_close(json);
}

static void write_steps(const hd_engine_exploration *e, hd_json *json, const hd_steps *schedule,
                        const hd_vec_u32 *matter) {
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_cli_steps steps;
    hd_cli_steps_init(&steps, e->checker, e->path, schedule, json);
    steps.matter = matter;
    hd_replay_watch watch = hd_cli_steps_watch(&steps);
    hd_json_open(json, "steps", '[');
    hd_replay_run(e->checker, schedule, &watch, &outcome, &error);
    hd_cli_steps_close(&steps);
    hd_cli_steps_release(&steps);
}

/* The number of the first step that is repeated for ever. */
static void write_cycle(const hd_engine_exploration *e, hd_json *json, const hd_steps *schedule) {
    hd_replay_outcome outcome;
    hd_error error = {""};
    if (hd_replay_run_livelock(e->checker, schedule, &outcome, &error) && outcome.cycle)
        hd_json_uint(json, "cycle", outcome.before + 1);
}

static void write_finding(const hd_engine_exploration *e, size_t i, hd_json *json) {
    const hd_finding *finding = &e->findings.found.data[i];
    const hd_replay_shrunk *shrunk = &e->shrunk.data[i];
    hd_json_open(json, NULL, '{');
    hd_json_text(json, "rule", finding->rule);
    hd_json_text(json, "message", finding->message);
    hd_json_text(json, "location", finding->location);
    if (finding->variable)
        hd_json_text(json, "variable", finding->variable);
    hd_json_uint(json, "count", finding->count);
    if (finding->by)
        hd_json_text(json, "strategy", finding->by);
    hd_json_text(json, "claim", hd_replay_claim_name(hd_engine_claim_of(finding)));
    write_schedule(json, e->checker, &shrunk->schedule);
    hd_json_uint(json, "context_switches", shrunk->switches);
    hd_json_bool(json, "fewest_switches", shrunk->fewest);
    hd_json_uint(json, "dropped", shrunk->dropped);
    hd_vec_char advice = {0};
    hd_vec_u32 matter = {0};
    hd_engine_explore_advise(e, finding, shrunk, &advice, &matter);
    hd_replay_prepare(e->checker, hd_engine_claim_of(finding));
    write_steps(e, json, &shrunk->schedule, &matter);
    if (advice.length)
        hd_json_string(json, "advice", advice.data, advice.length);
    hd_vec_release(&advice);
    hd_vec_release(&matter);
    hd_engine_shown shown = hd_engine_explore_shown(e, i);
    hd_engine_shown_write(&shown, json);
    if (hd_engine_claim_of(finding) == HD_REPLAY_LIVELOCK)
        write_cycle(e, json, &shrunk->schedule);
    if (hd_engine_claim_of(finding) == HD_REPLAY_STUCK) {
        hd_json_open(json, "waits", '[');
        hd_cli_waits(e->checker, &shrunk->schedule, json);
        hd_json_close(json);
    }
    if (e->output) {
        char *file = hd_engine_witness_file(e->output, i);
        hd_json_text(json, "witness", file);
        free(file);
    }
    hd_json_close(json);
}

static void write_all(const hd_engine_exploration *e, hd_cli_answer *answer) {
    hd_cli_explore_write_result(e, &answer->json);
    hd_cli_json_findings(answer);
    for (size_t i = 0; i < e->findings.found.length; i++)
        write_finding(e, i, &answer->json);
}

int hd_cli_explore_json(const hd_cli_explored *x) {
    hd_cli_answer answer;
    if (!hd_cli_json_begin(&answer, x->arguments, x->e.path, &x->e.verdict))
        return HD_CLI_BAD;
    write_all(&x->e, &answer);
    return hd_cli_json_end(&answer, hd_verdict_status(&x->e.verdict));
}

bool hd_cli_explore_keep(const hd_engine_exploration *e, const char *path, double since) {
    hd_cli_answer answer;
    hd_error error = {""};
    answer.file = hd_file_create(path, &error);
    if (!answer.file)
        return false;
    hd_json_init(&answer.json, answer.file);
    hd_report_answer_begin(&answer.json,
                           &(hd_report_answer){.command = "explore",
                                               .input = e->path,
                                               .verdict = &e->verdict,
                                               .seconds = hd_progress_clock() - since});
    write_all(e, &answer);
    hd_report_answer_end(&answer.json);
    return hd_file_commit(answer.file, &error);
}
