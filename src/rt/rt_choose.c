/*
 * Inputs that the program asks for by name: heddle_choose (heddle/mark.h), and
 * __VERIFIER_nondet_... of SV-COMP.  In an explored program each is a step, and the search tries
 * every value.  A recorded run draws them from its seed; a thread's n-th input is the same in every
 * schedule then.
 */
#include "rt_choose.h"

#include <limits.h>

#include "rt_compare.h"
#include "rt_explore.h"
#include "rt_misuse.h"
#include "rt_real.h"

enum { WAYS = HEDDLE_WIRE_WAYS, USUAL = 5 };

_Static_assert(HEDDLE_WIRE_INPUTS < 1 << 11, "hd_rt_thread.given counts them");

static const int64_t usual[USUAL] = {0, 1, -1, 2, 3};

/* ---- Drawing ---- */

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The same for a thread's n-th input in every schedule. */
static uint64_t drawn(uint64_t seed, const hd_rt_thread *thread, uint64_t number) {
    uint64_t z = mix(seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)thread->wire->creator * 65537 +
                     thread->wire->birth);
    return mix(z + number * UINT64_C(0x9e3779b97f4a7c15));
}

/* Mostly small, as programs branch on these. */
static uint64_t drawn_number(uint64_t z) {
    switch (z & 3) {
    case 0:
        return z >> 8 & 1;
    case 1:
        return z >> 8 & 15;
    case 2:
        return (z >> 8 & 31) - 16;
    default:
        return mix(z);
    }
}

/* ---- In atomic sections ---- */

static hd_rt_chosen current; /* of the section that runs */

static heddle_wire_section *find_section(uintptr_t place) {
    heddle_wire_section *all = hd_rt_explore->section;
    for (uint32_t i = 0; i < hd_rt_explore->sections; i++)
        if (all[i].code == place)
            return &all[i];
    return NULL;
}

/* The section asks for an input that was not chosen before it, or had fewer values then. */
static void note_input(uint32_t number, uint32_t ways) {
    heddle_wire_explore *explore = hd_rt_explore;
    heddle_wire_section *section = find_section(current.place);
    if (!section && explore->sections < HEDDLE_WIRE_SECTIONS) {
        section = &explore->section[explore->sections++];
        *section = (heddle_wire_section){.code = current.place};
    }
    if (!section || number >= HEDDLE_WIRE_DRAWS) {
        hd_rt.wire->asked |= HEDDLE_WIRE_ASKED_FIRST;
    } else if (section->found[number] < ways) {
        section->found[number] = (uint8_t)ways;
        explore->section_news++;
    }
}

static uint32_t pick_chosen(uint32_t ways) {
    uint32_t number = current.taken++;
    const heddle_wire_section *section = find_section(current.place);
    if (number >= current.count || !section || section->now[number] < ways) {
        note_input(number, ways);
        return 0;
    }
    return current.way[number] % ways;
}

/* ---- Choosing ---- */

/* Are all schedules of the program looked at, from main on? */
static bool is_searched(void) {
    return hd_rt.wire->decision == HEDDLE_WIRE_BY_DECISIONS;
}

/* One of so many ways, `ahead` of a section.  `step` is set to the step that this was; NULL: it was
 * none. */
static uint32_t pick(uint32_t ways, bool ahead, uintptr_t code, heddle_wire_step **step) {
    uint32_t steps = hd_rt.exploring ? hd_rt_explore->steps : 0;
    *step = NULL;
    if (ways < 2)
        return 0;
    if (is_searched() && (!hd_rt.exploring || hd_rt.ended))
        hd_rt.wire->asked |= HEDDLE_WIRE_ASKED_FIRST;
    if (hd_rt.ended)
        return 0;
    if (!hd_rt.exploring)
        return hd_rt.wire->seed
                   ? (uint32_t)(drawn(hd_rt.wire->seed, hd_rt.current, hd_rt.current->inputs) %
                                ways)
                   : 0;
    if (hd_rt.atomic)
        return pick_chosen(ways);
    hd_rt_point_atomic(HEDDLE_WIRE_CHOICE, ahead, 0, NULL, ways, code);
    if (hd_rt_explore->steps == steps || !hd_rt_explored.present) {
        hd_rt.wire->asked |= HEDDLE_WIRE_ASKED_FIRST; /* not a point */
        return 0;
    }
    *step = hd_rt_explored.present;
    return hd_rt_explore_choice() % ways;
}

