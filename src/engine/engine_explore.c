/*
 * The question explore: the search, and what it finds.  Each failure is run again by the checker
 * before it counts, then shrunk and saved.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_explore.h"
#include "engine_team.h"
#include "graph/graph.h"

enum { DRAWN_STATES = 500 };

/* ---- What is found ---- */

static void describe_deadlock(hd_engine_exploration *e, hd_finding *finding, uint32_t position) {
    uint32_t waiting = 0;
    hd_machine_operation operation;
    uint32_t threads = 0;
    for (uint32_t t = 0; t < e->checker->threads; t++) {
        bool waits = e->checker->type->next(e->checker, t, &operation);
        bool looks = e->program && hd_native_machine_monitors(e->checker, t);
        threads += !looks && (!waits || !operation.idle);
        waiting += waits && !operation.idle;
    }
    finding->location = hd_engine_place(e->checker, e->path, position);
    char *text = NULL;
    if (asprintf(&text, "%u of %s cannot go on", waiting,
                 hd_text_count(threads, "thread", "threads")) >= 0)
        finding->message = text;
}

/* Positions of the steps of a cycle. */
typedef struct cycle {
    size_t before;
    uint64_t threads;
    hd_vec_u32 *positions;
} cycle;

static int add_position(void *context, hd_machine *machine, size_t number, const hd_step *step) {
    cycle *c = context;
    hd_machine_operation operation = {0};
    if (number <= c->before || !machine->type->next(machine, step->thread, &operation))
        return 0;
    hd_vec_push(c->positions, operation.position);
    c->threads |= UINT64_C(1) << step->thread;
    return 0;
}

static void find_cycle(hd_engine_exploration *e, cycle *c) {
    hd_replay_outcome outcome;
    hd_error error = {""};
    if (!hd_replay_run_livelock(e->checker, &e->schedule, &outcome, &error))
        return;
    c->before = outcome.before;
    hd_replay_run(e->checker, &e->schedule,
                  &(hd_replay_watch){.before = add_position, .context = c}, &outcome, &error);
}

static void describe_livelock(hd_engine_exploration *e, hd_finding *finding) {
    hd_vec_u32 positions = {0};
    cycle c = {.positions = &positions};
    char *text = NULL;
    find_cycle(e, &c);
    finding->location = hd_engine_place(e->checker, e->path, positions.data[0]);
    size_t length = e->schedule.length - c.before;
    if (asprintf(
            &text, "%s on for ever: the last %s to the state before them",
            hd_text_count((uint64_t)__builtin_popcountll(c.threads), "thread goes", "threads go"),
            hd_text_count(length, "step leads back", "steps lead back")) >= 0)
        finding->message = text;
    hd_vec_release(&positions);
}

/* Positions of the statements that a failure is about, in the program's text. */
static void find_positions(hd_engine_exploration *e, enum hd_replay_claim claim,
                           hd_vec_u32 *positions) {
    hd_machine_operation operation;
    if (claim == HD_REPLAY_LIVELOCK) {
        find_cycle(e, &(cycle){.positions = positions});
        return;
    }
    if (claim == HD_REPLAY_VIOLATION) {
        hd_vec_push(positions, hd_engine_failed_position(e->checker));
        if (hd_engine_failed_line(e->checker))
            hd_vec_push(positions, hd_engine_failed_line(e->checker));
        return;
    }
    for (uint32_t t = 0; t < e->checker->threads; t++)
        if (e->checker->type->next(e->checker, t, &operation) && !operation.idle)
            hd_vec_push(positions, operation.position);
}

uint64_t hd_engine_explore_print_of(const char *rule, const uint32_t *positions, size_t count) {
    enum { DIGITS = 12 };
    char *texts = hd_mem_zero(count + 1, DIGITS);
    const char **places = HD_NEW_ARRAY(const char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        snprintf(texts + i * DIGITS, DIGITS, "%u", positions[i]);
        places[i] = texts + i * DIGITS;
    }
    uint64_t print = hd_finding_fingerprint(rule, places, count);
    free(places);
    free(texts);
    return print;
}

