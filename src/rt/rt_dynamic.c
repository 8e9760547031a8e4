/*
 * The functions of dynamic_annotations.h, which programs declare themselves, and those that are
 * there under another name.  ThreadSanitizer has more of them than it obeys, and so has this: what
 * says nothing about order, locks or races is there to be linked with.
 */
#include "rt_annotate.h"
#include "rt_string.h"

#define ANNOTATION(name, ...) HD_RT_EXPORT void name(const char *file, int line, ##__VA_ARGS__)
#define UNUSED_PLACE()                                                                             \
    do {                                                                                           \
        (void)file;                                                                                \
        (void)line;                                                                                \
    } while (0)

/* --- order ---------------------------------------------------------------------------------- */

#define ORDER(name, releases)                                                                      \
    ANNOTATION(name, const volatile void *object);                                                 \
    ANNOTATION(name, const volatile void *object) {                                                \
        UNUSED_PLACE();                                                                            \
        hd_rt_annotate_order(releases, object, HD_RT_CODE());                                      \
    }

// clang-format off
ORDER(AnnotateHappensBefore, true)
ORDER(AnnotateHappensAfter, false)
ORDER(WTFAnnotateHappensBefore, true)
ORDER(WTFAnnotateHappensAfter, false)
// clang-format on

/* --- races that do not count ---------------------------------------------------------------- */

#define BENIGN(name)                                                                               \
    ANNOTATION(name, const volatile void *memory, size_t size, const char *why);                   \
    ANNOTATION(name, const volatile void *memory, size_t size, const char *why) {                  \
        UNUSED_PLACE();                                                                            \
        (void)why;                                                                                 \
        hd_rt_annotate_benign(memory, size, HD_RT_CODE());                                         \
    }

// clang-format off
BENIGN(AnnotateBenignRaceSized)
BENIGN(WTFAnnotateBenignRaceSized)
// clang-format on

ANNOTATION(AnnotateBenignRace, const volatile void *memory, const char *why);
ANNOTATION(AnnotateBenignRace, const volatile void *memory, const char *why) {
    UNUSED_PLACE();
    (void)why;
    hd_rt_annotate_benign(memory, 1, HD_RT_CODE());
}

/* What VALGRIND_HG_ENABLE_CHECKING becomes (rt_requests.h): no function of others does that. */
ANNOTATION(heddle_rt_checked, const volatile void *memory, size_t size);
ANNOTATION(heddle_rt_checked, const volatile void *memory, size_t size) {
    UNUSED_PLACE();
    hd_rt_annotate_checked(memory, size, HD_RT_CODE());
}

#define IGNORE(name, which, begins)                                                                \
    ANNOTATION(name);                                                                              \
    ANNOTATION(name) {                                                                             \
        UNUSED_PLACE();                                                                            \
        hd_rt_annotate_ignore(which, begins, HD_RT_CODE());                                        \
    }

// clang-format off
IGNORE(AnnotateIgnoreReadsBegin, HD_RT_READS, true)
IGNORE(AnnotateIgnoreReadsEnd, HD_RT_READS, false)
IGNORE(AnnotateIgnoreWritesBegin, HD_RT_WRITES, true)
IGNORE(AnnotateIgnoreWritesEnd, HD_RT_WRITES, false)
// clang-format on

/* --- locks ---------------------------------------------------------------------------------- */

ANNOTATION(AnnotateRWLockDestroy, const volatile void *lock);
ANNOTATION(AnnotateRWLockDestroy, const volatile void *lock) {
    UNUSED_PLACE();
    hd_rt_annotate_destroyed(lock, HD_RT_CODE());
}

ANNOTATION(AnnotateRWLockAcquired, const volatile void *lock, long writing);
ANNOTATION(AnnotateRWLockAcquired, const volatile void *lock, long writing) {
    UNUSED_PLACE();
    hd_rt_annotate_acquired(lock, writing != 0, HD_RT_CODE());
}

ANNOTATION(AnnotateRWLockReleased, const volatile void *lock, long writing);
ANNOTATION(AnnotateRWLockReleased, const volatile void *lock, long writing) {
    UNUSED_PLACE();
    hd_rt_annotate_released(lock, writing != 0, HD_RT_CODE());
}

ANNOTATION(AnnotateIgnoreSyncBegin);
ANNOTATION(AnnotateIgnoreSyncBegin) {
    UNUSED_PLACE();
    hd_rt_annotate_unordered(true);
}

ANNOTATION(AnnotateIgnoreSyncEnd);
ANNOTATION(AnnotateIgnoreSyncEnd) {
    UNUSED_PLACE();
    hd_rt_annotate_unordered(false);
}

/* --- fibers --------------------------------------------------------------------------------- */

