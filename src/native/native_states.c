#include "native_states.h"

#include <stdlib.h>

#include "native_program.h"

enum {
    RUN_COSTS = 1024, /* as much as that many steps of the search */
    FIRST_RUNS = 64,
    LEAST_DEPTH = 32,
    MOST_DEPTH = 4096, /* what is longer is not learnt from */
    MOST_VAIN = 512    /* runs that showed nothing, before the search is given up */
};

struct hd_native_states {
    hd_native_program *m;
    hd_predict_states search;
    hd_predict_path path;
    size_t longest; /* run */
    uint64_t seed;
    hd_native_states_figures figures;
    uint32_t runs;  /* at random, since it began */
    uint32_t vain;  /* runs that did not show what they were made for */
    bool searching; /* it has begun */
    bool over;
};

hd_native_states *hd_native_states_create(hd_machine *machine, size_t most_bytes, uint64_t seed) {
    hd_native_states *it = hd_mem_zero(1, sizeof *it);
    it->m = hd_native_program_of(machine);
    it->seed = seed;
    it->search.simulator = &it->m->predictor.simulator;
    it->search.most = most_bytes / (4 * sizeof *it->search.known); /* half of the table is free, and
                                                                      to grow it takes a copy */
    it->m->predictor.simulator.merges = true;
    it->m->server.explore->locals_wanted = 1;
    hd_native_machine_learn_no_rounds(machine);
    it->m->server.explore->renewed++;
    hd_native_program_forget_logs(it->m);
    return it;
}

void hd_native_states_free(hd_native_states *it) {
    it->m->predictor.wrong = NULL; /* of states, and not of what is predicted elsewhere */
    hd_predict_states_release(&it->search);
    hd_vec_release(&it->path);
    free(it);
}

hd_native_states_figures hd_native_states_count(const hd_native_states *it) {
    return it->figures;
}

/* --- runs ----------------------------------------------------------------------------------- */

static void begin_again(hd_native_states *it) {
    hd_predict_forget(&it->m->predictor);
    hd_predict_states_forget(&it->search);
    it->m->predictor.wrong = it->m->predictor.simulator.wrong = NULL;
    it->searching = false;
    it->runs = 0;
}

/* What is dead at the calls that a run has shown.  True if there were new ones: then states have
 * other numbers from now on. */
static bool look_at_places(hd_native_program *m) {
    heddle_wire_explore *explore = m->server.explore;
    uint32_t places = explore->places;
    if (places == explore->places_looked)
        return false;
    hd_native_program_need_symbols(m);
    for (uint32_t i = 0; i < HEDDLE_WIRE_PLACES; i++) {
        heddle_wire_place *place = &explore->place[i];
        hd_symbols_dead dead;
        if (!place->code || place->looked)
            continue;
        place->looked = 1;
        if (!hd_symbols_dead_at(m->symbols, place->code, &dead))
            continue;
        place->dead_registers = dead.registers;
        memcpy(place->dead_words, dead.words, sizeof place->dead_words);
    }
    explore->places_looked = places;
    return true;
}

/* Makes a run along the path, which then goes on at random. */
static void run_along(hd_native_states *it, uint64_t seed) {
    hd_native_program *m = it->m;
    hd_native_manner usual = m->server.manner;
    m->base.type->restart(&m->base);
    m->base.asleep = 0;
    for (size_t i = 0; i < it->path.length; i++)
        hd_vec_push(&m->path, it->path.data[i]);
    m->server.manner = (hd_native_manner){
        .seed = seed, .drawing = HEDDLE_WIRE_DRAWS_UNIFORMLY, .most_steps = MOST_DEPTH};
    hd_native_program_run(m);
    m->log->used = ++m->uses;
    m->server.manner = usual;
}

