/*
 * Marks to put into your own program.  Under heddle each call is an event of the trace; otherwise
 * it does nothing.  Nothing has to be linked: the functions are weak references, which only
 * heddle's runtime defines.
 *
 *     HEDDLE_MARK("transfer");             the thread is here
 *     heddle_note("floor", 3);             something has this value now
 *     heddle_begin("update"); ... heddle_end("update");
 *                                          what is meant to be atomic
 *
 * Labels have at most 255 bytes and none of the characters | = and line feed.
 */
#ifndef HEDDLE_MARK_H
#define HEDDLE_MARK_H

#ifdef __cplusplus
extern "C" {
#endif

void heddle_rt_mark(const char *label) __attribute__((weak));
void heddle_rt_note(const char *label, long long value) __attribute__((weak));
void heddle_rt_begin(const char *label) __attribute__((weak));
void heddle_rt_end(const char *label) __attribute__((weak));

#define HEDDLE_MARK(label) (heddle_rt_mark ? heddle_rt_mark(label) : (void)0)

static inline void heddle_note(const char *label, long long value) {
    if (heddle_rt_note)
        heddle_rt_note(label, value);
}

static inline void heddle_begin(const char *label) {
    if (heddle_rt_begin)
        heddle_rt_begin(label);
}

static inline void heddle_end(const char *label) {
    if (heddle_rt_end)
        heddle_rt_end(label);
}

#ifdef __cplusplus
}
#endif
#endif
