/*
 * Runs a program that is given as text: one argument for each thread, words with spaces between.
 * `v` is the thread's own variable, x atomic variables, p plain ones; k is a digit, n a number of
 * words.  The first thread is main.
 *
 *   Rk Wk:c Vk Ak Ck:a:b   v = x; x = c; x = v; v = x++; v = cas(x, a, b)
 *   Sk:c Zk:c              wait in a loop until x == c; until v = cas(x, c, 2) succeeds
 *   rk wk:c                v = p; p = c
 *   Lk Uk Tk:n             lock, unlock; v = trylock, if it fails skip n words
 *   tk:n                   v = lock with a time limit, if the time is up skip n words
 *   Kk:m Nk Bk             wait for a condition with mutex m, signal, broadcast
 *   kk:m                   v = wait with a time limit
 *   Pk Qk qk sk            post; wait for a semaphore; v = try to; v = wait with a time limit
 *   Gk Hk gk               lock for reading, for writing, unlock
 *   ak:n bk:n              the same with a time limit, if the time is up skip n words
 *   Yk                     wait at a barrier
 *   Ok                     run an initialisation once, which increments x
 *   ?c:n                   if v != c skip n words
 *   !k:c                   fail if v == c, at a place of its own for each k
 *   Mk:n                   do the next n words in an atomic section
 *   Fk Jk                  create, join thread k
 *   jk:n ik:n              v = try to join it; with a time limit; if that succeeds skip n words
 *   c0 c1 c2               v = microseconds of the clock mod 3; sleep until 2033; for a microsecond
 *   D                      print v
 *   E                      end the process
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8 };

static char **texts;
static pthread_t handle[THREADS];
static atomic_int x0, x1;
static int p0, p1;
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t condition[1] = {PTHREAD_COND_INITIALIZER};
static pthread_rwlock_t rwlock[1] = {PTHREAD_RWLOCK_INITIALIZER};
static pthread_once_t once[1] = {PTHREAD_ONCE_INIT};
static pthread_barrier_t barrier[1];
static sem_t semaphore[1];
static const struct timespec limit = {2000000000, 0};

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static void initialise(void) {
    atomic_fetch_add(&x0, 1);
}

static const char *skip(const char *at, int words) {
    for (; *at && words; at++)
        words -= *at == ' ';
    return at;
}

static int atomic_step(const char *w, int v) {
    atomic_int *x = w[1] == '0' ? &x0 : &x1;
    int expected = w[0] == 'C' ? w[3] - '0' : 0;
    switch (w[0]) {
    case 'R':
        return atomic_load(x);
    case 'W':
        atomic_store(x, w[3] - '0');
        return v;
    case 'V':
        atomic_store(x, v);
        return v;
    case 'A':
        return atomic_fetch_add(x, 1);
    default:
        return atomic_compare_exchange_strong(x, &expected, w[5] - '0');
    }
}

static void spin(const char *w) {
    atomic_int *x = w[1] == '0' ? &x0 : &x1;
    int c = w[3] - '0', expected = c;
    if (w[0] == 'S')
        while (atomic_load(x) != c)
            ;
    else
        while (!atomic_compare_exchange_strong(x, &expected, 2))
            expected = c;
}

static int plain_step(const char *w, int v) {
    if (w[0] == 'r' && w[1] == '0')
        return p0;
    if (w[0] == 'r')
        return p1;
    if (w[1] == '0')
        p0 = w[3] - '0';
    else
        p1 = w[3] - '0';
    return v;
}

static void check(const char *w, int v) {
    int c = w[3] - '0';
    switch (w[1]) {
    case '0':
        assert(v != c);
        break;
    case '1':
        assert(v != c);
        break;
    case '2':
        assert(v != c);
        break;
    default:
        assert(v != c);
        break;
    }
}

static void *run(void *argument);

static int ask_time(int k, int v) {
    struct timespec now;
    if (k == 1)
        clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &limit, NULL);
    if (k == 2)
        usleep(1);
    if (k)
        return v;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int)(now.tv_nsec / 1000 % 3);
}

static int object_step(const char *w, int v) {
    int k = w[1] - '0';
    switch (w[0]) {
    case 'L':
        pthread_mutex_lock(&mutex[k]);
        break;
    case 'U':
        pthread_mutex_unlock(&mutex[k]);
        break;
    case 'K':
        pthread_cond_wait(&condition[k], &mutex[w[3] - '0']);
        break;
    case 'N':
        pthread_cond_signal(&condition[k]);
        break;
    case 'B':
        pthread_cond_broadcast(&condition[k]);
        break;
    case 'P':
        sem_post(&semaphore[k]);
        break;
    case 'Q':
        sem_wait(&semaphore[k]);
        break;
    case 'q':
        return sem_trywait(&semaphore[k]) == 0;
    case 's':
        return sem_timedwait(&semaphore[k], &limit) == 0;
    case 'k':
        return pthread_cond_timedwait(&condition[k], &mutex[w[3] - '0'], &limit) == 0;
    case 'G':
        pthread_rwlock_rdlock(&rwlock[k]);
        break;
    case 'H':
        pthread_rwlock_wrlock(&rwlock[k]);
        break;
    case 'g':
        pthread_rwlock_unlock(&rwlock[k]);
        break;
    case 'Y':
        pthread_barrier_wait(&barrier[k]);
        break;
    case 'O':
        pthread_once(&once[k], initialise);
        break;
    case 'F':
        pthread_create(&handle[k], NULL, run, texts[k]);
        break;
    case 'J':
        pthread_join(handle[k], NULL);
        break;
    case 'E':
        exit(0);
    case 'c':
        return ask_time(k, v);
    case 'D':
        printf("%d ", v);
        break;
    default:
        abort();
    }
    return v;
}

static int try_join(const char *w) {
    pthread_t thread = handle[w[1] - '0'];
    return (*w == 'j' ? pthread_tryjoin_np(thread, NULL)
                      : pthread_timedjoin_np(thread, NULL, &limit)) == 0;
}

/* Takes a lock without waiting for ever: did it? */
static int try_step(const char *w) {
    int k = w[1] - '0';
    switch (w[0]) {
    case 'T':
        return pthread_mutex_trylock(&mutex[k]) == 0;
    case 't':
        return pthread_mutex_timedlock(&mutex[k], &limit) == 0;
    case 'a':
        return pthread_rwlock_timedrdlock(&rwlock[k], &limit) == 0;
    default:
        return pthread_rwlock_timedwrlock(&rwlock[k], &limit) == 0;
    }
}