/* The steps of the last run; rounds that only wait are left out, as a replay does not take them. */
static void take_schedule(hd_native_states *it, hd_steps *schedule) {
    const hd_launch_log *log = it->m->log;
    size_t failed = log->end == HD_LAUNCH_FAILED;
    hd_vec_clear(&it->path);
    for (size_t i = 0; i + failed < log->steps.length; i++)
        hd_vec_push(&it->path,
                    ((heddle_wire_decision){log->steps.data[i].thread, log->steps.data[i].choice}));
    if (!it->m->predictor.wrong && it->m->predictor.simulator.learnt.points.length)
        hd_predict_states_shorten(&it->m->predictor.simulator, &it->path);
    hd_vec_clear(schedule);
    for (size_t i = 0; i < it->path.length; i++)
        hd_vec_push(schedule, (hd_step){it->path.data[i].thread, it->path.data[i].choice});
    if (failed && log->steps.length)
        hd_vec_push(schedule,
                    (hd_step){hd_vec_last(&log->steps)->thread, hd_vec_last(&log->steps)->choice});
}

/* In the last run no thread could go on: is that right, as one waits for what is assumed? */
static bool is_right(hd_native_states *it) {
    hd_machine *machine = &it->m->base;
    const hd_launch_log *log = it->m->log;
    machine->type->restart(machine);
    for (size_t i = 0; i < log->steps.length; i++)
        machine->type->step(machine, log->steps.data[i].thread, log->steps.data[i].choice);
    assert(it->m->log == log); /* it has all these steps */
    return hd_native_machine_assumed(machine);
}

/* `stuck`: in the last run no thread can go on for ever. */
static void count_run(hd_native_states *it, bool stuck) {
    hd_native_states_figures *sum = &it->figures;
    enum hd_launch_end end = it->m->log->end;
    sum->executions += end == HD_LAUNCH_ENDED || end == HD_LAUNCH_FAILED || end == HD_LAUNCH_STUCK;
    sum->violations += end == HD_LAUNCH_FAILED;
    sum->deadlocks += stuck;
    sum->blocked += end == HD_LAUNCH_VAIN;
    sum->cut += end == HD_LAUNCH_CUT;
}

/* What the last run came to.  False: the search must begin again. */
static bool judge_run(hd_native_states *it, enum hd_native_states_end *end, hd_steps *schedule) {
    hd_native_program *m = it->m;
    *end = HD_NATIVE_STATES_PAUSED;
    if (m->log->steps.length > it->longest)
        it->longest = m->log->steps.length;
    if (hd_native_program_broken(m)) {
        *end = HD_NATIVE_STATES_NEWS;
        return true;
    }
    bool stuck = m->log->end == HD_LAUNCH_STUCK && !is_right(it);
    count_run(it, stuck);
    if (m->log->end == HD_LAUNCH_FAILED || stuck) {
        *end = m->log->end == HD_LAUNCH_FAILED ? HD_NATIVE_STATES_FAILS : HD_NATIVE_STATES_STUCK;
        take_schedule(it, schedule);
    } else if (m->changed) {
        *end = HD_NATIVE_STATES_NEWS;
        return true;
    }
    if (m->predictor.wrong) { /* states that differ were taken for one */
        it->over |= !m->predictor.simulator.merges;
        m->predictor.simulator.merges = false;
        return false;
    }
    bool same = !look_at_places(m);
    return !hd_native_program_lends(m) && same && !m->predictor.simulator.stale;
}

/* --- the search ----------------------------------------------------------------------------- */

/* The last search takes no cell for idle. */
static void begin_search(hd_native_states *it, size_t depth, bool idles) {
    it->search.depth = depth < MOST_DEPTH ? depth : MOST_DEPTH;
    it->search.idles = idles;
    it->search.seed = ++it->seed;
    it->over |= !it->search.simulator->learnt.points.length; /* no run could be learnt from */
    it->searching = !it->over;
    if (it->searching)
        hd_predict_states_begin(&it->search);
}

/* The run of the simulator, and the wanted step. */
static void take_path(hd_native_states *it, bool wanted) {
    hd_predict_simulator *r = it->search.simulator;
    hd_vec_clear(&it->path);
    for (size_t i = 0; i < r->steps.length; i++)
        hd_vec_push(&it->path,
                    ((heddle_wire_decision){r->steps.data[i].thread, r->steps.data[i].choice}));
    hd_predict_states_shorten(r, &it->path);
    if (wanted)
        hd_vec_push(&it->path, it->search.wanted);
}

