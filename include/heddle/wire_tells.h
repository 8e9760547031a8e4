/*
 * What the runtime tells the tool: types of the parts of the shared file (wire.h) that only the
 * runtime writes.  A program can write anywhere, so the tool trusts none of it.
 */
#ifndef HEDDLE_WIRE_TELLS_H
#define HEDDLE_WIRE_TELLS_H

#include <stddef.h>

#include "wire_limits.h"
#include "wire_objects.h"

enum heddle_wire_op {
    HEDDLE_WIRE_SWITCH = 64, /* one word: records of thread (low 24 bits) follow; the 32 bits above:
                                steps of the previous thread, except plain accesses and marks */
    HEDDLE_WIRE_ALLOCATE,    /* a block; the extra word is its size */
    HEDDLE_WIRE_FREE,        /* the extra word, if there is one, is the size of the block: then it
                                is an event; SILENT: the stack of a thread that ends, an
                                event only where other threads have used it */
    HEDDLE_WIRE_READ_RANGE,  /* the extra word is the length, then the bytes if VALUE */
    HEDDLE_WIRE_WRITE_RANGE, /* likewise */
    HEDDLE_WIRE_NAME,        /* text of the label with number `address`; value: its length */
    HEDDLE_WIRE_ORDER,  /* in a free run: the extra word is the place of what follows; `address`
                           records are exactly there */
    HEDDLE_WIRE_ENTER,  /* a function begins that was called before `code` */
    HEDDLE_WIRE_LEAVE,  /* the innermost function of the thread ends */
    HEDDLE_WIRE_BENIGN, /* plain accesses there are exempt from now on; the extra word is the
                           length */
    HEDDLE_WIRE_IGNORE, /* the extra word says which plain accesses of the thread are exempt from
                           now on: 1 reads, 2 writes, 3 both, 0 none */
    HEDDLE_WIRE_CHECKED /* plain accesses there are like others from now on; the extra word is the
                           length */
};

/* The byte below the op: the size of an access as a power of two, and flags. */
enum {
    HEDDLE_WIRE_SIZE = 7,
    HEDDLE_WIRE_VALUE = 0x40,  /* the value is known */
    HEDDLE_WIRE_SILENT = 0x10, /* a range that is part of a step: stored by a call */
    HEDDLE_WIRE_WORD = 0x20,   /* there is an extra word whatever the size (a mark with a value) */
    HEDDLE_WIRE_MEMORY = 0x38, /* of an atomic access, in place of these two: its memory order; that
                                  of a fence is in place of the size.  A plain access that has one
                                  is volatile, and counts as atomic */
    HEDDLE_WIRE_MEMORY_SHIFT = 3
};

/* The object of all fences: an address that is not memory. */
#define HEDDLE_WIRE_FENCED UINT64_C(0x7f0)

/* Likewise the lock that all atomic sections are critical sections of. */
#define HEDDLE_WIRE_SECTIONS UINT64_C(0x7f8)

/* Addresses below this one are those of members and elements of what NULL points to. */
#define HEDDLE_WIRE_NULL_END 4096

enum heddle_wire_state {
    HEDDLE_WIRE_UNBORN,
    HEDDLE_WIRE_LIVE,
    HEDDLE_WIRE_ENDED /* its start function has returned and its destructors have run */
};

/* A thread.  It is identified by its creator and its number among the creator's threads, which are
 * the same in every schedule. */
typedef struct heddle_wire_thread {
    uint32_t state;
    uint32_t creator; /* of thread 0: 0 */
    uint32_t birth;   /* 1 for the creator's first */
    uint32_t holder;  /* the thread that holds the mutex it waits for, + 1; set in a deadlock */
    uint32_t unended; /* 1: the program exits, and the thread could go on */
    uint64_t stack, stack_size;
    uint64_t tls;       /* the thread pointer */
    uint64_t heap;      /* start of its part of the heap */
    uint64_t made;      /* code address of the call that created it */
    uint64_t inherited; /* explored: a hash of what its creator and its attributes gave it */
    heddle_wire_operation pending;
    char name[16]; /* set by the program; for people */
} heddle_wire_thread;

/* A function that was active when its thread reached a point, so that others could see what is on
 * its stack.  Stack and frame pointer are those at its call of the entry hook, which returns to
 * `code`. */
typedef struct heddle_wire_function {
    uint64_t stack, frame;
    uint64_t code; /* 0: not written yet */
    uint32_t thread;
} heddle_wire_function;

