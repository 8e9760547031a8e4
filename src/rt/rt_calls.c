/*
 * Where functions begin and end, for the stack of each event.  Instrumented functions announce it;
 * it is recorded among the events of the thread and packed like them, so that most calls take no
 * byte.
 *
 * Not every function that began says when it ends: longjmp skips some, and so does a thread that
 * changes to another stack.  So each is kept with its frame's address. Stacks grow downwards, hence
 * a function that begins or ends at one address has outlived all that began below it, and these are
 * ended first; and a longjmp ends those below where it goes (rt_jump.c).
 *
 * Frames that are there when others may run have the variables that others may see: where they
 * are is kept for the variables' names.
 */
#define HD_RT_OFTEN
#include "rt_calls.h"

#include "rt_real.h"
#include "rt_string.h"

/* The most calls of all threads together, so that a reader of the record needs no more: those
 * beyond are left out, and that is reported. */
enum { FIRST_ROOM = 256, MOST_CALLS = HEDDLE_WIRE_CALLS, LONGEST_RUN = 1 << 17 };

static uint64_t room_taken; /* calls that there is memory for */

static bool grow(hd_rt_thread *self) {
    uint64_t room = (uint64_t)(self->call_end - self->calls);
    uint64_t wanted = room ? 2 * room : FIRST_ROOM;
    hd_rt_call *calls = NULL;
    if (__atomic_add_fetch(&room_taken, wanted - room, __ATOMIC_RELAXED) <= MOST_CALLS)
        calls = hd_rt_pages(wanted * sizeof *calls);
    if (!calls) {
        __atomic_sub_fetch(&room_taken, wanted - room, __ATOMIC_RELAXED);
        hd_rt.wire->calls_lost = 1;
        return false;
    }
    if (room)
        hd_rt_copy(calls, self->calls, room * sizeof *calls);
    else
        calls[room++] = (hd_rt_call){.frame = UINTPTR_MAX, .shown = true};
    if (self->calls)
        hd_rt_real.munmap(self->calls, (wanted / 2) * sizeof *calls);
    self->calls = calls;
    self->call_top = calls + room;
    self->call_end = calls + wanted;
    return true;
}

void hd_rt_calls_ended(hd_rt_thread *self) {
    if (!self->calls)
        return;
    uint64_t room = (uint64_t)(self->call_end - self->calls);
    __atomic_sub_fetch(&room_taken, room, __ATOMIC_RELAXED);
    hd_rt_real.munmap(self->calls, room * sizeof *self->calls);
    self->calls = self->call_top = self->call_end = NULL;
}

/* The number of the site, 0 if there is no place for it.  `from`: a function that was entered
 * there ends. */
static inline uint32_t put_site(uint64_t key, uint32_t from) {
    hd_rt_lane *lane = hd_rt_own;
    int64_t left = lane->left;
    if (HD_RT_UNLIKELY(left == HD_RT_BUSY))
        return 0;
    lane->left = HD_RT_BUSY;
    HD_RT_BARRIER();
    hd_rt_settle_lane(lane);
    heddle_pack *pack = &lane->pack;
    heddle_pack_site *site = pack->last->next;
    uint32_t number = heddle_pack_number(pack, site);
    if (HD_RT_UNLIKELY(site->key != key || lane->full ||
                       HEDDLE_WIRE_TAIL_RUN(*lane->tail) > LONGEST_RUN))
        number = hd_rt_record_call(lane, key, &left);
    else {
        pack->last = site;
        lane->chunk->silent++;
        HD_RT_BARRIER();
        ++*lane->tail;
    }
    if (number)
        heddle_pack_return(pack, from);
    HD_RT_BARRIER();
    lane->left = left;
    return number;
}

static inline void leave(hd_rt_thread *self) {
    uint32_t from = (--self->call_top)->site;
    if (from)
        put_site(heddle_pack_key(HEDDLE_WIRE_LEAVE, 0, 0), from);
}

void hd_rt_calls_below(hd_rt_thread *self, uintptr_t frame) {
    if (!self->calls)
        return;
    self->calls_beyond = 0;
    while (self->call_top[-1].frame < frame)
        leave(self);
}

/* --- whose variables others may see ---------------------------------------------------------- */

