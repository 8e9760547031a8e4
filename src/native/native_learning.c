/*
 * Runs before a search, for what loops do.  Which values make a thread stay in a loop
 * (heddle_wire_stay), and what a value leads to (heddle_wire_reach), is used from the next search
 * on, and a search through all schedules comes to most values late.  So once it showed that such
 * knowledge is of use, a few runs in random orders of the threads are made first.  In these a
 * thread that comes round goes on, and shows what the values after this one do: in a search it
 * would stay there, and what waits for it would, too.
 *
 * They are not looked at: whatever fails in one of them, the search finds.
 */
#include "native_program.h"

enum { STARTS = 6, RUNS = 256, IDLE = 16, FEWEST_STEPS = 1 << 10, MOST_STEPS = 1 << 14 };

static bool is_whole(const hd_launch_log *log) {
    return log->end == HD_LAUNCH_ENDED || log->end == HD_LAUNCH_VAIN || log->end == HD_LAUNCH_STUCK;
}

/* By turns with priorities, by which threads wait for long, and uniformly, where all of them look
 * at what they wait for again and again. */
static hd_native_manner manner_of(uint32_t seed) {
    enum { DEPTHS = 3, SPREAD = 64 };
    if (seed % 2)
        return (hd_native_manner){.seed = seed, .drawing = HEDDLE_WIRE_DRAWS_UNIFORMLY};
    return (hd_native_manner){.seed = seed,
                              .drawing = HEDDLE_WIRE_DRAWS_PRIORITIES,
                              .depth = 1 + seed / 2 % DEPTHS,
                              .length = SPREAD};
}

/* As long as they show something new, and more of them each time: most searches are short. */
static void make_runs(hd_native_program *m) {
    const heddle_wire_explore *explore = m->server.explore;
    size_t steps = 0, most = m->steps_to_learn ? 2 * m->steps_to_learn : FEWEST_STEPS;
    m->steps_to_learn = most < MOST_STEPS ? most : MOST_STEPS;
    uint32_t known = 0, idle = 0;
    for (uint32_t i = 0; i < RUNS && steps < m->steps_to_learn && idle < IDLE && !m->changed; i++) {
        m->server.manner = manner_of(++m->to_learn);
        hd_native_program_run(m);
        if (hd_native_program_broken(m) || !is_whole(m->log) || hd_clock_over())
            return;
        steps += m->log->steps.length;
        idle = explore->stays + explore->reaches.count == known ? idle + 1 : 0;
        known = explore->stays + explore->reaches.count;
    }
}

/* Histories may be others in each process, and then there is always something new. */
bool hd_native_program_reaches_more(const hd_native_program *m) {
    const heddle_wire_reaches *reaches = &m->server.explore->reaches;
    return reaches->news != m->reach_news && reaches->starts < STARTS;
}

bool hd_native_program_begins_learning(hd_native_program *m) {
    heddle_wire_explore *explore = m->server.explore;
    bool reaches = hd_native_program_reaches_more(m);
    explore->reaches.starts += reaches;
    return reaches || m->vain_more || explore->stays != explore->stays_used;
}

void hd_native_program_learn_first(hd_native_program *m) {
    heddle_wire_explore *explore = m->server.explore;
    if (!m->options.awaits || !explore->stays_wanted || m->resumed)
        return;
    hd_native_manner usual = m->server.manner;
    uint32_t known = explore->stays;
    explore->stays_wanted = HEDDLE_WIRE_STAYS_TO_LEARN; /* no run begins as one of a search did, */
    explore->renewed++;
    make_runs(m);
    explore->stays_wanted = HEDDLE_WIRE_STAYS_WANTED; /* or the other way round */
    explore->renewed++;
    m->learnt_all = explore->stays == known;
    m->server.manner = usual;
    hd_native_program_forget_logs(m);
    hd_native_program_use_loops(m);
}
