#include "base_worker.h"

#include <string.h>

static _Thread_local char self; /* its address is this thread's name */
static _Thread_local const void *asker;

const void *hd_worker_asker(void) {
    return asker ? asker : &self;
}

hd_worker_for hd_worker_ties(void) {
    return (hd_worker_for){hd_clock_current(), hd_worker_asker(), hd_mem_guarded()};
}

static void note_failure(hd_worker_failure *failure, const char *text) {
    int none = 0;
    if (!atomic_compare_exchange_strong(&failure->state, &none, 1))
        return;
    memcpy(failure->text, text, sizeof failure->text);
    atomic_store(&failure->state, 2);
}

/* Under a guard of its own, in which nothing of the caller's frame changes. */
static bool run_guarded(void (*work)(void *context), void *context, hd_worker_failure *failure) {
    hd_mem_guard guard;
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        note_failure(failure, guard.text);
        return false;
    }
    work(context);
    hd_mem_guard_end(&guard);
    return true;
}

bool hd_worker_run(const hd_worker_for *ties, void (*work)(void *context), void *context,
                   hd_worker_failure *failure) {
    const hd_clock *clock = hd_clock_current();
    const void *before = asker;
    bool good = true;
    hd_clock_adopt(ties->clock);
    asker = ties->asker;
    if (ties->guarded)
        good = run_guarded(work, context, failure);
    else
        work(context);
    asker = before;
    hd_clock_adopt(clock);
    return good;
}

void hd_worker_pass_on(hd_worker_failure *failure) {
    char text[HD_MEM_FATAL];
    if (atomic_load(&failure->state) != 2)
        return;
    memcpy(text, failure->text, sizeof text);
    atomic_store(&failure->state, 0);
    hd_mem_fatal("%s", text);
}
