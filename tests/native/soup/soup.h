/* What the drawn programs in C have in common: ./run.  Statements are in statements-c. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

enum { THREADS = 3, STATEMENTS = 3 };
static pthread_t threads[THREADS];
static long results[THREADS][STATEMENTS];

static int x, y, array[4];
static atomic_int ax, ay;
static volatile int vx;
static _Thread_local int own;
static char *heap;
static char text[16] = "aXbXc";
static char *rest;

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checking, recursive, robust;
static mtx_t plain;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t one, none;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static cnd_t c11;
static pthread_barrier_t barrier;
static pthread_key_t key;
static tss_t slot;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;

static int ends[2], event, sockets[2];
static FILE *file;
static unsigned seed = 1;
static void *tree;

static struct timespec after(clockid_t clock, long nanoseconds) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += nanoseconds;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static sigset_t only(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return set;
}

static void once_plain(void) {
    x += 10;
}

static void once_atomic(void) {
    atomic_fetch_add(&ax, 10);
}

static void destroy(void *value) {
    atomic_fetch_add(&ay, (int)(intptr_t)value);
}

static void clean(void *value) {
    atomic_fetch_add(&ay, (int)(intptr_t)value);
}

static void release(void *mutex) {
    x += 1;
    pthread_mutex_unlock(mutex);
}

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

static void handle(int number) {
    atomic_fetch_add(&ax, number == SIGUSR1 ? 100 : 1000);
}

static void handle_value(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    atomic_fetch_add(&ax, info->si_value.sival_int);
}

/* Threads that threads create. */
static void *add(void *value) {
    x += (int)(intptr_t)value;
    return value;
}

static int add_c11(void *value) {
    atomic_fetch_add(&ax, (int)(intptr_t)value);
    return (int)(intptr_t)value;
}

static void *post(void *value) {
    sem_post(&none);
    return value;
}

static void *keep(void *value) {
    pthread_mutex_lock(&m);
    y += (int)(intptr_t)value;
    return NULL;
}

static void setup(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_NORMAL);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    mtx_init(&plain, mtx_plain);
    cnd_init(&c11);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    sem_init(&one, 0, 1);
    sem_init(&none, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_key_create(&key, destroy);
    tss_create(&slot, destroy);
}

static void show(int count) {
    for (int i = 0; i < count; i++)
        printf("%ld %ld %ld;", results[i][0], results[i][1], results[i][2]);
    printf("%d %d %d %d %d %.15s\n", x, y, atomic_load(&ax), atomic_load(&ay),
           array[0] + array[1] * 3, text);
}
