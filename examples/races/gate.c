/*
 * A gate that closes: a visitor who comes after a guard has closed it waits for the doorman.  Both
 * count themselves without a lock, which no lock protects, so the lockset of any run warns.
 *
 * But the two meet only if the visitor passes before the first guard does.  So this shows what the
 * hint of Shacham, Sagiv and Schuster is for: a search that lets the visitor's thread go first is
 * there at once; one that does not goes through the orders of the guards first.  With FIXED they
 * count under a lock.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { MOST = 6, ROUNDS = 2 };

static pthread_mutex_t GateLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t CountLock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static int closed, seen, inside;

static void count_one(void) {
#ifdef FIXED
    pthread_mutex_lock(&CountLock);
#endif
    inside++;
#ifdef FIXED
    pthread_mutex_unlock(&CountLock);
#endif
}

static void *guard(void *argument) {
    (void)argument;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&GateLock);
        closed = 1;
        seen++;
        pthread_mutex_unlock(&GateLock);
    }
    return NULL;
}

static void *doorman(void *argument) {
    (void)argument;
    pthread_mutex_lock(&CountLock);
    pthread_mutex_unlock(&CountLock);
    count_one();
    sem_post(&done);
    return NULL;
}

static void *visitor(void *argument) {
    (void)argument;
    pthread_mutex_lock(&GateLock);
    int open = !closed;
    pthread_mutex_unlock(&GateLock);
    if (!open)
        sem_wait(&done);
    count_one();
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST + 2];
    int guards = count > 1 ? atoi(words[1]) : 2;
    if (guards < 1 || guards > MOST)
        return 2;
    sem_init(&done, 0, 0);
    pthread_create(&threads[0], NULL, doorman, NULL);
    for (int i = 1; i <= guards; i++)
        pthread_create(&threads[i], NULL, guard, NULL);
    pthread_create(&threads[guards + 1], NULL, visitor, NULL);
    for (int i = 0; i < guards + 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
