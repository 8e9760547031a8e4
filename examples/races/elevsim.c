/*
 * Elevators of one building, as Elevsim of the paper's table 1: many locks, and the steps of
 * a car depend on those of the others.
 *
 * Every floor has a lock for its calls; `served` is counted under the lock of the floor that
 * was served.  Two cars that serve different floors at the same time hold different locks:
 * the race is there only if both find a call.  With FIXED the count has a lock of its own.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, FLOORS = 4, ROUNDS = 2 };

static pthread_mutex_t FloorLock[FLOORS];
static pthread_mutex_t ServedLock = PTHREAD_MUTEX_INITIALIZER;
static int calls[FLOORS];
static int served;
static int cars;

static void count_one(void) {
#ifdef FIXED
    pthread_mutex_lock(&ServedLock);
#endif
    served++;
#ifdef FIXED
    pthread_mutex_unlock(&ServedLock);
#endif
}

static int serve(int floor) {
    int some = 0;
    pthread_mutex_lock(&FloorLock[floor]);
    if (calls[floor] > 0) {
        calls[floor]--;
        count_one();
        some = 1;
    }
    pthread_mutex_unlock(&FloorLock[floor]);
    return some;
}

/* From its own floor upwards, then down again to a floor that called. */
static void *ride(void *argument) {
    int floor = (int)(size_t)argument * 2 % FLOORS;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < FLOORS; i++)
            if (serve((floor + i) % FLOORS))
                floor = (floor + i) % FLOORS;
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    cars = count > 1 ? atoi(words[1]) : 2;
    if (cars < 1 || cars > MOST)
        return 2;
    for (int i = 0; i < FLOORS; i++) {
        pthread_mutex_init(&FloorLock[i], NULL);
        calls[i] = i % 2 ? 1 : 0;
    }
    pthread_mutex_lock(&ServedLock);
    served = 0;
    pthread_mutex_unlock(&ServedLock);
    for (int i = 0; i < cars; i++)
        pthread_create(&threads[i], NULL, ride, (void *)(size_t)i);
    for (int i = 0; i < cars; i++)
        pthread_join(threads[i], NULL);
    return served <= FLOORS ? 0 : 1;
}
