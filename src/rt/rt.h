/*
 * rt: the library inside the user's program.  It replaces the compiler's thread-sanitizer runtime:
 * every access of instrumented code calls it, and so does every call of a thread, lock, clock or
 * allocation function, which it interposes.
 *
 * Three modes.  *Off*, when the program was not started by heddle: every call
 * goes to the C library.  *Controlled*: all threads of the program run on one
 * thread of the system, one at a time.  Each has the stack and the thread-local
 * storage of a real thread, which is parked; going from one to the other swaps
 * stack and thread pointer (rt_arch.h).  *Free-running*: real threads.
 *
 * Under control a thread publishes what it is about to do (a heddle_wire_operation), asks which
 * thread runs next (rt_schedule.c), and does it when it is chosen; a thread is chosen only if its
 * operation can be done.  So locks never block, and the record has what happened, in order.
 *
 * The runtime allocates nothing with malloc, exports no symbol but those it interposes, never ends
 * the program unless every thread waits for ever, and counts what it could not record.
 */
#ifndef HD_RT_H
#define HD_RT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/pack.h"
#include "heddle/wire.h"

#define HD_RT_EXPORT __attribute__((visibility("default")))
#define HD_RT_LIKELY(x) __builtin_expect(!!(x), 1)
#define HD_RT_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define HD_RT_BARRIER() __asm__ volatile("" ::: "memory")

/* Where the program called this function.  Explored, where its stack ends there is noted, too; what
 * is called very often does that only where it matters. */
#define HD_RT_CODE_ALONE() ((uintptr_t)__builtin_return_address(0))
#define HD_RT_CODE_NOTED() hd_rt_noted(HD_RT_CODE_ALONE(), (uintptr_t)__builtin_dwarf_cfa(), false)
#ifdef HD_RT_OFTEN
#define HD_RT_CODE HD_RT_CODE_ALONE
#else
#define HD_RT_CODE HD_RT_CODE_NOTED
#endif

/* What several functions of the program do: in each of them HD_RT_CODE is where it was called. */
#define HD_RT_BODY static inline __attribute__((always_inline))

enum hd_rt_mode { HD_RT_OFF, HD_RT_CONTROLLED, HD_RT_FREE };

/* A destructor of a thread-local object. */
typedef struct hd_rt_destructor {
    void (*function)(void *);
    void *object;
    struct hd_rt_destructor *next;
} hd_rt_destructor;

typedef struct hd_rt_call hd_rt_call;

