#include "explore.h"

#include <stdlib.h>
#include <string.h>

#include "explore_crew.h"
#include "explore_estimate.h"
#include "explore_frontier.h"
#include "explore_learnt.h"
#include "explore_orders.h"
#include "explore_search.h"
#include "explore_symmetry.h"
#include "explore_team.h"

static const char *const names[HD_EXPLORE_ALGORITHMS] = {"naive", "dpor",    "sdpor", "odpor",
                                                         "epor",  "epor-sh", "auto",  "unfold"};

const char *hd_explore_algorithm_name(enum hd_explore_algorithm algorithm) {
    return names[algorithm];
}

bool hd_explore_algorithm_find(const char *name, enum hd_explore_algorithm *algorithm) {
    for (int i = 0; i < HD_EXPLORE_ALGORITHMS; i++)
        if (strcmp(names[i], name) == 0) {
            *algorithm = (enum hd_explore_algorithm)i;
            return true;
        }
    return false;
}

const char *hd_explore_limit_name(enum hd_explore_limit limit) {
    static const char *const limits[HD_EXPLORE_LIMITS] = {
        [HD_EXPLORE_LIMIT_TIME] = "time",   [HD_EXPLORE_LIMIT_EXECUTIONS] = "executions",
        [HD_EXPLORE_LIMIT_STEPS] = "steps", [HD_EXPLORE_LIMIT_PREFIXES] = "prefixes",
        [HD_EXPLORE_LIMIT_HANG] = "hang",   [HD_EXPLORE_LIMIT_INTERRUPT] = "interrupt",
    };
    return limits[limit];
}

static void cut_off(hd_explore_search *search, enum hd_explore_limit limit) {
    search->result->limit = limit;
    search->stop = true;
    search->due = true;
    if (search->crew)
        atomic_store(&search->crew->stop, true);
}

/* One that is kept ends where that can be done. */
static void end_by(hd_explore_search *search, enum hd_explore_limit limit) {
    if (!search->options->keeper && !search->membership) {
        cut_off(search, limit);
        return;
    }
    search->halt = limit;
    search->keep_due = true;
}

void hd_explore_has_kept(hd_explore_search *search) {
    search->keep_due = false;
    search->kept = hd_progress_clock();
    if (search->halt)
        cut_off(search, search->halt);
}

static double last_kept(const hd_explore_search *search) {
    return search->crew ? atomic_load(&search->crew->kept) : search->kept;
}

/* A search that takes long is to say how far it is.  Of a bounded one, or one by reads-from, other
 * things are counted. */
static void start_estimate(hd_explore_search *search) {
    const hd_explore_options *options = search->options;
    hd_explore_crew *crew = search->crew;
    hd_explore_estimate *estimate = crew ? atomic_load(&crew->estimate) : search->estimate;
    if (estimate)
        hd_explore_estimate_alive(estimate);
    if (estimate || !options->estimates || options->bounded ||
        search->algorithm == HD_EXPLORE_UNFOLD || search->membership ||
        search->algorithm == HD_EXPLORE_NAIVE || search->stop ||
        !hd_explore_estimate_can(search->path.machine))
        return;
    if (!crew && !search->estimates) {
        search->estimates = true;
        search->estimate = hd_explore_estimate_start(search->path.machine, options->most_steps);
    } else if (crew && !atomic_exchange(&crew->estimates, true))
        atomic_store(&crew->estimate,
                     hd_explore_estimate_start(search->path.machine, options->most_steps));
}

/* The share of the executions that there are now; 0: not known. */
static double share_by_estimate(hd_explore_search *search, double executions, double *error) {
    hd_explore_estimate *estimate =
        search->crew ? atomic_load(&search->crew->estimate) : search->estimate;
    double all = estimate ? hd_explore_estimate_get(estimate, error) : 0;
    bool good = all > executions && *error < 1;
    if (!good)
        *error = 0;
    return good ? executions / all : 0;
}

/* The time is asked for once in a while: a step can take some nanoseconds, or as long
 * as a second. */
