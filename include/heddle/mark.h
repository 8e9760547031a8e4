/*
 * Marks to put into your own program.  Under heddle marks, notes and blocks are events of the
 * trace; otherwise they do nothing.  Nothing has to be linked: the functions are weak references,
 * which only heddle's runtime defines.
 *
 *     HEDDLE_MARK("transfer");             the thread is here
 *     heddle_note("floor", 3);             something has this value now
 *     heddle_begin("update"); ... heddle_end("update");
 *                                          what is meant to be atomic: heddle race --blocks asks
 *     heddle_choose(0, 3)                  an input: a number from 0 to 3
 *     HEDDLE_ANY_ORDER { puts(line); }     lines in whatever order
 *
 * What heddle_choose returns is a choice of the search of heddle explore, which tries every number
 * of the range, or, if these are more than 64, some of them; then its answer is not complete.
 * Other commands draw it from the seed of the run.  Without heddle it is the lower end.  A range
 * that has nothing in it, as heddle_choose(3, 2), is an error, which heddle reports with its place.
 *
 * HEDDLE_ANY_ORDER is for heddle nondet, which asks whether all schedules have the same output: the
 * lines that a thread prints inside the block are compared as a set, whatever lines of other
 * threads or of other blocks they come before or after.  Each line should be printed by one call.
 * The block is left at its end, or by `continue`; not by break, return, goto or an exception. Where
 * a block does not do, call heddle_any_order(1) before and heddle_any_order(0) after what is
 * printed; the calls nest.
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
long long heddle_rt_choose(long long low, long long high) __attribute__((weak));
void heddle_rt_any_order(int begins) __attribute__((weak));

#define HEDDLE_MARK(label) (heddle_rt_mark ? heddle_rt_mark(label) : (void)0)

#define heddle_begin(label) (heddle_rt_begin ? heddle_rt_begin(label) : (void)0)
#define heddle_end(label) (heddle_rt_end ? heddle_rt_end(label) : (void)0)

#define heddle_choose(low, high)                                                                   \
    (heddle_rt_choose ? heddle_rt_choose((low), (high)) : (long long)(low))

static inline void heddle_note(const char *label, long long value) {
    if (heddle_rt_note)
        heddle_rt_note(label, value);
}

static inline int heddle_any_order(int begins) {
    if (heddle_rt_any_order)
        heddle_rt_any_order(begins);
    return begins;
}

#define HEDDLE_ANY_ORDER                                                                           \
    for (int heddle_in_any_order = heddle_any_order(1); heddle_in_any_order;                       \
         heddle_in_any_order = heddle_any_order(0))

#ifdef __cplusplus
}
#endif
#endif
