/*
 * Threads under control.  A thread of the program is a stack and a thread-local
 * block; both belong to a real thread that does nothing but sleep near the top of
 * that stack.  What the program's thread runs begins a page below it.  When the
 * thread has ended and was joined, the sleeper wakes and ends as threads do, so
 * that the C library tidies up after it.
 */
#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt.h"
#include "rt_arch.h"
#include "rt_aside.h"
#include "rt_attributes.h"
#include "rt_c11.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_free.h"
#include "rt_handle.h"
#include "rt_identity.h"
#include "rt_misuse.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_sync.h"

enum { SLEEPER_ROOM = 8192, STACK_ROOM = 2 * SLEEPER_ROOM, LEAST_STACK = 256 << 10 };

static hd_rt_thread *threads[HEDDLE_WIRE_THREADS];
static hd_rt_thread *live[HEDDLE_WIRE_THREADS];
static hd_rt_thread *ended[HEDDLE_WIRE_THREADS]; /* detached, to be reaped */
static uint32_t ended_count, oldest_unreaped;
static hd_rt_thread *sleepers[HEDDLE_WIRE_EXPLORED]; /* made beforehand */

static void futex(uint32_t *word, int operation, uint32_t value) {
    hd_rt_syscall(SYS_futex, (long)word, operation | FUTEX_PRIVATE_FLAG, (long)value, 0, 0, 0);
}

hd_rt_thread *hd_rt_thread_at(uint32_t id) {
    return threads[id];
}

hd_rt_thread **hd_rt_thread_table(void) {
    return threads;
}

hd_rt_thread *hd_rt_thread_of(pthread_t handle) {
    static uint32_t last; /* a guess: threads are often joined in order */
    for (uint32_t i = last; i < hd_rt.wire->threads && i < last + 2; i++)
        if (threads[i] && !threads[i]->reaped && pthread_equal(threads[i]->handle, handle)) {
            last = i;
            return threads[i];
        }
    for (uint32_t i = hd_rt.wire->threads; i-- > oldest_unreaped;)
        if (threads[i] && !threads[i]->reaped && pthread_equal(threads[i]->handle, handle)) {
            last = i;
            return threads[i];
        }
    return NULL;
}

static hd_rt_thread *new_thread(void) {
    static hd_rt_thread *pool;
    static uint32_t pool_left;
    if (!pool_left) {
        pool_left = 64;
        bool explored = hd_rt.wire->decision == HEDDLE_WIRE_BY_DECISIONS;
        size_t size = pool_left * sizeof *pool;
        pool = explored ? hd_rt_reset_pages(size) : hd_rt_pages(size);
    }
    return &pool[--pool_left];
}

/* One that was made beforehand, as good as new. */
static hd_rt_thread *woken_sleeper(uint32_t id) {
    if (!sleepers[id])
        hd_rt_server_give_up(HEDDLE_WIRE_AGAIN, "a thread was not known");
    hd_rt_thread *thread = sleepers[id];
    hd_rt_heap_born(id);
    heddle_wire_thread *wire = &hd_rt.wire->thread[id];
    *wire = (heddle_wire_thread){
        .stack = wire->stack, .stack_size = wire->stack_size, .tls = wire->tls};
    hd_rt_thread old = *thread;
    *thread = (hd_rt_thread){.thread_pointer = old.thread_pointer,
                             .handle = old.handle,
                             .parked = old.parked,
                             .stack = old.stack,
                             .stack_size = old.stack_size,
                             .stack_top = old.stack_top};
    return thread;
}

static hd_rt_thread *add_thread(hd_rt_thread *creator) {
    uint32_t id =
        creator && hd_rt.exploring ? hd_rt_explore_number(creator) : hd_rt.wire->threads++;
    hd_rt_thread *thread = hd_rt_in_memory ? woken_sleeper(id) : new_thread();
    thread->id = id;
    threads[thread->id] = thread;
    thread->wire = &hd_rt.wire->thread[thread->id];
    thread->wire->creator = creator ? creator->id : 0;
    thread->blocked = creator ? creator->blocked : 0;
    thread->wire->birth = creator ? ++creator->births : 0;
    thread->wire->pending.kind = HEDDLE_WIRE_START;
    return thread;
}