typedef struct hd_rt_thread {
    uintptr_t stack_pointer; /* while it does not run */
    uintptr_t called_at; /* explored: its stack pointer where it called the runtime; 0: not known */
    uintptr_t thread_pointer;
    heddle_wire_thread *wire;
    pthread_t handle; /* of the parked thread; of thread 0 its own */
    uint32_t id;
    uint32_t births; /* threads it created */
    uint64_t joined; /* explored: threads whose end it saw since its last step; of the first 64 */
    uintptr_t stack_top; /* explored: where what is copied of its stack ends */
    uint32_t parked;     /* futex: 0 starting, 1 parked, 2 may end */
    bool late;           /* it was chosen because its wait timed out; read right after it is set */
    bool stepped : 1;    /* explored: it has taken a step */
    bool detached : 1;
    bool reaped : 1;     /* joined, or detached and ended */
    bool signalled : 1;  /* a notification, a futex wake, the end of a barrier round */
    bool shared : 1;     /* of a wait at a futex: without FUTEX_PRIVATE_FLAG */
    bool cancelled : 1;  /* pthread_cancel was called */
    bool cancel_off : 1; /* PTHREAD_CANCEL_DISABLE */
    bool exiting : 1;
    bool masked : 1;   /* explored: it waits with a mask of the call's own */
    bool woken : 1;    /* it waits outside, and a signal came before what it waits for */
    bool early : 1;    /* a handler has run in its wait, which may end with EINTR */
    uint8_t handling;  /* handlers that run, and interrupted it anywhere */
    uint8_t context;   /* the signal of the innermost of them (rt_shadow.c) */
    uint8_t inside;    /* handlers that run, whatever they interrupted */
    uint8_t unsafe[2]; /* HD_RT_UNSAFE_... that it used, and that its handlers used */
    bool looks : 1; /* explored: it waits, and has been sent a signal; it runs its handler next */
    bool interrupted : 1; /* a handler has run; and all that have let the call begin anew */
    bool restarts : 1;
    bool announced : 1;                  /* it was called for a plain access, at called_at */
    uint8_t asked : 4;                   /* explored: for the time, so often without waiting */
    uint8_t ignored;                     /* its accesses, so deep (rt_annotate.c) */
    uint8_t any_order;                   /* its output is in so many blocks (rt_say.c) */
    uint8_t unordered;                   /* what it does orders nothing, so deep (the same) */
    uint64_t signals;                    /* that wait for it */
    uint64_t blocked;                    /* signals that it blocks */
    char name[16];                       /* as the program calls it, if it does */
    const struct hd_rt_outside *outside; /* what it waits for that is not memory, else NULL */
    void *(*start)(void *);
    void *argument;
    void *result;
    void *stack; /* mapping that we own */
    size_t stack_size;
    hd_rt_destructor *destructors;
    struct hd_rt_heap *heap;
    const void *with; /* of a wait: the mutex; of one at a futex: the word, as others may change
                         it; of a compare-and-swap: what is expected */
    bool counted : 1; /* as joined (rt_explore.c) */
    bool by_main : 1; /* main has joined it */
    bool leaves : 1;  /* a barrier that was destroyed after it was let go */
    bool strays : 1;  /* explored: in uninstrumented code, perhaps (rt_foreign_within.c) */
    uint8_t within;   /* the code of annotated locks, so deep (rt_annotate.c) */
    uint16_t callee;  /* explored: the function that changes state and was called last, + 1 */
    uint32_t sections : 21; /* atomic ones that it is in (rt_svcomp.c) */
    uint32_t given : 11;    /* inputs of the tool's list that it took (rt_choose.c), */
    uint32_t inputs;        /* and all inputs */
    uint32_t spurious;      /* times that it woke without a reason */
    uint64_t arrival;       /* number of its arrival in a queue, for first come first served */
    uint32_t taken;         /* explored: steps that it took, */
    uint32_t latest;        /* and the number of the last one */
    uint32_t accesses;      /* explored: since its last point; and after how many it yields */
    uint32_t patience;

    /* Functions that have begun and not ended (rt_calls.c), and how many more there are. */
    hd_rt_call *calls, *call_top, *call_end;
    uint32_t calls_beyond;
    uint32_t mask; /* of a wait at a futex: wakes that share a bit with it end it */
} hd_rt_thread;

/* A larger one would be cleared by a call of memset, which is the program's here. */
_Static_assert(sizeof(hd_rt_thread) <= 256, "a thread is cleared by instructions");

/* A *lane*: where a stream of records goes.  A controlled run has one, which all its threads write;
 * in a free run each thread has its own, and leaves it to another when it ends. */
typedef struct hd_rt_lane {
    /* When nothing is left, something must be done first: begin a chunk, preempt the thread, or
     * nothing because the runtime is off. */
    int64_t left;   /* accesses; HD_RT_BUSY while a record is being made */
    uint64_t *tail; /* of the present chunk */
    heddle_pack pack;

    /* The last record, if it is a write whose value is not known yet: the call comes
     * before the store. */
    heddle_pack_site *write_site; /* NULL: it is not one */
    heddle_pack_cell *write_cell; /* NULL: not in one word */

    /* Explored: where such a value goes, if it is not NULL, and what it is. */
    uint64_t *write_slot;
    const void *write_address;
    uint32_t write_size;
    bool lent; /* old bytes are in memory for the statement that is being done (rt_plain.c) */

    uint32_t number;
    unsigned char *cursor;
    unsigned char *check_at; /* an item that ends there or later gets a check */
    uint64_t sum, summed;    /* of so many bytes of the chunk, whole words */
    heddle_wire_chunk *chunk;
    unsigned char *chunk_end;
    bool full;               /* no chunk is left */
    uint32_t *slots;         /* sites by key (rt_pack.c) */
    uint64_t *seen;          /* objects that were noted (rt_pack.c) */
    uint64_t page;           /* + 1, of the word that was noted last (rt_pack.c) */
    uint16_t *page_marks;    /* of its words */
    struct hd_rt_lane *next; /* of the lanes that no thread uses */
    hd_rt_thread self;       /* of a free run, whose lane it is: its calls */
} hd_rt_lane;

