/*
 * Restores the program's memory between runs.
 *
 * When main is about to run, all memory that the program could write is made read-only, but
 * stacks and what is the runtime's own.  The first write to a page faults: the page, as it was
 * in the beginning, is copied aside, the page becomes writable and is *hot* from then on.  So
 * after the first runs no page faults any more, and the state of the program is its hot pages,
 * the used parts of its threads' stacks, and a few variables of the runtime.
 *
 * Such states are kept now and then before a step, one on top of the other as a run goes on.  The
 * next run starts from the latest one that lies on its way, and takes the steps from there.  A page
 * that became hot later is in all kept states what it was in the beginning.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "rt_arch.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_maps.h"
#include "rt_real.h"
#include "rt_string.h"
#include "rt_watch.h"

#define PAGE ((uintptr_t)4096)
#define OWN_ROOM ((size_t)16 << 30) /* address space for what is kept; used as needed */
#define KEPT_ROOM ((size_t)256 << 20)

enum {
    RANGES = 3 * HEDDLE_WIRE_EXPLORED,
    HOT = 1 << 15,
    KEPT = 64,
    LEAST_STEPS = 8,
    OWN = 6,
    HANDLER_STACK = 64 << 10
};

typedef struct range {
    uintptr_t low, high;
} range;

typedef struct kept {
    uint32_t step;
    uint32_t hot;   /* pages then */
    size_t at, end; /* in the room */
} kept;

static struct {
    char *own; /* untracked memory, taken in order */
    size_t own_used;
    range ranges[RANGES];
    uint32_t range_count;
    uintptr_t *hot;   /* pages */
    char *first;      /* what they were in the beginning, page after page */
    uint64_t *sums;   /* of these contents */
    uint64_t *places; /* a table of the hot pages, by hash: place + 1 */
    uint32_t hot_count;
    char *room; /* of kept states */
    kept kept[KEPT];
    uint32_t kept_count;
    uint32_t known; /* steps that the present run has in common with the one before */
    bool ready;
} reset;

/* --- memory of our own ---------------------------------------------------------------------- */

void *hd_rt_reset_pages(size_t size) {
    size = (size + PAGE - 1) & ~(PAGE - 1);
    if (!reset.own) {
        long made = hd_rt_syscall(SYS_mmap, 0, (long)OWN_ROOM, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (made < 0 && made > -4096)
            return NULL;
        reset.own = (char *)made;
    }
    if (size > OWN_ROOM - reset.own_used)
        return NULL;
    void *pages = reset.own + reset.own_used;
    reset.own_used += size;
    return pages;
}

/* Two words at once, wherever they lie. */
typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));

/* Copies words; unseen, and fast for the small pieces that most are. */
static inline void copy_words(void *to, const void *from, size_t size) {
    if (size >= HD_RT_ARCH_LARGE) {
        hd_rt_arch_copy(to, from, size);
        return;
    }
    pair *target = to;
    const pair *source = from;
    for (; size >= 4 * sizeof *target; size -= 4 * sizeof *target, target += 4, source += 4) {
        pair a = source[0], b = source[1], c = source[2], d = source[3];
        target[0] = a;
        target[1] = b;
        target[2] = c;
        target[3] = d;
        HD_RT_BARRIER(); /* or the compiler makes it a call of memcpy */
    }
    uint64_t *word = (uint64_t *)target;
    const uint64_t *old = (const uint64_t *)source;
    for (; size >= sizeof *word; size -= sizeof *word) {
        *word++ = *old++;
        HD_RT_BARRIER();
    }
}

/* --- pages that are written ----------------------------------------------------------------- */

bool hd_rt_reset_track(uintptr_t low, uintptr_t high) {
    if (low >= high)
        return true;
    if (reset.range_count == RANGES ||
        hd_rt_syscall(SYS_mprotect, (long)low, (long)(high - low), PROT_READ, 0, 0, 0) != 0)
        return false;
    reset.ranges[reset.range_count++] = (range){low, high};
    return true;
}

static bool is_tracked(uintptr_t address) {
    for (uint32_t i = 0; i < reset.range_count; i++)
        if (address >= reset.ranges[i].low && address < reset.ranges[i].high)
            return true;
    return false;
}

bool hd_rt_reset_tracks(uintptr_t low, uintptr_t high) {
    for (uintptr_t page = low & ~(PAGE - 1); page < high; page += PAGE)
        if (!is_tracked(page))
            return false;
    return true;
}

