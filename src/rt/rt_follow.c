/*
 * A run that follows the events of a recording: so many of this thread, so many of that one.
 *
 * Unlike a schedule of steps, it does not contain what is not an event, such as a yield or the end
 * of a sleep. A thread goes on until it has made its events, and stands at its next point then;
 * where the next one cannot go on, others pass points that make no event, until it can.  Which
 * waiter a signal wakes follows too: it is the one that is to do something first.
 *
 * How many events there are is known by the chunks of the record; what calls store for their
 * callers does not count, for that is not a step, and a free run has less of it.  A thread may make
 * some events together which the recording has apart, so they are counted for each thread by
 * itself.
 */
#include "rt.h"
#include "rt_external_wait.h"

static uint64_t made[HEDDLE_WIRE_THREADS], wanted[HEDDLE_WIRE_THREADS];
static uint64_t counted; /* events so far, but those that are no steps */
static uint64_t before;  /* events of chunks before the present one */
static uint32_t idle; /* points that were passed since the last event so that another can go on */
static const heddle_wire_chunk *chunk;

static const heddle_wire_run *run_at(uint64_t number) {
    return (const heddle_wire_run *)((const char *)hd_rt.wire + hd_rt.wire->schedule) + number;
}

static uint64_t events_in(const heddle_wire_chunk *it) {
    return it->items + HEDDLE_WIRE_TAIL_RUN(it->tail) - it->silent;
}

static void count(const hd_rt_thread *self) {
    if (chunk && chunk != hd_rt.lane.chunk)
        before += events_in(chunk);
    chunk = hd_rt.lane.chunk;
    uint64_t now = before + events_in(chunk);
    hd_rt.wire->events_made = (uint32_t)now;
    now -= hd_rt.stored;
    if (now != counted)
        idle = 0;
    made[self->id] += now - counted;
    counted = now;
}

/* Passes a point there without an event. */
static bool is_silent(const hd_rt_thread *thread) {
    switch (thread->wire->pending.kind) {
    case HEDDLE_WIRE_START:
    case HEDDLE_WIRE_SLEEP:
    case HEDDLE_WIRE_YIELD:
    case HEDDLE_WIRE_FENCE:
    case HEDDLE_WIRE_FINISH:
        return true;
    default:
        return false;
    }
}

static hd_rt_thread *silent_one(void) {
    enum { PATIENCE = 10000 };
    for (uint32_t i = 0; i < hd_rt.live_count && idle < PATIENCE; i++)
        if (is_silent(hd_rt.live[i]) && hd_rt_able(hd_rt.live[i]))
            return hd_rt.live[i];
    return NULL;
}

hd_rt_thread *hd_rt_follow_decide(const hd_rt_thread *self) {
    heddle_wire *wire = hd_rt.wire;
    count(self);
    while (wire->run < wire->schedule_runs) {
        uint32_t id = run_at(wire->run)->thread;
        if (made[id] < wanted[id])
            break;
        if (++wire->run < wire->schedule_runs)
            wanted[run_at(wire->run)->thread] += run_at(wire->run)->steps;
    }
    if (wire->run == wire->schedule_runs)
        return NULL;
    uint32_t id = run_at(wire->run)->thread;
    hd_rt_thread *thread = id < wire->threads ? hd_rt_thread_at(id) : NULL;
    bool live = thread && thread->wire->state == HEDDLE_WIRE_LIVE;
    bool good = live && hd_rt_able(thread);
    if (good && thread->outside && !hd_rt_outside_await_one(thread))
        hd_rt_stop(HEDDLE_WIRE_DIVERGED, "it waits for something outside that does not come");
    hd_rt_thread *other = good ? NULL : silent_one();
    idle += other != NULL;
    if (!good && !other)
        hd_rt_stop(HEDDLE_WIRE_DIVERGED, live     ? "its thread cannot go on"
                                         : thread ? "its thread has ended"
                                                  : "there is no such thread yet");
    return good ? thread : other;
}

hd_rt_thread *hd_rt_follow_first(bool (*is_one)(const hd_rt_thread *thread, const void *context),
                                 const void *context) {
    for (uint64_t i = hd_rt.wire->run; i < hd_rt.wire->schedule_runs; i++) {
        uint32_t id = run_at(i)->thread;
        hd_rt_thread *thread = id < hd_rt.wire->threads ? hd_rt_thread_at(id) : NULL;
        if (thread && thread->wire->state == HEDDLE_WIRE_LIVE && is_one(thread, context))
            return thread;
    }
    return NULL;
}

void hd_rt_follow_init(void) {
    wanted[run_at(0)->thread] = run_at(0)->steps;
    hd_rt_replay_events();
}
