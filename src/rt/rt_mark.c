/*
 * The program's own marks (heddle/mark.h).
 */
#include "rt_explore.h"

/* heddle/mark.h declares them weak, for programs. */
HD_RT_EXPORT void heddle_rt_mark(const char *label);
HD_RT_EXPORT void heddle_rt_note(const char *label, long long value);
HD_RT_EXPORT void heddle_rt_begin(const char *label);
HD_RT_EXPORT void heddle_rt_end(const char *label);

/* heddle/test.h does. */
HD_RT_EXPORT int heddle_rt_running(void);

static bool on(void) {
    return hd_rt.mode == HD_RT_FREE || hd_rt_controlled();
}

static void mark(unsigned op, const char *label, bool has_value, int64_t value, uintptr_t code) {
    if (!on())
        return;
    if (hd_rt.mode == HD_RT_CONTROLLED && (hd_rt.every_access || hd_rt.following))
        hd_rt_point(op, NULL, 0, code);
    if (op == HEDDLE_MARK + 1)
        hd_rt_say_mark(label, has_value, value, code);
    hd_rt_record_label(op, label, has_value, value, code);
}

void heddle_rt_mark(const char *label) {
    mark(HEDDLE_MARK + 1, label, false, 0, HD_RT_CODE());
}

void heddle_rt_note(const char *label, long long value) {
    mark(HEDDLE_MARK + 1, label, true, value, HD_RT_CODE());
}

void heddle_rt_begin(const char *label) {
    mark(HEDDLE_BEGIN + 1, label, false, 0, HD_RT_CODE());
}

void heddle_rt_end(const char *label) {
    mark(HEDDLE_END + 1, label, false, 0, HD_RT_CODE());
}

int heddle_rt_running(void) {
    return hd_rt_controlled();
}
