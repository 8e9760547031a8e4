#include "rt_foreign.h"

#include <malloc.h>
#include <stdio.h>
#include <sys/mman.h>

#include "rt_cancel.h"
#include "rt_descriptor.h"
#include "rt_explore.h"
#include "rt_foreign_state.h"
#include "rt_handle.h"
#include "rt_identity.h"
#include "rt_written.h"

uint32_t hd_rt_foreign_on;

/* --- descriptors ----------------------------------------------------------------------------- */

static bool uses_descriptors(const hd_rt_foreign_line *it) {
    return it->descriptors || it->replaces || it->opens || it->closes || it->ends;
}

static void begin_descriptors(const hd_rt_foreign_line *it, const uintptr_t *arguments,
                              uintptr_t code) {
    bool mapped = it->sort == HD_RT_LINE_MAPPING; /* perhaps of no file */
    for (unsigned rest = it->descriptors; rest; rest &= rest - 1)
        if (!mapped || !(arguments[3] & MAP_ANONYMOUS))
            hd_rt_descriptor_use((int)arguments[__builtin_ctz(rest)], code);
    if (it->ends)
        hd_rt_descriptor_end((int)arguments[it->ends - 1], NULL, code);
    if (it->closes)
        hd_rt_descriptor_end(hd_rt_foreign_file_of(hd_rt_foreign_stream_of(it, arguments)), NULL,
                             code);
    if (it->replaces) {
        hd_rt_descriptor_use((int)arguments[0], code);
        if (hd_rt_descriptor_replaces((int)arguments[0], (int)arguments[it->replaces - 1]))
            hd_rt_descriptor_end((int)arguments[it->replaces - 1], NULL, code);
    }
}

/* Nothing but the call itself is left to be done. */
static void end_descriptors(const hd_rt_foreign_line *it, const uintptr_t *arguments,
                            uintptr_t code) {
    if (it->ends)
        hd_rt_descriptor_gone((int)arguments[it->ends - 1]);
    if (it->closes)
        hd_rt_descriptor_gone(hd_rt_foreign_file_of(hd_rt_foreign_stream_of(it, arguments)));
    if (it->replaces && arguments[0] != arguments[it->replaces - 1])
        hd_rt_descriptor_made((int)arguments[it->replaces - 1], code);
    if (it->opens)
        hd_rt_descriptor_opens(it->opens, code);
}

/* --- the call ------------------------------------------------------------------------------- */

/* The function ends the process itself. */
static void leave_process(const hd_rt_foreign_line *it, const uintptr_t *arguments,
                          uintptr_t code) {
    int status = it->leaves ? (int)arguments[it->leaves - 1] : 0;
    if (it->leaves && (status || !it->perhaps))
        hd_rt_exit_begins(status, code);
}

/* Is it of the sort that reads what is not the same twice?  Whether or not others run. */
static void note_input(const hd_rt_foreign_line *it, uint32_t number, const uintptr_t *arguments) {
    if (it->varies)
        hd_rt_input(hd_rt.wire->callee[number].name);
    else if (it->file && !it->prints && !it->looks)
        hd_rt_input_stream(hd_rt_foreign_stream_of(it, arguments));
    else if (it->sort == HD_RT_LINE_ORDINARY)
        hd_rt_input_file((int)arguments[it->argument]);
}

/* Are bytes of standard output changed by a call that is no write?  An explorer that compares
 * outputs knows how far they were written. */
static void note_place(uint32_t number, const uintptr_t *arguments, uint8_t argument) {
    static const char *const names[] = {"pwrite", "ftruncate", "fallocate", "posix_fallocate"};
    const char *name = hd_rt.wire->callee[number].name;
    bool moves = hd_rt_begins(name, "lseek") &&
                 (arguments[1] || (int)arguments[2] != SEEK_CUR); /* not only asks */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        moves |= hd_rt_begins(name, names[i]);
    if (moves && hd_rt_given_is_output((int)arguments[argument]))
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_PLACES;
}

/* Of all calls, whether or not there are threads. */
static void note_call(const hd_rt_foreign_line *it, uint32_t number, const uintptr_t *arguments) {
    if ((it->varies || it->file || it->sort == HD_RT_LINE_ORDINARY) && !hd_rt_explore->input[0])
        note_input(it, number, arguments);
    if (it->sort == HD_RT_LINE_ORDINARY && !it->looks && hd_rt.wire->prints)
        note_place(number, arguments, it->argument);
    if (it->sort == HD_RT_LINE_MAPPING)
        hd_rt_foreign_map_made(number, arguments);
    if (it->allocator == HD_RT_LINE_ALLOCATES ||
        (it->allocator == HD_RT_LINE_PERTURBS && (int)arguments[0] == M_PERTURB))
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_ALLOCATOR;
}

static bool is_cancelled(const hd_rt_foreign_line *it, uint32_t number, const uintptr_t *arguments,
                         uintptr_t code) {
    return it->sort == HD_RT_LINE_STREAM
               ? !it->looks && hd_rt_cancel_stream(code)
               : hd_rt_cancel_call(hd_rt.wire->callee[number].name, arguments, code);
}