/* What is known about an uninstrumented function that instrumented code calls. */
enum heddle_wire_known {
    HEDDLE_WIRE_STATELESS, /* by the table: it keeps no state that others see */
    HEDDLE_WIRE_STATEFUL,  /* by the table: its state is known */
    HEDDLE_WIRE_UNKNOWN,   /* its state is that of its module */
    HEDDLE_WIRE_CAUGHT     /* it was taken for stateless, but was seen to write */
};

typedef struct heddle_wire_callee {
    uint64_t address;
    uint64_t calls;  /* calls while there were several threads */
    uint32_t module; /* number */
    uint32_t known;  /* enum heddle_wire_known */
    uint32_t lost;   /* 1: it was passed memory, and what it does there is not known */
    char name[HEDDLE_WIRE_CALLEE];
} heddle_wire_callee;

/* A function some of whose accesses are not in the recording. */
typedef struct heddle_wire_unseen {
    uint32_t module; /* number */
    char name[HEDDLE_WIRE_CALLEE];
} heddle_wire_unseen;

typedef struct heddle_wire_module {
    uint64_t base; /* the load address: added to the file's addresses */
    uint64_t low, high;
    char path[HEDDLE_WIRE_PATH];
} heddle_wire_module;

/* A file of what came from outside: a head, then entries one after the other, each with the bytes
 * that it stored, up to the next multiple of 8. */
enum { HEDDLE_WIRE_KEEPS = 1, HEDDLE_WIRE_PLAYS = 2 };
#define HEDDLE_WORLD_MAGIC UINT64_C(0x31646c726f776468) /* "hdworld1" */

typedef struct heddle_world_head {
    uint64_t magic;
    uint64_t used; /* bytes of the file */
} heddle_world_head;

typedef struct heddle_world_entry {
    uint32_t thread;
    uint32_t what; /* the number of the system call; from 65536 on: something of the runtime's */
    int64_t result;
    uint64_t size; /* bytes that follow */
} heddle_world_entry;

/* The state of the run, as far as the runtime knows. */
enum heddle_wire_ending {
    HEDDLE_WIRE_RUNNING,  /* or killed: the process's status says more */
    HEDDLE_WIRE_EXITED,   /* by exit, _exit or the return from main */
    HEDDLE_WIRE_ABORTED,  /* by abort or a failed assertion */
    HEDDLE_WIRE_DEADLOCK, /* every thread waits; the runtime ended the process */
    HEDDLE_WIRE_DIVERGED, /* the program did not follow the schedule */
    HEDDLE_WIRE_STOPPED,  /* at the end of the events that it was to follow, as requested */
    HEDDLE_WIRE_EXEC      /* another program takes its place; a call that fails takes this back */
};

/* What the runtime itself finds wrong (fault.def). */
enum heddle_wire_fault_kind {
    HEDDLE_WIRE_NO_FAULT,
#define HEDDLE_FAULT(ID, rule) HEDDLE_WIRE_##ID,
#include "fault.def"
    HEDDLE_WIRE_FAULTS
};

/* Tables for which there was no address space (heddle_wire.unkept): what they are for was not
 * looked at. */
enum {
    HEDDLE_WIRE_UNKEPT_FREED = 1,   /* blocks that were freed, and where blocks end */
    HEDDLE_WIRE_UNKEPT_WRITTEN = 2, /* what of the heap was written */
    HEDDLE_WIRE_UNKEPT_OBJECTS = 4  /* locks, descriptors and the like */
};

/* What the program said about itself by annotations (heddle_wire.annotations). */
enum {
    HEDDLE_WIRE_TOLD_ORDERS = 1,     /* releases and acquires of objects */
    HEDDLE_WIRE_TOLD_LOCKS = 2,      /* locks that are waited for as it says, */
    HEDDLE_WIRE_TOLD_HOLDS = 4,      /* and those of which it says only that they were taken */
    HEDDLE_WIRE_TOLD_BENIGN = 8,     /* memory in which races do not count */
    HEDDLE_WIRE_TOLD_IGNORED = 16,   /* threads whose accesses do not count for a while */
    HEDDLE_WIRE_TOLD_TOO_MUCH = 32,  /* more than is kept */
    HEDDLE_WIRE_TOLD_UNORDERED = 64, /* threads whose atomic operations order nothing for a while */
    HEDDLE_WIRE_TOLD_FIBERS = 128,   /* fibers, which are not looked at */
    HEDDLE_WIRE_TOLD_RULES = 256     /* more suppressions than there is room for */
};

/* Where it was found wrong; of a block of the heap, where and by which thread it was freed and
 * allocated; of a lock or the like, which it is, and, as `freed`, where and by which thread it was
 * destroyed, or is held.  Code addresses, 0: not known. */
