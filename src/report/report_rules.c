/*
 * The rules: what each means, how bad it is, and what helps.
 */
#include <string.h>

#include "report_result.h"

static const hd_report_rule rules[] = {
    {"race", HD_FINDING_RACE, HD_REPORT_ERROR, "data race",
     "Two threads access the same memory at the same time, one of them writes, and nothing orders "
     "them.",
     "Hold one lock at both accesses, or make both atomic."},
    {"race-unproved", HD_FINDING_RACE, HD_REPORT_WARNING, "possible data race",
     "Two accesses look like a data race, but no schedule was found that shows it.",
     "Look whether something that heddle does not see orders the two accesses."},
    {"atomicity", HD_FINDING_BLOCK, HD_REPORT_ERROR, "block that is not serializable",
     "An access of another thread can come between two accesses of a block that is meant to be "
     "atomic, and no order that leaves the block in one piece has the same effect.",
     "Hold one lock from the first access of the block to the last, and at the other access too."},
    {"atomicity-unproved", HD_FINDING_BLOCK, HD_REPORT_WARNING,
     "block that may not be serializable",
     "An access of another thread may come between two accesses of a block that is meant to be "
     "atomic, but no schedule was found that shows it.",
     "Look whether something that heddle does not see keeps the accesses apart."},
    {"deadlock", HD_FINDING_DEADLOCK, HD_REPORT_ERROR, "deadlock",
     "Threads wait for each other, and none of them can go on.",
     "Take the locks in one order everywhere, or hold a common lock around both."},
    {"livelock", HD_FINDING_LIVELOCK, HD_REPORT_ERROR, "livelock",
     "Threads go on for ever and come back to the same state, though every one of them gets its "
     "turns: they undo what the others wait for.",
     "Let one of them wait while the other goes on: take the locks in one order, back off for "
     "different times, or give the threads a turn."},
    {"assertion", HD_FINDING_FAILURE, HD_REPORT_ERROR, "failed assertion",
     "An assertion of the program fails under some schedule.",
     "Replay the schedule and look at the last steps before the assertion."},
    {"linearizability", HD_FINDING_FAILURE, HD_REPORT_ERROR, "calls that have no order",
     "Calls of a data structure have results that the sequential model gives in no order of the "
     "calls, under some schedule.",
     "Look at the calls that overlap in the history: one of them acts on what another has changed "
     "since."},
    {"signal", HD_FINDING_FAILURE, HD_REPORT_ERROR, "crash",
     "The program crashes under some schedule.",
     "Replay the schedule and look at the last steps before the crash."},
    {"abort", HD_FINDING_FAILURE, HD_REPORT_ERROR, "abort",
     "The program aborts under some schedule.",
     "Replay the schedule and look at the last steps before the abort."},
    {"use-after-free", HD_FINDING_FAILURE, HD_REPORT_ERROR, "use after free",
     "Memory is used after it was freed, under some schedule.",
     "Free it when no thread can use it any more: after a join, or with the last reference."},
    {"double-free", HD_FINDING_FAILURE, HD_REPORT_ERROR, "double free",
     "A block of the heap is freed twice, under some schedule.",
     "Let one thread own the block, or free it with the last reference."},
    {"bad-free", HD_FINDING_FAILURE, HD_REPORT_ERROR, "free of what was not allocated",
     "A pointer is freed that malloc or new did not return, under some schedule.",
     "Free the pointer that was returned, not one into the block, and no variable of the program."},
    {"heap-overflow", HD_FINDING_FAILURE, HD_REPORT_ERROR, "heap overflow",
     "Memory after the end of a block of the heap is used, under some schedule.",
     "Compare the index with the size that was allocated; look whether another thread changed one "
     "of them in between."},
    {"heap-underflow", HD_FINDING_FAILURE, HD_REPORT_ERROR, "heap underflow",
     "Memory before the start of a block of the heap is used, under some schedule.",
     "Look for an index that becomes negative, perhaps because another thread changed it."},
    {"dead-stack", HD_FINDING_FAILURE, HD_REPORT_ERROR, "use of a dead stack",
     "A variable on a stack is used after its function has returned, or its thread has ended, "
     "under some schedule.",
     "Join the thread before its variables are given up, or put the variable on the heap."},
    {"dead-thread-local", HD_FINDING_FAILURE, HD_REPORT_ERROR, "use of a dead thread-local",
     "A thread-local variable is used after its thread has ended, under some schedule.",
     "Join the thread later, or copy the value while the thread lives."},
    {"destroy", HD_FINDING_FAILURE, HD_REPORT_ERROR, "destruction of an object in use",
     "A lock, condition variable, barrier or semaphore is destroyed while a thread holds it or "
     "waits for it, under some schedule.",
     "Destroy it when no thread can use it any more: after a join."},
    {"use-after-destroy", HD_FINDING_FAILURE, HD_REPORT_ERROR, "use after destruction",
     "A lock, condition variable, barrier or semaphore is used after it was destroyed, under some "
     "schedule.",
     "Destroy it when no thread can use it any more: after a join."},
    {"uninitialised", HD_FINDING_FAILURE, HD_REPORT_ERROR, "use without initialisation",
     "A lock, barrier or semaphore is used that was never initialised.",
     "Initialise it before the threads that use it are created."},
    {"init", HD_FINDING_FAILURE, HD_REPORT_ERROR, "initialisation of a live object",
     "A lock, condition variable, barrier or semaphore is initialised although it was initialised "
     "before, is held or is waited for.",
     "Initialise it once, before the threads that use it are created."},
    {"relock", HD_FINDING_FAILURE, HD_REPORT_ERROR, "deadlock with itself",
     "A thread waits for a lock that it holds itself, and never goes on.",
     "Release the lock first, or use one that is recursive."},
    {"join", HD_FINDING_FAILURE, HD_REPORT_ERROR, "join of a thread that cannot be joined",
     "A thread joins itself, or joins or detaches one that was joined or detached before.",
     "Join or detach every thread once."},
    {"ended-thread", HD_FINDING_FAILURE, HD_REPORT_ERROR, "use of a thread that has ended",
     "The handle of a thread is used after the thread was joined, or after its end if it was "
     "detached, under some schedule.",
     "Join the thread when no other can use its handle any more."},
    {"choose", HD_FINDING_FAILURE, HD_REPORT_ERROR, "choice from nothing",
     "heddle_choose is called with a lower end that is greater than the upper one.",
     "Give the lower end first, and call it only if the range has a number in it."},
    {"once", HD_FINDING_FAILURE, HD_REPORT_ERROR, "initialisation that asks for itself",
     "The initialisation of a static variable, or of a pthread_once, comes back to itself.",
     "Break the cycle: what is initialised must not need itself."},
    {"exit", HD_FINDING_FAILURE, HD_REPORT_ERROR, "bad exit status",
     "The program ends with another exit status than 0 under some schedule.",
     "Replay the schedule and compare it with a run that ends well."},
    {"outcome", HD_FINDING_OUTCOME, HD_REPORT_WARNING, "output that depends on the schedule",
     "The program prints or returns something else under another schedule.",
     "If the difference matters, order what decides it."},
    {"hang", HD_FINDING_FAILURE, HD_REPORT_ERROR, "hang",
     "A thread runs on without ever doing anything that another thread could see.",
     "Look for a loop that waits for a variable which the compiler keeps in a register."},
    {"division", HD_FINDING_FAILURE, HD_REPORT_ERROR, "division by zero",
     "The model divides by zero.", "Replay the schedule and look at the last steps."},
    {"index", HD_FINDING_FAILURE, HD_REPORT_ERROR, "index out of range",
     "The model uses an element that an array does not have.",
     "Replay the schedule and look at the last steps."},
    {"annotation", HD_FINDING_FAILURE, HD_REPORT_ERROR, "lock that two threads have at once",
     "By its own annotations the program takes a lock that another thread holds.",
     "Look at the code of the lock; or at where it is annotated."},
    {"unlock", HD_FINDING_FAILURE, HD_REPORT_ERROR, "unlock of a mutex that is not held",
     "A thread unlocks a lock that it does not hold.",
     "Unlock it in the thread that has locked it, once; for handing over, use a semaphore."},
    {"wait", HD_FINDING_FAILURE, HD_REPORT_ERROR, "wait without the mutex",
     "A thread waits for a condition without holding the mutex, or with another mutex than others "
     "that wait for it.",
     "Lock the mutex before the wait, and wait for a condition with one mutex only."},
    {"loop", HD_FINDING_FAILURE, HD_REPORT_ERROR, "endless loop",
     "A thread of the model runs in a loop that no other thread can end.",
     "Let the loop read something shared, or end."},
    {"state", HD_FINDING_STATE, HD_REPORT_ERROR, "bad global state",
     "A global state that satisfies the predicate can be reached.",
     "Order the threads so that the state cannot come up."},
    {"nondet", HD_FINDING_READ, HD_REPORT_NOTE, "nondeterministic read",
     "A read can see another write in another order of the same events.",
     "Nothing, if each of the writes is fine there; else order the read and the writes."},
};

