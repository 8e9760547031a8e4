/*
 * Runs before a search, for what loops do.  What a value leads to (heddle_wire_reach) is used from
 * the next search on, and a search through all schedules comes to most values late.  So once it
 * showed that such knowledge is of use, a few runs in random orders of the threads are made first.
 * They are not looked at: whatever fails in one of them, the search finds.
 */
#include "native_program.h"

enum { STARTS = 6, RUNS = 64, MOST_STEPS = 1 << 14 };

static bool is_whole(const hd_launch_log *log) {
    return log->end == HD_LAUNCH_ENDED || log->end == HD_LAUNCH_VAIN || log->end == HD_LAUNCH_STUCK;
}

static void make_runs(hd_native_program *m) {
    enum { DEPTHS = 3, SPREAD = 64 };
    size_t steps = 0;
    for (uint32_t i = 0; i < RUNS && steps < MOST_STEPS && !m->changed && !hd_clock_over(); i++) {
        m->server.manner = (hd_native_manner){.seed = i + 1,
                                              .drawing = HEDDLE_WIRE_DRAWS_PRIORITIES,
                                              .depth = 1 + i % DEPTHS,
                                              .length = SPREAD};
        hd_native_program_run(m);
        if (hd_native_program_broken(m) || !is_whole(m->log))
            return;
        steps += m->log->steps.length;
    }
}

/* Histories may be others in each process, and then there is always something new. */
bool hd_native_program_reaches_more(const hd_native_program *m) {
    const heddle_wire_reaches *reaches = &m->server.explore->reaches;
    return reaches->news != m->reach_news && reaches->starts < STARTS;
}

void hd_native_program_learn_first(hd_native_program *m) {
    heddle_wire_explore *explore = m->server.explore;
    explore->reaches.starts++;
    if (!m->options.awaits || !explore->stays_wanted || m->resumed)
        return;
    hd_native_manner usual = m->server.manner;
    make_runs(m);
    m->server.manner = usual;
    hd_native_program_forget_logs(m);
    if (explore->stays != explore->stays_used || explore->reaches.count != explore->reaches.used)
        explore->renewed++;
    hd_native_program_use_loops(m);
}
