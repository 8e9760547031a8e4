/*
 * setjmp and longjmp: how calls end that do not return (rt_calls.c).  The stack pointer that
 * a jump goes back to is kept when it is set: what the C library keeps in the buffer is
 * scrambled.
 *
 * Functions like setjmp return twice, so they cannot be wrapped in C: rt_arch.S asks here for the
 * real one and goes there.
 */
#include "rt_calls.h"
#include "rt_real.h"
#include "rt_signal.h"

/* Buffers that were set last.  Of one that is not there any more the calls are ended by the
 * next function that begins or ends. */
enum { BUFFERS = 1 << 12 };

static struct { uintptr_t buffer, frame; } buffers[BUFFERS];

static unsigned place_of(uintptr_t buffer) {
    return (unsigned)(buffer * UINT64_C(0x9e3779b97f4a7c15) >> 40) % BUFFERS;
}

/* From rt_arch.S: the buffer, the stack pointer of who sets it, and which one of them. */
__attribute__((visibility("hidden"))) void *hd_rt_jump_set(uintptr_t buffer, uintptr_t frame,
                                                           unsigned which);

void *hd_rt_jump_set(uintptr_t buffer, uintptr_t frame, unsigned which) {
    static const char *const names[] = {"setjmp", "_setjmp", "__sigsetjmp"};
    static void *real[sizeof names / sizeof *names];
    if (!real[which])
        real[which] = hd_rt_real_symbol(names[which]);
    if (hd_rt.calls) {
        buffers[place_of(buffer)].buffer = buffer;
        buffers[place_of(buffer)].frame = frame;
    }
    return real[which];
}

static void jump(uintptr_t buffer) {
    hd_rt_signal_jump();
    if (hd_rt.calls && hd_rt_self && buffers[place_of(buffer)].buffer == buffer)
        hd_rt_calls_below(hd_rt_self, buffers[place_of(buffer)].frame);
}

#define LONGJMP(name)                                                                              \
    HD_RT_EXPORT _Noreturn void name(void *buffer, int value) {                                    \
        jump((uintptr_t)buffer);                                                                   \
        hd_rt_real.name(buffer, value);                                                            \
        __builtin_unreachable();                                                                   \
    }

// clang-format off
LONGJMP(longjmp)
LONGJMP(_longjmp)
LONGJMP(siglongjmp)
LONGJMP(__longjmp_chk)
// clang-format on