static void become_live(hd_rt_thread *thread) {
    thread->wire->state = HEDDLE_WIRE_LIVE;
    hd_rt.live[hd_rt.live_count++] = thread;
}

/* --- ends ----------------------------------------------------------------------------------- */

/* The object of all ends, if it matters which comes last. */
static void *meeting_place(void) {
    bool meet = hd_rt_explore->ends & HEDDLE_WIRE_ENDS_LAST;
    return meet ? (void *)(uintptr_t)HEDDLE_WIRE_LAST_END : NULL;
}

/* The last one runs the handlers of exit: that it was this one depends on the order of ends,
 * unless main has joined all the others. */
static void note_last(void) {
    if (!hd_rt.exploring || hd_rt_explored.births == hd_rt_explored.joins)
        return;
    hd_rt_explored.last = true;
    if (hd_rt_exit_has_handlers())
        hd_rt_explore->ends |= HEDDLE_WIRE_ENDS_LAST;
}

/* The thread has left its start function. */
_Noreturn void hd_rt_thread_finish(hd_rt_thread *thread) {
    hd_rt_local_end(thread);
    if (hd_rt_signal_looks(thread))
        hd_rt_signal_look(0);
    else if (hd_rt.exploring)
        hd_rt_signal_deliver();
    hd_rt_mutex_orphans();
    hd_rt_misuse_end(thread);
    if (hd_rt.exploring && hd_rt_explore->ends)
        hd_rt_point(HEDDLE_WIRE_FINISH, meeting_place(), 0, 0);
    if (hd_rt.live_count == 1) {
        note_last();
        hd_rt_misuse_exit();
        hd_rt_exit_handlers(0);
        hd_rt_explore_over();
        exit(0); /* the last one; thread 0 left by pthread_exit */
    }
    hd_rt_calls_ended(thread);
    if (thread->detached) {
        if (thread->stack && !hd_rt.exploring)
            hd_rt_record_gone(thread->wire->stack, thread->wire->stack_size,
                              (uintptr_t)thread->start + 1);
        ended[ended_count++] = thread;
    }
    hd_rt_leave();
}

static void left_by_exit(void *thread) {
    hd_rt_thread_finish(thread);
}

static void run_thread(void *argument) {
    hd_rt_thread *thread = argument;
    hd_rt.wire->steps++;
    pthread_cleanup_push(left_by_exit, thread);
    thread->result = thread->start(thread->argument);
    pthread_cleanup_pop(0);
    hd_rt_thread_finish(thread);
}

/* The kernel writes where the C library has asked it to, whenever the thread is interrupted. */
static bool forget_rseq(void) {
    extern const ptrdiff_t __rseq_offset __attribute__((weak));
    extern const unsigned __rseq_size __attribute__((weak));
    if (!&__rseq_size || !__rseq_size)
        return true;
#if defined __x86_64__
    enum { LENGTH = 32, FORGET = 1, MARK = 0x53053053 };
#else
    enum { LENGTH = 32, FORGET = 1 };
    const unsigned MARK = 0xd428bc00;
#endif
    uintptr_t area = hd_rt_arch_thread_pointer() + (uintptr_t)__rseq_offset;
    return hd_rt_syscall(SYS_rseq, (long)area, LENGTH, FORGET, MARK, 0, 0) == 0;
}

/* What the real thread does. */
static void *sleeper(void *argument) {
    hd_rt_thread *thread = argument;
    hd_rt_self = thread;
    hd_rt_own = &hd_rt.lane;
    thread->thread_pointer = hd_rt_arch_thread_pointer();
    thread->wire->tls = thread->thread_pointer;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    thread->stack_top = (here - SLEEPER_ROOM) & ~(uintptr_t)15;
    thread->stack_pointer = hd_rt_arch_prepare(thread->stack_top, run_thread, thread);
    if (hd_rt.exploring)
        forget_rseq();
    __atomic_store_n(&thread->parked, 1, __ATOMIC_RELEASE);
    futex(&thread->parked, FUTEX_WAKE, 1);
    while (__atomic_load_n(&thread->parked, __ATOMIC_ACQUIRE) != 2)
        futex(&thread->parked, FUTEX_WAIT, 1);
    hd_rt_self = NULL;
    hd_rt_own = &hd_rt_nowhere;
    return NULL;
}