static const hd_report_rule general = {"failure",
                                       HD_FINDING_FAILURE,
                                       HD_REPORT_ERROR,
                                       "failure",
                                       "The program fails under some schedule.",
                                       "Replay the schedule and look at the last steps."};

const hd_report_rule *hd_report_rule_of(const char *id) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].id, id) == 0)
            return &rules[i];
    return &general;
}

/* Only threads that wait for locks of each other are helped by an order of these. */
const char *hd_report_help(const hd_report_finding *finding) {
    size_t locks = 0;
    if (finding->advice)
        return finding->advice;
    if (strcmp(finding->rule->id, "deadlock") != 0)
        return finding->rule->help;
    for (size_t i = 0; i < finding->places.length; i++) {
        const hd_report_place *place = &finding->places.data[i];
        locks += place->access == HD_REPORT_ACQUIRE;
        if (place->access == HD_REPORT_WAIT)
            return "Look who is to wake the thread that waits: no thread does any more.  A "
                   "notification that comes before the wait is lost, so test a condition in a "
                   "loop, with the lock held, before each wait.";
    }
    return locks == 1 ? "Look why the lock is not released: its holder waits, too, or has ended, "
                        "or is the thread itself."
                      : finding->rule->help;
}

const char *hd_report_level_name(enum hd_report_level level) {
    static const char *const names[] = {
        [HD_REPORT_NOTE] = "note", [HD_REPORT_WARNING] = "warning", [HD_REPORT_ERROR] = "error"};
    return names[level];
}
