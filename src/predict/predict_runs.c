#include "predict_runs.h"

#define BIT(thread) (UINT64_C(1) << (thread))

void hd_predict_forget(hd_predict_runs *f) {
    hd_predict_simulate_clear(&f->simulator);
    f->tries = f->hits = f->rest = f->pause = 0;
    f->told = f->next_check = 0;
}

void hd_predict_apart(hd_predict_runs *f, bool apart) {
    if (f->simulator.apart != apart)
        hd_predict_forget(f);
    f->simulator.apart = apart;
}

void hd_predict_release(hd_predict_runs *f) {
    hd_predict_simulate_release(&f->simulator);
}

/* --- predicting ----------------------------------------------------------------------------- */

static bool can_go_on(const hd_predict_simulator *r, uint32_t thread) {
    return r->steps.length ? hd_vec_last(&r->steps)->enabled >> thread & 1 : thread == 0;
}

static bool follow_decisions(hd_predict_simulator *r, const heddle_wire_decision *decisions,
                             size_t count) {
    size_t same = 0;
    while (same < count && same < r->steps.length &&
           r->steps.data[same].thread == decisions[same].thread &&
           r->steps.data[same].choice == decisions[same].choice)
        same++;
    hd_predict_simulate_back(r, same);
    assert(r->steps.length == same);
    for (size_t i = same; i < count; i++)
        if (!can_go_on(r, decisions[i].thread) || !hd_predict_simulate_step(r, decisions[i], NULL))
            return false;
    return true;
}

/* The threads that stay asleep after what the chosen thread does next. */
static uint64_t still_asleep(const hd_predict_simulator *r, uint64_t asleep, uint32_t chosen) {
    const heddle_wire_operation *taken = &hd_predict_simulate_point(r, chosen)->next.operation;
    for (uint64_t rest = asleep; rest; rest &= rest - 1) {
        uint32_t sleeper = (uint32_t)__builtin_ctzll(rest);
        if (sleeper == chosen ||
            heddle_wire_meet(taken, &hd_predict_simulate_point(r, sleeper)->next.operation))
            asleep &= ~BIT(sleeper);
    }
    return asleep;
}

/* To the end of the run, as hd_rt_explore_choose in rt_explore.c; false if it cannot be predicted.
 * */
static bool go_on(hd_predict_simulator *r, hd_predict_manner manner, enum hd_launch_end *end) {
    uint64_t first = manner.first ? BIT(manner.first - 1) : 0, asleep = manner.asleep;
    for (;;) {
        const heddle_wire_step *last = r->steps.length ? hd_vec_last(&r->steps) : NULL;
        bool over = last && last->over;
        uint64_t enabled = last ? last->enabled : BIT(0), awake = enabled & ~asleep;
        *end = over ? HD_LAUNCH_ENDED : enabled ? HD_LAUNCH_ASLEEP : HD_LAUNCH_VAIN;
        if (over)
            return true;
        if (!enabled)
            return hd_predict_simulate_vain(r);
        if (r->steps.length >= manner.most_steps)
            return false;
        if (!awake)
            return true;
        uint32_t chosen = (uint32_t)__builtin_ctzll(awake & first ? first : awake);
        asleep = still_asleep(r, asleep, chosen);
        assert(!(asleep & BIT(chosen)) && r->now.live & BIT(chosen));
        if (!hd_predict_simulate_step(r, (heddle_wire_decision){(uint16_t)chosen, 0}, NULL))
            return false;
    }
}

static void write_output(const hd_predict_simulator *r, uint32_t number, hd_launch_log *log) {
    hd_launch_log_silence(log);
    if (!number)
        return;
    assert(number <= r->outputs.length);
    const hd_predict_output *output = &r->outputs.data[number - 1];
    for (size_t i = 0; i < output->first.length; i++)
        hd_vec_push(&log->output, output->first.data[i]);
    log->wrote = output->wrote;
    log->sum = output->sum;
}

/* The entry of the log, or that of the oldest one. */
static hd_predict_written *entry_of(hd_predict_simulator *r, const hd_launch_log *log) {
    hd_predict_written *found = &r->written[0];
    for (int i = 0; i < HD_PREDICT_WRITTEN; i++) {
        if (log->predicted && r->written[i].number == log->predicted)
            return &r->written[i];
        if (r->written[i].number < found->number)
            found = &r->written[i];
    }
    found->steps = 0;
    return found;
}

/* Only what is not there from an earlier prediction is copied: most runs differ in their last
 * steps. */
static void write_steps(hd_predict_simulator *r, hd_launch_log *log) {
    hd_predict_written *entry = entry_of(r, log);
    size_t same = entry->steps, same_nexts = same ? r->steps.data[same - 1].nexts : 0;
    assert(same <= r->steps.length && same_nexts <= r->nexts.length);
    hd_vec_reserve(&log->steps, r->steps.length);
    hd_vec_reserve(&log->nexts, r->nexts.length);
    assert(!same || !memcmp(log->steps.data, r->steps.data, same * sizeof *r->steps.data));
    assert(!same_nexts ||
           !memcmp(log->nexts.data, r->nexts.data, same_nexts * sizeof *r->nexts.data));
    if (r->steps.length > same)
        memcpy(log->steps.data + same, r->steps.data + same,
               (r->steps.length - same) * sizeof *r->steps.data);
    if (r->nexts.length > same_nexts)
        memcpy(log->nexts.data + same_nexts, r->nexts.data + same_nexts,
               (r->nexts.length - same_nexts) * sizeof *r->nexts.data);
    log->steps.length = r->steps.length;
    log->nexts.length = r->nexts.length;
    log->predicted = ++r->predictions;
    *entry = (hd_predict_written){log->predicted, r->steps.length};
}