typedef struct heddle_wire_fault {
    uint32_t kind; /* enum heddle_wire_fault_kind; else the message is the program's own */
    uint32_t freed_by, made_by;
    uint64_t code, freed, made, object;
} heddle_wire_fault;

/* Where a descriptor was opened. */
typedef struct heddle_wire_opened {
    uint32_t which; /* its word in descriptor_words, + 1; 0: it has no word */
    uint64_t code;  /* 0: not known */
} heddle_wire_opened;

/* What is doubtful, but does not fail. */
enum heddle_wire_noted {
    HEDDLE_WIRE_NOTED_MISUSE,    /* misuse that was not to fail; the text says which */
    HEDDLE_WIRE_NOTED_REFUSED,   /* unlock by a thread that does not hold it, refused */
    HEDDLE_WIRE_NOTED_HOLDING,   /* a thread ended with a lock; the code is where it was taken */
    HEDDLE_WIRE_NOTED_UNJOINED,  /* a thread ended, and was neither joined nor detached */
    HEDDLE_WIRE_NOTED_RUNNING,   /* one that was not detached ran when the program ended */
    HEDDLE_WIRE_NOTED_HANDLER,   /* a handler calls what is not safe there; the text says what */
    HEDDLE_WIRE_NOTED_HOLDS,     /* more locks were held at once than are kept */
    HEDDLE_WIRE_NOTED_UNWRITTEN, /* memory is read that nothing has written; the object is the code
                                   address where it was allocated */
    HEDDLE_WIRE_NOTED_DESCRIPTORS, /* more descriptors of files than are looked at */
    HEDDLE_WIRE_NOTED_ERRNO        /* a handler changed errno; the code is in the handler */
};

typedef struct heddle_wire_note {
    uint32_t kind, thread;
    uint64_t code, object;
    char text[96];
} heddle_wire_note;

/*
 * Accesses to a page of memory, 16 bits for each word of 8 bytes: bit i: an access begins or ends
 * before byte i; bit 8: one ends with the word; bit 8 + i: one goes over the border before byte i.
 * For an access that crosses words, only its ends are noted.
 */
typedef struct heddle_wire_page {
    uint64_t number; /* address / HEDDLE_WIRE_PAGE + 1; by hash, then the next free place */
    uint16_t marks[HEDDLE_WIRE_PAGE / 8];
} heddle_wire_page;

/* A block of the heap: where and by which thread it was allocated. */
typedef struct heddle_wire_block {
    uint64_t address, size, code;
    uint32_t thread;
} heddle_wire_block;

/* Where a chunk ends: the bytes in it, and the number of expected events after them.  One word, so
 * that after the process was killed only whole records are seen. */
static inline uint64_t heddle_wire_tail(uint64_t bytes, uint64_t run) {
    return bytes << 19 | run;
}
#define HEDDLE_WIRE_TAIL_BYTES(tail) ((tail) >> 19 & 0x1fffff)
#define HEDDLE_WIRE_TAIL_RUN(tail) ((tail)&0x7ffff)

/* A sum of the bytes of a chunk: of its words, each times an odd number that tells its place.  This
 * adds the whole words from one offset, a multiple of 8, to another. */
static inline uint64_t heddle_wire_sum(uint64_t sum, const unsigned char *bytes, uint64_t from,
                                       uint64_t end) {
    uint64_t word;
    for (; end - from >= sizeof word; from += sizeof word) {
        __builtin_memcpy(&word, bytes + from, sizeof word);
        sum += word * (from | 7);
    }
    return sum;
}

/* A program can write over its own record.  So each block of a chunk has a *check*: where an item
 * ends in the block, and the sum of all bytes of the chunk before that.  It is written when so many
 * bytes have no check yet, and when the chunk is complete. */
enum {
    HEDDLE_WIRE_UNCHECKED = 256,
    HEDDLE_WIRE_BLOCK = 1024,
    HEDDLE_WIRE_CHECKS = HEDDLE_WIRE_CHUNK / HEDDLE_WIRE_BLOCK
};

/* With this factor, a change of one byte always changes the check. */
#define HEDDLE_WIRE_SUM UINT64_C(0x9e3779b97f4a7c15)

/* The check there, from the sum of the whole words before it; up to 8 more bytes are looked at. */
static inline uint64_t heddle_wire_check(uint64_t sum, const unsigned char *bytes, uint64_t end) {
    uint64_t word;
    __builtin_memcpy(&word, bytes + end - end % sizeof word, sizeof word);
    sum += (word & (((uint64_t)1 << end % sizeof word * 8) - 1)) * (end | 7);
    return end << 32 | sum * HEDDLE_WIRE_SUM >> 32;
}

