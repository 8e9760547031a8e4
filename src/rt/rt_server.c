/*
 * Run after run, for an explorer.  The process that was started stays where main is about to
 * run and forks a child for a run, so that every run starts from the same state and a crash
 * ends nothing but the run.
 *
 * Or one child does many runs.  A run then ends by going to the server, which has a stack of its
 * own; the next one starts from memory that was kept before some step that both have in common
 * (rt_reset.c).  It may die any time, as by a signal in the program: the process that forked it
 * answers for it, and forks another.  There several runs may be done for one request.
 */
#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rt_arch.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_freed.h"
#include "rt_kernel.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_watch.h"

enum { SERVER_STACK = 64 << 10 };

bool hd_rt_in_memory;

static uintptr_t server; /* its stack pointer while it does not run */
static uint32_t renewed; /* the table of shared words that it goes by */

static void await(uint32_t *word, uint32_t seen) {
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == seen)
        hd_rt_syscall(SYS_futex, (long)word, FUTEX_WAIT, (long)seen, 0, 0, 0);
}

/* How far standard output is written; a run begins at the start of the file.  Where runs follow
 * each other in one process it is known (rt_filter.c). */
static void note_output(void) {
    if (hd_rt_explore->reset == HEDDLE_WIRE_BY_MEMORY)
        return;
    long at = hd_rt_explore->captured ? hd_rt_syscall(SYS_lseek, 1, 0, SEEK_CUR, 0, 0, 0) : 0;
    hd_rt_explore->wrote = at > 0 ? (uint64_t)at : 0;
}

static void answer(int status) {
    hd_rt_explore->status = status;
    note_output();
    __atomic_store_n(&hd_rt_explore->answer, hd_rt_explore->request, __ATOMIC_RELEASE);
    hd_rt_syscall(SYS_futex, (long)&hd_rt_explore->answer, FUTEX_WAKE, 1, 0, 0, 0);
}

/* --- several runs for one request ----------------------------------------------------------- */

/* What the runtime had found out about the program when the request came, and how much of the
 * parcels is full. */
static struct {
    uint32_t threads, loop_news, copies, ends, exits, caught, awaits_news, awaits_lost;
    uint32_t steps, nexts;
} parcels;

static void begin_parcels(void) {
    const heddle_wire_explore *explore = hd_rt_explore;
    parcels.threads = explore->threads;
    parcels.loop_news = explore->loop_news;
    parcels.copies = explore->copies;
    parcels.ends = explore->ends;
    parcels.exits = explore->exits;
    parcels.caught = explore->caught;
    parcels.awaits_news = explore->awaits.news;
    parcels.awaits_lost = explore->awaits.lost;
    parcels.steps = parcels.nexts = 0;
    hd_rt_explore->done = 0;
}

/* Did the run end well, without output, and show nothing that is new? */
static bool is_usual(int status) {
    const heddle_wire_explore *explore = hd_rt_explore;
    bool well = explore->stopped == HEDDLE_WIRE_ASLEEP ||
                (explore->stopped == HEDDLE_WIRE_AT_END && !status &&
                 hd_rt.wire->ending == HEDDLE_WIRE_EXITED);
    return well && !explore->fresh && !explore->wrote && !explore->said && !explore->stacks &&
           !hd_rt.wire->refused && explore->threads == parcels.threads &&
           explore->loop_news == parcels.loop_news && explore->copies == parcels.copies &&
           explore->ends == parcels.ends && explore->exits == parcels.exits &&
           explore->caught == parcels.caught && explore->awaits.news == parcels.awaits_news &&
           explore->awaits.lost == parcels.awaits_lost;
}

/* Puts the log of the run that ended with the others; false if there is no place.  Nothing is
 * copied as a whole: the compiler would call memcpy, which is interposed, and in a run that did
 * not come to its end that is a step of the program's. */
static bool add_parcel(void) {
    heddle_wire_explore *explore = hd_rt_explore;
    uint32_t from = explore->done ? explore->kept : 0;
    heddle_wire_parcel *parcel = &explore->parcel[explore->done];
    parcel->from = from;
    parcel->stopped = explore->stopped;
    parcel->steps = explore->steps;
    parcel->next_from = from ? explore->step[from - 1].nexts : 0;
    parcel->nexts = explore->steps ? explore->step[explore->steps - 1].nexts : 0;
    hd_rt_arch_copy(&parcel->looks, &explore->looks, sizeof parcel->looks);
    uint32_t steps = parcel->steps - parcel->from, nexts = parcel->nexts - parcel->next_from;
    if (steps > HEDDLE_WIRE_PARCEL - parcels.steps || nexts > HEDDLE_WIRE_PARCEL - parcels.nexts)
        return false;
    hd_rt_arch_copy(explore->parcel_step + parcels.steps, explore->step + from,
                    steps * sizeof *explore->step);
    hd_rt_arch_copy(explore->parcel_next + parcels.nexts, explore->next + parcel->next_from,
                    nexts * sizeof *explore->next);
    parcels.steps += steps;
    parcels.nexts += nexts;
    __atomic_store_n(&explore->done, explore->done + 1, __ATOMIC_RELEASE);
    return true;
}

