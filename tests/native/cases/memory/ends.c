/* The end of a detached thread, and of the program, against what others do: a variable of a thread
 * that may have ended is used; a handler of atexit writes what a thread that nobody waits for
 * writes.  REUSED is right: threads that nothing orders may get the same stack, one after the
 * other. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) given;
static atomic_int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int counter;

#if defined THREAD_LOCAL || defined STACK
#ifdef THREAD_LOCAL
static _Thread_local int own;
#endif

static void *work(void *unused) {
#ifdef STACK
    int own;
#endif
    own = 5;
    atomic_store(&given, &own);
#ifdef GOOD
    while (!atomic_load(&done))
        sched_yield();
#endif
    return unused;
}

static void use(void) {
    int *it;
    while (!(it = atomic_load(&given)))
        sched_yield();
    counter = *it;
    atomic_store(&done, 1);
}
#elif defined AT_EXIT
static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    counter = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void last(void) {
#ifdef GOOD
    pthread_mutex_lock(&lock);
    counter = 2;
    pthread_mutex_unlock(&lock);
#else
    counter = 2;
#endif
}

static void use(void) {
    atexit(last);
}
#else
static __attribute__((noinline)) void fill(int *to) {
    for (int i = 0; i < 4; i++)
        to[i] = i;
}

static void *work(void *unused) {
    int own[4];
    fill(own);
    atomic_fetch_add_explicit(&done, own[1], memory_order_relaxed);
    return unused;
}

static void use(void) {
    static int threads = 1;
    while (atomic_load_explicit(&done, memory_order_relaxed) < threads)
        sched_yield();
    for (int i = 0; i < 5; i++)
        sched_yield();
    if (threads++ < 3) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        pthread_detach(thread);
        use();
    }
}
#endif

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    use();
    (void)given;
    (void)lock;
    return 0;
}
