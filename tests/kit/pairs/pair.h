/*
 * A bug and its fix, as two tests: the code asks `fixed` where they differ.
 */
#ifndef PAIR_H
#define PAIR_H

#include <heddle/test.h>

static int fixed;

#define PAIR(name, options)                                                                        \
    HEDDLE_TEST_FAILS(name##_bug, options) {                                                       \
        fixed = 0;                                                                                 \
        name();                                                                                    \
    }                                                                                              \
    HEDDLE_TEST(name##_fix) {                                                                      \
        fixed = 1;                                                                                 \
        name();                                                                                    \
    }

/* The options of the fix are those of the bug. */
#define PAIR_WITH(name, options, with)                                                             \
    HEDDLE_TEST_FAILS(name##_bug, options " " with) {                                              \
        fixed = 0;                                                                                 \
        name();                                                                                    \
    }                                                                                              \
    HEDDLE_TEST(name##_fix, options) {                                                             \
        fixed = 1;                                                                                 \
        name();                                                                                    \
    }

#ifndef __cplusplus
static inline void two(void *(*first)(void *), void *(*second)(void *)) {
    heddle_thread(first, NULL);
    heddle_thread(second, NULL);
    heddle_join();
}
#endif

#endif
