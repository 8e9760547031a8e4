/*
 * What a known function without instrumentation does within its call.
 *
 * The steps of a call are taken before the function runs, for all that the table says it does
 * (rt_foreign.h).  Libraries themselves call functions that the runtime interposes, such as memcpy,
 * pthread_once or fwrite.  If such a call was a step, too, others could come there, in the middle
 * of the function, while what it does after that is still to be done, with no step to stand for it:
 * an order of the whole calls would be missing.
 *
 * So within a call that had steps
 *
 * - an access to what these steps were about, or to a block that was allocated since, is none;
 * - nor is output, if the call had a step on what is printed;
 * - any other access is a step that depends on all others.
 *
 * Data of its own that a known library accesses is no step anywhere: the table says what state that
 * is.  Nor is an initialisation that it has done once, as nobody sees who did it.
 *
 * A call is over when its return address is not on the stack any more.  Where architectures have it
 * in a register that is not known, and every access by a library counts as one of the last call.
 */
#include "rt_arch.h"
#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_foreign_steps.h"
#include "rt_heap.h"

/* What the steps of a thread's last call were about; and where its return address was. */
enum { RANGES = 8 };
typedef struct cover {
    const uintptr_t *at;
    uintptr_t code;
    uint32_t count;
    bool prints;
    struct {
        uintptr_t low, high;
    } range[RANGES];
} cover;

static cover covers[HEDDLE_WIRE_EXPLORED];
static bool any; /* is one used? */

static cover *own_cover(void) {
    return &covers[hd_rt.current->id];
}

void hd_rt_foreign_enter(void) {
    hd_rt.current->strays = false;
    own_cover()->count = 0;
    own_cover()->prints = false;
}

void hd_rt_foreign_cover(uintptr_t at, size_t size) {
    cover *it = own_cover();
    any = true;
    if (!size || it->count == RANGES)
        return;
    it->range[it->count].low = at;
    it->range[it->count++].high = at + size;
}

void hd_rt_foreign_cover_output(void) {
    own_cover()->prints = true;
}

void hd_rt_foreign_stay(const uintptr_t *arguments, uintptr_t code) {
    any = true;
    hd_rt.current->strays = true;
    own_cover()->at = &arguments[HD_RT_ARCH_STACKED - 1];
    own_cover()->code = code;
}

/* Is the return address, which lies before the arguments on the stack, still there? */
static bool is_within(void) {
#if defined __x86_64__
    const cover *it = own_cover();
    return hd_rt.current->strays && *it->at == it->code &&
           (uintptr_t)__builtin_frame_address(0) < (uintptr_t)it->at;
#else
    return hd_rt.current->strays;
#endif
}

static bool is_covered(uintptr_t at, size_t size) {
#if defined __x86_64__
    const cover *it = own_cover();
    for (uint32_t i = 0; i < it->count; i++)
        if (at >= it->range[i].low && at + size <= it->range[i].high)
            return true;
#else
    (void)at;
    (void)size;
#endif
    return false;
}

/* All functions of the library are known. */
static bool is_known(uintptr_t code) {
    return hd_rt_got_known(code) && hd_rt_got_inside(code) == HEDDLE_WIRE_MODULES;
}

enum hd_rt_within hd_rt_foreign_access(const volatile void *address, size_t size, uintptr_t code) {
    bool within = HD_RT_UNLIKELY(hd_rt.current->strays) && is_within();
    bool data = !hd_rt_heap_ours((const void *)address) && !hd_rt_explore_on_stack(address);
    if ((!within && !data) || !is_known(code))
        return HD_RT_APART;
    if (data && hd_rt_got_private((uintptr_t)address))
        return HD_RT_PRIVATE;
    if (!within)
        return HD_RT_APART;
    return is_covered((uintptr_t)address, size) ? HD_RT_COVERED : HD_RT_AMIDST;
}

void hd_rt_foreign_allocated(const void *block, size_t size) {
    if (hd_rt.exploring && hd_rt_controlled() && is_within())
        hd_rt_foreign_cover((uintptr_t)block, size);
}

bool hd_rt_foreign_printed(int file, uintptr_t code) {
#if defined __x86_64__
    return hd_rt.exploring && hd_rt_controlled() && is_within() && own_cover()->prints &&
           is_known(code) && hd_rt_given_is_compared(file);
#else
    (void)file;
    (void)code;
    return false;
#endif
}

bool hd_rt_foreign_initialises(uintptr_t code) {
    return hd_rt.exploring && is_known(code);
}

char *hd_rt_foreign_transfer(char *state, bool back, hd_rt_transfer *transfer) {
    static uint64_t count;
    count = any ? hd_rt.wire->threads : 0;
    state = transfer(state, &count, sizeof count, back);
    return transfer(state, covers, count * sizeof *covers, back);
}