static void check_clock(hd_explore_search *search) {
    enum { MOST_BETWEEN = 1 << 16 };
    static const double often = 0.02, between_reports = 0.25, longest_slice = 2;
    static const double before_estimate = 0.5, before_programs = 2; /* a copy takes long to make */
    const hd_explore_options *options = search->options;
    double now = hd_progress_clock();
    double since = now - search->clock;
    if (search->crew)
        search->stop |= atomic_load_explicit(&search->crew->stop, memory_order_relaxed);
    search->clock = now;
    if (since < often && search->between < MOST_BETWEEN)
        search->between *= 2;
    else if (since > 2 * often)
        search->between = search->between / 2 + 1;
    search->until_clock = search->between;
    if (now - search->started >
        (search->path.machine->type->learn ? before_programs : before_estimate))
        start_estimate(search);
    if (search->pause_at && now - search->slice_began > longest_slice)
        search->pause_at = 1;
    if (options->most_seconds > 0 && now - search->started > options->most_seconds)
        end_by(search, HD_EXPLORE_LIMIT_TIME);
    else if (hd_clock_look() != HD_CLOCK_GOES)
        end_by(search, hd_clock_look() == HD_CLOCK_LATE ? HD_EXPLORE_LIMIT_TIME
                                                        : HD_EXPLORE_LIMIT_INTERRUPT);
    else if (options->tick && now - search->reported > between_reports) {
        search->reported = now;
        search->due = true;
    }
    if (options->keeper && now - last_kept(search) > options->keeper->every)
        search->keep_due = true;
    if (search->membership && (now - search->membership->reported > options->member->every ||
                               options->member->wanted(options->member->context, false)))
        search->keep_due = true;
}

/* To ask the clock costs a call for what is the thread's own, so not at every step. */
enum { SOMETIMES = 16 };

void hd_explore_look_at_clock(hd_explore_search *search) {
    uint32_t left = --search->until_clock;
    if (left == 0 || (left % SOMETIMES == 0 && hd_clock_has_worked()))
        check_clock(search);
}

bool hd_explore_is_over(hd_explore_search *search) {
    enum { LONG = 1 << 12 };
    if (!search->stop && (search->path.events.length > LONG ||
                          (++search->asked % SOMETIMES == 0 && hd_clock_over())))
        check_clock(search);
    return search->stop;
}

bool hd_explore_leaves(hd_explore_search *search) {
    static const double patience = 5;
    if ((!search->options->keeper && !search->membership) || !hd_clock_over())
        return hd_clock_over();
    if (search->late <= 0)
        search->late = hd_progress_clock();
    if (hd_progress_clock() - search->late < patience)
        return false;
    if (!search->stop)
        cut_off(search, HD_EXPLORE_LIMIT_INTERRUPT);
    return true;
}

double hd_explore_to_come(const hd_explore_search *search, size_t depth, uint32_t ways,
                          uint64_t since) {
    assert(since <= search->result->executions);
    double size = (double)(search->result->executions - since);
    if (depth + 1 < search->levels.length && search->levels.data[depth + 1].nodes) {
        const hd_explore_level *level = &search->levels.data[depth + 1];
        size = (double)level->executions / (double)level->nodes;
    }
    return ways * (size > 1 ? size : 1);
}

/* Adds what this worker did since it last did so: a counter that all write at every execution is
 * what they would wait for. */
static uint64_t count_in_crew(hd_explore_search *search) {
    uint64_t now = search->result->executions, more = now - search->counted;
    search->counted = now;
    return atomic_fetch_add(&search->crew->executions, more) + more;
}

/* By the samples, if some are taken.  A search that is over before that says it by what is known to
 * be left, which of a crew no worker knows. */
void hd_explore_report(hd_explore_search *search, double to_come) {
    const hd_explore_options *options = search->options;
    uint64_t counted = search->crew ? count_in_crew(search) : search->result->executions;
    double executions = (double)counted, error = 0;
    double covered = share_by_estimate(search, executions, &error);
    if (covered <= 0)
        covered = search->crew || search->estimate ? 0 : executions / (executions + to_come);
    search->due = false;
    search->result->covered = covered;
    search->result->covered_error = error;
    if (!options->tick || (search->crew && search->stop))
        return;
    hd_explore_status status = {.executions = counted,
                                .steps = search->result->steps,
                                .seconds = hd_progress_clock() - search->started,
                                .covered = covered,
                                .error = error};
    if (covered > 0)
        status.estimate = executions / covered;
    if (search->crew)
        hd_mem_lock(&search->crew->visiting);
    options->tick(options->context, &status);
    if (search->crew)
        hd_mem_unlock(&search->crew->visiting);
}

static void stop_search(hd_explore_search *search) {
    search->result->stopped = true;
    search->stop = true;
    search->due = true;
    if (search->crew)
        atomic_store(&search->crew->stop, true);
}

void hd_explore_abandon(hd_explore_search *search) {
    stop_search(search);
}