static void write_log(hd_predict_simulator *r, enum hd_launch_end end, hd_launch_log *log) {
    bool ended = end == HD_LAUNCH_ENDED;
    write_steps(r, log);
    write_output(r, ended ? r->output : 0, log);
    log->run = 0;
    log->status = 0;
    log->message[0] = '\0';
    log->end = end;
    log->ending = ended ? HEDDLE_WIRE_EXITED : HEDDLE_WIRE_RUNNING;
}

/* Where prediction seldom helps, it is not tried for a while, and longer each time.  The first
 * judgement comes early, as most searches are short. */
static void judge(hd_predict_runs *f, bool told) {
    enum { EARLY = 16, WINDOW = 128, FEW = 16, FIRST_REST = 64, MOST_REST = 2048 };
    f->hits += told;
    f->tries++;
    if (f->tries < EARLY || (f->tries < WINDOW && (f->hits || f->tries % EARLY)))
        return;
    if (f->hits < FEW) {
        f->pause = f->pause ? 2 * f->pause : FIRST_REST;
        f->pause = f->pause < MOST_REST ? f->pause : MOST_REST;
        f->rest = f->pause;
    } else
        f->pause = 0;
    f->tries /= 2;
    f->hits /= 2;
}

bool hd_predict_helps(const hd_predict_runs *f) {
    return !f->wrong && !f->rest && 2 * f->hits > f->tries;
}

/* Some runs are executed all the same, farther and farther apart: the distance is a share of the
 * runs that were predicted so far. */
static bool is_checked(hd_predict_runs *f) {
    enum { LEAST_APART = 4, MOST_APART = 512, SHARE = 8 };
    if (++f->told < f->next_check)
        return false;
    uint64_t apart = f->told / SHARE;
    apart = apart < LEAST_APART ? LEAST_APART : apart > MOST_APART ? MOST_APART : apart;
    f->next_check = f->told + apart;
    assert(apart >= LEAST_APART && apart <= MOST_APART);
    return true;
}

bool hd_predict_run(hd_predict_runs *f, const heddle_wire_decision *decisions, size_t count,
                    hd_predict_manner manner, hd_launch_log *log) {
    hd_predict_simulator *r = &f->simulator;
    enum hd_launch_end end;
    if (f->wrong || !r->learnt.points.length)
        return false;
    if (f->rest) {
        f->rest--;
        return false;
    }
    bool told = follow_decisions(r, decisions, count) && go_on(r, manner, &end);
    judge(f, told);
    if (!told)
        return false;
    if (is_checked(f)) {
        f->checked++;
        return false;
    }
    write_log(r, end, log);
    return true;
}

/* --- learning ------------------------------------------------------------------------------- */

/* The steps of the log that are complete. */
static size_t whole_steps(const hd_launch_log *log) {
    bool broken = log->end == HD_LAUNCH_FAILED || log->end == HD_LAUNCH_HUNG;
    return broken && log->steps.length ? log->steps.length - 1 : log->steps.length;
}

static bool ended_with_last(const hd_launch_log *log) {
    return log->steps.length && hd_vec_last(&log->steps)->over == HEDDLE_WIRE_OVER_LAST;
}

void hd_predict_learn(hd_predict_runs *f, const hd_launch_log *log,
                      const heddle_wire_looks *looks) {
    enum { MOST_POINTS = 1 << 17, MOST_WAYS = 1 << 18, MOST_STEPS = 1 << 12 };
    hd_predict_simulator *r = &f->simulator;
    if (f->wrong || f->rest || log->end == HD_LAUNCH_LOST || log->steps.length > MOST_STEPS)
        return;
    bool lasts = r->lasts || ended_with_last(log);
    hd_predict_simulate_note(r, looks);
    if (r->stale)
        return;
    if (!r->learnt.points.length || r->learnt.points.length > MOST_POINTS ||
        r->learnt.count > MOST_WAYS || lasts != r->lasts)
        hd_predict_forget(f);
    r->lasts = lasts;
    const heddle_wire_step *steps = log->steps.data;
    size_t count = whole_steps(log), done = 0;
    hd_predict_simulate_back(r, 0); /* the whole run is compared with what was learnt */
    for (size_t i = 0; i < count; i++, done++) {
        hd_predict_sight seen = {.log = log,
                                 .looks = looks,
                                 .step = &steps[i],
                                 .next = i ? steps[i - 1].nexts : 0,
                                 .end = steps[i].nexts};
        heddle_wire_decision decision = {steps[i].thread, steps[i].choice};
        if (!hd_predict_simulate_step(r, decision, &seen))
            break;
    }
    if (done == count && (log->end == HD_LAUNCH_VAIN || log->end == HD_LAUNCH_STUCK))
        hd_predict_simulate_rounds(r, log);
    f->wrong = r->wrong;
}
