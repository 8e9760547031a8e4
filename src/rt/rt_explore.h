/*
 * What the files of an explored program share: rt_explore.c takes the steps, rt_shadow.c finds the
 * words that threads share, rt_server.c serves runs, rt_reset.c restores memory between them,
 * rt_filter.c makes sure that nothing else needs to be restored.
 */
#ifndef HD_RT_EXPLORE_H
#define HD_RT_EXPLORE_H

#include <stdarg.h>

#include "rt.h"
#include "rt_set.h"

extern heddle_wire_explore *hd_rt_explore; /* shared with the tool */

enum { HD_RT_COPIES = 8, HD_RT_OVERWRITTEN = HEDDLE_WIRE_LOOKS_KEPT };

/* The state of the current run, which is restored with the program's memory. */
typedef struct hd_rt_run {
    heddle_wire_step *present; /* the step that is being taken */
    hd_rt_thread *newborn;     /* it has not reached its first point yet */
    uint32_t births, joins;    /* threads so far */
    uint64_t asleep;           /* of the first 64 */
    bool over, last;           /* the process is exiting; since the last thread ended */
    bool monitor;              /* the next thread only looks (heddle/test.h) */
    bool twins;                /* the same memory is mapped at two places */
    struct {
        uint64_t device, inode;
    } copy[HD_RT_COPIES];                  /* files that are mapped as private memory */
    uint32_t copies;                       /* there may be more than are listed */
    uint64_t written;                      /* to standard output */
    uint64_t said;                         /* bytes of heddle_wire_explore.saying */
    uint32_t overwritten;                  /* shared words that a thread wrote alone, by no step, */
    uint64_t overwrote[HD_RT_OVERWRITTEN]; /* since the last thread was made; more are not listed */
    bool any_order;                        /* output is in such a block, as was said last, */
    uint64_t output_code;                  /* and of this call; 0: that is not said */
} hd_rt_run;

extern hd_rt_run hd_rt_explored;

/* Also part of it, but restored only as far as there are threads. */
typedef struct hd_rt_run_sets {
    hd_rt_set live;  /* threads that have reached a point and not ended */
    hd_rt_set bound; /* those of them whose next operation may have to wait, or may fail */
    hd_rt_set ended; /* threads that ended with this step, as long as others may join */
} hd_rt_run_sets;

extern hd_rt_run_sets hd_rt_explored_sets;

/* Where stacks of threads are, by the thread's number. */
#define HD_RT_STACKS ((uintptr_t)0x080000000000)
#define HD_RT_STACK_ROOM ((uintptr_t)1 << 30)

/* --- rt_explore.c --------------------------------------------------------------------------- */

/* Would the thread's next operation not fail or time out? */
bool hd_rt_explore_succeeds(const hd_rt_thread *thread);

/* The thread that takes the next step: by decision, or as the search would go on.  NULL: the run
 * ends here, and hd_rt_explore->stopped and the wire say how. */
hd_rt_thread *hd_rt_explore_choose(void);

/* The run is left here: hd_rt_explore->stopped and the wire say why. */
_Noreturn void hd_rt_explore_leave(void);

/* Ends the run here, as one that is cut off; returns if it is still to follow decisions. */
void hd_rt_explore_cut(void);

/* --- rt_draw.c ------------------------------------------------------------------------------ */

/* Of those that are able, the thread that takes the next step of a random run; `last` took the last
 * one, and is `tired`, and not able, if it comes round in a loop again and again.  And does a
 * thread yield next? */
uint32_t hd_rt_draw_thread(const hd_rt_set *able, uint32_t last, bool tired);
bool hd_rt_draw_yields(uint32_t thread);
bool hd_rt_draw_keeps_rounds(void); /* a thread goes round alone, so that its loop can be proved */

/* Which way the thread's next operation goes, if it is an input and threads are drawn. */
uint8_t hd_rt_draw_way(uint32_t thread);

char *hd_rt_draw_transfer(char *state, bool back, hd_rt_transfer *transfer);

/* --- rt_explore_threads.c ------------------------------------------------------------------- */

/* There are names for more threads than the sets of the log have words for: it gets wider. */
void hd_rt_explore_widen(void);

/* Threads from number 64 on whose end it saw since its last step: as part of the log, to the next
 * operation of that number; it takes a step. */
void hd_rt_explore_note_joined(const hd_rt_thread *thread, uint32_t number);
void hd_rt_explore_forget_joined(const hd_rt_thread *thread);
char *hd_rt_explore_threads_transfer(char *state, bool back, hd_rt_transfer *transfer);

/* --- rt_shadow.c, rt_plain.c ----------------------------------------------------------------- */

/* Is it known that several threads use the word, and one of them writes it? */
bool hd_rt_explore_is_shared(uint64_t word);

/* A block is about to be freed.  True if threads share some of its words: the first and the last
 * of them. */
bool hd_rt_explore_frees(const void *block, size_t size, uint64_t *low, uint64_t *high);

/* These words are shared, whoever has touched them. */
void hd_rt_explore_share(uintptr_t address, size_t size);

/* The current thread is about to use the object there.  True if it is known that threads access its
 * memory, too. */
bool hd_rt_explore_object(uintptr_t address, size_t size);