/* Is the search over, for the machine has no state to go on from? */
static bool ends_late(hd_explore_search *search) {
    if (!search->path.machine->late)
        return false;
    check_clock(search);
    if (!search->stop)
        cut_off(search, search->halt ? search->halt : HD_EXPLORE_LIMIT_TIME);
    return true;
}

void hd_explore_stray(hd_explore_search *search) {
    if (ends_late(search))
        return;
    search->result->strayed = true;
    stop_search(search);
}

void hd_explore_differ(hd_explore_search *search, const char *why) {
    if (ends_late(search))
        return;
    if (!search->result->differs)
        search->result->differs = why;
    stop_search(search);
}

static void show_execution(hd_explore_search *search, enum hd_explore_end end) {
    const hd_explore_options *options = search->options;
    if (!options->visit || (end == HD_EXPLORE_COMPLETE && options->skip_complete))
        return;
    const hd_step *steps = search->walked;
    size_t length = steps ? search->walked_length : search->path.events.length;
    if (search->crew && end == HD_EXPLORE_COMPLETE && options->glance &&
        options->glance(options->context, search->path.machine, length))
        return;
    if (!steps) {
        hd_vec_reserve(&search->schedule, length);
        for (size_t i = search->path.shown; i < length; i++) {
            search->schedule.data[i].thread = search->path.events.data[i].thread;
            search->schedule.data[i].choice = search->path.events.data[i].choice;
        }
        search->schedule.length = search->path.shown = (uint32_t)length;
        steps = search->schedule.data;
    }
    if (search->crew)
        hd_mem_lock(&search->crew->visiting);
    if (!(search->crew && atomic_load(&search->crew->stop)) &&
        options->visit(options->context, search->path.machine, end, steps, length)) {
        stop_search(search);
    }
    if (search->crew)
        hd_mem_unlock(&search->crew->visiting);
}

/* Did the last step end all threads, those that were cut off included? */
static bool ends_all(const hd_explore_path *path) {
    uint32_t length = (uint32_t)path->events.length;
    return length && hd_explore_taken(path, length - 1)->ends;
}

enum hd_explore_end hd_explore_end_of(const hd_explore_path *path) {
    return hd_explore_set_any(path->running) && !ends_all(path) ? HD_EXPLORE_DEADLOCK
                                                                : HD_EXPLORE_COMPLETE;
}

static void note_cut(hd_explore_search *search) {
    search->result->cut++;
    if (!search->result->limit || search->result->limit == HD_EXPLORE_LIMIT_HANG)
        search->result->limit = HD_EXPLORE_LIMIT_STEPS;
}

/* Ends that do not count: what comes after them is not known.  Whether there is time left is asked
 * at once, as the wait for a step that never ends was long. */
static bool is_unfinished(hd_explore_search *search, enum hd_explore_end end) {
    hd_explore_result *result = search->result;
    if (end == HD_EXPLORE_VIOLATION ||
        (end != HD_EXPLORE_HANG &&
         (!hd_explore_set_any(search->path.cut) || ends_all(&search->path))))
        return false;
    if (end == HD_EXPLORE_HANG) {
        check_clock(search);
        if (search->halt) /* what it has done by now is not kept */
            cut_off(search, search->halt);
        result->hung += !search->stop; /* or there was no time to wait for it */
    } else
        note_cut(search);
    if (!result->limit)
        result->limit = HD_EXPLORE_LIMIT_HANG;
    if (!search->stop)
        show_execution(search, end == HD_EXPLORE_HANG ? end : HD_EXPLORE_CUT);
    return true;
}

void hd_explore_ended(hd_explore_search *search, enum hd_explore_end end) {
    if (ends_late(search))
        return;
    assert(end == HD_EXPLORE_VIOLATION || end == HD_EXPLORE_HANG || search->walked ||
           !hd_explore_set_any(search->path.enabled));
    if (end == HD_EXPLORE_DEADLOCK)
        end = hd_explore_end_of(&search->path);
    if (is_unfinished(search, end))
        return;
    if (end == HD_EXPLORE_DEADLOCK && hd_machine_retries(search->path.machine)) {
        search->result->blocked++; /* what it read in vain may race all the same */
        search->result->in_vain++;
        if (search->path.collide && !search->walked)
            hd_explore_report_unordered(&search->path);
        return;
    }
    uint64_t executions = search->result->executions + 1, most = search->options->most_executions;
    if (search->crew) {
        search->stop |= atomic_load_explicit(&search->crew->stop, memory_order_relaxed);
        if (search->stop)
            return; /* others have come to the end before */
        if (most) {
            executions = atomic_fetch_add(&search->crew->executions, 1) + 1;
            if (executions > most && !search->options->keeper)
                return; /* or it would be lost for who goes on */
            search->counted++;
        }
    }
    search->result->executions++;
    search->result->deadlocks += end == HD_EXPLORE_DEADLOCK;
    search->result->violations += end == HD_EXPLORE_VIOLATION;
    if (search->path.collide && !search->walked)
        hd_explore_report_unordered(&search->path);
    show_execution(search, end);
    if (!search->stop && most && executions >= most)
        end_by(search, HD_EXPLORE_LIMIT_EXECUTIONS);
}