/* Nothing orders the end of a detached thread and the beginning of one on the same addresses, so
 * they are never used again.  They stay memory: a program that still uses them does so in its
 * record. */
static void leave_stack(const hd_rt_thread *thread) {
    hd_rt_syscall(SYS_madvise, (long)thread->stack, (long)thread->stack_size, MADV_DONTNEED, 0, 0,
                  0);
}

void hd_rt_thread_collect(hd_rt_thread *thread) {
    thread->reaped = true;
    if (thread->id == 0 || hd_rt.exploring) /* the run ends soon, and the sleeper with it */
        return;
    __atomic_store_n(&thread->parked, 2, __ATOMIC_RELEASE);
    futex(&thread->parked, FUTEX_WAKE, 1);
    hd_rt.making = true; /* what the C library frees is its own */
    hd_rt_real.pthread_join(thread->handle, NULL);
    hd_rt.making = false;
    if (thread->stack && thread->detached)
        leave_stack(thread);
    else if (thread->stack)
        hd_rt_real.munmap(thread->stack, thread->stack_size);
    while (oldest_unreaped < hd_rt.wire->threads && threads[oldest_unreaped] &&
           threads[oldest_unreaped]->reaped)
        oldest_unreaped++;
}

void hd_rt_thread_reap(void) {
    while (HD_RT_UNLIKELY(ended_count))
        hd_rt_thread_collect(ended[--ended_count]);
}

/* --- creation ------------------------------------------------------------------------------- */

/* Does this file ask for stacks on which code can run?  gcc's do that have nested functions. */
static int runs_on_stacks(struct dl_phdr_info *file, size_t size, void *nothing) {
    (void)size, (void)nothing;
    for (int i = 0; i < file->dlpi_phnum; i++)
        if (file->dlpi_phdr[i].p_type == PT_GNU_STACK && file->dlpi_phdr[i].p_flags & PF_X)
            return 1;
    return 0;
}

/* The stack that the program asked for, or one of that size; 0 or an error number. */
static int set_stack(hd_rt_thread *thread, const pthread_attr_t *asked, pthread_attr_t *made) {
    void *base = NULL;
    if (asked) {
        size_t wanted = 0;
        pthread_attr_getstack(asked, &base, &wanted);
        if (wanted && (uintptr_t)base + wanted) { /* without an address its end is 0 */
            thread->wire->stack = (uintptr_t)base;
            thread->wire->stack_size = wanted;
            return pthread_attr_setstack(made, base, wanted);
        }
    }
    size_t size = hd_rt_attributes_made(thread->id, asked);
    size = (size + STACK_ROOM + 4095) & ~(size_t)4095;
    if (size < LEAST_STACK)
        size = LEAST_STACK;
    size_t guard = 4096;
    int allowed = PROT_READ | PROT_WRITE | (dl_iterate_phdr(runs_on_stacks, NULL) ? PROT_EXEC : 0);
    base = mmap(hd_rt_explore_stack(thread, size + guard), size + guard, allowed,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (base == MAP_FAILED)
        return EAGAIN;
    hd_rt_real.mprotect(base, guard, PROT_NONE);
    thread->stack = base;
    thread->stack_size = size + guard;
    thread->wire->stack = (uintptr_t)base + guard;
    thread->wire->stack_size = size;
    return pthread_attr_setstack(made, (char *)base + guard, size);
}

static int start_sleeper(hd_rt_thread *thread, const pthread_attr_t *asked) {
    pthread_attr_t made;
    pthread_attr_init(&made);
    int error = set_stack(thread, asked, &made);
    sigset_t all, old;
    sigfillset(&all);
    hd_rt_real.pthread_sigmask(SIG_SETMASK, &all, &old);
    hd_rt.making = hd_rt.wire->decision == HEDDLE_WIRE_BY_DECISIONS;
    if (!error)
        error = hd_rt_real.pthread_create(&thread->handle, &made, sleeper, thread);
    hd_rt.making = false;
    hd_rt_real.pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&made);
    if (error) {
        if (thread->stack)
            hd_rt_real.munmap(thread->stack, thread->stack_size);
        return error;
    }
    while (__atomic_load_n(&thread->parked, __ATOMIC_ACQUIRE) == 0)
        futex(&thread->parked, FUTEX_WAIT, 0);
    return 0;
}