typedef struct hd_rt_state {
    hd_rt_lane lane; /* of a controlled run */
    uintptr_t code;  /* of the program */
    uint32_t mode;   /* enum hd_rt_mode */
    hd_rt_thread *current;
    heddle_wire *wire;
    uint64_t wire_size; /* bytes that are mapped */
    bool calls;         /* are recorded */

    /* The scheduler. */
    hd_rt_thread **live;
    uint32_t live_count;
    int64_t quantum;
    int64_t now;
    int64_t clock_step;
    uint64_t arrivals;
    uint64_t random[4];  /* who runs, and for how long */
    uint64_t choices[4]; /* which waiter is woken: the same in a run that follows a schedule */
    uint64_t signals;    /* of the process, that wait */
    uint64_t stored;     /* records of what calls stored for their callers */
    uint64_t targets;    /* explored: threads that are sent signals; they look before each step */
    struct hd_rt_quick_handler *quick; /* handlers of quick_exit, the last one first */
    bool every_access;
    uint32_t run_left; /* steps left of the schedule's present run */
    bool following;    /* a schedule, or the events of a recording */
    bool watched;      /* by a debugger, or stopped where it is to be looked at (rt_replay.c) */
    bool exploring;    /* rt_explore.c decides */
    uintptr_t called_from, called_at; /* explored: HD_RT_CODE_NOTED, the last one */
    bool announced;
    bool alone;    /* explored, but one run, in this process (rt_replay.c) */
    bool making;   /* a thread, of an explored program */
    bool deciding; /* which thread goes on, in an explored program */
    bool atomic;   /* in an atomic section: no other thread runs (rt_svcomp.c) */
    bool looking;  /* the stacks of all are being looked at (rt_stack.c) */
    bool ended;    /* no more switches: the process is exiting */
} hd_rt_state;

extern hd_rt_state hd_rt;

/* The program's code address, which is returned, and where its stack ends there; `announced`: it
 * announces a plain access. */
static inline __attribute__((always_inline)) uintptr_t hd_rt_noted(uintptr_t code, uintptr_t at,
                                                                   bool announced) {
    if (HD_RT_UNLIKELY(hd_rt.exploring)) {
        hd_rt.called_from = code;
        hd_rt.called_at = at;
        hd_rt.announced = announced;
    }
    return code;
}

extern __thread hd_rt_thread *hd_rt_self; /* NULL in threads that do not belong to the program */
extern __thread hd_rt_lane *hd_rt_own;    /* where a thread records; hd_rt_nowhere in others */
extern hd_rt_lane hd_rt_nowhere;
#define HD_RT_BUSY ((int64_t)INT32_MIN)

static inline bool hd_rt_controlled(void) {
    return hd_rt.mode == HD_RT_CONTROLLED && hd_rt_self;
}

/* --- rt_record.c: records ------------------------------------------------------------------ */

void hd_rt_record_init(void);

/* If the tool reads along: makes room for some records now, so that the next ones need not wait. */
void hd_rt_record_room(void);

/* A new lane; false if there is no memory for it. */
bool hd_rt_record_lane(hd_rt_lane *lane, uint32_t number);

/* The value of the last write is there now. */
void hd_rt_record_settle(hd_rt_lane *lane);

static inline void hd_rt_store(void *address, unsigned size, uint64_t value) {
    switch (size) {
    case 0:
        *(uint8_t *)address = (uint8_t)value;
        break;
    case 1:
        *(uint16_t *)address = (uint16_t)value;
        break;
    case 2:
        *(uint32_t *)address = (uint32_t)value;
        break;
    default:
        *(uint64_t *)address = value;
    }
}

static inline uint64_t hd_rt_load(const volatile void *address, unsigned size) {
    switch (size) {
    case 0:
        return *(const volatile uint8_t *)address;
    case 1:
        return *(const volatile uint16_t *)address;
    case 2:
        return *(const volatile uint32_t *)address;
    default:
        return *(const volatile uint64_t *)address;
    }
}

