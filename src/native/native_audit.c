#include "native_audit.h"

#include <pthread.h>
#include <stdio.h>

#include "native_print.h"
#include "native_program.h"

/* Audits are FARTHER times as far apart each time, but never more than MOST_APART runs: to start a
 * program takes some milliseconds, as long as hundreds of runs. */
enum { FIRST = 2, FARTHER = 4, MOST_APART = 1 << 18 };

/* --- comparing ------------------------------------------------------------------------------ */

static bool same_step(const heddle_wire_step *a, const heddle_wire_step *b) {
    return a->thread == b->thread && a->choice == b->choice && a->over == b->over &&
           a->nexts == b->nexts && a->enabled == b->enabled && a->succeeds == b->succeeds;
}

static bool same_values(const heddle_wire_step *a, const heddle_wire_step *b) {
    return a->value == b->value && a->before == b->before;
}

static bool same_next(const heddle_wire_next *a, const heddle_wire_next *b) {
    const heddle_wire_operation *one = &a->operation, *other = &b->operation;
    return one->kind == other->kind && one->flags == other->flags && one->size == other->size &&
           one->address == other->address && one->code == other->code && a->joined == b->joined &&
           a->thread == b->thread && a->ended == b->ended && a->first == b->first;
}

static bool differ_in_steps(const hd_native_log *a, const hd_native_log *b, hd_vec_char *to) {
    size_t steps = a->steps.length < b->steps.length ? a->steps.length : b->steps.length;
    size_t nexts = a->nexts.length < b->nexts.length ? a->nexts.length : b->nexts.length;
    for (size_t i = 0, next = 0; i < steps; i++) {
        if (!same_step(&a->steps.data[i], &b->steps.data[i])) {
            hd_native_print(to, "after step %zu other threads can go on", i + 1);
            return true;
        }
        if (!same_values(&a->steps.data[i], &b->steps.data[i])) {
            hd_native_print(to, "step %zu has value %llx, not %llx", i + 1,
                            (unsigned long long)a->steps.data[i].value,
                            (unsigned long long)b->steps.data[i].value);
            return true;
        }
        for (; next < a->steps.data[i].nexts && next < nexts; next++)
            if (!same_next(&a->nexts.data[next], &b->nexts.data[next])) {
                hd_native_print(to, "after step %zu a thread does something else", i + 1);
                return true;
            }
    }
    return false;
}

bool hd_native_audit_differ(const hd_native_log *a, const hd_native_log *b, hd_vec_char *to) {
    if (b->end == HD_NATIVE_LOST) {
        hd_native_print(to, "%s", b->message);
        return true;
    }
    if (differ_in_steps(a, b, to))
        return true;
    if (a->steps.length != b->steps.length || a->nexts.length != b->nexts.length)
        hd_native_print(to, "%zu steps, not %zu", a->steps.length, b->steps.length);
    else if (a->end != b->end || a->status != b->status)
        hd_native_print(to, "it ends with status %d, not %d", a->status, b->status);
    else if (a->wrote != b->wrote || a->sum != b->sum)
        hd_native_print(to, "another output");
    else
        return false;
    return true;
}

/* --- fresh processes ------------------------------------------------------------------------ */

/* What a program must know to number threads and words as ours does. */
static void equip(hd_native_server *to, const hd_native_program *m) {
    const heddle_wire_explore *from = m->server.explore;
    memcpy(to->explore->shared, from->shared, sizeof from->shared);
    memcpy(to->explore->name, from->name, sizeof from->name);
    memcpy(to->explore->loop, from->loop, sizeof from->loop);
    to->explore->loops = from->loops;
    to->explore->ends = m->ends;
    to->explore->exits = m->exits;
    to->explore->threads = m->base.threads;
    to->explore->renewed++;
}

/* Where the system moves programs about, addresses cannot be compared. */
static bool is_placed_alike(const hd_native_server *a, const hd_native_server *b) {
    const heddle_wire *one = a->run.wire, *other = b->run.wire;
    return one->code == other->code && one->modules == other->modules &&
           one->thread[0].stack == other->thread[0].stack;
}

