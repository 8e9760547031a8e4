/*
 * setjmp and longjmp: how calls end that do not return (rt_calls.c).  The stack pointer that
 * a jump goes back to is kept when it is set: what the C library keeps in the buffer is
 * scrambled.
 *
 * Functions like setjmp return twice, so they cannot be wrapped in C: rt_arch.S asks here for the
 * real one and goes there.
 */
#include <setjmp.h>
#include <stddef.h>

#include "rt_aside.h"
#include "rt_calls.h"
#include "rt_explore.h"
#include "rt_real.h"
#include "rt_signal.h"

/* Buffers that were set last.  Of one that is not there any more the calls are ended by the
 * next function that begins or ends. */
enum { BUFFERS = 1 << 12 };

static struct { uintptr_t buffer, frame; } buffers[BUFFERS];

static unsigned place_of(uintptr_t buffer) {
    return (unsigned)(buffer * UINT64_C(0x9e3779b97f4a7c15) >> 40) % BUFFERS;
}

enum { SETJMP, SETJMP_BARE, SIGSETJMP, WAYS };

/* What is written of a buffer, and read again: registers, whether there is a mask, and that. */
static size_t size_of(bool mask) {
    return offsetof(struct __jmp_buf_tag, __saved_mask) + (mask ? sizeof(uint64_t) : 0);
}

static void will_write(uintptr_t buffer, size_t size, uintptr_t code) {
    if (!hd_rt.exploring || hd_rt.ended || !hd_rt_controlled())
        return;
    if (hd_rt_explore_shares((const void *)buffer, size))
        hd_rt_explore_unseen(); /* values that are no run's own */
    hd_rt_explore_access(HEDDLE_WRITE + 1, (const void *)buffer, size, code);
}

/* From rt_arch.S: the buffer, the stack pointer of who sets it, which one of them, of SIGSETJMP
 * whether the mask is kept, and where it returns to. */
__attribute__((visibility("hidden"))) void *
hd_rt_jump_set(uintptr_t buffer, uintptr_t frame, unsigned which, int mask, uintptr_t code);

void *hd_rt_jump_set(uintptr_t buffer, uintptr_t frame, unsigned which, int mask, uintptr_t code) {
    static const char *const names[WAYS] = {"setjmp", "_setjmp", "__sigsetjmp"};
    static void *real[WAYS];
    if (!real[which])
        real[which] = hd_rt_real_symbol(names[which]);
    will_write(buffer, size_of(which == SETJMP || (which == SIGSETJMP && mask)), code);
    if (hd_rt.calls) {
        buffers[place_of(buffer)].buffer = buffer;
        buffers[place_of(buffer)].frame = frame;
    }
    return real[which];
}

static void jump(uintptr_t buffer, uintptr_t code) {
    const struct __jmp_buf_tag *it = (const struct __jmp_buf_tag *)buffer;
    hd_rt_fetch(it, size_of(it->__mask_was_saved), code);
    hd_rt_signal_jump(it->__mask_was_saved);
    if (hd_rt.calls && hd_rt_self && buffers[place_of(buffer)].buffer == buffer)
        hd_rt_calls_below(hd_rt_self, buffers[place_of(buffer)].frame);
}

/* Under another name: setjmp.h declares them with a type of its own. */
#define LONGJMP(name)                                                                              \
    HD_RT_EXPORT _Noreturn void hd_rt_jump_##name(void *buffer, int value) __asm__(#name);         \
    void hd_rt_jump_##name(void *buffer, int value) {                                              \
        jump((uintptr_t)buffer, HD_RT_CODE());                                                     \
        hd_rt_real.name(buffer, value);                                                            \
        __builtin_unreachable();                                                                   \
    }

// clang-format off
LONGJMP(longjmp)
LONGJMP(_longjmp)
LONGJMP(siglongjmp)
LONGJMP(__longjmp_chk)
// clang-format on