/* A run has not shown what it was made for. */
static void note_vain(hd_native_states *it, bool vain) {
    it->vain += vain;
    it->over |= it->vain > MOST_VAIN;
}

/* Makes the run that the search asks for. */
static enum hd_native_states_end show(hd_native_states *it, bool wanted, hd_steps *schedule) {
    enum hd_native_states_end end;
    take_path(it, wanted);
    size_t length = it->path.length;
    run_along(it, ++it->seed);
    const hd_launch_log *log = it->m->log;
    bool failed = log->end == HD_LAUNCH_FAILED && log->steps.length == length;
    bool stuck = log->end == HD_LAUNCH_STUCK;
    bool good = judge_run(it, &end, schedule);
    if (end == HD_NATIVE_STATES_NEWS)
        return end;
    enum hd_predict_states_back back =
        good ? hd_predict_states_return(&it->search, wanted, failed) : HD_PREDICT_STATES_LOST;
    note_vain(it, wanted ? back == HD_PREDICT_STATES_DROPS : !stuck);
    if (back == HD_PREDICT_STATES_LOST)
        begin_again(it);
    return end;
}

/* After a search: a deeper one, or one in another order; false if nothing is left to do. */
static bool search_on(hd_native_states *it, bool all) {
    const hd_predict_states *search = &it->search;
    size_t depth = search->depth;
    it->figures.finished = all && !search->cut && !search->drops && !search->idles;
    if (all && !search->cut && search->idles)
        begin_search(it, depth, false);
    else if (all && search->cut && depth < MOST_DEPTH)
        begin_search(it, 2 * depth, search->idles);
    else if (all)
        return false;
    else
        begin_search(it, depth, search->idles);
    return true;
}

static enum hd_native_states_end search(hd_native_states *it, uint64_t *work, hd_steps *schedule) {
    enum hd_predict_states_end end = hd_predict_states_go_on(&it->search, work);
    if (it->search.count > it->figures.states)
        it->figures.states = it->search.count;
    switch (end) {
    case HD_PREDICT_STATES_PAUSED:
        return HD_NATIVE_STATES_PAUSED;
    case HD_PREDICT_STATES_UNKNOWN:
    case HD_PREDICT_STATES_STUCK:
        *work -= *work < RUN_COSTS ? *work : RUN_COSTS;
        return show(it, end == HD_PREDICT_STATES_UNKNOWN, schedule);
    default:
        it->over |= !search_on(it, end == HD_PREDICT_STATES_ALL);
        return HD_NATIVE_STATES_PAUSED;
    }
}

static enum hd_native_states_end run_first(hd_native_states *it, uint64_t *work,
                                           hd_steps *schedule) {
    enum hd_native_states_end end;
    *work -= *work < RUN_COSTS ? *work : RUN_COSTS;
    hd_vec_clear(&it->path);
    run_along(it, ++it->seed);
    bool good = judge_run(it, &end, schedule);
    note_vain(it, !good || end != HD_NATIVE_STATES_PAUSED);
    if (!good)
        begin_again(it);
    else if (++it->runs >= FIRST_RUNS && end != HD_NATIVE_STATES_NEWS)
        begin_search(it, it->longest > LEAST_DEPTH ? it->longest : LEAST_DEPTH, true);
    return end;
}

enum hd_native_states_end hd_native_states_go_on(hd_native_states *it, uint64_t work,
                                                 hd_steps *schedule) {
    enum hd_native_states_end end = HD_NATIVE_STATES_PAUSED;
    while (work && !it->over && end == HD_NATIVE_STATES_PAUSED && !hd_clock_over())
        end = it->searching ? search(it, &work, schedule) : run_first(it, &work, schedule);
    return end == HD_NATIVE_STATES_PAUSED && it->over ? HD_NATIVE_STATES_OVER : end;
}
