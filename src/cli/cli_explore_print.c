/*
 * The answer of heddle explore, as text.
 */
#include <stdlib.h>
#include <string.h>

#include "cli_explore.h"
#include "cli_verdict.h"

/* Of nondet. */
static void print_same(const hd_engine_exploration *e, const char *name) {
    if (e->findings.found.length)
        printf("%s: is not the same in every schedule\n  %-19s %.*s\n", name, "they part at",
               (int)e->parts.length, e->parts.data);
    else if (hd_verdict_complete(&e->verdict))
        printf("%s: is the same in every schedule%s\n", name, hd_cli_verdict_proviso(&e->verdict));
    else
        printf("%s: no verdict: no difference found, but the search is not complete\n", name);
}

static void print_verdict(const hd_engine_exploration *e) {
    const char *name = hd_text_name(e->path);
    size_t found = e->findings.found.length;
    if (e->nondet)
        print_same(e, name);
    else if (found && hd_engine_claim_of(&e->findings.found.data[0]) == HD_REPLAY_END)
        printf("%s: ends in %zu ways\n", name, e->outcomes.length);
    else if (found == 1)
        printf("%s: fails: a schedule was found\n", name);
    else if (found > 1)
        printf("%s: fails in %zu ways\n", name, found);
    else if (hd_verdict_complete(&e->verdict))
        printf("%s: no schedule fails%s\n", name, hd_cli_verdict_proviso(&e->verdict));
    else if (e->graph)
        printf("%s: no verdict: no state was found that fails\n", name);
    else if (e->walk)
        printf("%s: no verdict: no random run failed\n", name);
    else
        printf("%s: no verdict: nothing found, but the search is not complete\n", name);
}

static void print_walks(const hd_engine_exploration *e) {
    const hd_explore_walk_result *walked = &e->walked;
    char number[32];
    printf("  %-19s random runs, %s, seed %llu\n", "algorithm",
           e->walks.kind == HD_EXPLORE_PCT ? "by priorities (PCT)" : "uniform",
           (unsigned long long)e->walks.seed);
    if (e->walks.kind == HD_EXPLORE_PCT)
        printf("  %-19s a run meets a bug of depth %u with a chance of at least %.2g\n",
               "guarantee", e->walks.depth, walked->guarantee);
    if (walked->cut)
        printf("  %-19s %s, by the limit on steps\n", "runs cut off",
               hd_text_grouped(number, walked->cut));
}

static const char *how_chosen(const hd_engine_exploration *e) {
    if (e->options.algorithm == HD_EXPLORE_AUTO || e->chosen)
        return ", chosen by auto";
    if (e->options.algorithm == HD_EXPLORE_UNFOLD && e->result.used != HD_EXPLORE_UNFOLD)
        return ", as unfold does not support all operations";
    if (e->unread)
        return ", as unfold does not support ";
    return e->options.by_reads      ? ", each class by reads-from"
           : e->options.source_sets ? " with source sets"
                                    : "";
}

bool hd_cli_explored_eagerly(const hd_engine_exploration *e) {
    return !e->walk && !e->options.bounded &&
           (e->result.used == HD_EXPLORE_EPOR || e->result.used == HD_EXPLORE_EPOR_SH);
}

bool hd_cli_explored_by_states(const hd_engine_exploration *e) {
    return !e->program && e->portfolio.states.all && !e->result.steps;
}

static void print_method(const hd_engine_exploration *e) {
    const hd_explore_result *result = &e->result;
    if (e->walk) {
        print_walks(e);
        return;
    }
    if (e->graph) {
        hd_cli_strategies_graph(e);
        return;
    }
    if (hd_cli_explored_by_states(e))
        printf("  %-19s every state once\n", "algorithm");
    else if (e->options.bounded)
        printf("  %-19s by rising numbers of preemptions\n", "algorithm");
    else
        printf("  %-19s %s%s%s\n", "algorithm", hd_explore_algorithm_name(result->used),
               how_chosen(e), e->unread ? e->unread : "");
    if (hd_engine_explore_workers(e) > 1)
        printf("  %-19s %u\n", "workers", hd_engine_explore_workers(e));
}

static void print_number(const char *name, uint64_t value) {
    char number[32];
    printf("  %-19s %s\n", name, hd_text_grouped(number, value));
}

/* What was looked for. */
static void print_checked(const hd_engine_exploration *e) {
    printf("  %-19s %s, %s", "checked", e->verdict.asked,
           hd_text_count(e->machine->threads, "thread", "threads"));
    for (size_t i = 0; i < e->defines.length; i++)
        printf(", %s", hd_text_name(e->defines.data[i].name));
    printf("\n");
}