/* It is about to use something there that is not looked at: who frees it is to find that. */
void hd_rt_explore_used(uintptr_t address);

/* Of the present thread? */
bool hd_rt_explore_on_stack(const volatile void *address);

/* Is one of these words shared? */
bool hd_rt_explore_shares(const volatile void *address, size_t size);

/* The statement for which old bytes were lent is done. */
void hd_rt_plain_settle(void);

/* The program has closed a library: nothing of what is known of its code counts any more. */
void hd_rt_plain_forget(void);

/* --- rt_objects.c --------------------------------------------------------------------------- */

void hd_rt_objects_init(void);

/* The thread has reached a point: what its next operation does to an object. */
void hd_rt_object_next(const hd_rt_thread *self);

/* That memory was written to, by an instrumented access or by a function that makes an object;
 * `destroys`: by one that ends one, which may have been used. */
void hd_rt_object_written(uintptr_t address, size_t size, bool destroys);

/* The same, of a function that the runtime interposes, before it does that: a step if others use
 * the object. */
void hd_rt_object_change(const void *object, size_t size, bool destroys, uintptr_t code);

/* --- rt_syscall.c --------------------------------------------------------------------------- */

/* syscall() with that number: true if it is done, with its result and errno. */
bool hd_rt_syscall_does(long number, const long *a, long *result);
bool hd_rt_syscall_number(long number, long *result);

/* --- rt_output.c, rt_format.c --------------------------------------------------------------- */

/* Reads the texts that are arguments of a format, at steps where others write them, and keeps
 * them. */
struct hd_rt_texts;
void hd_rt_format_reads(const char *name, struct hd_rt_texts *texts, const char *format,
                        va_list arguments, uintptr_t code);

/* Something is written to that file.  If it is standard output that is seen by who compares
 * outputs; the step comes with what else the call does. */
void hd_rt_output(int file);

/* --- rt_say.c ------------------------------------------------------------------------------- */

/* What is noted for who compares how runs end, if anybody does: a mark or a note, an input; and
 * before each call that writes to standard output, whether it is in a block of any order. */
void hd_rt_say_mark(const char *label, bool has_value, int64_t value, uintptr_t code);
void hd_rt_say_input(int64_t value);
void hd_rt_say_output(uintptr_t code);

/* --- rt_server.c ---------------------------------------------------------------------------- */

/* Are runs executed one after the other in this process?  Then memory is restored. */
extern bool hd_rt_in_memory;

/* The run cannot be done in this process; another one does it. */
_Noreturn void hd_rt_server_give_up(uint32_t stopped, const char *why);

/* Leaves the current thread, which is at a point where state can be kept.  It returns when the
 * thread has been chosen. */
void hd_rt_server_hold(hd_rt_thread *self);

/* --- rt_reset.c ----------------------------------------------------------------------------- */

/* Memory as it is now is what runs begin with.  False, with a reason, if it cannot be had. */
bool hd_rt_reset_init(const char **why);

/* Is it time to keep the state before that step?  Keeps it.  Restores the latest one that is not
 * after step `depth`, and returns its number of steps.  Forgets all but the first. */
bool hd_rt_reset_due(uint32_t step);
void hd_rt_reset_keep(uint32_t step);
uint32_t hd_rt_reset_back(uint32_t depth);
void hd_rt_reset_forget(void);

/* The thread begins on a stack of zeroes, as in a process of its own. */
void hd_rt_reset_stack(const hd_rt_thread *thread);

/* A checksum of all memory that is restored, except the stacks and the thread's own block. */
uint64_t hd_rt_reset_sum(const hd_rt_thread *thread);

/* Pages that were written since the beginning, in the order in which that happened: how many, and
 * what one of them was then.  Whether all of a stretch of memory is looked after like that. */
uint32_t hd_rt_reset_hot(void);
uintptr_t hd_rt_reset_page(uint32_t number, const char **first);
bool hd_rt_reset_tracks(uintptr_t low, uintptr_t high);

/* Memory that is not restored; memory that is, from now on. */
void *hd_rt_reset_pages(size_t size);
bool hd_rt_reset_track(uintptr_t low, uintptr_t high);

/* The kernel is going to write there for the program: as if the program did.  What the kernel
 * finds protected it does not write to. */
void hd_rt_reset_touch(uintptr_t address, size_t size);
bool hd_rt_reset_faulted(
    uintptr_t address); /* a write there; false: it is a fault of the program */

/* --- rt_filter.c ---------------------------------------------------------------------------- */

/* From now on a system call that leaves traces outside memory makes the server give up. */
bool hd_rt_filter_init(void);

/* Executes a system call for the program, or gives up; like the kernel, it returns a negative
 * error. */
long hd_rt_filter_call(long call, const uintptr_t a[6]);

/* rt_spin_local.c: a checksum of all that the thread's next steps depend on, except what they find,
 * without what is dead in the functions that it is in; 0: it is not known. */
uint64_t hd_rt_spin_local(const hd_rt_thread *thread);

/* rt_state.c: the thread has come to a point; and a hash of the whole state, 0: it is not known. */
void hd_rt_state_arrives(const hd_rt_thread *self);
uint64_t hd_rt_state_now(const hd_rt_set *enabled, const hd_rt_set *succeeds);

#endif
