/*
 * Handles of threads.  A call that uses one reads a word that stands for it, and a join, which ends
 * it, writes that word.  So a thread that joins one to which another may send a signal is a race
 * like others.  The handle of a detached thread ends with the thread, or when it is detached
 * later.  That is no access, since either may be first: explored, a call that uses the handle of a
 * detached thread sees whether it has ended.
 *
 * A use after the end, in the run itself, is misuse.
 */
#ifndef HD_RT_HANDLE_H
#define HD_RT_HANDLE_H

#include "rt.h"
#include "rt_foreign.h"

/* The runtime begins. */
void hd_rt_handle_start(void);

/* Are uses of handles seen now?  And one of them, by a word that stands for it: its use, or its
 * end, which writes it. */
bool hd_rt_handle_is_on(void);
void hd_rt_handle_access(bool write, const void *word, uintptr_t code);

/* The same for a call that accesses memory of the C library's own (buffer.def), as bits. */
void hd_rt_handle_buffers(uint32_t which, bool looks, uintptr_t code);

/* Recorded: have several threads got results in such memory?  What the call stores there is not
 * announced. */
bool hd_rt_handle_shares(uint32_t which);

/* Before the call NAME, which uses it: the thread, which may have ended; NULL: there never was one.
 * A thread may always use its own. */
hd_rt_thread *hd_rt_handle_use(pthread_t handle, const char *name, uintptr_t code);

/* The same in a run that is recorded freely: nothing is held against it. */
void hd_rt_handle_look(pthread_t handle, uintptr_t code);

/* Explored, before a thread looks whether it can join or detach another: whether that was joined
 * or detached before is found in a step of its own. */
void hd_rt_handle_arrive(pthread_t handle, uintptr_t code);
void hd_rt_handle_wait(pthread_t handle, uintptr_t code);

/* It was joined just now; before one is detached. */
void hd_rt_handle_join(uint32_t id, uintptr_t code);
void hd_rt_handle_detach(pthread_t handle, uintptr_t code);

/* The call NAME looks at or changes the name of the thread: a state of its own. */
void hd_rt_handle_name(const hd_rt_thread *thread, const char *name, enum hd_rt_use how,
                       uintptr_t code);

#endif
