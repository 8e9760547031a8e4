/*
 * Locks, conditions, barriers, semaphores and onces as memory.  To initialise one, to destroy it,
 * to overwrite it or to look into it is an access, and an operation on it is one, too, as far as
 * these are concerned.  Most programs do that only while no other thread uses the object, so it
 * costs nothing until a run shows the two together (rt_shadow.c); from then on such accesses are
 * steps, and the operation says so.
 *
 * An object that is made and then given to others, or destroyed when the last one has left it, is
 * usual: operations keep their own rules (HEDDLE_WIRE_WATCHED).  If it is written to after another
 * thread has used it, the lock may be free although no thread gave it back, so there an operation
 * depends on everything that concerns the object (HEDDLE_WIRE_ODD).
 */
#include <semaphore.h>

#include "rt_explore.h"
#include "rt_foreign.h"

enum { MOST = 64 };

/* Objects that were used in this run, of those that are made while threads run. */
static struct {
    uintptr_t object;
    size_t size;
    uint32_t user; /* a thread; whether there was another */
    bool users;
} used[MOST];
static uint32_t used_count;

void hd_rt_objects_init(void) {
    uint8_t *body = hd_rt_explore->body;
    body[HEDDLE_WIRE_MUTEX_BODY] = sizeof(pthread_mutex_t);
    body[HEDDLE_WIRE_RWLOCK_BODY] = sizeof(pthread_rwlock_t);
    body[HEDDLE_WIRE_SPIN_BODY] = sizeof(pthread_spinlock_t);
    body[HEDDLE_WIRE_COND_BODY] = sizeof(pthread_cond_t);
    body[HEDDLE_WIRE_BARRIER_BODY] = sizeof(pthread_barrier_t);
    body[HEDDLE_WIRE_SEMAPHORE_BODY] = sizeof(sem_t);
    body[HEDDLE_WIRE_ONCE_BODY] = sizeof(pthread_once_t);
}

static void note_use(uintptr_t object, size_t size) {
    uint32_t i = 0;
    while (i < used_count && used[i].object != object)
        i++;
    if (i == MOST) {
        hd_rt_explore->exits |= HEDDLE_WIRE_ODD_OBJECTS; /* there may have been another use */
        return;
    }
    uint32_t self = hd_rt.current->id;
    used[i].users = i < used_count && (used[i].users || used[i].user != self);
    used[i].user = self;
    used[i].object = object;
    used[i].size = size;
    used_count += i == used_count;
}

static bool use(uintptr_t object, enum heddle_wire_body body) {
    size_t size = hd_rt_explore->body[body];
    bool shared = hd_rt_explore_object(object, size);
    if (shared)
        note_use(object, size);
    return shared;
}

void hd_rt_object_next(const hd_rt_thread *self) {
    heddle_wire_operation *pending = &self->wire->pending;
    enum heddle_wire_body body = heddle_wire_body_of(pending);
    if (body == HEDDLE_WIRE_NO_BODY)
        return;
    bool shared = use(pending->address, body);
    if (pending->kind == HEDDLE_OP_WAIT)
        shared |= use((uintptr_t)self->with, HEDDLE_WIRE_MUTEX_BODY);
    if (!shared)
        return;
    pending->flags |= HEDDLE_WIRE_WATCHED;
    if (hd_rt_explore->exits & HEDDLE_WIRE_ODD_OBJECTS)
        pending->flags |= HEDDLE_WIRE_ODD;
}

/* Is it where the thread waits, and cannot go on? */
static bool awaits_there(const hd_rt_thread *thread, uintptr_t low, size_t size) {
    const heddle_wire_operation *pending = &thread->wire->pending;
    enum heddle_wire_body body = pending->kind == HEDDLE_OP_WAKE ? HEDDLE_WIRE_COND_BODY
                                 : pending->kind == HEDDLE_OP_BARRIER_OUT
                                     ? HEDDLE_WIRE_BARRIER_BODY
                                     : heddle_wire_body_of(pending);
    return body != HEDDLE_WIRE_NO_BODY && thread != hd_rt.current &&
           pending->address < low + size && low < pending->address + hd_rt_explore->body[body] &&
           !hd_rt_possible(thread);
}

void hd_rt_object_written(uintptr_t address, size_t size, bool destroys) {
    heddle_wire_explore *explore = hd_rt_explore;
    if (hd_rt_explored.births == hd_rt_explored.joins || hd_rt.ended)
        return;
    for (uint32_t i = 0; i < hd_rt.live_count; i++)
        if (awaits_there(hd_rt.live[i], address, size))
            explore->hidden |= HEDDLE_WIRE_HIDES_OBJECTS;
    for (uint32_t i = 0; i < used_count && !destroys; i++)
        if (used[i].object < address + size && address < used[i].object + used[i].size &&
            (used[i].users || used[i].user != hd_rt.current->id))
            explore->exits |= HEDDLE_WIRE_ODD_OBJECTS;
}

void hd_rt_object_change(const void *object, size_t size, bool destroys, uintptr_t code) {
    if (!hd_rt.exploring || !hd_rt_explored.births || !hd_rt_controlled() || hd_rt.ended)
        return;
    if (hd_rt_explore_touch(true, object, size)) {
        hd_rt_point(HEDDLE_OP_WRITE, object, (uint32_t)size, code);
        if (destroys && hd_rt_explored.births != hd_rt_explored.joins)
            hd_rt_explore_unseen(); /* what others do with it then fails: that is not predicted */
    }
    hd_rt_object_written((uintptr_t)object, size, destroys);
}