/* At a place of its own for each k. */
static void begin_section(const char *w) {
    switch (w[1]) {
    case '0':
        __VERIFIER_atomic_begin();
        break;
    case '1':
        __VERIFIER_atomic_begin();
        break;
    default:
        __VERIFIER_atomic_begin();
        break;
    }
}

static int run_words(const char *from, const char *to, int v);

static int run_section(const char *w, int v) {
    const char *first = skip(w, 1);
    begin_section(w);
    v = run_words(first, skip(first, w[3] - '0'), v);
    __VERIFIER_atomic_end();
    return v;
}

static int run_words(const char *from, const char *to, int v) {
    for (const char *w = from; w < to; w = skip(w, 1)) {
        if (*w == '?' && v != w[1] - '0')
            w = skip(w, w[3] - '0');
        else if (*w == 'T' || *w == 't' || *w == 'a' || *w == 'b') {
            v = try_step(w);
            if (!v)
                w = skip(w, w[3] - '0');
        } else if (*w == 'j' || *w == 'i') {
            v = try_join(w);
            if (v)
                w = skip(w, w[3] - '0');
        } else if (*w == 'M') {
            v = run_section(w, v);
            w = skip(w, w[3] - '0');
        } else if (*w == 'S' || *w == 'Z')
            spin(w);
        else if (*w == '!')
            check(w, v);
        else if (*w == 'r' || *w == 'w')
            v = plain_step(w, v);
        else if (*w == 'R' || *w == 'W' || *w == 'V' || *w == 'A' || *w == 'C')
            v = atomic_step(w, v);
        else if (*w != '?')
            v = object_step(w, v);
    }
    return v;
}

static void *run(void *argument) {
    const char *words = argument;
    run_words(words, words + strlen(words), 0);
    return NULL;
}

int main(int count, char **arguments) {
    texts = arguments + 1;
    sem_init(&semaphore[0], 0, 1);
    pthread_barrier_init(&barrier[0], NULL, 2);
    if (count > 1)
        run(texts[0]);
    return 0;
}