/* Goes on with the next run of those that were asked for; false if there is none. */
static bool next_wish(int status) {
    heddle_wire_explore *explore = hd_rt_explore;
    if (!explore->wishes || !is_usual(status) || !add_parcel() || explore->done > explore->wishes)
        return false;
    const heddle_wire_wish *wish = &explore->wish[explore->done - 1];
    for (uint32_t i = 0; i < wish->decisions; i++)
        explore->decision[wish->depth + i] = wish->decision[i];
    explore->decisions = wish->depth + wish->decisions;
    explore->asleep = wish->asleep;
    return true;
}

/* --- the beginning ------------------------------------------------------------------------- */

static uint64_t blocks_before; /* main */
static uint32_t functions_before;

/* A fresh start for what is shared and not the child's own. */
static void begin_run(void) {
    heddle_wire *wire = hd_rt.wire;
    for (uint32_t i = 1; i < wire->threads; i++)
        wire->thread[i] = (heddle_wire_thread){0};
    wire->threads = 1;
    wire->thread[0].state = HEDDLE_WIRE_LIVE;
    hd_rt_explore->begun = hd_rt_explore->request;
    wire->ending = HEDDLE_WIRE_RUNNING;
    wire->message[0] = '\0';
    wire->fault.kind = HEDDLE_WIRE_NO_FAULT;
    wire->current = 0;
    wire->refused = 0;
    wire->blocks = blocks_before;
    hd_rt_explore->steps = 0;
    hd_rt_explore->stopped = HEDDLE_WIRE_AT_END;
    hd_rt_explore->kept = 0;
    hd_rt_explore->fresh = 0;
    hd_rt_explore->looks.count = hd_rt_explore->looks.more = hd_rt_explore->looks.late = 0;
    begin_parcels();
    hd_rt_explore->stacked = 0;
    hd_rt_explore->wrote = hd_rt_explore->said = 0;
    if (hd_rt_explore->captured) { /* whose end is where this run has written to */
        hd_rt_syscall(SYS_lseek, 1, 0, SEEK_SET, 0, 0, 0);
        hd_rt_syscall(SYS_ftruncate, 1, 0, 0, 0, 0, 0);
    }
    hd_rt.exploring = true;
    hd_rt.lane.full = true; /* nothing is recorded */
    hd_rt.calls = hd_rt_explore->functions;
    wire->functions = functions_before;
    hd_rt.lane.left = 0;
    hd_rt.lane.write_slot = NULL;
    hd_rt.lane.write_site = NULL;
    hd_rt.lane.lent = false;
    hd_rt.targets = hd_rt_explore->targets;
    hd_rt_stack_begin(hd_rt_explore);
    hd_rt_freed_main = wire->thread[0].stack ? wire->thread[0].stack : UINTPTR_MAX;
    hd_rt_foreign_begin();
}

/* --- run after run in one process ----------------------------------------------------------- */

void hd_rt_server_give_up(uint32_t stopped, const char *why) {
    hd_rt_explore->stopped = stopped;
    hd_rt_text(hd_rt.wire->message, sizeof hd_rt.wire->message, why);
    hd_rt_syscall(SYS_exit_group, 70, 0, 0, 0, 0, 0);
    __builtin_unreachable();
}

/* --- the runs ------------------------------------------------------------------------------- */

/* How many of the steps of the run before are decided alike. */
static uint32_t same_steps(void) {
    const heddle_wire_explore *explore = hd_rt_explore;
    uint32_t most = explore->steps < explore->decisions ? explore->steps : explore->decisions;
    uint32_t same = 0;
    while (same < most && explore->step[same].thread == explore->decision[same].thread &&
           explore->step[same].choice == explore->decision[same].choice)
        same++;
    return same;
}

/* What threads looked at after that step belongs to the last run. */
static void forget_looks(uint32_t step) {
    heddle_wire_looks *looks = &hd_rt_explore->looks;
    while (looks->count && looks->look[looks->count - 1].step > step)
        looks->count--;
    if (looks->more > step)
        looks->more = 0;
    looks->late = 0; /* that was told of */
}

/* The next run, from the state that is nearest to where it differs from the last one. */
static void go_back(void) {
    heddle_wire_explore *explore = hd_rt_explore;
    uint32_t same = same_steps();
    explore->steps = explore->kept = hd_rt_reset_back(same);
    forget_looks(explore->kept);
    explore->wrote = hd_rt_explored.written;
    explore->said = hd_rt_explored.said;
    explore->stopped = HEDDLE_WIRE_AT_END;
    hd_rt.wire->ending = HEDDLE_WIRE_RUNNING;
    hd_rt.wire->message[0] = '\0';
    hd_rt.wire->fault.kind = HEDDLE_WIRE_NO_FAULT;
    hd_rt.wire->refused = 0;
}