bool hd_explore_too_long(hd_explore_search *search) {
    uint64_t most = search->options->most_length;
    hd_explore_look_at_clock(search);
    if (ends_late(search))
        return true;
    if (hd_machine_changed(search->path.machine)) {
        stop_search(search);
        return true;
    }
    if (!most || search->path.events.length < most)
        return false;
    note_cut(search);
    return true;
}

/* What auto does: walk the program if it is one section, else source sets. */
static void run_algorithm(hd_explore_search *search) {
    switch (search->options->algorithm) {
    case HD_EXPLORE_NAIVE:
        hd_explore_naive(search);
        break;
    case HD_EXPLORE_DPOR:
    case HD_EXPLORE_SDPOR:
        hd_explore_source(search);
        break;
    case HD_EXPLORE_ODPOR:
        hd_explore_optimal(search);
        break;
    case HD_EXPLORE_EPOR:
    case HD_EXPLORE_EPOR_SH:
        hd_explore_learn(search);
        if (hd_explore_whole(search))
            break;
        if (search->options->source_sets)
            hd_explore_source(search);
        else
            hd_explore_optimal(search);
        break;
    case HD_EXPLORE_UNFOLD:
        if (hd_machine_by_reads(search->path.machine)) {
            hd_explore_unfold(search);
            break;
        }
        search->algorithm = HD_EXPLORE_SDPOR;
        hd_explore_source(search);
        break;
    case HD_EXPLORE_AUTO:
    case HD_EXPLORE_ALGORITHMS:
        search->algorithm = HD_EXPLORE_EPOR;
        if (hd_explore_whole(search))
            break;
        search->algorithm = HD_EXPLORE_SDPOR;
        hd_explore_source(search);
        break;
    }
    search->result->used = search->algorithm;
}

/* ---- From the first slice to the last ---- */

bool hd_explore_can_keep(const hd_explore_options *options) {
    return !options->bounded &&
           (options->algorithm == HD_EXPLORE_SDPOR || options->algorithm == HD_EXPLORE_DPOR);
}

static hd_explore_frontier *go_on_with(const hd_machine *machine, const hd_explore_options *options,
                                       const hd_vec_char *bytes, hd_explore_result *result,
                                       hd_error *error) {
    const char *data = bytes->length ? bytes->data : "";
    hd_bytes source = {data, data + bytes->length, false};
    hd_explore_frontier *from = HD_NEW(hd_explore_frontier);
    if (hd_explore_frontier_get(from, &source) && from->threads == machine->threads &&
        from->algorithm == options->algorithm) {
        hd_explore_counts_add(result, &from->counts);
        return from;
    }
    hd_error_set(error, "what was kept is not of this search");
    hd_explore_frontier_release(from);
    free(from);
    return NULL;
}

/* What a member is to explore. */
static bool begin_unit(const hd_machine *machine, const hd_explore_options *options,
                       hd_explore_membership **membership, hd_explore_frontier **from,
                       hd_error *error) {
    const hd_vec_char *unit = options->member->unit;
    hd_bytes bytes = {unit->data, unit->data + unit->length, false};
    bool fresh = hd_bytes_get(&bytes, 1), lent = hd_bytes_get(&bytes, 1);
    hd_explore_result none = {0};
    hd_vec_char way = {0};
    const char *text = hd_bytes_get_text(&bytes, &way.length);
    way.data = (char *)(uintptr_t)text;
    if (!fresh && !(*from = go_on_with(machine, options, &way, &none, error)))
        return false;
    *membership = HD_NEW(hd_explore_membership);
    (*membership)->lent = lent;
    (*membership)->reported = hd_progress_clock();
    return true;
}

