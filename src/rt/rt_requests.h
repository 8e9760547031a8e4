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
#undef VALGRIND_HG_ENABLE_CHECKING

#define ANNOTATE_HAPPENS_BEFORE(object) heddle_request_before(__FILE__, __LINE__, (object))
#define ANNOTATE_HAPPENS_AFTER(object) heddle_request_after(__FILE__, __LINE__, (object))
#define ANNOTATE_RWLOCK_CREATE(lock) heddle_request_create(__FILE__, __LINE__, (lock))
#define ANNOTATE_RWLOCK_DESTROY(lock) heddle_request_destroy(__FILE__, __LINE__, (lock))
#define ANNOTATE_RWLOCK_ACQUIRED(lock, writing)                                                    \
    heddle_request_acquired(__FILE__, __LINE__, (lock), (writing))
#define ANNOTATE_RWLOCK_RELEASED(lock, writing)                                                    \
    heddle_request_released(__FILE__, __LINE__, (lock), (writing))
#define ANNOTATE_SEM_WAIT_POST(object) ANNOTATE_HAPPENS_AFTER(object)
#define ANNOTATE_SEM_POST_PRE(object) ANNOTATE_HAPPENS_BEFORE(object)
#define ANNOTATE_BARRIER_WAIT_BEFORE(object) ANNOTATE_HAPPENS_BEFORE(object)
#define ANNOTATE_BARRIER_WAIT_AFTER(object) ANNOTATE_HAPPENS_AFTER(object)
#define ANNOTATE_BENIGN_RACE(address, why)                                                         \
    heddle_request_benign(__FILE__, __LINE__, (address), sizeof(*(address)), (why))
#define ANNOTATE_BENIGN_RACE_SIZED(address, size, why)                                             \
    heddle_request_benign(__FILE__, __LINE__, (address), (size), (why))
#define ANNOTATE_IGNORE_READS_BEGIN() heddle_request_ignore_reads(__FILE__, __LINE__)
#define ANNOTATE_IGNORE_READS_END() heddle_request_heed_reads(__FILE__, __LINE__)
#define ANNOTATE_IGNORE_WRITES_BEGIN() heddle_request_ignore_writes(__FILE__, __LINE__)
#define ANNOTATE_IGNORE_WRITES_END() heddle_request_heed_writes(__FILE__, __LINE__)
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
#define ANNOTATE_THREAD_NAME(name) heddle_request_name(__FILE__, __LINE__, (name))
#define VALGRIND_HG_MUTEX_LOCK_POST(lock) ANNOTATE_RWLOCK_ACQUIRED(lock, 1)
#define VALGRIND_HG_MUTEX_UNLOCK_PRE(lock) ANNOTATE_RWLOCK_RELEASED(lock, 1)
#define VALGRIND_HG_MUTEX_DESTROY_PRE(lock) ANNOTATE_RWLOCK_DESTROY(lock)
#define VALGRIND_HG_SEM_WAIT_POST(object) ANNOTATE_HAPPENS_AFTER(object)
#define VALGRIND_HG_SEM_POST_PRE(object) ANNOTATE_HAPPENS_BEFORE(object)
#define VALGRIND_HG_DISABLE_CHECKING(address, size)                                                \
    ANNOTATE_BENIGN_RACE_SIZED(address, size, "not checked")
#define VALGRIND_HG_ENABLE_CHECKING(address, size)                                                 \
    heddle_request_checked(__FILE__, __LINE__, (address), (size))

#ifndef HEDDLE_REQUESTS_H
#define HEDDLE_REQUESTS_H

/* Under names of their own: a program may declare these functions itself, with other types. */
#define HEDDLE_REQUEST(name) __asm__(#name)

#ifdef __cplusplus
extern "C" {
#endif
void heddle_request_before(const char *, int, const volatile void *)
    HEDDLE_REQUEST(AnnotateHappensBefore);
void heddle_request_after(const char *, int, const volatile void *)
    HEDDLE_REQUEST(AnnotateHappensAfter);
void heddle_request_create(const char *, int, const volatile void *)
    HEDDLE_REQUEST(AnnotateRWLockCreate);
void heddle_request_destroy(const char *, int, const volatile void *)
    HEDDLE_REQUEST(AnnotateRWLockDestroy);
void heddle_request_acquired(const char *, int, const volatile void *, long)
    HEDDLE_REQUEST(AnnotateRWLockAcquired);
void heddle_request_released(const char *, int, const volatile void *, long)
    HEDDLE_REQUEST(AnnotateRWLockReleased);
void heddle_request_benign(const char *, int, const volatile void *, __SIZE_TYPE__, const char *)
    HEDDLE_REQUEST(AnnotateBenignRaceSized);
void heddle_request_ignore_reads(const char *, int) HEDDLE_REQUEST(AnnotateIgnoreReadsBegin);
void heddle_request_heed_reads(const char *, int) HEDDLE_REQUEST(AnnotateIgnoreReadsEnd);
void heddle_request_ignore_writes(const char *, int) HEDDLE_REQUEST(AnnotateIgnoreWritesBegin);
void heddle_request_heed_writes(const char *, int) HEDDLE_REQUEST(AnnotateIgnoreWritesEnd);
void heddle_request_name(const char *, int, const char *) HEDDLE_REQUEST(AnnotateThreadName);
void heddle_request_checked(const char *, int, const volatile void *, __SIZE_TYPE__)
    HEDDLE_REQUEST(heddle_rt_checked);
#ifdef __cplusplus
}
#endif

#endif
