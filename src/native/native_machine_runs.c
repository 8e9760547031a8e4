/*
 * Finds a log for the steps that are asked for: one that is there, one of a run that was executed
 * with another, one that is predicted, or that of a run that is executed now.
 */
#include "native_program.h"

bool hd_native_program_has_path(const hd_native_program *m, const hd_launch_log *log) {
    if (!log || log->steps.length < m->path.length)
        return false;
    for (size_t i = m->path.length; i-- > 0;)
        if (log->steps.data[i].thread != m->path.data[i].thread ||
            log->steps.data[i].choice != m->path.data[i].choice)
            return false;
    return true;
}

/* In steps, as far as time goes: in what a search does for one, that is. */
enum { RUN_COSTS = 256, PREDICTION_COSTS = 16 };

/* Do many runs of this search end in vain, which with more values known would not be?  Predicted
 * runs show none, but others that are made first may (native_learning.c). */
static bool waits_in_vain(const hd_native_program *m) {
    enum { SOME = 64, SHARE = 64 };
    /* Where starting over has not halved their share, it does not help. */
    bool helps = !m->runs_before || 2 * m->vain * m->runs_before < m->vain_before * m->runs;
    return m->runs >= SOME && SHARE * m->vain > m->runs && helps &&
           (!m->learnt_all || m->server.explore->stays != m->server.explore->stays_used);
}

/* Values that make a loop wait, and are not used yet: worth a new start only while that costs
 * little, or if they are missed.  Each start may show more of them, hundreds in all, so there is
 * one for many: when the search has gone on for a while, measured by all that was done before;
 * while it costs little, also when the search is over.  What values lead to (heddle_wire_reach)
 * saves executions. */
static void look_for_stays(hd_native_program *m) {
    enum { EARLY = 2000, EARLY_IF_PREDICTED = 64, SHARE = 4 };
    const heddle_wire_explore *explore = m->server.explore;
    hd_native_tally all = hd_native_machine_tally(&m->base); /* of copies of earlier starts, too */
    uint64_t done = all.done - m->to_learn;
    uint32_t most = hd_predict_helps(&m->predictor) ? EARLY_IF_PREDICTED : EARLY;
    bool stays = explore->stays != explore->stays_used;
    uint64_t cost = RUN_COSTS * all.done + PREDICTION_COSTS * all.predicted;
    if (!m->options.awaits || m->resumed || explore->stays_wanted != HEDDLE_WIRE_STAYS_WANTED)
        return;
    bool more = m->stays_more || m->vain_more;
    m->stays_more |= (stays && done < most) || (hd_native_program_reaches_more(m) && done < EARLY);
    m->vain_more |= waits_in_vain(m);
    if (!more)
        m->stays_since = cost;
    more = m->stays_more || m->vain_more;
    m->changed |= more && cost - m->stays_since >= m->stays_since / SHARE;
}

/* Notes what the run showed that was not known. */
void hd_native_program_saw_new(hd_native_program *m) {
    const heddle_wire_explore *explore = m->server.explore;
    uint32_t fresh = explore->fresh < HEDDLE_WIRE_FRESH ? explore->fresh : HEDDLE_WIRE_FRESH;
    for (uint32_t i = 0; i < fresh; i++)
        hd_vec_push(&m->fresh, explore->fresh_word[i]);
    if (m->server.run.wire->modules != m->unseen->modules && !m->copied)
        hd_native_unseen_scan(m->unseen, m->server.run.wire);
    if (m->server.run.wire->refused > m->refused)
        m->refused = m->server.run.wire->refused;
    if (fresh || explore->threads > m->base.threads || (explore->ends & ~m->ends) ||
        (explore->exits & ~m->exits) || explore->loop_news != m->loop_news ||
        explore->copies != m->copies || explore->targets != m->targets ||
        explore->caught != m->caught || explore->section_news != m->section_news ||
        hd_native_program_awaits_more(m))
        m->changed = true;
    if (explore->loops && !explore->locals_wanted && explore->lent != explore->lent_looked)
        m->changed = true; /* where a thread waits, its state was not the same each time */
    look_for_stays(m);
}

static hd_launch_log *oldest_log(hd_native_program *m) {
    hd_launch_log *oldest = &m->logs[0];
    for (int i = 1; i < HD_NATIVE_LOGS; i++)
        if (m->logs[i].used < oldest->used)
            oldest = &m->logs[i];
    return oldest;
}

void hd_native_program_make_log(hd_native_program *m, uint64_t asleep) {
    m->log = oldest_log(m);
    hd_native_server_run(&m->server, m->path.data, m->path.length, asleep, m->log);
}

/* The first runs are audited, and later one now and then. */
static bool is_audited(const hd_native_program *m) {
    enum { FIRST = 4, APART = 256 };
    if (m->server.by_fork)
        return false;
    return m->tally.audited < FIRST || m->tally.done / APART != m->audited_at / APART;
}

