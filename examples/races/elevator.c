/*
 * Lifts and the people who wait for them, after the dissertation's elevator: the controls
 * have one lock, and a lift claims a floor before it goes there.
 *
 * A lift that found no passenger reads `waiting` without the lock to decide whether it may
 * go home, while main adds people under the lock.  With FIXED it reads under the lock.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, FLOORS = 3, PEOPLE = 3, TRIES = 3 };

static pthread_mutex_t Controls = PTHREAD_MUTEX_INITIALIZER;
static int up[FLOORS], claimed[FLOORS];
static int waiting, carried;

static int claim(void) {
    int floor = -1;
    pthread_mutex_lock(&Controls);
    for (int i = 0; i < FLOORS && floor < 0; i++)
        if (up[i] && !claimed[i]) {
            claimed[i] = 1;
            floor = i;
        }
    pthread_mutex_unlock(&Controls);
    return floor;
}

static void carry(int floor) {
    pthread_mutex_lock(&Controls);
    carried += up[floor];
    waiting -= up[floor];
    up[floor] = claimed[floor] = 0;
    pthread_mutex_unlock(&Controls);
}

static int is_needed(void) {
#ifdef FIXED
    pthread_mutex_lock(&Controls);
    int needed = waiting > 0;
    pthread_mutex_unlock(&Controls);
    return needed;
#else
    return waiting > 0;
#endif
}

static void *lift(void *argument) {
    (void)argument;
    for (int i = 0; i < TRIES; i++) {
        int floor = claim();
        if (floor >= 0)
            carry(floor);
        else if (!is_needed())
            break;
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    int lifts = count > 1 ? atoi(words[1]) : 2;
    if (lifts < 1 || lifts > MOST)
        return 2;
    for (int i = 0; i < lifts; i++)
        pthread_create(&threads[i], NULL, lift, NULL);
    for (int i = 0; i < PEOPLE; i++) {
        pthread_mutex_lock(&Controls);
        up[i % FLOORS]++;
        waiting++;
        pthread_mutex_unlock(&Controls);
    }
    for (int i = 0; i < lifts; i++)
        pthread_join(threads[i], NULL);
    return carried <= PEOPLE ? 0 : 1;
}
