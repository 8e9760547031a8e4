/*
 * Data races of an execution: races of its events that are accesses, one of them plain.
 */
#include "explore_orders.h"
#include "explore_path.h"

void hd_explore_collision_schedule(const hd_explore_collision *collision, bool whole,
                                   hd_steps *steps) {
#ifdef HD_EXPLORE_WIDER
    if (collision->words > HD_EXPLORE_WORDS) {
        HD_EXPLORE_WIDER(collision_schedule)(collision, whole, steps);
        return;
    }
#endif
    const hd_explore_path *path = collision->path;
    uint32_t last = collision->second, first = collision->first;
    assert(first < last && last < path->events.length);
    hd_vec_clear(steps);
    if (collision->unordered) {
        for (uint32_t k = 0; k <= last; k++)
            if (whole || hd_explore_before(path, k, last)) /* as the first is */
                hd_vec_push(steps,
                            (hd_step){path->events.data[k].thread, path->events.data[k].choice});
        return;
    }
    for (uint32_t k = 0; k < last; k++) {
        bool needed = hd_explore_before(path, k, first) || hd_explore_before(path, k, last);
        if (k != first && (whole ? !hd_explore_before(path, first, k) : needed))
            hd_vec_push(steps, (hd_step){path->events.data[k].thread, path->events.data[k].choice});
    }
}

void hd_explore_report_collisions(hd_explore_path *path) {
    uint32_t last = (uint32_t)path->events.length - 1, location;
    const hd_explore_event *event = &path->events.data[last];
    const hd_explore_operation *second = hd_explore_taken(path, last);
    for (uint32_t i = 0; i < event->race_count; i++) {
        uint32_t number = path->races.data[event->races + i].event;
        const hd_explore_operation *first = hd_explore_taken(path, number);
        if (!hd_machine_race(first->memory, second->memory) ||
            !hd_explore_meet(path, first, second, &location))
            continue;
        hd_explore_collision collision = {.threads = {first->thread, second->thread},
                                          .positions = {first->position, second->position},
                                          .machine = path->machine,
                                          .path = path,
                                          .words = HD_EXPLORE_WORDS,
                                          .first = number,
                                          .second = last};
        path->collide(path->context, &collision);
    }
}
