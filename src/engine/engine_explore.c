/*
 * The question explore: the machine, the search, and what is done with what it finds
 * (engine_explore_found.c): shrunk and saved.
 */
#include <stdlib.h>
#include <string.h>

#include "engine_explore.h"
#include "engine_team.h"
#include "graph/graph.h"

enum { DRAWN_STATES = 500 };

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
    hd_replay_prepare(hd_engine_explore_checker(e), claim);
    if (claim != HD_REPLAY_END && claim != HD_REPLAY_LIVELOCK && !e->nondet) {
        bool good = hd_replay_shrink(hd_engine_explore_checker(e), claim, &finding->schedule, 0,
                                     shrunk, error);
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
    bool good = hd_engine_witness_save(&witness, hd_engine_explore_checker(e), file, error);
    free(verdict);
    free(file);
    return good;
}

/* What was found is told even if it cannot be saved. */
static void save_all(hd_engine_exploration *e) {
    bool good = true;
    hd_error *error = &e->unsaved;
    hd_file_batch_begin();
    for (size_t i = 0; good && e->output && i < e->findings.found.length; i++)
        good = hd_engine_explore_save(e, &e->findings.found.data[i], &e->shrunk.data[i], e->output,
                                      i, error);
    if (!hd_file_batch_end(good ? error : NULL) || !good)
        e->output = NULL;
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

/* It takes half of the time that is left at most: the answer is more than the drawing. */
static bool draw(hd_engine_exploration *e, const char *path, hd_error *error) {
    static const double ever = 1e9;
    double left = hd_clock_left(ever);
    hd_clock clock = {.until = left < ever ? hd_progress_clock() + left / 2 : 0};
    hd_graph_options drawing = {
        .most_states = DRAWN_STATES, .title = e->path, .hash = hd_model_hash, .label = label};
    hd_graph_result drawn;
    hd_clock_begin(&clock);
    bool good = hd_graph_write(e->machine, &drawing, path, &drawn, error);
    hd_clock_end(&clock);
    if (!good)
        return false;
    if (drawn.late)
        hd_log_write(HD_LOG_WARNING, "%s: no time was left to draw all of %u states",
                     hd_text_name(path), drawn.states);
    else if (drawn.cut)
        hd_log_write(HD_LOG_WARNING, "%s: cut off at %u states; %u steps lead on",
                     hd_text_name(path), drawn.states, drawn.cut);
    return true;
}

static hd_machine *wake(const hd_engine_exploration *e, hd_machine *checker) {
    if (e->program && hd_native_machine_wake(checker)) {
        hd_native_machine_by_fork(checker);
        hd_native_machine_every_round(checker);
        hd_native_machine_renew(checker);
        hd_native_machine_until(checker, 0); /* what was found is checked, however late it is */
    }
    return checker;
}

static hd_machine *copy_machine(const hd_engine_exploration *e) {
    return e->program ? hd_native_machine_copy_asleep(e->machine)
                      : e->machine->type->copy(e->machine);
}

hd_machine *hd_engine_explore_checker(const hd_engine_exploration *e) {
    return wake(e, e->checker);
}

hd_machine *hd_engine_explore_another_checker(const hd_engine_exploration *e) {
    return wake(e, copy_machine(e));
}

/* Searches that find nothing are many, and starts of programs take longer than their runs: it is
 * started with the first finding, or before there are workers, who would start it in turns. */
void hd_engine_explore_make_checker(hd_engine_exploration *e) {
    if (e->checker)
        e->checker->type->free(e->checker);
    e->checker = copy_machine(e);
    if (e->options.threads > 1)
        wake(e, e->checker);
}

hd_engine_shown hd_engine_explore_about(const hd_engine_exploration *e, const hd_finding *finding,
                                        const hd_replay_shrunk *shrunk) {
    return (hd_engine_shown){.machine = hd_engine_explore_checker(e),
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

/* Are there threads, or functions, of the names that --symmetry has? */
static bool check_declared(const hd_engine_exploration *e, hd_error *error) {
    for (const char *at = e->symmetry ? e->symmetry : ""; *at;) {
        size_t length = strcspn(at, ",");
        if (!(e->program ? hd_native_machine_has_function(e->machine, at, length)
                         : hd_model_has_thread(e->machine, at, length)))
            return hd_error_set(error, "%s: --symmetry: there is no %s '%.*s'",
                                hd_text_name(e->path), e->program ? "function" : "thread",
                                (int)(length < 80 ? length : 80), at);
        at += length + (at[length] == ',');
    }
    return true;
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
    if (!check_declared(e, error))
        return false;
    e->machine->declared = e->symmetry;
    bool good =
        (!e->team || hd_engine_team_can(e, error)) && hd_engine_explore_keep_begin(e, error);
    hd_engine_explore_make_checker(e);
    return good;
}

bool hd_engine_explore_run(hd_engine_exploration *e, hd_error *error) {
    if (e->explain && !e->program)
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
    if (!shrink_all(e, error))
        return false;
    save_all(e);
    return true;
}

void hd_engine_explore_release(hd_engine_exploration *e) {
    for (size_t i = 0; i < e->shrunk.length; i++)
        hd_vec_release(&e->shrunk.data[i].schedule);
    hd_vec_release(&e->shrunk);
    hd_engine_explore_forget_early(e);
    hd_vec_release(&e->early);
    hd_vec_release(&e->lesser);
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
