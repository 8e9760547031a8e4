/* A thread fails before another one, which cannot go on before this one's last operation, does what
 * prevents that: after it was created, after it joined another, or after it posted a semaphore. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#ifdef ERROR
void fail_here(void) __asm__("reach_error");
#define FAIL() fail_here()
#elif defined FREED
#define FAIL()                                                                                     \
    do {                                                                                           \
        volatile int *block = malloc(sizeof *block);                                               \
        free((void *)block);                                                                       \
        *block = 1;                                                                                \
    } while (0)
#elif defined MISUSED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define FAIL() pthread_mutex_unlock(&lock)
#elif defined CALL
static void *volatile nowhere;
static volatile long seen;
#define FAIL() (seen = (long)(CALL))
#else
#define FAIL() (*(volatile int *)0 = 1)
#endif

static pthread_t first, second;
static sem_t done;
static int ready;

static void *make_ready(void *unused) {
    sem_wait(&done);
    ready = 1;
    return unused;
}

static void *post(void *unused) {
    sem_post(&done);
    return unused;
}

static void *use_second(void *unused) {
    if (!second)
        FAIL();
    return unused;
}

int main(void) {
    sem_init(&done, 0, 0);
#ifdef CREATED
    pthread_create(&first, NULL, use_second, NULL);
    pthread_create(&second, NULL, post, NULL);
    pthread_join(first, NULL);
#elif defined JOINED
    pthread_create(&first, NULL, post, NULL);
    pthread_create(&second, NULL, make_ready, NULL);
    pthread_join(first, NULL);
    if (!ready)
        FAIL();
#else
    pthread_create(&second, NULL, make_ready, NULL);
    sem_post(&done);
    if (!ready)
        FAIL();
#endif
    pthread_join(second, NULL);
    return 3;
}