uint32_t hd_rt_reset_hot(void) {
    return reset.hot_count;
}

uintptr_t hd_rt_reset_page(uint32_t number, const char **first) {
    *first = reset.first + number * PAGE;
    return reset.hot[number];
}

static uint64_t *place_of(uintptr_t page) {
    uint64_t place = (page >> 12) * UINT64_C(0x9e3779b97f4a7c15) >> 40 & (2 * HOT - 1);
    while (reset.places[place] && reset.hot[reset.places[place] - 1] != page)
        place = (place + 1) & (2 * HOT - 1);
    return &reset.places[place];
}

/* Four sums side by side, as each multiplication waits for the one before it. */
static uint64_t sum_page(uintptr_t page, const uint64_t *content) {
    const uint64_t by = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t a = page, b = page + 1, c = page + 2, d = page + 3;
    for (unsigned k = 0; k < PAGE / sizeof *content; k += 4) {
        a = (a ^ content[k]) * by + k;
        b = (b ^ content[k + 1]) * by + k;
        c = (c ^ content[k + 2]) * by + k;
        d = (d ^ content[k + 3]) * by + k;
    }
    return (((a * by ^ b) * by ^ c) * by ^ d) * by;
}

/* False if the page is not tracked, or was hot already. */
static bool heat(uintptr_t address) {
    uintptr_t page = address & ~(PAGE - 1);
    uint64_t *place = place_of(page);
    if (!is_tracked(address) || *place)
        return false;
    if (reset.hot_count == HOT)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it writes to very much memory");
    copy_words(reset.first + reset.hot_count * PAGE, (void *)page, PAGE);
    if (hd_rt_syscall(SYS_mprotect, (long)page, PAGE, PROT_READ | PROT_WRITE, 0, 0, 0) != 0)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "it writes to memory in too many places");
    reset.sums[reset.hot_count] = sum_page(page, (const uint64_t *)page);
    reset.hot[reset.hot_count++] = page;
    *place = reset.hot_count;
    return true;
}

void hd_rt_reset_touch(uintptr_t address, size_t size) {
    if (!reset.ready || !address || size > PTRDIFF_MAX || address + size < address)
        return;
    for (uintptr_t page = address & ~(PAGE - 1); page < address + size; page += PAGE)
        heat(page);
}

bool hd_rt_reset_faulted(uintptr_t address) {
    return reset.ready && heat(address);
}

static void fault(int signal, siginfo_t *info, void *context) {
    if (heat((uintptr_t)info->si_addr))
        return;
    if (hd_rt_fails_apart(context)) { /* it comes again, on the thread's own stack */
        hd_rt_stack_catch();
        return;
    }
    /* A fault of the program's own: it comes again and ends the process. */
    const uint64_t usual[4] = {0}; /* as the kernel has it: SIG_DFL */
    hd_rt_syscall(SYS_rt_sigaction, signal, (long)usual, 0, 8, 0, 0);
}

/* --- what there is to be tracked ------------------------------------------------------------ */

extern const char __ehdr_start[] __attribute__((visibility("hidden"))); /* of the runtime */
extern const char _end[] __attribute__((visibility("hidden")));

/* Memory that is the runtime's own, or is copied as a stack. */
static void find_own(range own[OWN]) {
    uintptr_t wire = (uintptr_t)hd_rt.wire, pages = (uintptr_t)reset.own;
    const hd_rt_thread *first = hd_rt_thread_at(0);
    own[0] = (range){wire, (wire + hd_rt.wire_size + PAGE - 1) & ~(PAGE - 1)};
    own[1] = (range){pages, pages + OWN_ROOM};
    own[2] = (range){(uintptr_t)__ehdr_start, ((uintptr_t)_end + PAGE - 1) & ~(PAGE - 1)};
    own[3] = (range){HD_RT_STACKS, HD_RT_STACKS + HEDDLE_WIRE_EXPLORED * HD_RT_STACK_ROOM};
    uintptr_t watch;
    uint64_t watched = hd_rt_watch_memory(&watch);
    own[5] = (range){watch, watch + watched};
    own[4] = (range){first->wire->stack, first->stack_top};
}