void hd_rt_choose_ahead(hd_rt_chosen *chosen, uintptr_t code) {
    const heddle_wire_section *section = find_section(chosen->place);
    for (; section && chosen->count < HEDDLE_WIRE_DRAWS && section->now[chosen->count];
         chosen->count++) {
        heddle_wire_step *step;
        chosen->way[chosen->count] = (uint8_t)pick(section->now[chosen->count], true, code, &step);
    }
}

void hd_rt_choose_begin(const hd_rt_chosen *chosen) {
    current = *chosen;
}

/* ---- heddle_choose ---- */

/* The way-th of some values between: both ends, 0, and others. */
static int64_t sample(int64_t low, uint64_t range, uint32_t way) {
    uint64_t zero = 0 - (uint64_t)low;
    if (way == 0)
        return low;
    if (way == 1)
        return (int64_t)((uint64_t)low + range);
    if (way == 2 && zero < range)
        return 0;
    return (int64_t)((uint64_t)low + mix(way) % range);
}

static void refuse(int64_t low, int64_t high, uintptr_t code) {
    char text[96];
    hd_rt_print(text, sizeof text, "heddle_choose of nothing: from %ld to %ld", (long)low,
                (long)high);
    hd_rt_misuse_thread(HEDDLE_WIRE_CHOOSE, text, code);
}

HD_RT_EXPORT long long heddle_rt_choose(long long low, long long high);
long long heddle_rt_choose(long long low, long long high) {
    uint64_t range = (uint64_t)high - (uint64_t)low; /* one less than there are values */
    heddle_wire_step *step;
    int64_t value;
    if (low > high)
        refuse(low, high, HD_RT_CODE());
    if (low < high && !hd_rt_controlled() && hd_rt.wire && is_searched())
        hd_rt.wire->asked |= HEDDLE_WIRE_ASKED_FIRST;
    if (!hd_rt_controlled() || low >= high)
        return low;
    hd_rt.wire->asked |= range < WAYS ? HEDDLE_WIRE_ASKED_ALL : HEDDLE_WIRE_ASKED_SAMPLED;
    if (range >= WAYS && hd_rt.wire->asked_most < range)
        hd_rt.wire->asked_most = range;
    if (range < WAYS)
        value = low + (int64_t)pick((uint32_t)range + 1, false, HD_RT_CODE(), &step);
    else
        value = sample(low, range, pick(WAYS, false, HD_RT_CODE(), &step));
    hd_rt.current->inputs++;
    hd_rt_say_input(value);
    if (step)
        step->value = (uint64_t)value;
    return value;
}

/* ---- SV-COMP ---- */

/* A value of a type with so many bits; of one bit, a truth value. */
static uint64_t cut(int64_t value, unsigned bits, bool is_signed) {
    unsigned shift = 64 - bits;
    if (bits == 1)
        return value != 0;
    return is_signed ? (uint64_t)((int64_t)((uint64_t)value << shift) >> shift)
                     : (uint64_t)value << shift >> shift;
}

/* The values that inputs of a type may have, each once. */
static uint32_t list_values(uint64_t *values, unsigned bits, bool is_signed) {
    const heddle_wire *wire = hd_rt.wire;
    const int64_t *from = wire->anys ? wire->any : usual;
    uint32_t given = wire->anys ? wire->anys : USUAL, count = 0;
    uint32_t more = wire->anys || !hd_rt.exploring ? 0 : hd_rt_explore->constants_used;
    uint32_t i = 0;
    do { /* there is one at least */
        uint32_t at = 0;
        int64_t value = i < given ? from[i] : hd_rt_explore->constant[i - given];
        values[count] = cut(value, bits, is_signed);
        while (values[at] != values[count])
            at++;
        count += at == count;
    } while (++i < given + more && i < WAYS);
    return count;
}

