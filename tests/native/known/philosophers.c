// expected: false(no-deadlock); with -DFIXED: true
// Three at a table, each takes the fork on the left first.
#include <pthread.h>

enum { SEATS = 3 };
pthread_mutex_t fork_of[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                  PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *number) {
    int left = (int)(long)number, right = (left + 1) % SEATS;
#ifdef FIXED
    if (left > right) {
        int other = left;
        left = right;
        right = other;
    }
#endif
    pthread_mutex_lock(&fork_of[left]);
    pthread_mutex_lock(&fork_of[right]);
    pthread_mutex_unlock(&fork_of[right]);
    pthread_mutex_unlock(&fork_of[left]);
    return NULL;
}

int main(void) {
    pthread_t all[SEATS];
    for (long i = 0; i < SEATS; i++)
        pthread_create(&all[i], NULL, dine, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(all[i], NULL);
    return 0;
}
