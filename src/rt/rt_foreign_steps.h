/*
 * Steps of calls on state that instrumented code does not see (rt_foreign.h).
 */
#ifndef HD_RT_FOREIGN_STEPS_H
#define HD_RT_FOREIGN_STEPS_H

#include "rt_foreign.h"
#include "rt_foreign_table.h"

/* What a call uses: the state at `object`, and so many bytes of memory there. */
typedef struct hd_rt_used {
    uintptr_t object;
    uint32_t size, number; /* of the callee */
    bool looks, quietly;   /* as far as others go it only looks */
    bool along;            /* of what is printed: no step because of that alone */
} hd_rt_used;

static inline hd_rt_used hd_rt_used_state(enum heddle_wire_kept which, uint32_t number,
                                          bool looks) {
    return (hd_rt_used){.object = hd_rt_foreign_kept(which), .number = number, .looks = looks};
}

/* One step for all of them: what the function does follows it at once.  At most three, and the
 * third can only be a look at the files of the system; besides, what is printed.  Those without an
 * object do not count.  True if there was a step. */
bool hd_rt_foreign_steps(const hd_rt_used *list, unsigned count, uintptr_t code);

/* What the function does comes after its last step.  If it accesses memory at an earlier one, and
 * others use that memory but not what the last step is about, they may come between the two; so
 * there is one more step, which depends on everything.  `taken`: how many there were before. */
void hd_rt_foreign_join(uint32_t taken, uintptr_t code);

/* The number of a function that the runtime interposes, by its name, a constant; and whether its
 * calls are looked at. */
uint32_t hd_rt_foreign_own(const char *name);
bool hd_rt_foreign_used(void);

/* --- rt_foreign_scan.c ----------------------------------------------------------------------- */

/* What a conversion of scanf stores. */
typedef struct hd_rt_scanned {
    size_t position; /* of its output, from 1; 0: the next one */
    size_t size;     /* bytes; 0: not known */
    bool strange;    /* it is not known */
} hd_rt_scanned;

/* The next conversion of the format that stores something; false if there is none. */
bool hd_rt_foreign_scanned(const char **format, hd_rt_scanned *one);

/* --- rt_foreign_space.c ---------------------------------------------------------------------- */

/* Files are written to: that changes memory that is mapped to them, which is not seen. */
void hd_rt_foreign_mapped(void);

/* A call with a mapping as its state; and what matters whether or not there are threads. */
void hd_rt_foreign_map(const hd_rt_foreign_line *it, uint32_t number, const uintptr_t *arguments,
                       uintptr_t code);
void hd_rt_foreign_map_made(uint32_t number, const uintptr_t *arguments);

/* A call changes which addresses are in use.  True if that was a step. */
bool hd_rt_foreign_space(uint32_t number, uintptr_t code);

#endif