static inline void hd_rt_settle_lane(hd_rt_lane *lane) {
    if (lane->write_site || lane->write_slot || lane->lent)
        hd_rt_record_settle(lane);
}

static inline void hd_rt_settle(void) {
    hd_rt_lane *lane = hd_rt_own;
    int64_t left = lane->left;
    if (HD_RT_LIKELY(!lane->write_site && !lane->write_slot && !lane->lent) || left == HD_RT_BUSY)
        return;
    lane->left = HD_RT_BUSY;
    HD_RT_BARRIER();
    hd_rt_settle_lane(lane);
    HD_RT_BARRIER();
    lane->left = left;
}

/* An instruction failed.  If it is the store of the write that was announced last, nothing was
 * written, and there may be no memory to read its value from: so that is read now, with care. */
void hd_rt_record_faulted(void);

/* Records which thread's records follow, after a switch. */
void hd_rt_record_thread(void);

/* A record that is not an access: kind of event.def + 1 or a heddle_wire_op. */
void hd_rt_record(unsigned op, uint64_t address, uintptr_t code);
void hd_rt_record_word(unsigned op, unsigned flags, uint64_t address, uintptr_t code,
                       uint64_t word);
void hd_rt_record_fence(unsigned order, uintptr_t code);

/* `size` is a power of two, with the memory order above it (wire_tells.h), or HD_RT_KEPT. */
enum { HD_RT_KEPT = HEDDLE_ORDER_EXEMPT << HEDDLE_WIRE_MEMORY_SHIFT };
/* A volatile access that counts as atomic: its key is that of a plain one, with a memory order. */
void hd_rt_record_volatile(uint64_t key, const volatile void *address);
void hd_rt_record_atomic(unsigned kind, unsigned size, const volatile void *address, uintptr_t code,
                         uint64_t value);
void hd_rt_record_range(bool write, const void *address, size_t size, uintptr_t code);

/* A range that will be written: its bytes are not known. */
void hd_rt_record_write_to_come(const void *address, size_t size, uintptr_t code);

/* What an interposed call stored for its caller (rt_aside.h): in a trace it is part of the call. */
void hd_rt_record_stored(const void *address, size_t size, uintptr_t code);

/* The stack of a detached thread is freed: a part of the step before, as far as others used it. */
void hd_rt_record_gone(uint64_t address, uint64_t size, uintptr_t code);
void hd_rt_record_label(unsigned op, const char *label, bool has_value, int64_t value,
                        uintptr_t code);

/* A function begins or ends, not as expected; the number of its site, 0: there is no place.  The
 * lane is busy, *left is what it has left. */
uint32_t hd_rt_record_call(hd_rt_lane *lane, uint64_t key, int64_t *left);

/* A plain access that found nothing left.  True: go on and record it. */
bool hd_rt_record_slow(hd_rt_lane *lane, unsigned kind, unsigned size, const volatile void *address,
                       uintptr_t code);

/* A plain access, as expected or not. */
void hd_rt_record_access(hd_rt_lane *lane, uint64_t key, uint64_t address, uint64_t value);

/* Of a lane of a free run: whose records follow. */
void hd_rt_record_turn(hd_rt_lane *lane, uint32_t thread);

/* --- rt_live.c: a tool that reads along ------------------------------------------------------ */

/* Waits until the chunk may be taken; false if the reader is gone. */
bool hd_rt_live_wait(uint64_t chunk);

/* The current thread no longer needs the chunk. */
void hd_rt_live_done(void *chunk);

/* --- rt_calls.c: where functions begin and end ----------------------------------------------- */

void hd_rt_calls_ended(hd_rt_thread *self); /* the thread has no more */

/* --- rt_schedule.c: which thread runs ------------------------------------------------------- */

void hd_rt_schedule_init(void);

/* Publishes what the thread is about to do and returns when it may.  True if it was chosen because
 * its wait timed out, not because the operation can be done. */
bool hd_rt_point(unsigned kind, const volatile void *address, uint32_t size, uintptr_t code);