/* What is not our own of a stretch of memory. */
static bool track_part(uintptr_t low, uintptr_t high, bool private, const char **why) {
    range own[OWN];
    find_own(own);
    while (low < high) {
        uintptr_t end = high;
        bool ours = false;
        for (int i = 0; i < OWN; i++)
            if (low >= own[i].low && low < own[i].high) {
                end = own[i].high;
                ours = true;
            } else if (!ours && own[i].low > low && own[i].low < end)
                end = own[i].low;
        if (!ours && !private)
            *why = "it has memory that other processes may share";
        else if (!ours)
            *why = "its memory cannot be protected";
        if (!ours && (!private || !hd_rt_reset_track(low, end)))
            return false;
        low = end;
    }
    return true;
}

static bool track(const hd_rt_mapping *it, void *why) {
    return !it->writable || track_part(it->low, it->high, !it->shared, why);
}

static bool track_all(const char **why) {
    *why = "its memory cannot be found";
    return hd_rt_maps(track, why);
}

static bool catch_faults(void) {
    struct sigaction old, ours = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    stack_t stack = {.ss_sp = hd_rt_reset_pages(HANDLER_STACK), .ss_size = HANDLER_STACK};
    return stack.ss_sp && hd_rt_syscall(SYS_sigaltstack, (long)&stack, 0, 0, 0, 0, 0) == 0 &&
           hd_rt_real.sigaction(SIGSEGV, &ours, &old) == 0 &&
           (old.sa_handler == SIG_DFL || hd_rt_stack_catches(&old));
}

bool hd_rt_reset_init(const char **why) {
    reset.hot = hd_rt_reset_pages(HOT * sizeof *reset.hot);
    reset.first = hd_rt_reset_pages(HOT * PAGE);
    reset.sums = hd_rt_reset_pages(HOT * sizeof *reset.sums);
    reset.places = hd_rt_reset_pages((size_t)2 * HOT * sizeof *reset.places);
    reset.room = hd_rt_reset_pages(KEPT_ROOM);
    *why = "there is no memory for it";
    if (!reset.hot || !reset.first || !reset.sums || !reset.places || !reset.room)
        return false;
    *why = "it handles faults itself";
    if (!catch_faults())
        return false;
    *why = "the kernel writes to its thread-local memory";
    if (!hd_rt_thread_quiet() || !track_all(why))
        return false;
    reset.ready = true;
    return true;
}

/* --- states --------------------------------------------------------------------------------- */

/* Copies out of the program or into it, and returns the next place in the kept state. */
static char *transfer(char *state, void *live, size_t size, bool back) {
    if (back)
        copy_words(live, state, size);
    else
        copy_words(state, live, size);
    return state + size;
}

static char *transfer_stacks(char *state, bool back) {
    for (uint32_t i = 0; i < hd_rt.live_count; i++) {
        hd_rt_thread *thread = hd_rt.live[i];
        uintptr_t low = thread->stack_pointer & ~(uintptr_t)7;
        state = transfer(state, (void *)low, thread->stack_top - low, back);
    }
    return state;
}

static size_t stacks_size(void) {
    size_t size = 0;
    for (uint32_t i = 0; i < hd_rt.live_count; i++)
        size += hd_rt.live[i]->stack_top - (hd_rt.live[i]->stack_pointer & ~(uintptr_t)7);
    return size;
}

/* What the runtime knows of the run; the threads' stack pointers are in it. */
static char *each_of_runtime(char *state, bool back, hd_rt_transfer *each) {
    state = each(state, &hd_rt, sizeof hd_rt, back);
    state = each(state, &hd_rt_explored, sizeof hd_rt_explored, back);
    state = each(state, &hd_rt.wire->threads, 8, back);
    state = hd_rt_exit_transfer(state, back, each);
    state = hd_rt_stack_transfer(state, back, each);
    state = hd_rt_thread_transfer(state, back, each);
    state = hd_rt_spin_transfer(state, back, each);
    state = hd_rt_draw_transfer(state, back, each);
    state = hd_rt_foreign_transfer(state, back, each);
    return hd_rt_heap_transfer(state, back, each);
}

static char *transfer_runtime(char *state, bool back) {
    return each_of_runtime(state, back, transfer);
}

static char *pass_by(char *state, void *live, size_t size, bool back) {
    (void)live;
    (void)back;
    return state + size;
}

static size_t runtime_size(void) {
    return (size_t)(each_of_runtime(reset.room, false, pass_by) - reset.room);
}

static size_t room_used(void) {
    return reset.kept_count ? reset.kept[reset.kept_count - 1].end : 0;
}