hd_explore_search *hd_explore_begin(hd_machine *machine, const hd_explore_options *options,
                                    hd_explore_result *result, hd_error *error) {
#ifdef HD_EXPLORE_WIDER
    if (machine->threads > HD_EXPLORE_SET_THREADS)
        return HD_EXPLORE_WIDER(begin)(machine, options, result, error);
#endif
    if (machine->threads > HD_EXPLORE_SET_THREADS) {
        hd_error_set(error, "%u threads; at most %d can be explored", machine->threads,
                     HD_EXPLORE_SET_THREADS);
        return NULL;
    }
    *result = (hd_explore_result){.threads = 1};
    hd_explore_frontier *from = NULL;
    hd_explore_membership *membership = NULL;
    if (options->member && !begin_unit(machine, options, &membership, &from, error))
        return NULL;
    if (options->keeper && options->keeper->from &&
        !(from = go_on_with(machine, options, options->keeper->from, result, error)))
        return NULL;
    hd_stop_listen();
    double now = hd_progress_clock();
    hd_explore_search *search = HD_NEW(hd_explore_search);
    *search = (hd_explore_search){.words = HD_EXPLORE_WORDS,
                                  .options = options,
                                  .algorithm = options->algorithm,
                                  .result = result,
                                  .started = now,
                                  .reported = now,
                                  .clock = now,
                                  .kept = now,
                                  .between = 1,
                                  .until_clock = 1,
                                  .from = from,
                                  .membership = membership};
    machine->type->restart(machine);
    hd_explore_path_init(&search->path, machine, result);
    if (options->symmetric)
        hd_explore_symmetry_begin(&search->path, NULL);
    search->path.collide = options->collide;
    search->path.context = options->context;
    search->path.most = options->most_steps;
    return search;
}

bool hd_explore_go_on(hd_explore_search *search, uint64_t slice) {
#ifdef HD_EXPLORE_WIDER
    if (search->words > HD_EXPLORE_WORDS)
        return HD_EXPLORE_WIDER(go_on)(search, slice);
#endif
    search->paused = false;
    search->began = true;
    search->slice_began = hd_progress_clock();
    search->pause_at =
        slice ? search->result->steps + search->path.machine->work + search->effort + slice : 0;
    if (search->go_on)
        search->go_on(search);
    else if (search->options->bounded)
        hd_explore_bound(search);
    else
        run_algorithm(search);
    return search->paused;
}

void hd_explore_finish(hd_explore_search *search, enum hd_explore_limit limit) {
#ifdef HD_EXPLORE_WIDER
    if (search->words > HD_EXPLORE_WORDS) {
        HD_EXPLORE_WIDER(finish)(search, limit);
        return;
    }
#endif
    hd_explore_result *result = search->result;
    hd_machine *machine = search->path.machine;
    if (search->paused && limit)
        cut_off(search, limit);
    else if (search->paused)
        stop_search(search);
    if (search->paused)
        hd_explore_go_on(search, 0); /* which ends at once */
    if (!search->began) { /* it was to begin anew, and there was no time: nothing was searched */
        result->limit = limit;
        result->stopped = !limit;
    }
    if (search->membership)
        hd_explore_member_end(search);
    if (search->estimate)
        result->covered =
            share_by_estimate(search, (double)result->executions, &result->covered_error);
    hd_explore_estimate_free(search->estimate);
    const char *apart = hd_explore_symmetry_end(&search->path);
    if (apart && !result->stopped) {
        result->differs = apart;
        result->stopped = true;
    }
    hd_explore_path_release(&search->path);
    hd_vec_release(&search->schedule);
    hd_vec_release(&search->levels);
    if (search->from)
        hd_explore_frontier_release(search->from);
    free(search->from);
    machine->type->restart(machine);
    if (machine->late && !result->limit)
        result->limit = HD_EXPLORE_LIMIT_TIME;
    result->complete = !result->limit && !result->stopped;
    assert(!(search->stop && result->complete));
    assert(result->deadlocks + result->violations <= result->executions);
    if (result->complete) {
        result->covered = 1;
        result->covered_error = 0;
    }
    free(search);
}

bool hd_explore_run(hd_machine *machine, const hd_explore_options *options,
                    hd_explore_result *result, hd_error *error) {
    hd_explore_search *search = hd_explore_begin(machine, options, result, error);
    if (!search)
        return false;
    hd_explore_go_on(search, 0);
    hd_explore_finish(search, HD_EXPLORE_NO_LIMIT);
    return true;
}
