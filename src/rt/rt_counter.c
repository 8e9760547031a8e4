/*
 * Counters of the processor that count by themselves: the time stamp counter, the virtual and the
 * physical counter, the counter of cycles.  Code reads them by an instruction, which cannot be seen
 * when it is done, so it is looked for in the code when that is loaded.  A loop that waits may then
 * wait until some time has passed.
 */
#include "rt_counter.h"

#if defined __x86_64__
/* shl $32 of a 64-bit register. */
static bool is_shift(const uint8_t *at) {
    return (at[0] & 0xfe) == 0x48 && at[1] == 0xc1 && (at[2] & 0xf8) == 0xe0 && at[3] == 0x20;
}

/* Instructions begin anywhere, so two bytes prove nothing: the halves must be put together, too. */
bool hd_rt_counter_in(const void *code, size_t size) {
    enum { NEAR = 24, SHIFT = 4 };
    const uint8_t *at = code;
    for (size_t i = 0; i + 3 <= size; i++) {
        bool rdtsc = at[i] == 0x0f && at[i + 1] == 0x31;
        bool rdtscp = at[i] == 0x0f && at[i + 1] == 0x01 && at[i + 2] == 0xf9;
        for (size_t k = i + 2; (rdtsc || rdtscp) && k < i + NEAR && k + SHIFT <= size; k++)
            if (is_shift(at + k))
                return true;
    }
    return false;
}
#else
/* mrs of cntvct_el0, cntpct_el0, cntvctss_el0, cntpctss_el0 or pmccntr_el0, to any register. */
bool hd_rt_counter_in(const void *code, size_t size) {
    static const uint32_t reads[] = {0xd53be040, 0xd53be020, 0xd53be0c0, 0xd53be0a0, 0xd53b9d00};
    const uint32_t *at = code;
    for (size_t i = 0; i < size / sizeof *at; i++)
        for (size_t k = 0; k < sizeof reads / sizeof *reads; k++)
            if ((at[i] & ~UINT32_C(31)) == reads[k])
                return true;
    return false;
}
#endif
