/*
 * Searches that reduce lose traces in six well-known ways, and one by reads-from loses classes in
 * many more, each with a cure.  The tests build the files with cures again with HD_EXPLORE_WITHOUT
 * (tests/unit/meson.build) and leave these out one by one, to see that the counts then go wrong.
 * Here they are always in.
 *
 *   1  what a moved operation accesses is evaluated where it is moved to
 *   2  all races are taken from the whole run, at every end of a run
 *   3  an acquire races with the lock's last acquire, not with its release
 *   4  an await races with antichains of writes, not only with single ones
 *   5  pending operations of blocked threads race at every end of a run
 *   6  of a section's orders the lexicographically least is taken
 *
 *   7  in a part of a class, a lock that is held at its end counts as released
 *   8  a schedule that makes a read see a write has events that neither of them needs
 *   9  some of them of threads that hold no lock
 *  10  what was not found is tried again when there are new events
 *  11  a thread may wait for a lock for ever
 *  12  a thread may wait for a value for ever
 *  13  which writes come last is part of what is searched for where threads wait for ever
 *  14  such an execution is one only if these threads do wait at its end
 *  15  a lock may be held for ever by a thread that has ended
 *  16  or by one that waits for a lock that is held for ever, in a cycle
 *  17  runs alone do not show all the states in which no thread can go on
 *  18  of an operation that reads several locations all combinations of sources are tried
 *  19  an operation may read other locations if it reads other writes
 *  20  every way that an operation can go is tried
 *  21  a class in which a thread retries in one order may be a deadlock in another
 *  22  the order in which a lock is taken matters if it is tried
 *
 *  23  what a section of a program is assumed to be is compared with what is executed
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
