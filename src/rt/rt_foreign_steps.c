#include "rt_foreign_steps.h"

#include "rt_explore.h"
#include "rt_sync.h"

typedef hd_rt_used use;

/* Do other threads use it, too, so that this is a step?  *memory: they access what belongs to it.
 */
static bool is_shared(const use *it, bool *memory) {
    bool changes = !it->looks && !it->quietly;
    if (HD_RT_UNLIKELY(hd_rt_audit_on))
        hd_rt_audit_call(it->number, false);
    *memory = it->size && hd_rt_explore_touch(changes, (const void *)it->object, it->size);
    return hd_rt_explore_state(it->object, changes) || *memory;
}

static unsigned flags_of(const use *it, bool memory) {
    bool stores =
        !it->looks && it->object >= HEDDLE_WIRE_STATES && it->object < HEDDLE_WIRE_MODULE_STATES &&
        it->object != hd_rt_foreign_kept(HEDDLE_WIRE_KEPT_printed) && hd_rt_explore_statics();
    return (it->looks ? HEDDLE_WIRE_LOOKS : 0) | (memory || stores ? HEDDLE_WIRE_INSIDE : 0) |
           (stores ? HEDDLE_WIRE_STORES : 0);
}

/* Where outputs are compared, a call that may put bytes into standard output, or drop some that are
 * in a buffer, is always a step: to end the process is to use them, too. */
static bool is_printed(const use *it) {
    if (it->object != hd_rt_foreign_kept(HEDDLE_WIRE_KEPT_printed))
        return false;
    hd_rt_explore->unseen = 1; /* the bytes are not looked at */
    return !hd_rt.ended && hd_rt_explored.births != hd_rt_explored.joins;
}

bool hd_rt_foreign_steps(const use *list, unsigned count, uintptr_t code) {
    const use *first = NULL, *also = NULL, *printed = NULL, *along = NULL;
    unsigned flags = 0;
    for (unsigned i = 0; i < count; i++) {
        bool memory;
        if (!list[i].object)
            continue;
        if (is_printed(&list[i])) {
            *(list[i].along ? &along : &printed) = &list[i];
            hd_rt_spin_forget(hd_rt.current);
            continue;
        }
        if (!is_shared(&list[i], &memory))
            continue;
        if (also)
            flags |= HEDDLE_WIRE_FILED;
        else if (first)
            also = &list[i];
        else {
            first = &list[i];
            flags = flags_of(first, memory);
        }
    }
    if (!first)
        first = printed;
    if (!first)
        return false;
    if (along)
        hd_rt_foreign_cover_output();
    flags |= printed || along ? HEDDLE_WIRE_PRINTS : 0;
    hd_rt.current->with = (const void *)(uintptr_t)(first->number + 1);
    hd_rt_point_with(HEDDLE_WIRE_CALL, flags | (also ? HEDDLE_WIRE_ALSO : 0),
                     (const void *)first->object, first->size, code,
                     also ? (int64_t)(also->object | also->looks) : HD_RT_FOREVER);
    hd_rt.current->with = NULL;
    return true;
}

void hd_rt_foreign_join(uint32_t taken, uintptr_t code) {
    if (hd_rt.current->taken - taken < 2)
        return;
    hd_rt_explore->exits |= HEDDLE_WIRE_EXITS;
    hd_rt_point(HEDDLE_WIRE_ATOMIC, NULL, 0, code);
}
