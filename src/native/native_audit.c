#include "native_audit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "native_program.h"

/* Audits are farther apart each time, up to MOST_APART runs.  For restored memory, one program is
 * started, and each audit is a fork of it, which takes some hundred microseconds, as long as tens
 * of runs.  For forks, a program is started each time, which takes some milliseconds, again as long
 * as tens of runs. */
enum { FIRST = 2, MOST_APART = 1 << 13 };

static uint64_t runs_apart(uint64_t done, bool forked) {
    uint64_t apart = forked ? 3 * done : done;
    return apart < MOST_APART ? apart : MOST_APART;
}

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

static bool differ_in_steps(const hd_launch_log *a, const hd_launch_log *b, hd_vec_char *to) {
    size_t steps = a->steps.length < b->steps.length ? a->steps.length : b->steps.length;
    size_t nexts = a->nexts.length < b->nexts.length ? a->nexts.length : b->nexts.length;
    for (size_t i = 0, next = 0; i < steps; i++) {
        if (!same_step(&a->steps.data[i], &b->steps.data[i])) {
            hd_text_append(to, "after step %zu other threads can go on", i + 1);
            return true;
        }
        if (!same_values(&a->steps.data[i], &b->steps.data[i])) {
            hd_text_append(to, "step %zu has value %llx, not %llx", i + 1,
                           (unsigned long long)a->steps.data[i].value,
                           (unsigned long long)b->steps.data[i].value);
            return true;
        }
        for (; next < a->steps.data[i].nexts && next < nexts; next++)
            if (!same_next(&a->nexts.data[next], &b->nexts.data[next])) {
                hd_text_append(to, "after step %zu a thread does something else", i + 1);
                return true;
            }
    }
    return false;
}

bool hd_native_audit_differ(const hd_launch_log *a, const hd_launch_log *b, hd_vec_char *to) {
    if (b->end == HD_LAUNCH_LOST) {
        hd_text_append(to, "%s", b->message);
        return true;
    }
    if (differ_in_steps(a, b, to))
        return true;
    if (a->steps.length != b->steps.length || a->nexts.length != b->nexts.length)
        hd_text_append(to, "%zu steps, not %zu", a->steps.length, b->steps.length);
    else if (a->end != b->end || a->status != b->status)
        hd_text_append(to, "it ends with status %d, not %d", a->status, b->status);
    else if (a->wrote != b->wrote || a->sum != b->sum)
        hd_text_append(to, "another output");
    else
        return false;
    return true;
}

/* --- fresh processes ------------------------------------------------------------------------ */

static void equip(hd_native_server *to, const hd_native_program *m) {
    const heddle_wire_explore *from = m->server.explore;
    if (to->equipped == from->renewed + 1 && to->explore->threads == m->base.threads &&
        to->explore->exits == m->exits && to->explore->loops == from->loops &&
        to->explore->copies == m->copies)
        return;
    hd_native_program_equip(to->explore, m);
    memcpy(to->run.wire->order_object, m->server.run.wire->order_object,
           sizeof m->server.run.wire->order_object);
    to->equipped = from->renewed + 1;
}

/* Where the system randomises addresses, they cannot be compared. */
static bool is_placed_alike(const hd_native_server *a, const hd_native_server *b) {
    const heddle_wire *one = a->run.wire, *other = b->run.wire;
    return one->code == other->code && one->modules == other->modules &&
           one->thread[0].stack == other->thread[0].stack;
}

void hd_native_audit_release(hd_native_audit *audit) {
    if (audit->fresh)
        hd_native_server_stop(audit->fresh);
    free(audit->fresh);
    audit->fresh = NULL;
}

static bool start_anew(hd_native_program *m) {
    hd_native_machine_options options = m->options;
    hd_error error = {""};
    hd_native_server *fresh = hd_mem_zero(1, sizeof *fresh);
    options.by_fork = options.again = true;
    bool started = hd_native_server_start(fresh, &options, &error);
    if (started) {
        m->audit.fresh = fresh;
        m->audit.starter = gettid();
    } else {
        snprintf(m->audit.cannot, sizeof m->audit.cannot, "%.100s", error.text);
        free(fresh);
    }
    return started;
}

/* Repeats the run of that log in the fresh program; false if it cannot be compared. */
static bool run_anew(hd_native_program *m, const hd_launch_log *log, hd_launch_log *anew) {
    HD_VEC(heddle_wire_decision) decisions = {0};
    if (m->audit.fresh && m->audit.starter != gettid()) /* which may have ended */
        hd_native_audit_release(&m->audit);
    if (!m->audit.fresh && !start_anew(m))
        return false;
    hd_native_server *fresh = m->audit.fresh;
    equip(fresh, m);
    for (size_t i = 0; i < log->steps.length; i++) {
        const heddle_wire_step *step = &log->steps.data[i];
        hd_vec_push(&decisions, (heddle_wire_decision){step->thread, step->choice});
    }
    hd_native_server_run(fresh, decisions.data, decisions.length, 0, anew);
    hd_vec_release(&decisions);
    bool alike = fresh->process > 0 && is_placed_alike(fresh, &m->server);
    if (!alike)
        snprintf(m->audit.cannot, sizeof m->audit.cannot,
                 "the system gives the program other addresses each time");
    return alike;
}

/* --- an audit ------------------------------------------------------------------------------- */

/* The first runs have processes of their own even if memory is to be restored: comparing these
 * would show nothing. */
static bool is_warming_up(const hd_native_program *m) {
    return m->server.by_fork && !m->options.by_fork && !m->server.why[0];
}

/* Runs that were made to learn from are not looked at. */
static uint64_t runs_done(const hd_native_program *m) {
    return m->tally.done - m->to_learn;
}

static bool is_due(const hd_native_program *m) {
    const hd_native_audit *audit = &m->audit;
    return !is_warming_up(m) && m->log->end == HD_LAUNCH_ENDED && !m->changed &&
           m->server.explore->stays_wanted != HEDDLE_WIRE_STAYS_TO_LEARN && !audit->cannot[0] &&
           runs_done(m) >= (audit->next ? audit->next : FIRST);
}

/* They differ: do two fresh processes, too? */
static bool is_repeatable(hd_native_program *m, const hd_launch_log *log,
                          const hd_launch_log *anew) {
    hd_launch_log again = {0};
    hd_vec_char unused = {0};
    hd_native_audit_release(&m->audit);
    bool repeatable = run_anew(m, log, &again) && !hd_native_audit_differ(anew, &again, &unused);
    hd_vec_release(&unused);
    hd_launch_log_release(&again);
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
    hd_launch_log anew = {0};
    hd_vec_char difference = {0};
    bool good = true;
    if (hd_native_program_guesses(m) || !is_due(m))
        return true;
    m->audit.next = runs_done(m) + runs_apart(runs_done(m), m->server.by_fork);
    if (m->server.by_fork)
        hd_native_audit_release(&m->audit);
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
    hd_launch_log_release(&anew);
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