typedef struct heddle_wire_chunk {
    uint64_t lane; /* + 1; 0: nothing was written yet, or it was taken out */
    uint64_t tail;
    uint64_t items; /* records before the tail's run; an access counts as one */
    uint64_t
        silent; /* of these and of the run: allocations, calls and others that are not events */
    uint64_t number;                     /* among all that were ever begun */
    uint64_t whole;                      /* complete: its lane has begun another */
    uint64_t checks[HEDDLE_WIRE_CHECKS]; /* written before the tail */
    unsigned char bytes[];
} heddle_wire_chunk;

/* Is the process exiting, so that no thread has a next operation? */
enum heddle_wire_over {
    HEDDLE_WIRE_GOES_ON,
    HEDDLE_WIRE_OVER,
    HEDDLE_WIRE_OVER_LAST,  /* as the last thread ended, and none had joined all others */
    HEDDLE_WIRE_OVER_PRUNED /* as an assumption in an atomic section does not hold: no end at all */
};

typedef struct heddle_wire_step {
    uint16_t thread, choice;
    uint32_t nexts : 24; /* end of the next operations that are new after it, in `next` */
    uint32_t over : 8;   /* enum heddle_wire_over */
    uint64_t enabled;  /* threads that can go on after it: the first 64, and see heddle_wire_more */
    uint64_t succeeds; /* threads whose next operation would not fail or time out; likewise */
    uint64_t value;    /* that it read or wrote, if it is an access of at most 8 bytes */
    uint64_t before;   /* what an update found there */
} heddle_wire_step;

/* Sets of threads have as many more words as there may be need for: as long as all names fit, a
 * power of two. */
static inline uint32_t heddle_wire_more_words(uint32_t threads) {
    uint32_t more = 1;
    while (threads > 64 * (more + 1) && more < HEDDLE_WIRE_MORE)
        more *= 2;
    return threads <= 64 ? 0 : more < HEDDLE_WIRE_MORE ? more : HEDDLE_WIRE_MORE;
}

/* A *look*: plain reads of a thread that is alone are not steps.  What it does then may depend on
 * what others wrote although it took no step to read it, so these words are listed. */
typedef struct heddle_wire_look {
    uint64_t word;
    uint32_t step;   /* the step during which it was read, from 1 */
    uint32_t thread; /* the thread that owns the word; HEDDLE_WIRE_EXPLORED: it is shared */
} heddle_wire_look;

typedef struct heddle_wire_looks {
    uint32_t count;
    uint32_t more; /* during this step there were others that did not fit; 0: all fit */
    uint32_t late; /* 1: a word was written that earlier runs may have read without listing it, as
                      no other thread was known to write it */
    heddle_wire_look look[HEDDLE_WIRE_LOOKS_KEPT];
} heddle_wire_looks;

/* What a run says beside its output, for who compares how runs end (rt_say.c). */
enum heddle_wire_says {
    HEDDLE_WIRE_SAYS_NOTHING,
    HEDDLE_WIRE_SAYS_MARKS,  /* marks, notes, and which output is in blocks of any order */
    HEDDLE_WIRE_SAYS_INPUTS, /* and the inputs that it got, */
    HEDDLE_WIRE_SAYS_PLACES  /* and which call wrote which output */
};

enum heddle_wire_said {
    HEDDLE_WIRE_SAID_MARK,
    HEDDLE_WIRE_SAID_NOTE,
    HEDDLE_WIRE_SAID_INPUT,
    HEDDLE_WIRE_SAID_ANY_ORDER, /* output from here on is in a block, */
    HEDDLE_WIRE_SAID_IN_ORDER   /* or is not; or it is of another call than the output before */
};

/* The label follows, and fills up to a multiple of 8 bytes. */
typedef struct heddle_wire_saying {
    uint64_t at; /* bytes of output before it */
    int64_t value;
    uint64_t code; /* of the call; of output only if places are said */
    uint32_t thread;
    uint16_t kind;
    uint16_t label; /* bytes */
} heddle_wire_saying;

/* A *parcel*: one of several runs that were executed for one request.  Its log from step `from` on
 * is in parcel_step and parcel_next, after those of the runs before it; the earlier steps are the
 * same as in the run before it. */
typedef struct heddle_wire_parcel {
    uint32_t from, steps;      /* steps that are left out; all steps */
    uint32_t next_from, nexts; /* the same for next operations */
    uint32_t stopped;          /* HEDDLE_WIRE_AT_END, with status 0; HEDDLE_WIRE_ASLEEP */
    heddle_wire_looks looks;
} heddle_wire_parcel;