/* The C library's word on whether there was ever a second thread, by which the C++ library chooses
 * between atomic and plain operations; old C libraries have none.  Sleepers that are made before
 * the program asks for threads must not show in it. */
extern char __libc_single_threaded __attribute__((weak));

static bool is_single(void) {
    return &__libc_single_threaded && __libc_single_threaded;
}

static void set_single(bool single) {
    if (&__libc_single_threaded && (bool)__libc_single_threaded != single)
        __libc_single_threaded = single;
}

/* Its stack is there already, of the usual size.  On a larger one than it asks for, a thread would
 * not run out of stack where it does. */
static int reuse_sleeper(hd_rt_thread *thread, const pthread_attr_t *asked) {
    void *base = NULL;
    size_t wanted = 0;
    if (asked) {
        pthread_attr_getstack(asked, &base, &wanted);
        if (wanted && (uintptr_t)base + wanted)
            hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it brings stacks of its own for threads");
        if (!hd_rt_attributes_usual(asked))
            hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it sets attributes of threads");
    }
    if (!hd_rt_attributes_fit(thread->id, asked))
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it wants threads with stacks of another size");
    hd_rt_reset_stack(thread);
    thread->stack_pointer = hd_rt_arch_prepare(thread->stack_top, run_thread, thread);
    set_single(false);
    return 0;
}

HD_RT_BODY int create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                      void *argument) {
    if (hd_rt.mode == HD_RT_FREE)
        return hd_rt_free_create(handle, attributes, start, argument, HD_RT_CODE());
    if (!hd_rt_controlled())
        return hd_rt_real.pthread_create(handle, attributes, start, argument);
    (void)*(volatile pthread_t *)handle; /* where there is no place for it, no thread is made */
    pthread_attr_t kept;                 /* as they are when the call begins */
    if (attributes) {
        hd_rt_fetch(attributes, sizeof *attributes, HD_RT_CODE());
        hd_rt_copy(&kept, attributes, sizeof kept);
        attributes = &kept;
        int refused = hd_rt_attributes_check(attributes);
        if (refused)
            return refused;
    }
    char name[sizeof hd_rt.current->name]; /* as it is at this step; others may change it */
    hd_rt_handle_name(hd_rt.current, "pthread_create", HD_RT_LOOKS, HD_RT_CODE());
    hd_rt_copy(name, hd_rt.current->name, sizeof name);
    uint32_t child = hd_rt.exploring ? hd_rt_explore_number(hd_rt.current) : 0;
    uint64_t inherited = hd_rt.exploring ? hd_rt_attributes_inherited(attributes, name) : 0;
    if (hd_rt.exploring)
        hd_rt_explore_created(child, start, argument, inherited);
    hd_rt_point(HEDDLE_FORK + 1, (void *)(uintptr_t)child, 0, HD_RT_CODE());
    if (hd_rt.wire->threads == HEDDLE_WIRE_THREADS)
        return EAGAIN;
    hd_rt_thread *thread = add_thread(hd_rt.current);
    hd_rt_copy(thread->name, name, sizeof name);
    thread->start = start;
    thread->argument = argument;
    thread->wire->made = HD_RT_CODE();
    thread->wire->inherited = inherited;
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attributes) {
        pthread_attr_getdetachstate(attributes, &detached);
        hd_rt_attributes_mask(attributes, &thread->blocked);
    }
    thread->detached = detached == PTHREAD_CREATE_DETACHED;
    hd_rt_identity_born(thread);
    int error =
        hd_rt_in_memory ? reuse_sleeper(thread, attributes) : start_sleeper(thread, attributes);
    if (error) {
        hd_rt.wire->unborn |= error == EAGAIN;
        thread->reaped = true;
        thread->wire->state = HEDDLE_WIRE_ENDED;
        return error;
    }
    hd_rt_record(HEDDLE_FORK + 1, thread->id, HD_RT_CODE());
    become_live(thread);
    if (hd_rt.exploring)
        hd_rt_explore_born(thread);
    hd_rt_deliver(handle, &thread->handle, sizeof *handle, HD_RT_CODE());
    return 0;
}

