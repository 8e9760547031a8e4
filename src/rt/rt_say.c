/*
 * What a run says beside its output (heddle_wire_saying), for who compares how runs end: marks,
 * notes, inputs, and which parts of standard output are in blocks of any order.  None of it is a
 * step: what a thread marks is determined by what it read, and the tool compares the marks of each
 * thread for itself.  But such a run cannot be predicted, so it counts as unseen.
 */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rt_explore.h"
#include "rt_kernel.h"

static bool on(uint32_t least) {
    return hd_rt.exploring && hd_rt.wire->says >= least && hd_rt_controlled();
}

/* Where standard output is at. */
static uint64_t position(void) {
    if (!hd_rt_explore->captured)
        return 0;
    if (hd_rt_explore->reset == HEDDLE_WIRE_BY_MEMORY)
        return hd_rt_explored.written;
    long at = hd_rt_syscall(SYS_lseek, STDOUT_FILENO, 0, SEEK_CUR, 0, 0, 0);
    return at > 0 ? (uint64_t)at : 0;
}

static uint32_t length_of(const char *label) {
    enum { MOST = 255 };
    uint32_t length = 0;
    while (length < MOST && label[length])
        length++;
    return length;
}

/* Byte by byte: the compiler must not call memcpy, which is interposed. */
static void put(unsigned char *to, const void *from, uint32_t size) {
    for (uint32_t i = 0; i < size; i++)
        ((volatile unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

static void say(unsigned kind, const char *label, int64_t value, uintptr_t code) {
    uint32_t length = length_of(label);
    uint32_t size = (uint32_t)(sizeof(heddle_wire_saying) + length + 7) / 8 * 8;
    heddle_wire_saying it = {.at = position(),
                             .value = value,
                             .code = code,
                             .thread = hd_rt.current->id,
                             .kind = (uint16_t)kind,
                             .label = (uint16_t)length};
    hd_rt_spin_forget(hd_rt.current);
    hd_rt_explore->unseen = 1;
    if (hd_rt_explored.said + size > HEDDLE_WIRE_SAYINGS) {
        hd_rt_explore->said_lost = 1;
        return;
    }
    unsigned char *to = hd_rt_explore->saying + hd_rt_explored.said;
    put(to, &it, sizeof it);
    put(to + sizeof it, label, length);
    hd_rt_explore->said = hd_rt_explored.said += size;
}

void hd_rt_say_mark(const char *label, bool has_value, int64_t value, uintptr_t code) {
    if (on(HEDDLE_WIRE_SAYS_MARKS) && label)
        say(has_value ? HEDDLE_WIRE_SAID_NOTE : HEDDLE_WIRE_SAID_MARK, label, value, code);
}

void hd_rt_say_input(int64_t value) {
    if (on(HEDDLE_WIRE_SAYS_INPUTS))
        say(HEDDLE_WIRE_SAID_INPUT, "", value, 0);
}

/* What others have in the buffer of the stream was printed before. */
void hd_rt_say_output(uintptr_t code) {
    if (!on(HEDDLE_WIRE_SAYS_MARKS))
        return;
    bool any_order = hd_rt.current->any_order > 0;
    if (hd_rt.wire->says < HEDDLE_WIRE_SAYS_PLACES)
        code = 0;
    if (any_order == hd_rt_explored.any_order && code == hd_rt_explored.output_code)
        return;
    fflush_unlocked(stdout);
    hd_rt_explored.any_order = any_order;
    hd_rt_explored.output_code = code;
    say(any_order ? HEDDLE_WIRE_SAID_ANY_ORDER : HEDDLE_WIRE_SAID_IN_ORDER, "", 0, code);
}

/* heddle/mark.h declares it weak, for programs. */
HD_RT_EXPORT void heddle_rt_any_order(int begins);
void heddle_rt_any_order(int begins) {
    if (!hd_rt_controlled())
        return;
    uint8_t *deep = &hd_rt.current->any_order;
    if (begins && *deep < UINT8_MAX)
        ++*deep;
    else if (!begins && *deep)
        --*deep;
}