static size_t size_now(void) {
    return runtime_size() + stacks_size() + reset.hot_count * PAGE;
}

/* Only before steps that are taken again: where one run went a second time, others may go. The more
 * steps there are, the farther apart, so that what is kept is some part of what is done. */
bool hd_rt_reset_due(uint32_t step) {
    if (!reset.kept_count)
        return true;
    uint32_t since = step - reset.kept[reset.kept_count - 1].step;
    uint32_t apart = LEAST_STEPS + step / 32;
    return step <= reset.known && since >= apart && reset.kept_count < KEPT &&
           room_used() + size_now() <= KEPT_ROOM;
}

void hd_rt_reset_keep(uint32_t step) {
    if (!reset.kept_count && size_now() > KEPT_ROOM)
        hd_rt_server_give_up(HEDDLE_WIRE_UNSAFE, "its stack is very large");
    kept *it = &reset.kept[reset.kept_count];
    *it = (kept){.step = step, .hot = reset.hot_count, .at = room_used()};
    char *state = transfer_runtime(reset.room + it->at, false);
    state = transfer_stacks(state, false);
    for (uint32_t i = 0; i < reset.hot_count; i++)
        state = transfer(state, (void *)reset.hot[i], PAGE, false);
    it->end = (size_t)(state - reset.room);
    reset.kept_count++;
}

#ifdef HD_RT_FAULTS
/* A build for tests of what looks for such faults: one time of so many, as the environment says,
 * the program's variables are not put back. */
static bool is_forgetful(void) {
    static uint32_t every, times;
    if (!every) {
        const char *text = getenv("HEDDLE_FAULTS");
        every = text && *text > '0' && *text <= '9' ? (uint32_t)(*text - '0') : UINT32_MAX;
    }
    return ++times % every == 0;
}

/* Or stacks stay as they are. */
static bool leaves_stacks(void) {
    const char *text = getenv("HEDDLE_FAULTS");
    return text && *text == 's';
}
#else
static inline bool is_forgetful(void) {
    return false;
}

static inline bool leaves_stacks(void) {
    return false;
}
#endif

static bool is_zero(uintptr_t page) {
    const uint64_t *word = (const uint64_t *)page;
    uint64_t any = 0;
    for (size_t i = 0; i < PAGE / sizeof *word; i++)
        any |= word[i];
    return !any;
}

/* What an earlier run left there would be part of the thread's state (rt_spin.h) where the compiler
 * knows that a word need not be written.  What lies below a page of zeroes is not looked at. */
void hd_rt_reset_stack(const hd_rt_thread *thread) {
    uintptr_t at = thread->stack_top;
    while (at >= thread->wire->stack + PAGE && !is_zero(at - PAGE) && !leaves_stacks()) {
        at -= PAGE;
        hd_rt_zero((void *)at, PAGE);
    }
}

static bool is_variable(uintptr_t page) {
    return page >= hd_rt.wire->module[0].low && page < hd_rt.wire->module[0].high;
}

uint32_t hd_rt_reset_back(uint32_t depth) {
    bool forgets = is_forgetful();
    reset.known = depth;
    while (reset.kept[reset.kept_count - 1].step > depth)
        reset.kept_count--;
    const kept *it = &reset.kept[reset.kept_count - 1];
    char *state = transfer_runtime(reset.room + it->at, true);
    state = transfer_stacks(state, true);
    for (uint32_t i = 0; i < it->hot; i++)
        if (forgets && is_variable(reset.hot[i]))
            state += PAGE;
        else
            state = transfer(state, (void *)reset.hot[i], PAGE, true);
    for (uint32_t i = it->hot; i < reset.hot_count; i++)
        if (!forgets || !is_variable(reset.hot[i]))
            copy_words((void *)reset.hot[i], reset.first + i * PAGE, PAGE);
    return it->step;
}

/* A page that has become hot, and has in it what it always had, adds nothing. */
uint64_t hd_rt_reset_sum(const hd_rt_thread *thread) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < reset.hot_count; i++) {
        uintptr_t page = reset.hot[i], place = thread->thread_pointer;
        if (page + PAGE > place - PAGE && page < place + PAGE)
            continue;
        sum += sum_page(page, (const uint64_t *)page) - reset.sums[i];
    }
    return sum;
}

void hd_rt_reset_forget(void) {
    reset.kept_count = 1;
}