static void print_outcomes(const hd_engine_exploration *e) {
    enum { MOST = 8 };
    char number[32];
    for (size_t i = 0; i < e->outcomes.length && i < MOST; i++) {
        hd_vec_char text = {0};
        hd_engine_explore_end(&e->outcomes.data[i], &text);
        printf("  %-19s %s, %s\n", i ? "" : "outcomes", text.data,
               e->outcomes.data[i].count
                   ? hd_text_count(e->outcomes.data[i].count, "execution", "executions")
                   : "not met by the search");
        hd_vec_release(&text);
    }
    if (e->outcomes.length > MOST)
        printf("  %-19s and %s others; --json has all\n", "",
               hd_text_grouped(number, e->outcomes.length - MOST));
    if (e->result.used == HD_EXPLORE_UNFOLD && !e->options.by_reads)
        printf("  %-19s there may be others; --find=outcome lists all\n", "");
}

/* Reads that can see another write, although all executions end alike. */
static void print_apart(const hd_engine_exploration *e) {
    enum { MOST = 6 };
    char reads[32];
    if (!e->apart.known)
        return;
    if (!e->apart.differ) {
        printf("  %-19s of %s of an execution, none can see another write%s\n", "reads",
               hd_text_count(e->apart.reads, "read", "reads"),
               e->apart.undecided ? " (not all are decided)" : "");
        return;
    }
    printf("  %-19s of %s of an execution, %s can see another write, which no outcome shows%s:\n",
           "reads", hd_text_count(e->apart.reads, "read", "reads"),
           hd_text_grouped(reads, e->apart.differ),
           e->apart.undecided ? " (not all are decided)" : "");
    for (size_t i = 0; i < e->apart.variables.length && i < MOST; i++)
        printf("  %-19s %s, %s\n", "", hd_text_name(e->apart.variables.data[i].name),
               hd_text_count(e->apart.variables.data[i].differ, "read", "reads"));
    if (e->apart.variables.length > MOST)
        printf("  %-19s and %s others; --json has all\n", "",
               hd_text_grouped(reads, e->apart.variables.length - MOST));
}

/* Which of them were not run. */
static void print_predicted(const hd_engine_exploration *e) {
    char done[32], predicted[32];
    if (!e->program)
        return;
    hd_native_tally tally = hd_native_machine_tally(e->machine);
    if (tally.predicted)
        printf("  %-19s %s done, %s predicted\n", "runs", hd_text_grouped(done, tally.done),
               hd_text_grouped(predicted, tally.predicted));
}

/* Those of a program are assumed, and then compared with what is executed. */
static void print_sections(const hd_engine_exploration *e) {
    char sections[32], back[32];
    if (e->program && hd_cli_explored_eagerly(e))
        printf("  %-19s %s learnt, %s taken back\n", "sections",
               hd_text_grouped(sections, e->result.sections),
               hd_text_grouped(back, e->result.taken_back));
}

static void print_block(const hd_engine_exploration *e) {
    const hd_explore_result *result = &e->result;
    print_verdict(e);
    print_checked(e);
    print_method(e);
    hd_cli_verdict_print(&e->verdict, 19);
    print_number("executions", result->executions);
    if (result->used == HD_EXPLORE_UNFOLD)
        print_number("events", result->events);
    print_predicted(e);
    if (result->traces)
        print_number("traces", result->traces);
    print_number("blocked", result->blocked);
    print_number("deadlocks", result->deadlocks);
    print_number("violations", result->violations);
    if (e->assumed + e->pruned)
        print_number("pruned", e->assumed + e->pruned);
    if (result->cut)
        print_number("cut off", result->cut);
    print_number("dependency checks", result->dependency_checks);
    print_number("race checks", result->race_checks);
    print_number("unsatisfiable", result->unsatisfiable);
    print_sections(e);
    if (e->filter.suppressed)
        print_number("suppressed", e->filter.suppressed);
    hd_cli_strategies_print(e);
    if (e->outcomes.length > 1 || (e->nondet && e->outcomes.length))
        print_outcomes(e);
    print_apart(e);
}

static void print_size(const hd_replay_shrunk *shrunk) {
    printf("  %s, %s (%s)", hd_text_count(shrunk->schedule.length, "step", "steps"),
           hd_text_count(shrunk->switches, "context switch", "context switches"),
           shrunk->fewest ? "the fewest" : "perhaps not the fewest");
    if (shrunk->dropped)
        printf("; %s left out", hd_text_count(shrunk->dropped, "other step", "other steps"));
    printf("\n");
}

static void print_replay(const hd_engine_exploration *e, size_t i) {
    char *file = e->output ? hd_engine_witness_file(e->output, i) : NULL;
    char *line = hd_engine_replay_line(e->path, file ? file : "FILE", e->arguments);
    printf("  to replay: %s%s\n", file ? "" : "save it with -o FILE, then ", line);
    free(line);
    free(file);
}

static void print_failed_stack(const hd_engine_exploration *e) {
    hd_vec_char text = {0};
    uint32_t thread = hd_native_fallen_thread(e->checker);
    hd_native_machine_stack(e->checker, thread, "    ", &text);
    if (text.length)
        printf("  stack of %s:\n%s", e->checker->type->thread_name(e->checker, thread), text.data);
    hd_vec_release(&text);
}