/* The checker is in the last state. */
static int push_finding(hd_engine_exploration *e, enum hd_replay_claim claim, const char *by) {
    hd_finding finding;
    hd_vec_u32 positions = {0};
    bool deadlock = claim == HD_REPLAY_STUCK, livelock = claim == HD_REPLAY_LIVELOCK;
    hd_finding_init(&finding,
                    deadlock   ? HD_FINDING_DEADLOCK
                    : livelock ? HD_FINDING_LIVELOCK
                               : HD_FINDING_FAILURE,
                    deadlock   ? "deadlock"
                    : livelock ? "livelock"
                               : hd_engine_failed_rule(e->checker));
    find_positions(e, claim, &positions);
    assert(positions.length > 0); /* the checker saw somebody wait, or fail */
    finding.fingerprint =
        hd_engine_explore_print_of(finding.rule, positions.data, positions.length);
    uint64_t print = finding.fingerprint;
    finding.by = by;
    bool added = !hd_finding_list_find(&e->findings, print);
    if (added && deadlock && hd_engine_explore_drops_deadlock(e, print)) {
        hd_finding_release(&finding);
        hd_vec_release(&positions);
        return 0;
    }
    if (added) {
        if (deadlock)
            describe_deadlock(e, &finding, positions.data[0]);
        else if (livelock)
            describe_livelock(e, &finding);
        else
            hd_engine_failure(e->checker, e->path, &finding.location, &finding.message);
        finding.schedule = e->schedule;
        e->schedule = (hd_steps){0};
    }
    bool apart = by && !e->chosen && by != hd_engine_search_name;
    int stop = added || !apart ? hd_finding_list_add(&e->findings, &finding) : 0;
    if (added && apart)
        hd_finding_list_find(&e->findings, print)->count = 0; /* of the search */
    hd_finding_release(&finding);
    hd_vec_release(&positions);
    if (added)
        stop |= hd_engine_explore_tell(e, hd_finding_list_find(&e->findings, print));
    return stop;
}

/* A failure that was replayed in many executions is replayed in few others: what is printed is the
 * first.  Counts it. */
static bool is_known_well(hd_engine_exploration *e, const hd_machine *machine, bool apart) {
    enum { OFTEN = 64, EACH = 64 };
    uint32_t positions[] = {hd_engine_failed_position(machine), hd_engine_failed_line(machine)};
    uint64_t print =
        hd_engine_explore_print_of(hd_engine_failed_rule(machine), positions, positions[1] ? 2 : 1);
    hd_finding *known = hd_finding_list_find(&e->findings, print);
    if (!known || known->count < OFTEN || known->count % EACH == 0)
        return false;
    known->count += !apart;
    return true;
}

/* A race stops the search only if nothing worse is looked for. */
static bool has_enough(const hd_engine_exploration *e) {
    if (e->enough)
        return true;
    return e->findings.enough && e->races.found.length >= e->findings.enough &&
           !(e->find & (HD_ENGINE_FIND_FAILURE | HD_ENGINE_FIND_DEADLOCK));
}