/* Code addresses of a thread's calls, innermost first, without the runtime's own. */
typedef struct heddle_wire_stack {
    uint32_t thread;
    uint32_t frames;
    uint64_t code[HEDDLE_WIRE_FRAMES];
} heddle_wire_stack;
/* What a thread would do next. */
typedef struct heddle_wire_next {
    heddle_wire_operation operation;
    uint64_t with; /* of a condition wait: the mutex; of an update: not 0 if it compares; of a call:
                      the number of its callee + 1; of a spinning read: another word that it waits
                      for, and its size << 56; of a join: not 0 if it uses the thread's result; of
                      an end: that result */
    uint64_t also[2]; /* of a spinning read: more such words, else 0 */
    uint64_t joined;  /* threads whose end it saw since its last step; of the first 64 */
    uint16_t thread;
    uint8_t ended; /* there is no next operation */
    uint8_t first; /* the thread has taken no step yet */
    uint8_t inner; /* not a next operation, but what the thread did in the atomic section that is
                      the step: `with` is the value that a read found, also[0] what a write wrote */
} heddle_wire_next;

/* A read, an acquire or a try that a thread repeated with nothing in between, or a write that was
 * part of such a round.  What the runtime finds out about it takes effect with the next search:
 * within one search it must be treated the same everywhere. */
typedef struct heddle_wire_loop {
    uint64_t code;
    uint32_t now;   /* HEDDLE_WIRE_LOOP_..., as used by the current search; written by the tool */
    uint32_t found; /* written by the runtime */
    /* What the function does not read any more once it has done this, before it writes it; written
     * by the tool.  Registers that functions keep, in the order of the runtime, and words of four
     * bytes from the stack pointer on. */
    uint32_t dead_registers;
    uint32_t looked; /* by the tool */
    uint64_t dead_words[HEDDLE_WIRE_DEAD_WORDS / 64];
} heddle_wire_loop;

/* A call that a thread was in at a point, and what its function does not read any more after it; as
 * in heddle_wire_loop.  Entered by the runtime, looked up by the tool. */
typedef struct heddle_wire_place {
    uint64_t code; /* where the call returns to; 0: the place in the table is free */
    uint32_t looked;
    uint32_t dead_registers;
    uint64_t dead_words[HEDDLE_WIRE_DEAD_WORDS / 64];
} heddle_wire_place;

enum {
    HEDDLE_WIRE_LOOP_SEEN = 1,
    HEDDLE_WIRE_LOOP_PROVED =
        2, /* a thread went through it while no other took a step, and memory did not change */
    HEDDLE_WIRE_LOOP_RESTLESS = 4, /* memory changed: it is not a loop that only waits */
    HEDDLE_WIRE_LOOP_LOCKS = 8,    /* a round takes locks, and gives them back */
    HEDDLE_WIRE_LOOP_BACK = 16,    /* a thread came back here, or would if it read a known value */
    HEDDLE_WIRE_LOOP_BACKS = 32,   /* a try of a round that gives back what it has if this fails */
    HEDDLE_WIRE_LOOP_WRITES = 64   /* not a read: a write of a round that left all as it was */
};

/* A value that makes a thread stay in a loop: where it was after this history, reading it led back
 * to where it was after the history `from`, and nothing had changed in between.  `from` is 0 if
 * these are the same, and that holds only while the loop is proved.  Used from the next search on.
 */
typedef struct heddle_wire_stay {
    uint64_t history, value, from;
} heddle_wire_stay;

/* Are such values to be found out?  Not at all; and a thread that comes round stays there for the
 * rest of the run; or, in a run that is made to learn from, goes on. */
enum heddle_wire_stays {
    HEDDLE_WIRE_STAYS_UNKNOWN,
    HEDDLE_WIRE_STAYS_WANTED,
    HEDDLE_WIRE_STAYS_TO_LEARN
};

/* A read of an atomic word that changed nothing: after this history it found this value, and that
 * led to this state of its thread.  `place` is a table of their numbers + 1, by hash, then the next
 * free one.  Used from the next search on.
 *
 * Decisions are kept there too (rt_rounds.c), for the search that `used` tells: `value` is ~used,
 * and `state` the history that the thread could have gone on from; 0: it goes on.  So are
 * questions: states that a thread came to, and that an earlier read may have led to. */
typedef struct heddle_wire_reach {
    uint64_t history, value, state;
} heddle_wire_reach;

