/* What dynamic_annotations.h declares, and a lock whose code is not instrumented. */
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <stddef.h>
#include <stdlib.h>
void AnnotateHappensBefore(const char *file, int line, const volatile void *object);
void AnnotateHappensAfter(const char *file, int line, const volatile void *object);
void AnnotateBenignRace(const char *file, int line, const volatile void *memory, const char *why);
void AnnotateBenignRaceSized(const char *file, int line, const volatile void *memory, size_t size,
                             const char *why);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
void AnnotateIgnoreSyncBegin(const char *file, int line);
void AnnotateIgnoreSyncEnd(const char *file, int line);
void AnnotateRWLockCreate(const char *file, int line, const volatile void *lock);
void AnnotateRWLockDestroy(const char *file, int line, const volatile void *lock);
void AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock, long writing);
void AnnotateRWLockReleased(const char *file, int line, const volatile void *lock, long writing);
void AnnotateThreadName(const char *file, int line, const char *name);
void WTFAnnotateHappensBefore(const char *file, int line, const volatile void *object);
void WTFAnnotateHappensAfter(const char *file, int line, const volatile void *object);

/* Readers above, the writer in bit 0. */
typedef struct own_lock {
    int word;
} own_lock;

#define UNSEEN __attribute__((no_sanitize("thread"), noinline, unused))

UNSEEN static int unseen_try(own_lock *lock, int writing) {
    int word = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);
    if (word & 1 || (writing && word))
        return 0;
    return __atomic_compare_exchange_n(&lock->word, &word, writing ? 1 : word + 2, 0,
                                       __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

UNSEEN static void unseen_take(own_lock *lock, int writing) {
    while (!unseen_try(lock, writing))
        ;
}

UNSEEN static void unseen_give(own_lock *lock, int writing) {
    __atomic_fetch_sub(&lock->word, writing ? 1 : 2, __ATOMIC_RELEASE);
}

__attribute__((unused)) static void lock_own(own_lock *lock, int writing) {
    __tsan_mutex_pre_lock(lock, writing ? 0 : __tsan_mutex_read_lock);
    unseen_take(lock, writing);
    __tsan_mutex_post_lock(lock, writing ? 0 : __tsan_mutex_read_lock, 0);
}

__attribute__((unused)) static int try_own(own_lock *lock) {
    __tsan_mutex_pre_lock(lock, __tsan_mutex_try_lock);
    int taken = unseen_try(lock, 1);
    __tsan_mutex_post_lock(lock, __tsan_mutex_try_lock | (taken ? 0 : __tsan_mutex_try_lock_failed),
                           0);
    return taken;
}

__attribute__((unused)) static void unlock_own(own_lock *lock, int writing) {
    __tsan_mutex_pre_unlock(lock, writing ? 0 : __tsan_mutex_read_lock);
    unseen_give(lock, writing);
    __tsan_mutex_post_unlock(lock, writing ? 0 : __tsan_mutex_read_lock);
}

__attribute__((unused)) static void run_two(void *(*one)(void *), void *(*other)(void *)) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