static void await_run(void) {
    heddle_wire_explore *explore = hd_rt_explore;
    await(&explore->request, explore->answer);
    if (explore->what == HEDDLE_WIRE_QUIT)
        hd_rt_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0);
    if (explore->reset != HEDDLE_WIRE_BY_MEMORY)
        hd_rt_server_give_up(HEDDLE_WIRE_AGAIN, "");
    if (explore->renewed != renewed)
        hd_rt_reset_forget();
    renewed = explore->renewed;
    explore->fresh = 0;
    begin_parcels();
    explore->begun = explore->request;
    hd_rt_foreign_renew();
    go_back();
}

static int left_with; /* status of the run that ended, -1: a state is to be kept */

static void serve(void *unused) {
    (void)unused;
    for (;;) {
        if (left_with < 0)
            hd_rt_reset_keep(hd_rt_explore->steps);
        else if (next_wish(left_with))
            go_back();
        else {
            answer(left_with);
            await_run();
        }
        hd_rt_thread *next = hd_rt_explore_choose();
        left_with = 0;
        if (!next)
            continue;
        hd_rt_schedule_chosen(next);
        hd_rt.current = next;
        hd_rt.wire->current = next->id;
        hd_rt_arch_switch(&server, next->stack_pointer, next->thread_pointer);
    }
}

static void go_to_server(hd_rt_thread *self) {
    hd_rt_arch_switch(&self->stack_pointer, server, hd_rt_thread_at(0)->thread_pointer);
}

void hd_rt_server_hold(hd_rt_thread *self) {
    left_with = -1;
    go_to_server(self);
}

void hd_rt_server_leave(int status) {
    if (!hd_rt_in_memory)
        return;
    left_with = status;
    go_to_server(hd_rt.current);
}

/* The rest of this process's life is runs.  In what way it cannot, if it cannot. */
static const char *prepare(void) {
    const char *why = NULL;
    if (!hd_rt_thread_sleepers(hd_rt_explore->threads))
        return "its threads cannot be made beforehand";
    char *stack = hd_rt_reset_pages(SERVER_STACK);
    if (!stack || !hd_rt_reset_init(&why))
        return why ? why : "there is no memory for it";
    server = hd_rt_arch_prepare((uintptr_t)stack + SERVER_STACK, serve, NULL);
    renewed = hd_rt_explore->renewed;
    if (!hd_rt_filter_init())
        return "system calls cannot be filtered here";
    return NULL;
}

static void begin_runs(void) {
    const char *why = prepare();
    if (why)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, why);
    hd_rt_in_memory = true;
}

/* --- a child for a run, or for many --------------------------------------------------------- */

static void serve_run(void) {
    int status = 0;
    hd_rt_kernel_restore();
    pid_t self = (pid_t)hd_rt_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0), child = hd_rt_real.fork();
    if (child == 0) {
        hd_rt_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
        if (hd_rt_syscall(SYS_getppid, 0, 0, 0, 0, 0, 0) != self) /* it has ended in between */
            hd_rt_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0);
        begin_run();
        if (hd_rt_explore->reset == HEDDLE_WIRE_BY_MEMORY)
            begin_runs();
        return;
    }
    __atomic_store_n(&hd_rt_explore->child, child, __ATOMIC_RELEASE);
    if (child < 0)
        status = 71 << 8;
    else
        while (hd_rt_syscall(SYS_wait4, child, (long)&status, 0, 0, 0, 0) == -4)
            ; /* EINTR */
    __atomic_store_n(&hd_rt_explore->child, 0, __ATOMIC_RELEASE);
    hd_rt_watch_undo();
    if (hd_rt_explore->what != HEDDLE_WIRE_QUIT)
        answer(status);
}

void hd_rt_explore_serve(void) {
    heddle_wire *wire = hd_rt.wire;
    if (wire->decision != HEDDLE_WIRE_BY_DECISIONS)
        return;
    hd_rt_explore = (heddle_wire_explore *)((char *)wire + wire->explore);
    hd_rt_objects_init();
    if (hd_rt.live_count > 1)
        hd_rt_stop(HEDDLE_WIRE_DIVERGED, "threads are created before main; it cannot be explored");
    hd_rt_spin_init();
    hd_rt_process_stays();
    blocks_before = wire->blocks;
    hd_rt_written_begin();
    functions_before = wire->functions;
    if (hd_rt_explore->what == HEDDLE_WIRE_ALONE) {
        begin_run();
        hd_rt_replay_begin(hd_rt_explore);
    }
    if (!hd_rt.exploring) {
        hd_rt_watch_init();
        hd_rt_kernel_note();
    }
    while (!hd_rt.exploring) {
        await(&hd_rt_explore->request, hd_rt_explore->answer);
        if (hd_rt_explore->what == HEDDLE_WIRE_QUIT)
            hd_rt_syscall(SYS_exit_group, 0, 0, 0, 0, 0, 0);
        serve_run();
    }
    hd_rt_point(HEDDLE_WIRE_START, NULL, 0, 0);
}
