/*
 * Assertions.  Plain `assert` is for what takes constant time, or no more than the code
 * that it stands in.  HD_COSTLY_ASSERT is for what takes longer: a loop over all threads at
 * every step, a search, a second way to find the same answer.  It is on where the address
 * sanitizer is, which is how the tests are built, and off in every build with NDEBUG.
 *
 * Where it is off the condition is compiled, but never evaluated: functions that only
 * assertions call need no #ifdef.
 */
#ifndef HD_BASE_ASSERT_H
#define HD_BASE_ASSERT_H

#include <assert.h>

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define HD_COSTLY_CHECKS 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ && !defined HD_COSTLY_CHECKS
#define HD_COSTLY_CHECKS 1
#endif

#if defined HD_COSTLY_CHECKS && !defined NDEBUG
#define HD_COSTLY_ASSERT(condition) assert(condition)
#else
#define HD_COSTLY_ASSERT(condition) ((void)(0 && (condition)))
#endif

/* What only assertions use: without them it is not a mistake that nothing does. */
#define HD_ASSERT_ONLY __attribute__((unused))

#endif
