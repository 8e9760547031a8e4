/*
 * Client requests of Helgrind and DRD as calls of the runtime.  Natively they are instructions that
 * do nothing, which no tool but Valgrind can see; heddle cc puts this in their place, after the
 * headers of Valgrind that define them.
 */
#undef ANNOTATE_HAPPENS_BEFORE
#undef ANNOTATE_HAPPENS_AFTER
#undef ANNOTATE_RWLOCK_CREATE
#undef ANNOTATE_RWLOCK_DESTROY
#undef ANNOTATE_RWLOCK_ACQUIRED
#undef ANNOTATE_RWLOCK_RELEASED
#undef ANNOTATE_SEM_WAIT_POST
#undef ANNOTATE_SEM_POST_PRE
#undef ANNOTATE_BARRIER_WAIT_BEFORE
#undef ANNOTATE_BARRIER_WAIT_AFTER
#undef ANNOTATE_BENIGN_RACE
#undef ANNOTATE_BENIGN_RACE_SIZED
#undef ANNOTATE_IGNORE_READS_BEGIN
#undef ANNOTATE_IGNORE_READS_END
#undef ANNOTATE_IGNORE_WRITES_BEGIN
#undef ANNOTATE_IGNORE_WRITES_END
#undef ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN
#undef ANNOTATE_IGNORE_READS_AND_WRITES_END
#undef ANNOTATE_THREAD_NAME
#undef VALGRIND_HG_MUTEX_LOCK_POST
#undef VALGRIND_HG_MUTEX_UNLOCK_PRE
#undef VALGRIND_HG_MUTEX_DESTROY_PRE
#undef VALGRIND_HG_SEM_WAIT_POST
#undef VALGRIND_HG_SEM_POST_PRE
#undef VALGRIND_HG_DISABLE_CHECKING

#define ANNOTATE_HAPPENS_BEFORE(object) AnnotateHappensBefore(__FILE__, __LINE__, (object))
#define ANNOTATE_HAPPENS_AFTER(object) AnnotateHappensAfter(__FILE__, __LINE__, (object))
#define ANNOTATE_RWLOCK_CREATE(lock) AnnotateRWLockCreate(__FILE__, __LINE__, (lock))
#define ANNOTATE_RWLOCK_DESTROY(lock) AnnotateRWLockDestroy(__FILE__, __LINE__, (lock))
#define ANNOTATE_RWLOCK_ACQUIRED(lock, writing)                                                    \
    AnnotateRWLockAcquired(__FILE__, __LINE__, (lock), (writing))
#define ANNOTATE_RWLOCK_RELEASED(lock, writing)                                                    \
    AnnotateRWLockReleased(__FILE__, __LINE__, (lock), (writing))
#define ANNOTATE_SEM_WAIT_POST(object) ANNOTATE_HAPPENS_AFTER(object)
#define ANNOTATE_SEM_POST_PRE(object) ANNOTATE_HAPPENS_BEFORE(object)
#define ANNOTATE_BARRIER_WAIT_BEFORE(object) ANNOTATE_HAPPENS_BEFORE(object)
#define ANNOTATE_BARRIER_WAIT_AFTER(object) ANNOTATE_HAPPENS_AFTER(object)
#define ANNOTATE_BENIGN_RACE(address, why)                                                         \
    AnnotateBenignRaceSized(__FILE__, __LINE__, (address), sizeof(*(address)), (why))
#define ANNOTATE_BENIGN_RACE_SIZED(address, size, why)                                             \
    AnnotateBenignRaceSized(__FILE__, __LINE__, (address), (size), (why))
#define ANNOTATE_IGNORE_READS_BEGIN() AnnotateIgnoreReadsBegin(__FILE__, __LINE__)
#define ANNOTATE_IGNORE_READS_END() AnnotateIgnoreReadsEnd(__FILE__, __LINE__)
#define ANNOTATE_IGNORE_WRITES_BEGIN() AnnotateIgnoreWritesBegin(__FILE__, __LINE__)
#define ANNOTATE_IGNORE_WRITES_END() AnnotateIgnoreWritesEnd(__FILE__, __LINE__)
#define ANNOTATE_IGNORE_READS_AND_WRITES_BEGIN()                                                   \
    do {                                                                                           \
        ANNOTATE_IGNORE_READS_BEGIN();                                                             \
        ANNOTATE_IGNORE_WRITES_BEGIN();                                                            \
    } while (0)
#define ANNOTATE_IGNORE_READS_AND_WRITES_END()                                                     \
    do {                                                                                           \
        ANNOTATE_IGNORE_WRITES_END();                                                              \
        ANNOTATE_IGNORE_READS_END();                                                               \
    } while (0)
#define ANNOTATE_THREAD_NAME(name) AnnotateThreadName(__FILE__, __LINE__, (name))
#define VALGRIND_HG_MUTEX_LOCK_POST(lock) ANNOTATE_RWLOCK_ACQUIRED(lock, 1)
#define VALGRIND_HG_MUTEX_UNLOCK_PRE(lock) ANNOTATE_RWLOCK_RELEASED(lock, 1)
#define VALGRIND_HG_MUTEX_DESTROY_PRE(lock) ANNOTATE_RWLOCK_DESTROY(lock)
#define VALGRIND_HG_SEM_WAIT_POST(object) ANNOTATE_HAPPENS_AFTER(object)
#define VALGRIND_HG_SEM_POST_PRE(object) ANNOTATE_HAPPENS_BEFORE(object)
#define VALGRIND_HG_DISABLE_CHECKING(address, size)                                                \
    ANNOTATE_BENIGN_RACE_SIZED(address, size, "not checked")

#ifndef HEDDLE_REQUESTS_H
#define HEDDLE_REQUESTS_H

#ifdef __cplusplus
extern "C" {
#endif
void AnnotateHappensBefore(const char *, int, const volatile void *);
void AnnotateHappensAfter(const char *, int, const volatile void *);
void AnnotateRWLockCreate(const char *, int, const volatile void *);
void AnnotateRWLockDestroy(const char *, int, const volatile void *);
void AnnotateRWLockAcquired(const char *, int, const volatile void *, long);
void AnnotateRWLockReleased(const char *, int, const volatile void *, long);
void AnnotateBenignRaceSized(const char *, int, const volatile void *, __SIZE_TYPE__, const char *);
void AnnotateIgnoreReadsBegin(const char *, int);
void AnnotateIgnoreReadsEnd(const char *, int);
void AnnotateIgnoreWritesBegin(const char *, int);
void AnnotateIgnoreWritesEnd(const char *, int);
void AnnotateThreadName(const char *, int, const char *);
#ifdef __cplusplus
}
#endif

#endif
