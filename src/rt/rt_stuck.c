/*
 * Is it right that no thread can go on?  Of a program that says when it is (heddle/linear.h): calls
 * of a data structure may wait for ever where its model lets them wait.
 *
 * The program is asked in the state in which no thread can go on, outside of any step: what it does
 * then is no part of the run.  The address of its function is in its own memory, so that it is
 * restored with it.
 */
#include "rt_stuck.h"
#include "rt_explore.h"

HD_RT_EXPORT void heddle_rt_stuck(int (*const *is_right)(void));

static int (*const *asked)(void);

void heddle_rt_stuck(int (*const *is_right)(void)) {
    if (hd_rt_controlled())
        asked = is_right;
}

bool hd_rt_stuck_rightly(void) {
    if (!asked || !*asked)
        return false;
    bool ended = hd_rt.ended;
    hd_rt.ended = true;
    hd_rt.mode = HD_RT_OFF;
    bool right = (*asked)() != 0;
    // cppcheck-suppress redundantAssignment ; the program was asked in between
    hd_rt.mode = HD_RT_CONTROLLED;
    // cppcheck-suppress redundantAssignment ; likewise
    hd_rt.ended = ended;
    return right;
}