/* From the list, every thread takes from the first on, whatever heddle_choose gave it. */
static uint64_t fixed_input(void) {
    const heddle_wire *wire = hd_rt.wire;
    uint32_t number = hd_rt.current->inputs++;
    if (hd_rt.current->given < wire->inputs)
        return (uint64_t)wire->input[hd_rt.current->given++];
    return wire->input_seed ? drawn_number(drawn(wire->input_seed, hd_rt.current, number)) : 0;
}

static uint64_t input(unsigned bits, bool is_signed, uintptr_t code) {
    uint64_t values[WAYS + 1];
    heddle_wire_step *step;
    heddle_wire *wire = hd_rt.wire;
    if (!hd_rt_controlled())
        return 0;
    if (wire->inputs || wire->input_seed) {
        wire->asked |= HEDDLE_WIRE_ASKED_FIXED;
        if (hd_rt.exploring)
            hd_rt_spin_lose(hd_rt.current); /* which one it gets depends on who asked before */
        return cut((int64_t)fixed_input(), bits, is_signed);
    }
    uint32_t count = list_values(values, bits, is_signed);
    bool all = !wire->anys && bits < 8 && count == 1U << bits;
    wire->asked |= all ? HEDDLE_WIRE_ASKED_ALL : HEDDLE_WIRE_ASKED_SOME;
    uint64_t value = values[pick(count, false, code, &step)];
    hd_rt.current->inputs++;
    if (!all)
        hd_rt_compare_input(value);
    hd_rt_say_input((int64_t)value);
    if (step)
        step->value = value;
    return value;
}

#define NONDET(type, name, bits, is_signed)                                                        \
    HD_RT_EXPORT type __VERIFIER_nondet_##name(void);                                              \
    type __VERIFIER_nondet_##name(void) {                                                          \
        return (type)input(bits, is_signed, HD_RT_CODE());                                         \
    }
#define UNSIGNED(type, name) NONDET(type, name, 8 * (sizeof(type) < 8 ? sizeof(type) : 8), false)
#define SIGNED(type, name) NONDET(type, name, 8 * (sizeof(type) < 8 ? sizeof(type) : 8), true)

// clang-format off
NONDET(_Bool, bool, 1, false)
NONDET(char, char, 8, CHAR_MIN < 0)
SIGNED(signed char, schar)
UNSIGNED(unsigned char, uchar)
SIGNED(short, short)
UNSIGNED(unsigned short, ushort)
SIGNED(int, int)
UNSIGNED(unsigned, uint)
UNSIGNED(unsigned, unsigned)
SIGNED(long, long)
UNSIGNED(unsigned long, ulong)
SIGNED(long long, longlong)
UNSIGNED(unsigned long long, ulonglong)
SIGNED(__int128, int128)
UNSIGNED(unsigned __int128, uint128)
UNSIGNED(size_t, size_t)
SIGNED(long long, loff_t)
UNSIGNED(unsigned long, sector_t)
UNSIGNED(unsigned char, u8)
UNSIGNED(unsigned short, u16)
UNSIGNED(unsigned, u32)
UNSIGNED(unsigned long, pthread_t)
// clang-format on

/* NULL: programs look for it, and any other address would be one of nothing. */
HD_RT_EXPORT void *__VERIFIER_nondet_pointer(void);
void *__VERIFIER_nondet_pointer(void) {
    if (hd_rt_controlled() && !hd_rt.wire->inputs && !hd_rt.wire->input_seed) {
        hd_rt.wire->asked |= HEDDLE_WIRE_ASKED_SOME;
        return NULL;
    }
    return (void *)(uintptr_t)input(64, false, HD_RT_CODE());
}

/* Whole numbers. */
HD_RT_EXPORT float __VERIFIER_nondet_float(void);
float __VERIFIER_nondet_float(void) {
    return (float)(int64_t)input(64, true, HD_RT_CODE());
}

HD_RT_EXPORT double __VERIFIER_nondet_double(void);
double __VERIFIER_nondet_double(void) {
    return (double)(int64_t)input(64, true, HD_RT_CODE());
}