static int visit(hd_engine_exploration *e, hd_machine *machine, enum hd_explore_end end,
                 const hd_step *schedule, size_t length) {
    const char *by = hd_engine_portfolio_name(e, machine);
    bool apart = by && by != hd_engine_search_name;
    if (length > e->portfolio.longest)
        e->portfolio.longest = length;
    if (e->program && (hd_native_machine_changed(machine) || hd_native_machine_broken(machine)))
        return 1; /* what was searched is not what there is */
    if (end == HD_EXPLORE_HANG || end == HD_EXPLORE_CUT) {
        if (e->program && end == HD_EXPLORE_HANG)
            hd_engine_explore_hang(e, machine);
        return 0;
    }
    if (e->program && end == HD_EXPLORE_DEADLOCK && hd_native_machine_assumed(machine)) {
        e->assumed += !apart;
        return 0;
    }
    if (e->program && !e->sv_comp && (end != HD_EXPLORE_DEADLOCK || e->nondet) &&
        hd_engine_explore_outcome(e, machine, end, apart, schedule, length))
        return 1;
    unsigned sort = end == HD_EXPLORE_DEADLOCK ? HD_ENGINE_FIND_DEADLOCK : HD_ENGINE_FIND_FAILURE;
    if (e->program && end == HD_EXPLORE_VIOLATION && !(e->find & sort) && !e->fault[0] &&
        hd_native_machine_fault(machine))
        snprintf(e->fault, sizeof e->fault, "%s", hd_native_machine_fault(machine));
    if (end == HD_EXPLORE_COMPLETE || !(e->find & sort))
        return e->broken.text[0] || has_enough(e);
    if (e->enough)
        return 1;
    if (end == HD_EXPLORE_VIOLATION && is_known_well(e, machine, apart))
        return 0;
    hd_vec_clear(&e->schedule);
    for (size_t i = 0; i < length; i++)
        hd_vec_push(&e->schedule, (hd_step){schedule[i].thread, schedule[i].choice});
    enum hd_replay_claim claim = end == HD_EXPLORE_DEADLOCK ? HD_REPLAY_STUCK : HD_REPLAY_VIOLATION;
    if (e->program && end == HD_EXPLORE_DEADLOCK)
        hd_engine_explore_go_round(e, machine);
    if (!hd_replay_check(e->checker, claim, &e->schedule, &e->broken)) {
        if (e->program && hd_clock_look() == HD_CLOCK_LATE) {
            e->broken.text[0] = '\0'; /* the run was ended; so is the search, at its next step */
            return 0;
        }
        if (e->program && (hd_native_machine_every_round(machine) ||
                           hd_native_machine_mistrust(machine, e->broken.text)))
            e->broken.text[0] = '\0'; /* search again, with every round or from fresh processes */
        return 1;
    }
    return push_finding(e, claim, by);
}

int hd_engine_explore_push(hd_engine_exploration *e, enum hd_replay_claim claim, const char *by) {
    hd_error error = {""};
    if (e->enough)
        return 1;
    return hd_replay_check(e->checker, claim, &e->schedule, &error) ? push_finding(e, claim, by)
                                                                    : -1;
}

int hd_engine_explore_visit(void *context, hd_machine *machine, enum hd_explore_end end,
                            const hd_step *schedule, size_t length) {
    hd_engine_exploration *e = context;
    hd_engine_portfolio_lock(e);
    int stop = visit(e, machine, end, schedule, length);
    hd_engine_portfolio_unlock(e);
    return stop;
}

void hd_engine_explore_tick(void *context, const hd_explore_status *status) {
    hd_engine_exploration *e = context;
    e->progress.total = status->estimate > 0 ? (uint64_t)status->estimate : 0;
    hd_progress_step(&e->progress, status->executions);
}

/* ---- The way through ---- */

/* A short schedule of a finding; of an outcome, which all of it makes, the whole one; and if there
 * is no time left, the one that was checked when it was found. */
static bool shorten(hd_engine_exploration *e, const hd_finding *finding, hd_replay_shrunk *shrunk,
                    hd_error *error) {
    *shrunk = (hd_replay_shrunk){0};
    enum hd_replay_claim claim = hd_engine_claim_of(finding);
    hd_replay_prepare(e->checker, claim);
    if (claim != HD_REPLAY_END && claim != HD_REPLAY_LIVELOCK && !e->nondet) {
        bool good = hd_replay_shrink(e->checker, claim, &finding->schedule, 0, shrunk, error);
        if (good || hd_clock_look() != HD_CLOCK_LATE)
            return good;
        hd_vec_release(&shrunk->schedule);
        *shrunk = (hd_replay_shrunk){0};
        error->text[0] = '\0';
    }
    for (size_t i = 0; i < finding->schedule.length; i++)
        hd_vec_push(&shrunk->schedule, finding->schedule.data[i]);
    shrunk->switches = hd_replay_switches(&shrunk->schedule);
    return true;
}

int hd_engine_explore_tell(hd_engine_exploration *e, const hd_finding *finding) {
    hd_replay_shrunk shrunk;
    hd_error error = {""};
    if (!e->each || e->enough || !shorten(e, finding, &shrunk, &error))
        return e->enough; /* what cannot be shrunk is an error, at the end */
    hd_vec_push(&e->early, (hd_engine_short){finding->fingerprint, shrunk});
    e->enough = e->each(e->context, e, finding, &shrunk) != 0;
    return e->enough;
}