static void print_race_stacks(const hd_engine_exploration *e, const hd_steps *schedule) {
    char *stacks[2];
    hd_engine_stacks_before(e->checker, schedule, "    ", stacks);
    for (size_t i = 0; i < 2; i++) {
        uint32_t thread = schedule->data[schedule->length - 2 + i].thread;
        if (*stacks[i])
            printf("  stack of %s:\n%s", e->checker->type->thread_name(e->checker, thread),
                   stacks[i]);
        free(stacks[i]);
    }
}

/* The place may be in a file of any name. */
static void print_title(const hd_finding *finding) {
    char *line = hd_engine_explore_line(finding);
    hd_vec_char text = {0};
    hd_text_shorten(&text, line, strlen(line));
    printf("\n%s\n", text.data);
    hd_vec_release(&text);
    free(line);
}

/* Broken between words. */
static void print_advice(const hd_vec_char *text) {
    enum { WIDTH = 76 };
    for (size_t at = 0; at < text->length;) {
        size_t length = text->length - at;
        if (length > WIDTH) {
            for (length = WIDTH; length && text->data[at + length] != ' '; length--)
                ;
            if (!length)
                length = strcspn(text->data + at, " ");
            while (length > 1 && text->data[at + length - 1] == ' ')
                length--;
        }
        printf("  %s%.*s\n", at ? "  " : "* ", (int)length, text->data + at);
        for (at += length; at < text->length && text->data[at] == ' '; at++)
            ;
    }
}

static void print_cycle(const hd_engine_exploration *e, const hd_steps *schedule) {
    hd_replay_outcome outcome;
    hd_error error = {""};
    if (hd_replay_run_livelock(e->checker, schedule, &outcome, &error) && outcome.cycle)
        printf("  the state after the last step is that before step %zu: this goes on for ever if "
               "the\n  steps from there are repeated, in which every thread that can go on has "
               "its turn\n",
               outcome.before + 1);
}

static void print_finding(const hd_engine_exploration *e, size_t i) {
    const hd_finding *finding = &e->findings.found.data[i];
    const hd_replay_shrunk *shrunk = &e->shrunk.data[i];
    hd_replay_outcome outcome;
    hd_error error = {""};
    hd_cli_steps steps;
    char number[32];
    print_title(finding);
    if (finding->count > 1 && hd_engine_claim_of(finding) != HD_REPLAY_END)
        printf("  in %s executions; one of them:\n", hd_text_grouped(number, finding->count));
    if (finding->by || e->portfolio.ran)
        printf("  found by %s\n", hd_cli_strategy(finding->by));
    print_size(shrunk);
    hd_vec_char advice = {0};
    hd_vec_u32 matter = {0};
    hd_engine_explore_advise(e, finding, shrunk, &advice, &matter);
    hd_replay_prepare(e->checker, hd_engine_claim_of(finding));
    hd_cli_steps_init(&steps, e->checker, e->path, &shrunk->schedule, NULL);
    steps.matter = &matter;
    hd_replay_watch watch = hd_cli_steps_watch(&steps);
    bool shown = hd_replay_run(e->checker, &shrunk->schedule, &watch, &outcome, &error);
    hd_cli_steps_release(&steps);
    if (!shown) {
        printf("  there was no time left to show all of its steps\n");
    } else if (hd_engine_claim_of(finding) == HD_REPLAY_STUCK) {
        printf("  who waits:\n");
        hd_cli_waits(e->checker, &shrunk->schedule, NULL);
    } else if (hd_engine_claim_of(finding) == HD_REPLAY_LIVELOCK) {
        print_cycle(e, &shrunk->schedule);
    } else if (hd_engine_claim_of(finding) == HD_REPLAY_RACE) {
        printf("  before the last two steps both are next: nothing orders them\n");
        if (e->program)
            print_race_stacks(e, &shrunk->schedule);
    } else if (hd_engine_claim_of(finding) == HD_REPLAY_UNORDERED) {
        printf("  the last step and the access before it are in this order here, but nothing that "
               "happens\n  between them orders them: the memory orders of the atomic operations "
               "are too weak\n");
    } else if (hd_engine_claim_of(finding) == HD_REPLAY_VIOLATION && e->program)
        print_failed_stack(e);
    print_advice(&advice);
    print_replay(e, i);
    hd_vec_release(&advice);
    hd_vec_release(&matter);
}

int hd_cli_explore_print(const hd_cli_explored *x) {
    const hd_engine_exploration *e = &x->e;
    if (e->explanation.length)
        printf("%.*s\n", (int)e->explanation.length, e->explanation.data);
    print_block(e);
    for (size_t i = 0; i < e->findings.found.length; i++)
        print_finding(e, i);
    return hd_verdict_status(&e->verdict);
}