/* The steps that the run could not follow were seen in runs from restored memory, which may have
 * been wrong: then the search starts over with a process for each run. */
static bool may_be_misled(hd_native_program *m) {
    if (m->options.by_fork || m->server.by_fork || m->server.process <= 0 || m->server.late)
        return false;
    hd_native_server_suspect(&m->server, m->log->message);
    m->options.by_fork = true;
    m->server.wrong = false;
    return true;
}

void hd_native_program_run(hd_native_program *m) {
    uint64_t keys[HEDDLE_WIRE_WISHES];
    m->server.explore->audited = is_audited(m);
    if (m->server.explore->audited) {
        m->tally.audited++;
        m->audited_at = m->tally.done;
    }
    hd_native_program_wish(m, keys);
    hd_native_program_make_log(m, m->base.asleep);
    m->tally.done += 1 + hd_native_server_granted(&m->server);
    m->base.work += RUN_COSTS * (UINT64_C(1) + hd_native_server_granted(&m->server));
    hd_native_program_keep(m, keys);
    bool alive = m->server.process > 0;
    if (alive)
        hd_native_program_saw_new(m);
    if (m->server.damaged) {
        hd_error_set(&m->broken, "%s", m->log->message);
        return;
    }
    if (m->log->end == HD_LAUNCH_LOST && hd_native_program_guesses(m) && alive)
        return; /* the steps were guessed */
    if (m->log->end == HD_LAUNCH_LOST && (m->changed || may_be_misled(m))) {
        m->changed = m->lost = true; /* the search asks for steps that no longer exist */
        return;
    }
    if (m->log->end == HD_LAUNCH_LOST) {
        hd_error_set(&m->broken, "the program does not do the same twice: %s", m->log->message);
        /* A program that never ran has no state to stop at. */
        m->base.late = m->server.late && (alive || m->copied || m->tally.done > 1);
        return;
    }
    bool restored = !m->server.wrong && hd_native_audit_run(m);
    if (!restored)
        m->options.by_fork = true; /* copies of the machine, too */
    if (!hd_native_program_saw(m) || !restored)
        m->changed = true;
    m->server.wrong = false;
}

/* A log of a run that was executed with another; it is moved to the other logs. */
static bool take_prefetched(hd_native_program *m) {
    hd_launch_log *log = hd_native_prefetched_find(&m->prefetched, m->path.data, m->path.length);
    if (!log)
        return false;
    m->log = oldest_log(m);
    hd_launch_log old = *m->log;
    *m->log = *log;
    *log = old;
    return true;
}

/* A predicted log. */
static bool predict_run(hd_native_program *m) {
    hd_launch_log *log = oldest_log(m);
    if (m->server.explore->states_wanted || !hd_native_program_predict(m, log))
        return false;
    m->log = log;
    m->tally.predicted++;
    hd_native_server_rest(&m->server);
    m->base.work += PREDICTION_COSTS;
    look_for_stays(m);
    m->told = true;
    return true;
}

/* Finds a log with the current path, preferably the last one that had it. */
void hd_native_program_find_log(hd_native_program *m) {
    hd_launch_log *found = NULL;
    for (int i = 0; i < HD_NATIVE_LOGS; i++)
        if (m->logs[i].used && hd_native_program_has_path(m, &m->logs[i]) &&
            (!found || m->logs[i].used > found->used))
            found = &m->logs[i];
    m->log = found;
    if (!found && !take_prefetched(m) && !predict_run(m))
        hd_native_program_run(m);
    m->runs += !found;
    m->vain += !found && m->log->end == HD_LAUNCH_VAIN;
    m->log->used = ++m->uses;
}

void hd_native_program_forget_logs(hd_native_program *m) {
    for (int i = 0; i < HD_NATIVE_LOGS; i++) {
        m->logs[i].predicted = 0;
        hd_vec_clear(&m->logs[i].steps);
        hd_vec_clear(&m->logs[i].nexts);
        m->logs[i].used = 0;
    }
    m->log = NULL;
    hd_native_prefetched_clear(&m->prefetched);
}

/* Logs in which no thread can have come to one of the two limits are the same with both. */
void hd_native_machine_depth(hd_machine *machine, uint32_t steps) {
    hd_native_program *m = hd_native_program_of(machine);
    uint32_t less = steps < m->server.most_steps ? steps : m->server.most_steps;
    bool same = true;
    assert(!m->path.length);
    for (int i = 0; i < HD_NATIVE_LOGS && same; i++)
        same = m->logs[i].steps.length < less;
    if (steps == m->server.most_steps)
        return;
    if (!same)
        hd_native_program_forget_logs(m);
    hd_native_prefetched_clear(&m->prefetched);
    m->server.most_steps = steps;
}
