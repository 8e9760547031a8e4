/*
 * Searches that reduce lose traces in six well-known ways, each with a cure.  The
 * tests build this room a second time with HD_EXPLORE_WITHOUT and leave the cures
 * out one by one, to see that the counts then go wrong.  Here they are always in.
 *
 *   1  what a moved operation accesses is evaluated where it is moved to
 *   2  all races are taken from the whole run, at every end of a run
 *   3  an acquire races with the lock's last acquire, not with its release
 *   4  an await races with antichains of writes, not only with single ones
 *   5  pending operations of blocked threads race at every end of a run
 *   6  of a section's orders the lexicographically least is taken
 */
#ifndef HD_EXPLORE_WITHOUT_H
#define HD_EXPLORE_WITHOUT_H

#ifdef HD_EXPLORE_WITHOUT
extern unsigned hd_explore_without; /* bit n - 1: leave out cure n */
#define HD_EXPLORE_CURE(n) (!(hd_explore_without >> ((n)-1) & 1))
#else
#define HD_EXPLORE_CURE(n) true
#endif

#endif