typedef struct heddle_wire_reaches {
    uint32_t count, used; /* the first ones are used, in the current search; written by the tool */
    uint32_t news;        /* how often one that is not used would have been of use */
    uint32_t cuts;        /* how often one was */
    uint32_t starts;      /* searches that were started over for them; written by the tool */
    uint16_t place[2 * HEDDLE_WIRE_REACHES];
    heddle_wire_reach reach[HEDDLE_WIRE_REACHES];
} heddle_wire_reaches;

static inline uint16_t *heddle_wire_reach_place(heddle_wire_reaches *all, uint64_t history,
                                                uint64_t value) {
    const uint64_t places = sizeof all->place / sizeof *all->place;
    uint64_t at = (history ^ value * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
    while (all->place[at % places]) {
        const heddle_wire_reach *it = &all->reach[all->place[at % places] - 1];
        if (it->history == history && it->value == value)
            break;
        at++;
    }
    return &all->place[at % places];
}

/* Does nothing if it is known, or there is no room. */
static inline void heddle_wire_reach_add(heddle_wire_reaches *all, heddle_wire_reach it) {
    uint16_t *place = heddle_wire_reach_place(all, it.history, it.value);
    if (*place || all->count >= HEDDLE_WIRE_REACHES)
        return;
    all->reach[all->count++] = it;
    *place = (uint16_t)all->count;
}

/* A word for which threads wait by waits of C++'s atomics, where these are loops that read
 * (rt_atomic_wait.c): with which values they wait, and who tells them of others. */
enum {
    HEDDLE_WIRE_AWAITED_ANY = 1,  /* with more values than are listed */
    HEDDLE_WIRE_AWAITED_ZERO = 2, /* until it is 0; no values are listed */
    HEDDLE_WIRE_AWAITED_MANY = 4, /* several threads wait */
    HEDDLE_WIRE_AWAITED_ONE = 8,  /* a change was told to one of them only */
    HEDDLE_WIRE_AWAITED_GOES =
        16 /* one that had waited did something else than to change it back */
};

typedef struct heddle_wire_awaited {
    uint64_t address;
    uint32_t size, flags;
    uint32_t thread; /* one that waits, + 1; 0: none was seen */
    uint32_t values; /* listed */
    uint64_t value[HEDDLE_WIRE_AWAITED_VALUES];
} heddle_wire_awaited;

typedef struct heddle_wire_awaits {
    uint32_t loops; /* waits are loops that read; written by the tool */
    uint32_t asked; /* there was such a wait */
    uint32_t lost;  /* and one that a sleeping thread might not wake from: none is a loop then */
    uint32_t count; /* in `word` */
    uint32_t news;  /* how often a word or value was added */
    heddle_wire_awaited word[HEDDLE_WIRE_AWAITED];
} heddle_wire_awaits;

static inline heddle_wire_awaited *heddle_wire_awaits_find(heddle_wire_awaits *all,
                                                           uint64_t address) {
    for (uint32_t i = 0; i < all->count; i++)
        if (all->word[i].address == address)
            return &all->word[i];
    return NULL;
}

static inline void heddle_wire_awaited_add(heddle_wire_awaited *word, uint64_t value) {
    for (uint32_t i = 0; i < word->values; i++)
        if (word->value[i] == value)
            return;
    if (word->values == HEDDLE_WIRE_AWAITED_VALUES)
        word->flags |= HEDDLE_WIRE_AWAITED_ANY;
    else
        word->value[word->values++] = value;
}

/* Adds what is known of a word to what is known already. */
static inline void heddle_wire_awaits_join(heddle_wire_awaits *all, const heddle_wire_awaited *it) {
    enum {
        ODD = HEDDLE_WIRE_AWAITED_ANY | HEDDLE_WIRE_AWAITED_ZERO,
        FEW = HEDDLE_WIRE_AWAITED_ONE | HEDDLE_WIRE_AWAITED_MANY
    };
    heddle_wire_awaited *word = heddle_wire_awaits_find(all, it->address);
    if (!word && all->count == HEDDLE_WIRE_AWAITED) {
        all->lost = 1;
        return;
    }
    if (!word) {
        word = &all->word[all->count++];
        *word = (heddle_wire_awaited){.address = it->address, .size = it->size};
        all->news++;
    }
    uint32_t values = word->values, flags = word->flags;
    for (uint32_t i = 0; i < it->values; i++)
        heddle_wire_awaited_add(word, it->value[i]);
    word->flags |= it->flags;
    if (word->thread && it->thread && word->thread != it->thread)
        word->flags |= HEDDLE_WIRE_AWAITED_MANY;
    if (!word->thread)
        word->thread = it->thread;
    all->news += word->values != values || (word->flags & ~flags & ODD);
    /* Who is told of a change, and is one of several, must be able to use it. */
    if (word->size != it->size ||
        ((word->flags & FEW) == FEW &&
         (word->values != 1 || word->flags & (ODD | HEDDLE_WIRE_AWAITED_GOES))))
        all->lost = 1;
}

/* An atomic section in which inputs are asked for.  It is one step, so they are chosen before it:
 * how many values the n-th has, 0: there is no such input.  As with loops, what is found takes
 * effect with the next search. */
typedef struct heddle_wire_section {
    uint64_t code;
    uint8_t now[HEDDLE_WIRE_DRAWS], found[HEDDLE_WIRE_DRAWS];
} heddle_wire_section;

/* Which conventions of SV-COMP hold (heddle_wire.sv_comp). */
enum {
    HEDDLE_WIRE_SV_COMP = 1,   /* all: main waits for the threads, abort is an end like any other */
    HEDDLE_WIRE_SV_PASSES = 2, /* so is an error that is reached: something else is asked */
    HEDDLE_WIRE_SV_MEMORY = 4, /* uses of memory are checked */
    HEDDLE_WIRE_SV_OVERFLOW = 8, /* a source is compiled with traps at overflow */
    HEDDLE_WIRE_SV_ALL = 15
};

/* How the program got the inputs that it asked for (heddle_wire.asked). */
enum {
    HEDDLE_WIRE_ASKED_FIXED = 1,    /* as the tool said: from the list, or drawn from the seed */
    HEDDLE_WIRE_ASKED_SOME = 2,     /* some values of its type */
    HEDDLE_WIRE_ASKED_ALL = 4,      /* all values that it can have */
    HEDDLE_WIRE_ASKED_SAMPLED = 8,  /* of heddle_choose: its range has too many values */
    HEDDLE_WIRE_ASKED_FIRST = 16,   /* one value, where a thread cannot take a step */
    HEDDLE_WIRE_ASKED_ABORT = 32,   /* not for inputs: a run ended by abort, which is no failure, */
    HEDDLE_WIRE_ASKED_ASSUME = 64,  /* at an assumption of the library, */
    HEDDLE_WIRE_ASKED_ASSERT = 128, /* or at an assertion that is not the error asked for; */
    HEDDLE_WIRE_ASKED_SECTION = 256 /* a thread ran an atomic section */
};

/* What may happen while others run (heddle_wire_explore.exits). */
enum {
    HEDDLE_WIRE_EXITS = 1,          /* operations that conflict with all others */
    HEDDLE_WIRE_CANCELS = 2,        /* waits may end by cancellation */
    HEDDLE_WIRE_LOCKS_STREAMS = 4,  /* the program locks streams */
    HEDDLE_WIRE_MAKES_OBJECTS = 8,  /* locks and other objects are initialised, destroyed, */
    HEDDLE_WIRE_ODD_OBJECTS = 16,   /* or overwritten or looked at while they are in use */
    HEDDLE_WIRE_MOVES_WAITERS = 32, /* who waits at a futex may be moved to another, and woken */
    HEDDLE_WIRE_REGISTERS = 64 /* handlers of exit are registered: to look for them is a step */
};

/* Accesses that are not all seen (heddle_wire_explore.hidden). */
enum {
    HEDDLE_WIRE_HIDES_COPIES = 1,  /* more copies of structures than can be listed */
    HEDDLE_WIRE_HIDES_STACKS = 2,  /* a thread touched another one's stack */
    HEDDLE_WIRE_HIDES_SIGNALS = 4, /* a signal was sent to the process: any thread may handle it */
    HEDDLE_WIRE_HIDES_MAPPED = 8,  /* files were used while some were mapped as memory */
    HEDDLE_WIRE_HIDES_UNMAPPED = 16, /* more memory was mapped or protected than is examined */
    HEDDLE_WIRE_HIDES_LOCALE = 32,   /* the locale was changed while threads ran */
    HEDDLE_WIRE_HIDES_CANCELS = 64,  /* a thread may be cancelled anywhere, not only at its steps */
    HEDDLE_WIRE_HIDES_WRITERS = 128, /* a read-write lock prefers writers that wait */
    HEDDLE_WIRE_HIDES_HANDLERS = 256,    /* a handler is left by a jump, has a stack of its own or
                                            may interrupt itself, or a signal stops the process */
    HEDDLE_WIRE_HIDES_DESCRIPTORS = 512, /* signals that were sent can be read from a descriptor */
    HEDDLE_WIRE_HIDES_ERRNO = 1024,      /* a handler changes errno */
    HEDDLE_WIRE_HIDES_UNSAFE = 2048,     /* a handler and what it interrupts both use the heap, or
                                            streams */
    HEDDLE_WIRE_HIDES_TIMERS = 4096,     /* a handler is called by a timer, or it can be read */
    HEDDLE_WIRE_HIDES_OBJECTS = 1 << 13, /* an object was overwritten while threads waited for it */
    HEDDLE_WIRE_HIDES_LIMITS = 1 << 14,  /* a limit of the process was set while threads ran */
    HEDDLE_WIRE_HIDES_TWINS = 1 << 15,   /* the same memory is mapped at two places */
    HEDDLE_WIRE_HIDES_SYSCALLS = 1 << 16, /* syscall() did what is not known */
    HEDDLE_WIRE_HIDES_KEPT = 1 << 17, /* more streams have memory of the program than are noted */
    HEDDLE_WIRE_HIDES_BUFFERS = 1 << 18,   /* a stream of C++ was given a buffer */
    HEDDLE_WIRE_ASKS_TIME = 1 << 19,       /* clocks were read after threads were made */
    HEDDLE_WIRE_HIDES_HELPERS = 1 << 20,   /* the C library does something in a thread of its own */
    HEDDLE_WIRE_HIDES_ALLOCATOR = 1 << 21, /* settings or figures of the C library's allocator */
    HEDDLE_WIRE_FREES_BLOCKS = 1 << 22,    /* blocks were freed while threads ran, */
    HEDDLE_WIRE_COMPARES_BLOCKS = 1 << 23, /* and addresses of blocks compared, to be exchanged */
    HEDDLE_WIRE_HIDES_OUTPUT = 1 << 24,    /* buffered output went to another file */
    HEDDLE_WIRE_HIDES_PLACES = 1 << 25,    /* standard output was not written to at its end */
    HEDDLE_WIRE_HIDES_ANNOTATED = 1 << 26, /* a lock did not do what its annotations say */
    HEDDLE_WIRE_HIDES_INNER = 1 << 27,     /* other code uses memory of the code of such a lock */
    HEDDLE_WIRE_HIDES_PROC = 1 << 28,      /* a file of /proc was written while threads ran */
    HEDDLE_WIRE_STORES_IDENTITY = 1 << 29, /* a thread wrote its handle or a thread-local address */
    HEDDLE_WIRE_REPLACES_THREADS = 1 << 30 /* a thread was made after another was joined */
};

/* What the program was seen to do that can end in other ways than it does in explored runs
 * (heddle_wire_explore.relies). */
enum {
    HEDDLE_WIRE_RELIES_WAITS = 1,     /* it waits for a condition, */
    HEDDLE_WIRE_RELIES_WEAK = 2,      /* does a compare-exchange that is weak, or may be, */
    HEDDLE_WIRE_RELIES_FUTEXES = 4,   /* waits at a futex, */
    HEDDLE_WIRE_RELIES_ADDRESSES = 8, /* allocates blocks while threads run */
    HEDDLE_WIRE_RELIES_CALLS = 16     /* cancels a thread in a call that may have had its effect */
};

/* How a run stopped that did not end. */
enum {
    HEDDLE_WIRE_AT_END,
    HEDDLE_WIRE_CUT,     /* at most_steps, or every thread that could go on has taken most_own */
    HEDDLE_WIRE_ASLEEP,  /* every thread that could go on is asleep */
    HEDDLE_WIRE_IN_VAIN, /* no thread can go on, but not for ever: one began a round of a loop in
                            vain, or something that is not explored may end its wait */
    HEDDLE_WIRE_BEYOND,  /* where it would create more threads than there are numbers */
    HEDDLE_WIRE_AGAIN,   /* it needs a new process: there was an unknown thread */
    HEDDLE_WIRE_UNSAFE   /* its memory cannot be restored; the message says why */
};

/* Why the end of a thread is a step (heddle_wire_explore.ends). */
enum {
    HEDDLE_WIRE_ENDS_ASKED = 1, /* the program may ask whether a thread has ended */
    HEDDLE_WIRE_ENDS_LAST =
        2, /* main ended by pthread_exit: the last thread to end runs the exit handlers */
    HEDDLE_WIRE_ENDS_APART = 4, /* the tool wants them apart: then the start of a thread, and every
                                   join, is a step of its own too */
    HEDDLE_WIRE_ENDS_ALONE = 8  /* with that: what the last thread does with shared words once it is
                                   alone again is steps, too */
};

#endif
