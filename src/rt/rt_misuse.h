/*
 * Misuse of synchronisation objects and of threads.  What POSIX leaves undefined fails: the run
 * ends as with a failed assertion, and the message says what was done, to which object, and who
 * else has to do with it.  What is only doubtful is a note, which ends nothing.
 *
 * That an object was destroyed is written into the object itself, into bytes that are not used
 * then.  So memory that becomes another object, by an initialiser or by code that is not seen, is
 * never taken for one that was destroyed.
 */
#ifndef HD_RT_MISUSE_H
#define HD_RT_MISUSE_H

#include <semaphore.h>

#include "rt.h"

enum hd_rt_sort {
    HD_RT_A_MUTEX,
    HD_RT_A_RWLOCK,
    HD_RT_A_SPIN,
    HD_RT_A_CONDITION,
    HD_RT_A_BARRIER,
    HD_RT_A_SEMAPHORE,
    HD_RT_A_ONCE,
    HD_RT_A_LOCK, /* the program's own, by its annotations: held for writing, and for reading */
    HD_RT_A_READ_LOCK,
    HD_RT_SORTS
};

/* The runtime begins. */
void hd_rt_misuse_start(void);

/* Who else has to do with the object: holds it, destroyed it; a code address of 0: not known. */
typedef struct hd_rt_party {
    uintptr_t code;
    uint32_t thread;
} hd_rt_party;

/* The run fails, with the text "WHAT SORT REST", unless misuse is to be noted only: then it
 * returns. */
void hd_rt_misuse(enum heddle_wire_fault_kind fault, const char *what, enum hd_rt_sort sort,
                  const char *rest, const void *object, uintptr_t code, hd_rt_party party);

/* The same without an object: a thread is misused. */
void hd_rt_misuse_thread(enum heddle_wire_fault_kind fault, const char *what, uintptr_t code);

/* Memory that nothing has written is read: the text says what; where it was allocated. */
void hd_rt_misuse_read(const char *text, uintptr_t made, uintptr_t code);

void hd_rt_misuse_note(enum heddle_wire_noted kind, const void *object, uintptr_t code,
                       uint32_t thread);

/* A handler of a signal calls what is not safe there. */
void hd_rt_misuse_handler(const char *name, uintptr_t code);
static inline void hd_rt_handler_calls(const char *name, uintptr_t code) {
    if (hd_rt_controlled() && HD_RT_UNLIKELY(hd_rt.current->inside))
        hd_rt_misuse_handler(name, code);
}

/* --- objects -------------------------------------------------------------------------------- */

/* The object is used now: "lock", "wait on".  Fails if it was destroyed, or never initialised as
 * far as that shows. */
void hd_rt_misuse_use(enum hd_rt_sort sort, const void *object, const char *verb, uintptr_t code);

/* Was it destroyed, or is it no object at all?  Then an operation on it need not wait. */
bool hd_rt_misuse_bad(enum hd_rt_sort sort, const void *object);

/* Bits of the kind of a mutex: types, robust, protocols, shared, elided.  One that was destroyed
 * has others, too. */
enum { HD_RT_MUTEX_KINDS = 0x3f3 };

/* Mostly a mutex is not bad, which is asked at each lock and unlock. */
static inline bool hd_rt_misuse_bad_mutex(const pthread_mutex_t *mutex) {
    return HD_RT_UNLIKELY(mutex->__data.__kind & ~HD_RT_MUTEX_KINDS) &&
           hd_rt_misuse_bad(HD_RT_A_MUTEX, mutex);
}

/* Before and after an object is initialised; before and after it is destroyed.  False: it is in
 * use, and should be left as it is. */
void hd_rt_misuse_init(enum hd_rt_sort sort, const void *object, uintptr_t code);
void hd_rt_misuse_made(enum hd_rt_sort sort, void *object);
bool hd_rt_misuse_destroy(enum hd_rt_sort sort, const void *object, uintptr_t code);
void hd_rt_misuse_gone(enum hd_rt_sort sort, void *object, uintptr_t code);

/* A block is freed: fails if a lock in it is held. */
void hd_rt_misuse_freed(uintptr_t block, size_t size, uintptr_t code);

/* --- what threads hold ---------------------------------------------------------------------- */

/* The present thread holds the object from now on, and no longer.  `with`: it waits for the
 * condition `object` with this mutex. */
void hd_rt_hold(enum hd_rt_sort sort, const void *object, const void *with, uintptr_t code);
bool hd_rt_hold_end(const void *object);

/* Of a lock that is known by its annotations: how often the present thread holds it; once less; may
 * a thread take it now, for reading or for writing? */
uint32_t hd_rt_hold_levels(enum hd_rt_sort sort, const void *object);
void hd_rt_hold_drop(enum hd_rt_sort sort, const void *object);
bool hd_rt_hold_allows(const void *object, bool reading);
uint32_t hd_rt_hold_holder(const void *object); /* a thread + 1; 0: none */

/* Does the thread hold it?  True also if there were too many holds to know. */
bool hd_rt_holds(const hd_rt_thread *thread, const void *object);

/* The present thread waits for the condition with that mutex: another may do so with another. */
void hd_rt_misuse_wait(const pthread_cond_t *condition, const pthread_mutex_t *mutex,
                       uintptr_t code);

/* "VERB SORT that another thread holds". */
void hd_rt_misuse_held(enum heddle_wire_fault_kind fault, const char *verb, enum hd_rt_sort sort,
                       const void *object, uintptr_t code);

/* The present thread asks for an initialisation that it runs itself. */
void hd_rt_misuse_again(enum heddle_wire_fault_kind fault, const void *object, const char *what,
                        uintptr_t code);

/* The thread ends; the program ends, by the present thread. */
void hd_rt_misuse_end(const hd_rt_thread *thread);
void hd_rt_misuse_exit(void);

#endif