static hd_engine_short *find_early(hd_engine_exploration *e, uint64_t fingerprint) {
    for (size_t i = 0; i < e->early.length; i++)
        if (e->early.data[i].fingerprint == fingerprint)
            return &e->early.data[i];
    return NULL;
}

void hd_engine_explore_forget_early(hd_engine_exploration *e) {
    for (size_t i = 0; i < e->early.length; i++)
        hd_vec_release(&e->early.data[i].shrunk.schedule);
    hd_vec_clear(&e->early);
}

/* Tells what could not be told before. */
static bool shrink_all(hd_engine_exploration *e, hd_error *error) {
    for (size_t i = 0; i < e->findings.found.length; i++) {
        const hd_finding *finding = &e->findings.found.data[i];
        hd_replay_shrunk shrunk = {0};
        hd_engine_short *early = find_early(e, finding->fingerprint);
        if (early) {
            shrunk = early->shrunk;
            early->shrunk = (hd_replay_shrunk){0};
        } else if (!shorten(e, finding, &shrunk, error))
            return false;
        hd_vec_push(&e->shrunk, shrunk);
        if (!early && e->each && !e->enough)
            e->enough = e->each(e->context, e, finding, &e->shrunk.data[i]) != 0;
    }
    return true;
}

char *hd_engine_explore_line(const hd_finding *finding) {
    char *line = NULL;
    const char *rule = finding->sort == HD_FINDING_DEADLOCK   ? "deadlock: "
                       : finding->sort == HD_FINDING_LIVELOCK ? "livelock: "
                                                              : "";
    if (asprintf(&line, "%s: %s%s", finding->location, rule, finding->message) < 0)
        hd_mem_made(NULL);
    return line;
}

bool hd_engine_explore_save(const hd_engine_exploration *e, const hd_finding *finding,
                            const hd_replay_shrunk *shrunk, const char *output, size_t number,
                            hd_error *error) {
    hd_replay_witness witness = {.claim = hd_engine_claim_of(finding),
                                 .schedule = shrunk->schedule,
                                 .program = (char *)e->path,
                                 .question = (char *)"explore"};
    char *verdict = hd_engine_explore_line(finding);
    char *file = hd_engine_witness_file(output, number);
    witness.verdict = verdict;
    for (size_t k = 0; k < e->defines.length; k++)
        hd_vec_push(&witness.parameters, (char *)e->defines.data[k].name);
    bool good = hd_engine_witness_save(&witness, e->checker, file, error);
    free(verdict);
    free(file);
    return good;
}

static bool save_all(hd_engine_exploration *e, hd_error *error) {
    bool good = true;
    hd_file_batch_begin();
    for (size_t i = 0; good && e->output && i < e->findings.found.length; i++)
        good = hd_engine_explore_save(e, &e->findings.found.data[i], &e->shrunk.data[i], e->output,
                                      i, error);
    return hd_file_batch_end(good ? error : NULL) && good;
}

/* A state's variables, for small models. */
static void label(hd_machine *machine, hd_vec_char *to) {
    enum { MOST = 12 };
    char text[128];
    for (uint32_t i = 0; i < machine->locations && i < MOST; i++) {
        int length = snprintf(text, sizeof text, "%s%.80s=%lld", i ? "\n" : "",
                              machine->type->location_name(machine, i),
                              (long long)hd_model_value(machine, i));
        for (int k = 0; k < length && k < (int)sizeof text - 1; k++)
            hd_vec_push(to, text[k]);
    }
}

static bool draw(hd_engine_exploration *e, const char *path, hd_error *error) {
    hd_graph_options drawing = {
        .most_states = DRAWN_STATES, .title = e->path, .hash = hd_model_hash, .label = label};
    hd_graph_result drawn;
    if (!hd_graph_write(e->machine, &drawing, path, &drawn, error))
        return false;
    if (drawn.cut)
        hd_log_write(HD_LOG_WARNING, "%s: cut off at %u states; %u steps lead on",
                     hd_text_name(path), drawn.states, drawn.cut);
    return true;
}