/* The run of that log once more in a program that is started for it. */
static bool run_anew(hd_native_program *m, const hd_native_log *log, hd_native_log *anew) {
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    hd_native_machine_options options = m->options;
    hd_native_server fresh;
    hd_error error = {""};
    HD_VEC(heddle_wire_decision) decisions = {0};
    options.by_fork = true;
    pthread_mutex_lock(&one_at_a_time); /* or each inherits files of the others */
    bool started = hd_native_server_start(&fresh, &options, &error);
    pthread_mutex_unlock(&one_at_a_time);
    if (!started) {
        snprintf(m->audit.cannot, sizeof m->audit.cannot, "%s", error.text);
        return false;
    }
    equip(&fresh, m);
    for (size_t i = 0; i < log->steps.length; i++)
        hd_vec_push(&decisions,
                    (heddle_wire_decision){log->steps.data[i].thread, log->steps.data[i].choice});
    hd_native_server_run(&fresh, decisions.data, decisions.length, 0, anew);
    bool alike = fresh.process > 0 && is_placed_alike(&fresh, &m->server);
    if (!alike)
        snprintf(m->audit.cannot, sizeof m->audit.cannot,
                 "the system gives the program other addresses each time");
    hd_native_server_stop(&fresh);
    hd_vec_release(&decisions);
    return alike;
}

/* --- an audit ------------------------------------------------------------------------------- */

/* The first runs have processes of their own although memory is to be restored: nothing would
 * come of comparing these. */
static bool is_warming_up(const hd_native_program *m) {
    return m->server.by_fork && !m->options.by_fork && !m->server.why[0];
}

static bool is_due(const hd_native_program *m) {
    const hd_native_audit *audit = &m->audit;
    return !is_warming_up(m) && m->log->end == HD_NATIVE_ENDED && !m->changed &&
           !audit->cannot[0] && m->tally.done >= (audit->next ? audit->next : FIRST);
}

static void plan_next(hd_native_program *m) {
    uint64_t done = m->tally.done;
    m->audit.next = done * (FARTHER - 1) < MOST_APART ? done * FARTHER : done + MOST_APART;
}

/* They differ: do two fresh processes, too? */
static bool is_repeatable(hd_native_program *m, const hd_native_log *log,
                          const hd_native_log *anew) {
    hd_native_log again = {0};
    hd_vec_char unused = {0};
    bool repeatable = run_anew(m, log, &again) && !hd_native_audit_differ(anew, &again, &unused);
    hd_vec_release(&unused);
    hd_native_log_release(&again);
    return repeatable;
}

static void end_method(hd_native_program *m, const char *difference) {
    if (m->server.by_fork) {
        snprintf(m->audit.wrong, sizeof m->audit.wrong, "%s", difference);
        return;
    }
    hd_native_server_blame(&m->server, difference);
}

bool hd_native_audit_run(hd_native_program *m) {
    hd_native_log anew = {0};
    hd_vec_char difference = {0};
    bool good = true;
    if (!is_due(m))
        return true;
    plan_next(m);
    if (run_anew(m, m->log, &anew)) {
        m->audit.audited++;
        if (hd_native_audit_differ(m->log, &anew, &difference)) {
            good = !is_repeatable(m, m->log, &anew);
            m->audit.varied += good;
        }
    }
    bool forked = m->server.by_fork;
    if (!good)
        end_method(m, difference.data);
    hd_vec_release(&difference);
    hd_native_log_release(&anew);
    return good || forked;
}

void hd_native_audit_learn(hd_native_audit *audit, const hd_native_audit *other) {
    audit->audited += other->audited;
    audit->varied += other->varied;
    if (!audit->wrong[0])
        memcpy(audit->wrong, other->wrong, sizeof audit->wrong);
    if (!audit->cannot[0])
        memcpy(audit->cannot, other->cannot, sizeof audit->cannot);
}