static uintptr_t meet_call(uint32_t number, const uintptr_t *arguments, uintptr_t code) {
    uintptr_t target = hd_rt_foreign_targets[number];
    const hd_rt_foreign_line *it = hd_rt_foreign_known(number);
    bool files = uses_descriptors(it);
    if (it->method && hd_rt_written)
        hd_rt_written_object(arguments[0]);
    if (!hd_rt.exploring) {
        if (it->sort == HD_RT_LINE_WHOLE && hd_rt_string_on())
            hd_rt_foreign_unknown(number);
        if (files)
            begin_descriptors(it, arguments, code);
        if (it->races) {
            hd_rt_handle_buffers(it->races, it->looks, code);
            if (hd_rt_handle_shares(it->races))
                hd_rt_foreign_unknown(number);
        }
        if (*it->memory && hd_rt_string_on())
            hd_rt_foreign_memory(it->memory, arguments, number, false, code);
        if (files)
            end_descriptors(it, arguments, code);
        return target;
    }
    note_call(it, number, arguments);
    if (!hd_rt_explored.births || !hd_rt_controlled()) {
        leave_process(it, arguments, code);
        if (files)
            end_descriptors(it, arguments, code);
        if (it->closes)
            hd_rt_kept_close(hd_rt_foreign_stream_of(it, arguments));
        return target;
    }
    uint32_t taken = hd_rt.current->taken;
    bool shares = false;
    hd_rt_foreign_enter();
    hd_rt.wire->callee[number].calls++;
    hd_rt_settle();
    if (HD_RT_UNLIKELY(hd_rt_explore->exits & HEDDLE_WIRE_CANCELS) &&
        is_cancelled(it, number, arguments, code))
        return (uintptr_t)hd_rt_cancel_now;
    if (HD_RT_UNLIKELY(hd_rt_audit_on))
        hd_rt_audit_call(number, it->sort == HD_RT_LINE_NONE && !it->counts);
    if (files)
        begin_descriptors(it, arguments, code);
    if (it->races) /* no part of what the function does, so the steps after it are as without it */
        hd_rt_handle_buffers(it->races, it->looks, code);
    taken = hd_rt.current->taken;
    if (*it->memory && !hd_rt.ended)
        shares = hd_rt_foreign_memory(it->memory, arguments, number, it->sort != HD_RT_LINE_NONE,
                                      code) > 0;
    hd_rt_foreign_use_state(it, number, arguments, code);
    if ((shares || hd_rt_foreign_flushes_too(it)) && !hd_rt.ended)
        hd_rt_foreign_join(taken, code);
    leave_process(it, arguments, code);
    if (it->closes)
        hd_rt_kept_close(hd_rt_foreign_stream_of(it, arguments));
    if (files)
        end_descriptors(it, arguments, code);
    hd_rt.current->callee = it->sort != HD_RT_LINE_NONE ? (uint16_t)(number + 1) : 0;
    if (hd_rt.current->taken != taken && it->sort != HD_RT_LINE_WHOLE)
        hd_rt_foreign_stay(arguments, code);
    return target;
}

/* The program was told numbers of the process and its threads that are not the system's. */
static void translate(uint32_t number, uintptr_t *arguments) {
    const hd_rt_foreign_line *it = hd_rt_foreign_known(number);
    const char *name = hd_rt.wire->callee[number].name;
    bool files = it->opens || it->address == hd_rt_foreign_kept(HEDDLE_WIRE_KEPT_files);
    unsigned path = 0, numbers = 0;
    for (const char *text = it->memory; files && !path && *text; text++)
        if (text[0] == ' ' && text[1] == 'z')
            path = (unsigned)(text[2] - '0');
    if (hd_rt_begins(name, "setp") || hd_rt_begins(name, "getpr"))
        numbers = 2; /* setpgid, and of the priorities the second */
    else if (it->address == hd_rt_foreign_kept(HEDDLE_WIRE_KEPT_process) ||
             hd_rt_begins(name, "process_vm") || hd_rt_begins(name, "prlimit") ||
             hd_rt_begins(name, "pidfd_open"))
        numbers = 1;
    hd_rt_identity_translate(arguments, numbers, path);
}

uintptr_t hd_rt_foreign_call(uint32_t number, uintptr_t *arguments, uintptr_t code) {
    uintptr_t target = meet_call(number, arguments, code);
    if (HD_RT_UNLIKELY(hd_rt_identity_asked))
        translate(number, arguments);
    return target;
}

/* The steps of the call are taken; a lock that it takes itself comes after them, and its changes
 * come after that. */
void hd_rt_foreign_inside(const hd_rt_thread *thread) {
    const heddle_wire_operation *pending = &thread->wire->pending;
    bool locks = pending->kind == HEDDLE_ACQUIRE + 1 || pending->kind == HEDDLE_READ_ACQUIRE + 1;
    if (!locks || !hd_rt_got_known(pending->code) || hd_rt_explore->locking[0])
        return;
    const char *name = hd_rt.wire->callee[thread->callee - 1].name;
    for (size_t i = 0; i + 1 < sizeof hd_rt_explore->locking && name[i]; i++)
        hd_rt_explore->locking[i] = name[i];
}

void hd_rt_foreign_renew(void) {
    static uint32_t caught;
    hd_rt_audit_begin();
    if (caught == hd_rt_explore->caught)
        return;
    caught = hd_rt_explore->caught;
    for (uint32_t i = 0; i < hd_rt.wire->callees && i < HEDDLE_WIRE_CALLEES; i++)
        if (hd_rt.wire->callee[i].known == HEDDLE_WIRE_CAUGHT)
            hd_rt_foreign_whole(i);
}

void hd_rt_foreign_begin(void) {
    hd_rt_foreign_on = 1;
    hd_rt_foreign_renew();
}
