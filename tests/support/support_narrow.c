/*
 * A program with the explorer for up to 64 threads only: that for more (explore_wide.h) is the same
 * once more, and would be compiled again for the thread sanitizer.  It is never asked here.
 */
#include <stdlib.h>

#define NONE(name)                                                                                 \
    void hd_explore_wide_##name(void);                                                             \
    void hd_explore_wide_##name(void) {                                                            \
        abort();                                                                                   \
    }

// clang-format off
NONE(begin)
NONE(collision_location)
NONE(collision_schedule)
NONE(finish)
NONE(go_on)
NONE(is_kept)
NONE(walk)
// clang-format on
