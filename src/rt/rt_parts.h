/*
 * The parts of the runtime that are neither the scheduler nor the search: threads and their locals,
 * the heap, signals, the end of the process, time.  Part of rt.h, which is what to include.
 */
#ifndef HD_RT_PARTS_H
#define HD_RT_PARTS_H

#include "rt.h"

/* rt_thread.c */
hd_rt_thread *hd_rt_thread_of(pthread_t handle);
hd_rt_thread *hd_rt_thread_at(uint32_t id);
void hd_rt_thread_collect(hd_rt_thread *thread); /* it was joined, or ended and is detached */
hd_rt_thread **hd_rt_thread_table(void);
void hd_rt_thread_init(void);
void hd_rt_thread_reap(void);
_Noreturn void hd_rt_thread_finish(hd_rt_thread *thread); /* it has left its start function */

/* Explored, run after run in one process: sleepers for all threads that are known; no more
 * writing of the kernel's to their memory; their state. */
bool hd_rt_thread_sleepers(uint32_t count);
bool hd_rt_thread_quiet(void);
char *hd_rt_thread_transfer(char *state, bool back, hd_rt_transfer *transfer);

/* rt_local.c */
void hd_rt_run_destructors(hd_rt_thread *thread); /* of C++ */
void hd_rt_local_end(hd_rt_thread *thread);       /* all of them: it ends */
void hd_rt_local_spare(void);                     /* room for more */
char *hd_rt_local_transfer(char *state, bool back, hd_rt_transfer *transfer);

/* rt_cancel.c */
void hd_rt_check_cancel(void);

/* rt_heap.c */
void hd_rt_heap_init(void);
void *hd_rt_pages(size_t size);                 /* memory of our own; never given back */
void *hd_rt_table(size_t size, uint32_t kind);  /* the same; if there is none, that is told */
uintptr_t hd_rt_heap_region(uintptr_t address); /* how large the region is that it is in */
uintptr_t hd_rt_heap_next(uintptr_t address);   /* where the next block of that region will be */
void hd_rt_heap_born(uint32_t thread);
uint64_t hd_rt_heap_sum(uint64_t sum); /* explored: of all that was allocated, added to one */
char *hd_rt_heap_transfer(char *state, bool back, hd_rt_transfer *transfer);

/* rt_signal.c */
void hd_rt_signal_init(void);
void hd_rt_signal_deliver(void);
bool hd_rt_signal_due(const hd_rt_thread *thread); /* is there one that it does not block? */

/* Explored: the present thread, to which signals are sent, takes a step to look for one. */
void hd_rt_signal_look(uintptr_t code);

/* Is it to look, before its next step? */
static inline bool hd_rt_signal_looks(const hd_rt_thread *thread) {
    return HD_RT_UNLIKELY(hd_rt.targets >> (thread->id & 63) & 1) && hd_rt.exploring;
}

/* Explored: the present thread uses what a handler must not use if it may have interrupted it
 * there. */
enum { HD_RT_UNSAFE_HEAP = 1, HD_RT_UNSAFE_STREAMS = 2 };
void hd_rt_signal_unsafe(uint8_t what);
void hd_rt_signal_streams(const char *name, uintptr_t code); /* this function uses streams */

/* What all threads block may have changed. */
void hd_rt_signal_mask(void);

/* rt_exit.c, rt_process.c */
bool hd_rt_exit_has_handlers(void);       /* or destructors that are the program's */
void hd_rt_exit_handlers(uintptr_t code); /* of an explored program: they are code like any other */
char *hd_rt_exit_transfer(char *state, bool back, hd_rt_transfer *transfer);
void hd_rt_exec_ends(bool ends); /* by an exec; false: that has failed */
void hd_rt_process_init(void);
void hd_rt_modules(void);
void hd_rt_process_stays(void);            /* explored: what exit needs to know is found out */
_Noreturn void hd_rt_fail(void);           /* as a failed assertion does, after its message */
void hd_rt_exit_of_thread(uintptr_t code); /* by pthread_exit: a test does not end so */
void hd_rt_say(const char *text);          /* "heddle: text" on standard error */

/* rt_time.c: nanoseconds of virtual time at which an absolute or relative time is due. */
static inline bool hd_rt_is_time(const struct timespec *until) {
    return until->tv_nsec >= 0 && until->tv_nsec < 1000000000;
}
int64_t hd_rt_deadline(clockid_t clock, const struct timespec *until, uintptr_t code);
int64_t hd_rt_deadline_in(const struct timespec *span, uintptr_t code);

long hd_rt_syscall(long number, long a, long b, long c, long d, long e, long f);

#endif