HD_RT_EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                                void *(*start)(void *), void *argument) {
    return create(handle, attributes, start, argument);
}

/* The start function returns an int where a pointer is expected. */
HD_RT_EXPORT int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
    void *(*function)(void *);
    _Static_assert(sizeof function == sizeof start, "both are pointers");
    __builtin_memcpy(&function, &start, sizeof function);
    return hd_rt_c11_status(create((pthread_t *)thread, NULL, function, argument));
}

/* --- leaving -------------------------------------------------------------------------------- */

HD_RT_BODY _Noreturn void leave(void *result) {
    hd_rt_exit_of_thread(HD_RT_CODE());
    if (hd_rt_controlled()) {
        hd_rt_self->result = result;
        hd_rt_self->exiting = true;
        hd_rt_audit_own(); /* it loads the unwinder */
    }
    hd_rt_real.pthread_exit(result);
    __builtin_unreachable();
}

HD_RT_EXPORT _Noreturn void pthread_exit(void *result) {
    leave(result);
}

HD_RT_EXPORT _Noreturn void thrd_exit(int result) {
    leave((void *)(intptr_t)result);
}

/* --- run after run -------------------------------------------------------------------------- */

bool hd_rt_thread_sleepers(uint32_t count) {
    bool single = is_single();
    for (uint32_t id = 1; id < count; id++) {
        hd_rt_thread *thread = new_thread();
        thread->id = id;
        thread->wire = &hd_rt.wire->thread[id];
        if (start_sleeper(thread, NULL) != 0)
            return false;
        sleepers[id] = thread;
    }
    hd_rt_local_spare();
    set_single(single);
    return true;
}

/* Returns when the sleeper sleeps: one that does can be moved to another word. */
static void await_sleep(hd_rt_thread *thread) {
    static uint32_t elsewhere;
    while (hd_rt_syscall(SYS_futex, (long)&thread->parked, FUTEX_CMP_REQUEUE | FUTEX_PRIVATE_FLAG,
                         0, 1, (long)&elsewhere, 1) != 1)
        hd_rt_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

bool hd_rt_thread_quiet(void) {
    for (uint32_t id = 1; id < HEDDLE_WIRE_EXPLORED && sleepers[id]; id++) {
        await_sleep(sleepers[id]);
        uintptr_t end = (uintptr_t)sleepers[id]->stack + sleepers[id]->stack_size;
        if (!hd_rt_reset_track((sleepers[id]->stack_top + 4095) & ~(uintptr_t)4095, end))
            return false;
    }
    return forget_rseq();
}

char *hd_rt_thread_transfer(char *state, bool back, hd_rt_transfer *transfer) {
    uint32_t count = hd_rt.wire->threads;
    state = transfer(state, threads, count * sizeof *threads, back);
    state = transfer(state, live, count * sizeof *live, back);
    state = hd_rt_local_transfer(state, back, transfer);
    uint64_t counts[2] = {ended_count, oldest_unreaped};
    state = transfer(state, counts, sizeof counts, back);
    ended_count = (uint32_t)counts[0];
    oldest_unreaped = (uint32_t)counts[1];
    state = transfer(state, ended, ended_count * sizeof *ended, back);
    for (uint32_t id = 0; id < count; id++) {
        if (!threads[id])
            continue;
        state = transfer(state, threads[id], sizeof *threads[id], back);
        state = transfer(state, threads[id]->wire, sizeof *threads[id]->wire, back);
    }
    return hd_rt_explore_threads_transfer(state, back, transfer);
}

/* --- thread 0 ------------------------------------------------------------------------------- */

void hd_rt_thread_init(void) {
    hd_rt.live = live;
    hd_rt_thread *first = add_thread(NULL);
    first->thread_pointer = hd_rt_arch_thread_pointer();
    first->wire->tls = first->thread_pointer;
    first->handle = pthread_self();
    first->wire->pending.kind = HEDDLE_WIRE_NOTHING;
    become_live(first);
    hd_rt_self = first;
    hd_rt.current = first;
}