hd_machine *hd_engine_explore_checker(const hd_engine_exploration *e) {
    hd_machine *checker = e->machine->type->copy(e->machine);
    if (e->program) {
        hd_native_machine_by_fork(checker);
        hd_native_machine_every_round(checker);
        hd_native_machine_renew(checker);
        hd_native_machine_until(checker, 0); /* what was found is checked, however late it is */
    }
    return checker;
}

hd_engine_shown hd_engine_explore_about(const hd_engine_exploration *e, const hd_finding *finding,
                                        const hd_replay_shrunk *shrunk) {
    return (hd_engine_shown){.machine = e->checker,
                             .path = e->path,
                             .claim = hd_engine_claim_of(finding),
                             .schedule = &shrunk->schedule,
                             .rule = finding->rule,
                             .variable = finding->variable,
                             .message = finding->message,
                             .location = finding->location};
}

hd_engine_shown hd_engine_explore_shown(const hd_engine_exploration *e, size_t i) {
    return hd_engine_explore_about(e, &e->findings.found.data[i], &e->shrunk.data[i]);
}

/* ---- The machine ---- */

void hd_engine_explore_init(hd_engine_exploration *e, const char *path, hd_engine_words arguments) {
    *e = (hd_engine_exploration){.path = path, .arguments = arguments};
    e->program = hd_engine_is_program(path);
    e->sv_comp = hd_engine_property_held(&e->property);
    e->options.algorithm = HD_EXPLORE_AUTO;
    e->options.threads = 1;
    e->workers = 1;
    pthread_mutex_init(&e->dropping, NULL);
    hd_finding_list_init(&e->races, 0);
    hd_finding_list_init(&e->unordered, 0);
    hd_finding_list_init(&e->findings, 1);
}

/* Are there rules for what is not to be compared? */
static bool leaves_out(const hd_engine_exploration *e) {
    bool some = false;
    for (size_t i = 0; i < e->filter.rules.length; i++)
        some |= strchr("vfn", e->filter.rules.data[i].kind) != NULL;
    return some && e->find & HD_ENGINE_FIND_OUTCOME;
}

static hd_machine *start_program(hd_engine_exploration *e, hd_error *error) {
    hd_launch_start_padded(hd_engine_keep_on(&e->keep) || e->team);
    return hd_engine_program_start(
        (hd_native_machine_options){
            .argv = e->argv,
            .most_steps = (uint32_t)e->options.most_steps,
            .patience = e->hang,
            .until = e->until,
            .by_fork = e->by_fork,
            .awaits = true,
            .predicts = !e->no_predict,
            .tally = &e->tally,
            .words = e->words.data,
            .word_count = e->words.length,
            .leaves_out = leaves_out(e) ? hd_engine_explore_leaves_out : NULL,
            .leaves_out_context = e,
        },
        error);
}

/* What is learnt at the beginning may depend on how busy the processors are; then it is learnt from
 * the beginning again. */
bool hd_engine_explore_learn(hd_engine_exploration *e, const hd_vec_char *learnt) {
    enum { MOST = 6 };
    hd_error error = {""};
    bool same = hd_native_machine_get(e->machine, learnt);
    for (int i = 1; i < MOST && !same; i++) {
        hd_machine *again = start_program(e, &error);
        if (!again)
            return false;
        e->machine->type->free(e->machine);
        e->machine = again;
        same = hd_native_machine_get(e->machine, learnt);
    }
    return same;
}

