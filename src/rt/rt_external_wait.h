/*
 * Waiting for what is not memory: files and signals.  A call that waits there asks without waiting,
 * and lets the other threads run until there is something.  So a thread that reads from a pipe
 * which another one fills does not stop that one, although both are one thread of the system.  Only
 * when no other thread can go on, the process really waits, for all of them at once.
 *
 * While it does, virtual time passes as real time does, but for at most LONGEST of real time before
 * the next deadline: then it is as if that had come.  So a server with a timer does not race
 * through the years while no client comes, and the user need not wait for a long sleep either.
 */
#ifndef HD_RT_EXTERNAL_WAIT_H
#define HD_RT_EXTERNAL_WAIT_H

#include <poll.h>
#include <signal.h>

#include "rt.h"

/* What a thread waits for: any of these.  A signal that is to be handled ends each wait. */
typedef struct hd_rt_outside {
    struct pollfd *files;
    nfds_t count;
    const sigset_t *signals; /* NULL: none */
} hd_rt_outside;

enum hd_rt_outside_end { HD_RT_READY, HD_RT_LATE, HD_RT_INTERRUPTED, HD_RT_RESTARTED };

/* Waits.  `object` is what an explorer takes the wait for an access to, NULL: nothing that other
 * threads change.  A handler may have run in between: then the call ends with EINTR, or, if that
 * handler says so, begins anew. */
enum hd_rt_outside_end hd_rt_outside_wait(const hd_rt_outside *what, const volatile void *object,
                                          int64_t deadline, uintptr_t code);

/* A thread in such a wait: is there something for it, or a signal that it handles?  Without the
 * latter? */
bool hd_rt_outside_ready(const hd_rt_thread *thread);
bool hd_rt_outside_has(const hd_rt_thread *thread);

/* Explored: is there a timer among the files that expires before the thread gives up?  The first
 * one expires now (rt_timer.c). */
bool hd_rt_timer_among(const hd_rt_thread *thread, const hd_rt_outside *what);
void hd_rt_timer_expire(const hd_rt_thread *thread, const hd_rt_outside *what);

/* No thread can go on: really waits until one of those that wait outside can, or for so many
 * nanoseconds of virtual time, which then have passed.  False: no thread waits there, or nothing
 * came. */
bool hd_rt_outside_await(int64_t span);

/* The same for one thread, which goes on next.  False: what it waits for, without a time limit,
 * does not come. */
bool hd_rt_outside_await_one(const hd_rt_thread *thread);

/* poll without waiting, by a way that is open to explored programs too. */
int hd_rt_outside_ask(struct pollfd *files, nfds_t count);

#endif