/* The same for an atomic operation or a fence with its memory orders (enum heddle_order). */
bool hd_rt_point_atomic(unsigned kind, unsigned success, unsigned failure,
                        const volatile void *address, uint32_t size, uintptr_t code);

/* The atomic section of the present thread takes a lock; has to wait, and is over by that
 * (rt_svcomp.c). */
void hd_rt_section_locks(uintptr_t code);
void hd_rt_section_waits(uintptr_t code);

/* A point of a thread that has made very many accesses without one. */
void hd_rt_runs_on(uintptr_t code);
#define HD_RT_FOREVER INT64_MAX

/* The thread was chosen: is it because its wait timed out? */
void hd_rt_schedule_chosen(hd_rt_thread *next);

/* Leaves the current thread, which has ended, for ever. */
_Noreturn void hd_rt_leave(void);

uint64_t hd_rt_random(uint64_t limit);
uint64_t hd_rt_choice(uint64_t limit);
void hd_rt_random_seed(uint64_t *state, uint64_t seed);
_Noreturn void hd_rt_stop(enum heddle_wire_ending ending, const char *message);

/* Can the thread go on, by itself or by a timeout?  Without a timeout? */
bool hd_rt_able(const hd_rt_thread *thread);
bool hd_rt_possible(const hd_rt_thread *thread);

/* --- rt_follow.c: along the events of a recording -------------------------------------------- */

/* The thread that goes on; NULL: all events are done. */
void hd_rt_follow_init(void);
hd_rt_thread *hd_rt_follow_decide(const hd_rt_thread *self);

/* The one of some threads that is to act first; NULL: none of them. */
hd_rt_thread *hd_rt_follow_first(bool (*is_one)(const hd_rt_thread *thread, const void *context),
                                 const void *context);

/* --- rt_explore.c, rt_server.c: run after run ------------------------------------------------ */

/* main is about to run: in a program that is explored this returns in a child, once for each
 * run, or returns in one again and again. */
void hd_rt_explore_serve(void);

/* The process would end with this status, as waitpid returns it.  Returns unless the process is
 * kept for more runs. */
void hd_rt_server_leave(int status);

/* The number of the thread's next child. */
uint32_t hd_rt_explore_number(const hd_rt_thread *creator);

/* The current thread creates that one; `inherited`: see rt_attributes.h. */
void hd_rt_explore_created(uint32_t number, void *(*start)(void *), const void *argument,
                           uint64_t inherited);
void hd_rt_explore_born(hd_rt_thread *thread);
void hd_rt_explore_joined(hd_rt_thread *thread);

/* The current thread has reached a point or has ended: returns the thread that goes on. */
hd_rt_thread *hd_rt_explore_decide(hd_rt_thread *self);
uint32_t hd_rt_explore_choice(void);                /* of the step that is being taken */
void hd_rt_explore_inner(const hd_rt_thread *self); /* it does that in an atomic section */

/* The thread may have to wait, and has been sent a signal: if it waits, the signal lets it go
 * on. */
void hd_rt_explore_interrupt(hd_rt_thread *thread);

/* A plain access, which is a point if it is to shared memory; one that the compiler announces,
 * which may be more than one, or only a part (rt_plain.c), and true if it was recorded, or will
 * be; an atomic one. */
void hd_rt_explore_access(unsigned kind, const volatile void *address, size_t size, uintptr_t code);
bool hd_rt_explore_plain(unsigned kind, const volatile void *address, size_t size, uintptr_t code);

/* Is the write that is announced there the store of a bit-field? */
bool hd_rt_plain_updates(const volatile void *address, size_t size, uintptr_t code);

void hd_rt_explore_note(unsigned kind, const volatile void *address, size_t size);

/* A store that the compiler announces.  True if it is to shared memory: then it is a point. */
bool hd_rt_explore_store(const volatile void *address, size_t size);

/* An uninstrumented function uses memory; uses state of its own, which is identified by an address.
 * True if it is shared: then the call is a point. */
bool hd_rt_explore_touch(bool write, const volatile void *address, size_t size);
bool hd_rt_explore_state(uint64_t object, bool write);
bool hd_rt_explore_statics(void); /* does the program access data of known libraries? */

/* A thread that is left alone, or the exiting process, reads, which is not a step. */
void hd_rt_explore_look(const volatile void *address, size_t size);

