/*
 * Short runs cost more to request than to execute, so as few as possible are requested one by one.
 * A run whose steps were all seen is predicted (predict_runs.h).  Where that does not help, a run
 * is requested together with others that the search will ask for (hd_machine.wishes), and their
 * logs are kept until then.
 */
#include "native_program.h"
#include "native_reads.h"

static bool is_usual(const hd_native_program *m) {
    const hd_native_manner *manner = &m->server.manner;
    return !m->server.by_fork && !manner->first && !manner->parked &&
           (!manner->seed || hd_native_program_guesses(m));
}

static uint64_t key_of_wish(const hd_native_program *m, const hd_machine_wish *wish) {
    uint64_t key = 0;
    for (uint32_t i = 0; i < wish->depth; i++)
        key = hd_native_prefetched_key(key, m->path.data[i]);
    for (uint32_t i = 0; i < wish->count; i++)
        key =
            hd_native_prefetched_key(key, (heddle_wire_decision){(uint16_t)wish->steps[i].thread,
                                                                 (uint16_t)wish->steps[i].choice});
    return key;
}

/* --- predicting ----------------------------------------------------------------------------- */

bool hd_native_program_predictable(const hd_native_program *m) {
    const heddle_wire_explore *explore = m->server.explore;
    if (explore->exits & HEDDLE_WIRE_CANCELS)
        return false; /* joins are steps then */
    if (explore->exits & (HEDDLE_WIRE_MAKES_OBJECTS | HEDDLE_WIRE_ODD_OBJECTS))
        return false; /* what operations on objects find is more than other operations left */
    uint32_t odd_ends = explore->ends & ~(uint32_t)HEDDLE_WIRE_ENDS_APART;
    return !m->predictor.wrong && !m->refused && !odd_ends && !explore->unseen &&
           !explore->unattributed && !m->unseen->blind.length && !m->unseen->more;
}

/* A search by reads-from says which thread comes first. */
static bool is_told_first(const hd_native_program *m) {
    const hd_native_manner *manner = &m->server.manner;
    return m->base.reads && m->path.length && manner->first <= HD_PREDICT_THREADS &&
           !manner->seed && !m->server.by_fork && !manner->parked;
}

static bool may_predict(const hd_native_program *m) {
    return m->options.predicts && (is_usual(m) || is_told_first(m)) && !m->changed &&
           hd_native_program_predictable(m) && m->base.threads <= HD_PREDICT_THREADS;
}

bool hd_native_program_predict(hd_native_program *m, hd_launch_log *log) {
    const hd_native_manner *manner = &m->server.manner;
    uint32_t most = manner->most_steps && manner->most_steps < m->server.most_steps
                        ? manner->most_steps
                        : m->server.most_steps;
    if (!may_predict(m))
        return false;
    hd_predict_apart(&m->predictor, m->ends & HEDDLE_WIRE_ENDS_APART);
    return hd_predict_run(
        &m->predictor, m->path.data, m->path.length,
        (hd_predict_manner){.asleep = m->base.asleep, .first = manner->first, .most_steps = most},
        log);
}

/* What one process showed holds for all its runs, so everything learnt must come from one
 * process. */
static void learn_log(hd_native_program *m, const hd_launch_log *log,
                      const heddle_wire_looks *looks) {
    hd_native_reads_alone(m, log, looks);
    int child = __atomic_load_n(&m->server.explore->child, __ATOMIC_ACQUIRE);
    bool guesses = hd_native_program_guesses(m); /* then all that counts is executed */
    if ((child != m->child && !guesses) || looks->late)
        hd_predict_forget(&m->predictor);
    m->child = child;
    if ((child || guesses) && may_predict(m)) {
        hd_predict_apart(&m->predictor, m->ends & HEDDLE_WIRE_ENDS_APART);
        hd_predict_learn(&m->predictor, log, looks);
    }
}

bool hd_native_program_saw(hd_native_program *m) {
    learn_log(m, m->log, hd_native_server_looks(&m->server, 0));
    return !m->told || hd_native_program_predictable(m);
}

/* --- wishes --------------------------------------------------------------------------------- */

void hd_native_program_wish(hd_native_program *m, uint64_t *keys) {
    enum { LONGEST = 1024 }; /* a longer run takes much longer than its request */
    hd_native_server *server = &m->server;
    server->wishes = 0;
    if (!m->base.wishes || !is_usual(m) || m->path.length > LONGEST ||
        hd_predict_helps(&m->predictor))
        return;
    hd_machine_wish list[HEDDLE_WIRE_WISHES];
    uint32_t count = m->base.wishes(
        m->base.searcher, hd_native_prefetched_may_guess(&m->prefetched), list, HEDDLE_WIRE_WISHES);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key = key_of_wish(m, &list[i]);
        if (!key || hd_native_prefetched_has(&m->prefetched, key))
            continue;
        keys[server->wishes] = key;
        server->wish[server->wishes++] = list[i];
    }
}

void hd_native_program_keep(hd_native_program *m, const uint64_t *keys) {
    const hd_launch_log *before = m->log;
    uint32_t granted = hd_native_server_granted(&m->server);
    for (uint32_t i = 0; i < granted; i++) {
        const hd_machine_wish *wish = &m->server.wish[i];
        hd_launch_log *log = hd_native_prefetched_add(&m->prefetched, keys[i],
                                                      wish->depth + wish->count, wish->guessed);
        hd_native_server_take(&m->server, i, before, log);
        before = log;
        learn_log(m, log, hd_native_server_looks(&m->server, i + 1));
    }
    m->server.wishes = 0;
}
