#include "explore.h"

#include <string.h>

#include "explore_search.h"

static const char *const names[HD_EXPLORE_ALGORITHMS] = {"naive", "dpor", "sdpor", "odpor"};

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

static void cut_off(hd_explore_search *search, const char *limit) {
    search->result->limit = limit;
    search->stop = true;
}

static void check_limits(hd_explore_search *search) {
    const hd_explore_options *options = search->options;
    enum { BETWEEN_CLOCKS = 256 };
    if (options->most_executions && search->result->executions >= options->most_executions)
        cut_off(search, "executions");
    if (options->most_seconds <= 0 || --search->until_clock)
        return;
    search->until_clock = BETWEEN_CLOCKS;
    if (hd_progress_clock() - search->started > options->most_seconds)
        cut_off(search, "time");
}

static void show(hd_explore_search *search, enum hd_explore_end end) {
    const hd_explore_options *options = search->options;
    if (!options->visit)
        return;
    hd_vec_clear(&search->schedule);
    for (size_t i = 0; i < search->path.events.length; i++) {
        const hd_explore_event *event = &search->path.events.data[i];
        hd_vec_push(&search->schedule, (hd_explore_step){event->thread, event->choice});
    }
    if (options->visit(options->context, search->path.machine, end, search->schedule.data,
                       search->schedule.length)) {
        search->result->stopped = true;
        search->stop = true;
    }
}

void hd_explore_ended(hd_explore_search *search, enum hd_explore_end end) {
    search->result->executions++;
    search->result->deadlocks += end == HD_EXPLORE_DEADLOCK;
    search->result->violations += end == HD_EXPLORE_VIOLATION;
    show(search, end);
    if (!search->stop)
        check_limits(search);
}

uint64_t hd_explore_enabled(hd_explore_search *search, uint64_t *running) {
    hd_machine *machine = search->path.machine;
    uint64_t enabled = 0;
    *running = 0;
    for (uint32_t thread = 0; thread < machine->threads; thread++) {
        hd_machine_operation operation;
        if (!machine->type->next(machine, thread, &operation))
            continue;
        *running |= UINT64_C(1) << thread;
        if (operation.enabled)
            enabled |= UINT64_C(1) << thread;
    }
    return enabled;
}

bool hd_explore_too_long(hd_explore_search *search) {
    uint64_t most = search->options->most_steps;
    if (!most || search->path.events.length < most)
        return false;
    search->result->limit = "steps";
    return true;
}

uint64_t hd_explore_still_asleep(hd_explore_search *search, uint64_t sleep, uint32_t thread) {
    hd_machine *machine = search->path.machine;
    hd_machine_operation taken, other;
    if (!sleep)
        return 0;
    machine->type->next(machine, thread, &taken);
    uint64_t stay = 0;
    for (uint64_t rest = sleep; rest; rest &= rest - 1) {
        uint32_t sleeper = (uint32_t)__builtin_ctzll(rest);
        search->result->dependency_checks++;
        machine->type->next(machine, sleeper, &other);
        if (!hd_machine_dependent(taken.accesses, taken.count, other.accesses, other.count))
            stay |= UINT64_C(1) << sleeper;
    }
    return stay;
}

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
    case HD_EXPLORE_ALGORITHMS:
        hd_explore_optimal(search);
        break;
    }
}

bool hd_explore_run(hd_machine *machine, const hd_explore_options *options,
                    hd_explore_result *result, hd_error *error) {
    if (machine->threads > HD_EXPLORE_MAX_THREADS)
        return hd_error_set(error, "%u threads; at most %d can be explored", machine->threads,
                            HD_EXPLORE_MAX_THREADS);
    *result = (hd_explore_result){0};
    hd_explore_search search = {
        .options = options, .result = result, .started = hd_progress_clock(), .until_clock = 1};
    machine->type->restart(machine);
    hd_explore_path_init(&search.path, machine, result);
    if (options->bounded)
        hd_explore_bound(&search);
    else
        run_algorithm(&search);
    hd_explore_path_release(&search.path);
    hd_vec_release(&search.schedule);
    machine->type->restart(machine);
    result->complete = !result->limit && !result->stopped;
    if (result->complete)
        result->covered = 1;
    return true;
}
