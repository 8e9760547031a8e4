/*
 * Loops that wait (rt_spin.c), and what they may have changed (rt_spin_state.c).
 */
#ifndef HD_RT_SPIN_H
#define HD_RT_SPIN_H

#include "rt.h"

static inline uint64_t hd_rt_spin_mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* A checksum of the registers and the stack of a thread at the call that its point is in; and of
 * what of them is live, as far as the loop says so (NULL: all is).  False: it is not known. */
bool hd_rt_spin_state(const hd_rt_thread *thread, const heddle_wire_loop *loop, uint64_t *hash,
                      uint64_t *live);

/* Is it a word of a stack that only other threads write to, as far as the tool has looked? */
bool hd_rt_spin_is_lent(uint64_t word);

/* The same of the registers alone, and where the stack begins. */
bool hd_rt_spin_registers(const hd_rt_thread *thread, uint64_t *hash, uintptr_t *low);

/* A checksum of what the thread did to memory that is its own and not on its stack; 0: it is not
 * known. */
uint64_t hd_rt_spin_own(const hd_rt_thread *thread);

/* rt_spin_own.c: the running thread will store there, without a step; false: there is no room.  Its
 * stores since its last point are done: how the checksum of what it stored changes, by an exclusive
 * or.  They are forgotten. */
bool hd_rt_spin_own_stores(uintptr_t address, size_t size);
uint64_t hd_rt_spin_own_settle(void);
void hd_rt_spin_own_forget(void);

/* A checksum of everything that a library may have changed: the pages that are restored, or,
 * without these, the variables of all modules and the heap. */
uint64_t hd_rt_spin_sum(const hd_rt_thread *self);

/* After this history of a thread, the value that its read found led back to where it was after the
 * history `from`, 0: the same one.  Is such a value known, in this search?  Is it this one?  Those
 * without `from` count only if the loop is `proved`. */
void hd_rt_stay_add(uint64_t history, uint64_t value, uint64_t from);
bool hd_rt_stay_known(uint64_t history, bool proved);
const heddle_wire_stay *hd_rt_stay_find(uint64_t history, uint64_t value, bool proved);

/* rt_rounds.c: a read or a write that is done and changed nothing, */
typedef struct hd_rt_read {
    uint64_t code, address, value;
    uint32_t size;
    bool atomic;
    bool untold; /* it is a write, and does not tell that it changed nothing */
} hd_rt_read;

/* the thread takes a step, of this loop if it is one; the step was a read, after this history, or
 * neither read nor changed anything; the thread changed something; it is where it was after this
 * history. */
void hd_rt_rounds_take(const hd_rt_thread *thread, const heddle_wire_loop *loop);
void hd_rt_rounds_read(const hd_rt_thread *thread, uint64_t history, const hd_rt_read *read);
void hd_rt_rounds_idle(const hd_rt_thread *thread);
void hd_rt_rounds_forget(uint32_t thread);
void hd_rt_rounds_back(uint32_t thread, uint64_t history);

/* The thread has come to a read with this history, in this state.  Returns the history after which
 * it was there before; 0: it was not, or something changed in between. */
uint64_t hd_rt_rounds_arrive(const hd_rt_thread *thread, uint64_t history, uint64_t hash);

/* If it was: only another way than that of this run, and a shorter one, leads from there to here.
 */
bool hd_rt_rounds_is_cut(const hd_rt_thread *thread);

/* Has it read a word, and then read it again? */
bool hd_rt_rounds_again(const hd_rt_thread *thread);

/* The thread would come back to where it was after this history.  Has a word that it read since
 * changed, so that it would not do the same there? */
bool hd_rt_rounds_in_vain(const hd_rt_thread *thread, uint64_t from);

/* How many steps it took since; 0: it is not known. */
uint16_t hd_rt_rounds_length(const hd_rt_thread *thread, uint64_t from);
char *hd_rt_rounds_transfer(char *state, bool back, uint64_t count, hd_rt_transfer *transfer);

/* What is known of the read or try there, and that this much is, from the next search on; NULL:
 * there is no place for it. */
heddle_wire_loop *hd_rt_spin_find(uint64_t code);
heddle_wire_loop *hd_rt_spin_know(uint64_t code, uint32_t what);

/* rt_atomic_wait.c: a step that is done, and for an access of up to eight bytes the value that it
 * found; the thread has come to its next operation, or has ended; it waits at a futex. */
typedef struct hd_rt_did {
    uint32_t kind, size;
    uint64_t address, before;
} hd_rt_did;

void hd_rt_atomic_wait_did(const hd_rt_thread *self, const hd_rt_did *did);
void hd_rt_atomic_wait_next(const hd_rt_thread *self, bool ended);
void hd_rt_atomic_wait_futex(bool timed);
void hd_rt_atomic_wait_born(uint32_t thread);
char *hd_rt_atomic_wait_transfer(char *state, bool back, uint64_t count, hd_rt_transfer *transfer);

/* rt_backoff.c: the thread has come to a try of a round that backs off, and waits there; it takes a
 * step; does its try show others nothing; does it wait; are they all waiting, and not for ever? */
bool hd_rt_backoff_arrives(const hd_rt_thread *thread);
void hd_rt_backoff_takes(const hd_rt_thread *thread);
bool hd_rt_backoff_hides(const hd_rt_thread *thread);
bool hd_rt_backoff_waits(const hd_rt_thread *thread);
bool hd_rt_backoff_in_vain(void);
void hd_rt_backoff_born(uint32_t thread);
char *hd_rt_backoff_transfer(char *state, bool back, uint64_t count, hd_rt_transfer *transfer);

void hd_rt_spin_came_back(uint64_t code); /* a round of several reads began or ended here */

#endif