/* A thread that was alone makes another, which may find what it wrote by no step. */
void hd_rt_explore_overwritten(void);

/* An uninstrumented function stores something in the step of its call. */
void hd_rt_explore_stored(const void *address, size_t size);

/* Something that concerns other threads changes, or is asked for, without a step. */
void hd_rt_explore_unseen(void);

/* The process ends: the last points, and none after it. */
void hd_rt_explore_exit(bool well, uintptr_t code); /* well: with status 0 */

/* All of exit but the end of the process itself, which follows: what others do comes before it. */
void hd_rt_exit_begins(int status, uintptr_t code);
void hd_rt_explore_over(void);
_Noreturn void hd_rt_explore_drop(void); /* this run does not count */

/* Copies state of a kept run out of the runtime or back into it, and returns the end of the
 * copy. */
typedef char *hd_rt_transfer(char *state, void *live, size_t size, bool back);

/* rt_spin.c: the thread has reached a point, or has ended; it takes the step; is the read that it
 * waits with another by now; it changed something. */
void hd_rt_spin_init(void);
void hd_rt_spin_arrives(hd_rt_thread *self);

/* What the read or update at `code`, which the thread comes to next, is given besides its address.
 * The thread may have it nowhere else than in this call. */
typedef struct hd_rt_operand {
    uintptr_t code;
    uint64_t word;
} hd_rt_operand;
extern hd_rt_operand hd_rt_spin_given;
static inline void hd_rt_spin_gives(uintptr_t code, uint64_t word) {
    hd_rt_spin_given = (hd_rt_operand){code, word};
}

void hd_rt_spin_takes(const hd_rt_thread *thread);
bool hd_rt_spin_possible(const hd_rt_thread *thread);
bool hd_rt_spin_in_vain(const hd_rt_thread *thread);   /* it cannot, for it began a round in vain */
uint16_t hd_rt_spin_round(const hd_rt_thread *thread); /* steps since; 0: not known */
void hd_rt_spin_words(const hd_rt_thread *thread, heddle_wire_next *next);
void hd_rt_spin_forget(const hd_rt_thread *thread);
void hd_rt_spin_stores(uintptr_t address, size_t size); /* it will, without a step */
void hd_rt_spin_lose(const hd_rt_thread *thread);       /* it found something, without a step */

/* Is it not known yet whether the loop waits that the thread is in?  That shows if it goes on. */
bool hd_rt_spin_unsure(const hd_rt_thread *thread);

/* Has it gone round so often that others should go on?  What it waits for may not be known to be
 * shared. */
bool hd_rt_spin_tired(const hd_rt_thread *thread);
void hd_rt_spin_born(const hd_rt_thread *thread);
char *hd_rt_spin_transfer(char *state, bool back, hd_rt_transfer *transfer);

/* Where to put a thread's stack. */
void *hd_rt_explore_stack(const hd_rt_thread *thread, size_t size);

/* --- rt_replay.c: one run along decisions, for people --------------------------------------- */

/* Replaces the server: the process itself is the run. */
void hd_rt_replay_begin(heddle_wire_explore *explore);

/* The same for a run along events. */
void hd_rt_replay_events(void);

/* A place where a debugger is to stop, if there is one. */
void hd_rt_replay_stop(void);

/* --- rt_stack.c: the stacks of threads ------------------------------------------------------ */

void hd_rt_stack_begin(heddle_wire_explore *explore); /* of a run */

/* Explored, a failure of a thread that is not alone is a step of its own.  Is it one at the
 * instruction that a handler of a signal was called for?  From then on faults are handled on the
 * stacks of their threads. */
void hd_rt_fail_apart(uintptr_t code);
bool hd_rt_fails_apart(const void *context);
void hd_rt_stack_catch(void);
char *hd_rt_stack_transfer(char *state, bool back, hd_rt_transfer *transfer);
struct sigaction;
bool hd_rt_stack_catches(const struct sigaction *action);
void hd_rt_stack_of_all(void);  /* every thread waits */
void hd_rt_stack_of_self(void); /* the present thread fails */
void hd_rt_stack_answer(hd_rt_thread *self);

#include "rt_parts.h"

#endif
