/*
 * A lock that spins, twice, as a data structure whose operations may wait.
 *
 *     heddle test lock.c
 *
 * spinlock: taken by an exchange.
 *
 * looks_first: looks whether the lock is free, and takes it by a second step.  Two threads get it.
 */
#include <heddle/linear.h>

#include <stdatomic.h>

static _Atomic int held;

static long long lock(void) {
    while (atomic_exchange(&held, 1))
        sched_yield();
    return HEDDLE_DONE;
}

static long long lock_in_two_steps(void) {
    while (atomic_load(&held))
        sched_yield();
    atomic_store(&held, 1);
    return HEDDLE_DONE;
}

static long long try_lock(void) {
    return !atomic_exchange(&held, 1);
}

/* Was it held?  Any thread may release it. */
static long long unlock(void) {
    return atomic_exchange(&held, 0);
}

/* ---- The model: is it held? ---- */

static long long model_lock(int *model) {
    if (*model)
        return HEDDLE_WAITS;
    *model = 1;
    return HEDDLE_DONE;
}

static long long model_try_lock(int *model) {
    int was = *model;
    *model = 1;
    return !was;
}

static long long model_unlock(int *model) {
    int was = *model;
    *model = 0;
    return was;
}

HEDDLE_LINEAR(spinlock, int) {
}

HEDDLE_OPERATION(spinlock, lock) {
    return lock();
}

HEDDLE_MODEL(spinlock, lock) {
    return model_lock(model);
}

HEDDLE_OPERATION(spinlock, try_lock) {
    return try_lock();
}

HEDDLE_MODEL(spinlock, try_lock) {
    return model_try_lock(model);
}

HEDDLE_OPERATION(spinlock, unlock) {
    return unlock();
}

HEDDLE_MODEL(spinlock, unlock) {
    return model_unlock(model);
}

HEDDLE_LINEAR_FAILS(looks_first, int, "with=linearizability") {
}

HEDDLE_OPERATION(looks_first, lock) {
    return lock_in_two_steps();
}

HEDDLE_MODEL(looks_first, lock) {
    return model_lock(model);
}

HEDDLE_OPERATION(looks_first, unlock) {
    return unlock();
}

HEDDLE_MODEL(looks_first, unlock) {
    return model_unlock(model);
}