/* They are not looked at: what a fiber does counts as its thread's. */
static void *tell_fiber(void) {
    static const char text[] = "fibers are not looked at: what a fiber does counts as its thread's";
    if (hd_rt.mode != HD_RT_OFF && !(hd_rt.wire->annotations & HEDDLE_WIRE_TOLD_FIBERS)) {
        hd_rt_annotate_told(HEDDLE_WIRE_TOLD_FIBERS);
        if (!hd_rt.exploring)
            hd_rt_say(text);
    }
    return &hd_rt;
}

HD_RT_EXPORT void *__tsan_get_current_fiber(void);
HD_RT_EXPORT void *__tsan_get_current_fiber(void) {
    return &hd_rt;
}

HD_RT_EXPORT void *__tsan_create_fiber(unsigned flags);
HD_RT_EXPORT void *__tsan_create_fiber(unsigned flags) {
    (void)flags;
    return tell_fiber();
}

HD_RT_EXPORT void __tsan_destroy_fiber(void *fiber);
HD_RT_EXPORT void __tsan_destroy_fiber(void *fiber) {
    (void)fiber;
}

HD_RT_EXPORT void __tsan_switch_to_fiber(void *fiber, unsigned flags);
HD_RT_EXPORT void __tsan_switch_to_fiber(void *fiber, unsigned flags) {
    (void)fiber;
    (void)flags;
    tell_fiber();
}

HD_RT_EXPORT void __tsan_set_fiber_name(void *fiber, const char *name);
HD_RT_EXPORT void __tsan_set_fiber_name(void *fiber, const char *name) {
    (void)fiber;
    (void)name;
}

/* --- names ---------------------------------------------------------------------------------- */

ANNOTATION(AnnotateThreadName, const char *name);
ANNOTATION(AnnotateThreadName, const char *name) {
    UNUSED_PLACE();
    if (hd_rt_controlled() && name)
        hd_rt_text(hd_rt.current->wire->name, sizeof hd_rt.current->wire->name, name);
}

/* --- what is only there to be linked with --------------------------------------------------- */

#define NOTHING(name, ...)                                                                         \
    ANNOTATION(name, ##__VA_ARGS__);                                                               \
    ANNOTATION(name, ##__VA_ARGS__) {                                                              \
        UNUSED_PLACE();                                                                            \
    }

#define OBJECT const volatile void *object __attribute__((unused))
#define SECOND const volatile void *second __attribute__((unused))
#define LENGTH size_t size __attribute__((unused))
#define NUMBER int number __attribute__((unused))
#define TEXT const char *text __attribute__((unused))

// clang-format off
NOTHING(AnnotateRWLockCreate, OBJECT)
NOTHING(AnnotateRWLockCreateStatic, OBJECT)
NOTHING(AnnotateNewMemory, OBJECT, LENGTH)
NOTHING(AnnotateFlushState)
NOTHING(AnnotateFlushExpectedRaces)
NOTHING(AnnotateCondVarSignal, OBJECT)
NOTHING(AnnotateCondVarSignalAll, OBJECT)
NOTHING(AnnotateCondVarWait, OBJECT, SECOND)
NOTHING(AnnotateMutexIsNotPHB, OBJECT)
NOTHING(AnnotateMutexIsUsedAsCondVar, OBJECT)
NOTHING(AnnotatePublishMemoryRange, OBJECT, LENGTH)
NOTHING(AnnotateUnpublishMemoryRange, OBJECT, LENGTH)
NOTHING(AnnotateTraceMemory, OBJECT)
NOTHING(AnnotateNoOp, OBJECT)
NOTHING(AnnotateEnableRaceDetection, NUMBER)
NOTHING(AnnotateExpectRace, OBJECT, TEXT)
NOTHING(AnnotatePCQCreate, OBJECT)
NOTHING(AnnotatePCQDestroy, OBJECT)
NOTHING(AnnotatePCQPut, OBJECT)
NOTHING(AnnotatePCQGet, OBJECT)
NOTHING(AnnotateMemoryIsInitialized, OBJECT, LENGTH)
NOTHING(AnnotateMemoryIsUninitialized, OBJECT, LENGTH)
// clang-format on

HD_RT_EXPORT int RunningOnValgrind(void);
HD_RT_EXPORT int RunningOnValgrind(void) {
    return 0;
}

HD_RT_EXPORT double ValgrindSlowdown(void);
HD_RT_EXPORT double ValgrindSlowdown(void) {
    return 10;
}

/* Programs ask whether locks alone order: here they do not. */
HD_RT_EXPORT const char *ThreadSanitizerQuery(const char *query);
HD_RT_EXPORT const char *ThreadSanitizerQuery(const char *query) {
    static const char asked[] = "pure_happens_before";
    size_t i = 0;
    while (i < sizeof asked && query[i] == asked[i])
        i++;
    return i == sizeof asked ? "1" : "0";
}