static hd_machine *load_program(hd_engine_exploration *e, hd_error *error) {
    if (!e->options.most_steps)
        e->options.most_steps = HD_NATIVE_USUAL_STEPS;
    if (e->options.most_steps > HD_NATIVE_MOST_STEPS)
        e->options.most_steps = HD_NATIVE_MOST_STEPS;
    e->options.most_length = HD_NATIVE_MOST_STEPS;
    if (e->options.algorithm == HD_EXPLORE_AUTO)
        e->options.algorithm = HD_EXPLORE_SDPOR;
    if (e->find & HD_ENGINE_FIND_OUTCOME) { /* then the order of output counts too, and marks */
        hd_vec_push(&e->words, hd_mem_string("prints=1", strlen("prints=1")));
        const char *says = leaves_out(e) ? "says=3" : e->nondet ? "says=2" : "says=1";
        hd_vec_push(&e->words, hd_mem_string(says, strlen(says)));
    }
    if (!hd_engine_explore_make(e, error))
        return NULL;
    if (e->options.most_seconds > 0)
        e->until = hd_progress_clock() + e->options.most_seconds + hd_engine_explore_grace(e);
    return start_program(e, error);
}

bool hd_engine_explore_start(hd_engine_exploration *e, hd_error *error) {
    if (e->machine)
        return true;
    if (e->team &&
        hd_team_current()->rank) /* the lead ends it, and no run of ours before its time */
        e->options.most_seconds = 0;
    if (hd_engine_keep_on(&e->keep) || e->team) {
        e->alone = true;
        e->options.threads = e->workers;
        if (e->options.algorithm == HD_EXPLORE_AUTO)
            e->options.algorithm = HD_EXPLORE_SDPOR;
    }
    if (!e->program && !e->options.most_steps)
        e->options.most_steps = HD_NATIVE_USUAL_STEPS;
    e->machine = e->program
                     ? load_program(e, error)
                     : hd_engine_model_load(e->path, e->defines.data, e->defines.length, error);
    if (!e->machine ||
        (e->program && !hd_engine_program_suppressions(e->machine, &e->filter, error)))
        return false;
    bool good =
        (!e->team || hd_engine_team_can(e, error)) && hd_engine_explore_keep_begin(e, error);
    e->checker = hd_engine_explore_checker(e);
    return good;
}

bool hd_engine_explore_run(hd_engine_exploration *e, hd_error *error) {
    if (e->explain)
        hd_model_explain(e->machine, &e->explanation);
    if (e->dot && !draw(e, e->dot, error))
        return false;
    hd_progress_start(&e->progress, "exploring", "executions", 0);
    bool good = hd_engine_explore_search(e, error);
    hd_progress_end(&e->progress);
    if (!good) {
        hd_error_prefix(error, "%s: ", hd_text_name(e->path));
        return false;
    }
    if (e->broken.text[0])
        return hd_error_set(error, "a schedule of the search cannot be run again: %s",
                            e->broken.text);
    hd_engine_explore_gather(e);
    e->result.deadlocks -= e->assumed;
    hd_engine_explore_judge(e);
    hd_engine_explore_read_apart(e);
    return shrink_all(e, error) && save_all(e, error);
}

void hd_engine_explore_release(hd_engine_exploration *e) {
    for (size_t i = 0; i < e->shrunk.length; i++)
        hd_vec_release(&e->shrunk.data[i].schedule);
    hd_vec_release(&e->shrunk);
    hd_engine_explore_forget_early(e);
    hd_vec_release(&e->early);
    hd_vec_release(&e->numbers);
    hd_finding_list_release(&e->findings);
    hd_vec_release(&e->defines);
    hd_vec_release(&e->hung);
    hd_vec_release(&e->schedule);
    hd_vec_release(&e->explanation);
    hd_vec_release(&e->parts);
    hd_vec_release(&e->varies);
    hd_engine_explore_forget(e);
    hd_engine_explore_forget_dropped(e);
    hd_engine_explore_forget_apart(e);
    hd_finding_filter_release(&e->filter);
    pthread_mutex_destroy(&e->dropping);
    hd_verdict_release(&e->verdict);
    hd_finding_list_release(&e->races);
    hd_finding_list_release(&e->unordered);
    hd_map_release(&e->unordered_pairs);
    hd_vec_release(&e->outcomes);
    for (size_t i = 0; i < e->words.length; i++)
        free(e->words.data[i]);
    hd_vec_release(&e->words);
    if (e->checker)
        e->checker->type->free(e->checker);
    if (e->machine)
        e->machine->type->free(e->machine);
    hd_engine_keep_release(&e->keep);
    hd_verdict_release(&e->rested);
    free(e->argv);
    free(e->made);
}