/* Which functions the wire has: their numbers + 1 by hash, then the next free place. */
enum { PLACES = 2 * HEDDLE_WIRE_FUNCTIONS };
static uint32_t places[PLACES];

static bool is_same(const heddle_wire_function *a, const heddle_wire_function *b) {
    return a->stack == b->stack && a->code == b->code && a->frame == b->frame &&
           a->thread == b->thread;
}

/* Of a free run several threads are here at once; only one of them has frames of its own. */
static void show(const hd_rt_thread *self, const hd_rt_call *call) {
    heddle_wire *wire = hd_rt.wire;
    heddle_wire_function it = {
        .stack = call->frame, .frame = call->pointer, .code = call->code, .thread = self->id};
    uint64_t hash = ((it.stack >> 3) + it.code * 31) * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    uint32_t number = 0;
    for (uint32_t place = (uint32_t)hash % PLACES;; place = (place + 1) % PLACES) {
        uint32_t taken = __atomic_load_n(&places[place], __ATOMIC_ACQUIRE);
        if (taken && is_same(&wire->function[taken - 1], &it))
            return;
        if (taken)
            continue;
        if (!number) {
            number = __atomic_add_fetch(&wire->functions, 1, __ATOMIC_RELAXED);
            if (number > HEDDLE_WIRE_FUNCTIONS) { /* that is told by the number */
                __atomic_store_n(&wire->functions, HEDDLE_WIRE_FUNCTIONS + 1, __ATOMIC_RELAXED);
                return;
            }
            heddle_wire_function *to = &wire->function[number - 1];
            to->stack = it.stack;
            to->frame = it.frame;
            to->thread = it.thread;
            __atomic_store_n(&to->code, it.code, __ATOMIC_RELEASE);
        }
        if (__atomic_compare_exchange_n(&places[place], &taken, number, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            return;
    }
}

void hd_rt_calls_show_all(const hd_rt_thread *self) {
    for (hd_rt_call *call = self->call_top - 1; !call->shown; call--) {
        show(self, call);
        call->shown = true;
    }
}

HD_RT_EXPORT void __tsan_func_entry(void *caller) {
    if (HD_RT_LIKELY(!hd_rt.calls))
        return;
    hd_rt_thread *self = hd_rt_self;
    uintptr_t frame = (uintptr_t)__builtin_dwarf_cfa();
    if (HD_RT_UNLIKELY(!self))
        return;
    if (HD_RT_UNLIKELY(self->call_top == self->call_end) && !grow(self)) {
        self->calls_beyond++;
        return;
    }
    if (HD_RT_UNLIKELY(self->call_top[-1].frame <= frame))
        hd_rt_calls_below(self, frame + 1);
    uint32_t site = put_site(heddle_pack_key(HEDDLE_WIRE_ENTER, 0, (uintptr_t)caller), 0);
    /* What was here before is often the same function. */
    hd_rt_call *call = self->call_top++;
    uintptr_t code = HD_RT_CODE(), pointer = *(const uintptr_t *)__builtin_frame_address(0);
    bool shown =
        call->shown && call->frame == frame && call->code == code && call->pointer == pointer;
    *call = (hd_rt_call){.frame = frame,
                         .site = site,
                         .caller = (uint32_t)(uintptr_t)caller,
                         .code = code,
                         .pointer = pointer,
                         .shown = shown};
}

/* The frame is that of the function that ends; or of its caller, if it has left its own
 * already and we return there: then its entry is below the frame, the last one that is. */
HD_RT_EXPORT void __tsan_func_exit(void) {
    if (HD_RT_LIKELY(!hd_rt.calls))
        return;
    hd_rt_thread *self = hd_rt_self;
    uintptr_t frame = (uintptr_t)__builtin_dwarf_cfa();
    if (HD_RT_UNLIKELY(!self || !self->calls))
        return;
    if (HD_RT_UNLIKELY(self->calls_beyond)) {
        self->calls_beyond--;
        return;
    }
    const hd_rt_call *top = self->call_top - 1;
    if (top->frame < frame) {
        while (top[-1].frame < frame)
            top--;
        bool gone = top->caller == (uint32_t)HD_RT_CODE();
        hd_rt_calls_below(self, frame);
        if (gone)
            return;
    }
    if (HD_RT_LIKELY(self->call_top[-1].frame != UINTPTR_MAX)) /* else it began before us */
        leave(self);
}
