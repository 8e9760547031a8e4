/*
 * One run along decisions, in the process that was started, for people who look at it: under
 * a debugger, or through its full record.  No step is logged for an explorer, no child is
 * forked, and input and output are those of the terminal.  Or along the events of a recording
 * (rt_follow.c), likewise.
 *
 * The debugger stops at heddle_rt_stopped, which is called where the run is to be looked at.
 * heddle_rt_debug tells it where threads are; rt_gdb.py has the other half of it.
 */
#include "rt.h"
#include "rt_real.h"

typedef struct hd_rt_debug {
    uint32_t version;
    uint32_t most; /* threads */
    hd_rt_thread **threads;
    hd_rt_state *state;
    /* Offsets. */
    uint32_t state_current, state_wire;
    uint32_t thread_stack_pointer, thread_wire, thread_id;
    uint32_t wire_state, wire_creator, wire_birth, wire_pending, wire_name;
    uint32_t pending_kind, pending_address, pending_code;
    uint32_t steps; /* in what `counts` points to */
    void *counts;
} hd_rt_debug;

HD_RT_EXPORT hd_rt_debug heddle_rt_debug;

HD_RT_EXPORT __attribute__((noinline)) void heddle_rt_stopped(void) {
    HD_RT_BARRIER();
}

void hd_rt_replay_stop(void) {
    if (hd_rt.watched)
        heddle_rt_stopped();
}

/* The stack of main has another place in every environment; its words are told from its
 * top. */
static void share_nears(heddle_wire_explore *explore) {
    const heddle_wire_thread *first = &hd_rt.wire->thread[0];
    uint64_t top = first->stack + first->stack_size;
    for (uint32_t i = 0; i < explore->nears; i++) {
        uint64_t state = explore->near[i] & HEDDLE_WIRE_STATE;
        heddle_wire_share(explore, (top - (explore->near[i] & ~HEDDLE_WIRE_STATE)) / 8 | state);
    }
}

/* So has the code.  A debugger may start the program more than once. */
static void place_code(heddle_wire_explore *explore) {
    if (explore->placed)
        return;
    explore->placed = 1;
    for (uint32_t i = 0; i < explore->loops; i++)
        explore->loop[i].code += hd_rt.code;
    for (uint32_t i = 0; i < explore->copies; i++)
        explore->copy[i] += hd_rt.code;
    for (uint32_t i = 0; i < explore->sections; i++)
        explore->section[i].code += hd_rt.code;
}

/* Where a debugger finds threads; `steps` is a 32-bit number in `counts`. */
static void tell_debugger(uint32_t threads, void *counts, uint32_t steps) {
    hd_rt.watched = true;
    heddle_rt_debug = (hd_rt_debug){
        .version = 1,
        .most = threads,
        .threads = hd_rt_thread_table(),
        .state = &hd_rt,
        .state_current = offsetof(hd_rt_state, current),
        .state_wire = offsetof(hd_rt_state, wire),
        .thread_stack_pointer = offsetof(hd_rt_thread, stack_pointer),
        .thread_wire = offsetof(hd_rt_thread, wire),
        .thread_id = offsetof(hd_rt_thread, id),
        .wire_state = offsetof(heddle_wire_thread, state),
        .wire_creator = offsetof(heddle_wire_thread, creator),
        .wire_birth = offsetof(heddle_wire_thread, birth),
        .wire_pending = offsetof(heddle_wire_thread, pending),
        .wire_name = offsetof(heddle_wire_thread, name),
        .pending_kind = offsetof(heddle_wire_operation, kind),
        .pending_address = offsetof(heddle_wire_operation, address),
        .pending_code = offsetof(heddle_wire_operation, code),
        .steps = steps,
        .counts = counts,
    };
}

void hd_rt_replay_events(void) {
    if (hd_rt.wire->watched)
        tell_debugger(HEDDLE_WIRE_THREADS, hd_rt.wire, offsetof(heddle_wire, events_made));
}

void hd_rt_replay_begin(heddle_wire_explore *explore) {
    hd_rt.alone = true;
    hd_rt.lane.full = !explore->recorded;
    hd_rt.calls = hd_rt.wire->calls && explore->recorded;
    share_nears(explore);
    place_code(explore);
    tell_debugger(HEDDLE_WIRE_EXPLORED, explore, offsetof(heddle_wire_explore, steps));
}
