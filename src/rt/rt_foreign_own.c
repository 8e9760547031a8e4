/*
 * Functions with a state that the runtime interposes itself: the steps of their calls on that
 * state.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rt_explore.h"
#include "rt_file.h"
#include "rt_foreign_state.h"
#include "rt_sync.h"

typedef hd_rt_used use;

/* Their numbers are found by name. */
uint32_t hd_rt_foreign_own(const char *name) {
    bool wide;
    uintptr_t address = (uintptr_t)name;
    uint32_t number = 0;
    while (number < hd_rt.wire->callees && number < HEDDLE_WIRE_CALLEES &&
           hd_rt.wire->callee[number].address != address)
        number++;
    if (number < hd_rt.wire->callees)
        return number < HEDDLE_WIRE_CALLEES ? number : 0;
    number = hd_rt_foreign_number(name, address, hd_rt_got_libc(), &wide);
    if (number < HEDDLE_WIRE_CALLEES)
        hd_rt.wire->callee[number].known = HEDDLE_WIRE_STATEFUL;
    return number < HEDDLE_WIRE_CALLEES ? number : 0;
}

bool hd_rt_foreign_used(void) {
    return hd_rt.exploring && hd_rt_explored.births && hd_rt_controlled();
}

static void step_on(const char *name, const void *object, enum hd_rt_use how, bool calls,
                    uintptr_t code) {
    if (!hd_rt_foreign_used())
        return;
    use it = {.object = (uintptr_t)object,
              .number = hd_rt_foreign_own(name),
              .looks = how == HD_RT_LOOKS};
    hd_rt.wire->callee[it.number].calls += calls;
    hd_rt_foreign_steps(&it, 1, code);
}

void hd_rt_foreign_use(const char *name, const void *object, enum hd_rt_use how, uintptr_t code) {
    step_on(name, object, how, true, code);
}

void hd_rt_foreign_instead(const char *name, const void *object, enum hd_rt_use how,
                           uintptr_t code) {
    step_on(name, object, how, false, code);
}

void hd_rt_foreign_print(const char *name, const void *stream, uintptr_t code) {
    hd_rt_signal_streams(name, code);
    if (!hd_rt_foreign_used())
        return;
    use it = {.object = (uintptr_t)stream, .number = hd_rt_foreign_own(name)};
    it.quietly = hd_rt_given_output(stream);
    hd_rt.wire->callee[it.number].calls++;
    hd_rt_foreign_use_stream(&it, stream, false, code);
}

void hd_rt_foreign_flush(const char *name, const FILE *stream, uintptr_t code) {
    hd_rt_signal_streams(name, code);
    if (!hd_rt_foreign_used())
        return;
    use it = {.object = stream ? (uintptr_t)stream : HEDDLE_WIRE_STATES_END,
              .number = hd_rt_foreign_own(name)};
    hd_rt.wire->callee[it.number].calls++;
    hd_rt_settle();
    hd_rt_foreign_use_stream(&it, stream, false, code);
}

void hd_rt_foreign_state(const char *name, enum heddle_wire_kept which, enum hd_rt_use how,
                         uintptr_t code) {
    if (!hd_rt_foreign_used())
        return;
    if (which == HEDDLE_WIRE_KEPT_files && how == HD_RT_CHANGES)
        hd_rt_foreign_mapped();
    hd_rt_foreign_use(name, (const void *)hd_rt_foreign_kept(which), how, code);
}

void hd_rt_foreign_file(const char *name, int file, uintptr_t code) {
    if (!hd_rt_foreign_used())
        return;
    uint32_t number = hd_rt_foreign_own(name);
    hd_rt.wire->callee[number].calls++;
    if (file > STDIN_FILENO && hd_rt_given(file)) {
        use list[2] = {hd_rt_foreign_output_state(number), hd_rt_foreign_printed_to(file, number)};
        hd_rt_foreign_steps(list, 2, code);
    } else
        hd_rt_foreign_use_open_file(file, NULL, number, false, code);
}

bool hd_rt_foreign_redirects(uint32_t number, int file, uintptr_t code) {
    bool standard = file == STDOUT_FILENO || file == STDERR_FILENO;
    use list[2] = {hd_rt_used_state(HEDDLE_WIRE_KEPT_output, number, false),
                   standard ? hd_rt_foreign_printed_by_all(number)
                            : hd_rt_foreign_printed_to(file, number)};
    hd_rt_given_replaced(file);
    return hd_rt_foreign_steps(list + !standard, 1U + standard, code);
}

bool hd_rt_foreign_limits(uint32_t number, int resource, uintptr_t code) {
    if (hd_rt_explored.births == hd_rt_explored.joins || hd_rt.ended)
        return false;
    if (resource != RLIMIT_NOFILE && resource != RLIMIT_FSIZE && resource != RLIMIT_CORE) {
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_LIMITS;
        return false;
    }
    use it = hd_rt_used_state(HEDDLE_WIRE_KEPT_files, number, false);
    return hd_rt_foreign_steps(&it, 1, code);
}

void hd_rt_foreign_identity(const char *name, uintptr_t code) {
    if (!hd_rt_foreign_used())
        return;
    uint32_t number = hd_rt_foreign_own(name);
    use list[2] = {hd_rt_used_state(HEDDLE_WIRE_KEPT_process, number, false),
                   hd_rt_used_state(HEDDLE_WIRE_KEPT_files, number, false)};
    hd_rt.wire->callee[number].calls++;
    hd_rt_foreign_steps(list, 2, code);
}

void hd_rt_foreign_end(const char *name, int file, uintptr_t code) {
    if (!hd_rt_foreign_used())
        return;
    uint32_t number = hd_rt_foreign_own(name);
    use list[3] = {hd_rt_used_state(HEDDLE_WIRE_KEPT_files, number, false),
                   hd_rt_foreign_printed_to(file, number),
                   hd_rt_used_state(HEDDLE_WIRE_KEPT_output, number, false)};
    hd_rt.wire->callee[number].calls++;
    hd_rt_foreign_mapped();
    hd_rt_foreign_steps(list, file == STDOUT_FILENO || file == STDERR_FILENO ? 3 : 2, code);
    hd_rt_given_replaced(file);
}
