// expected: false(no-deadlock); with -DFIXED: true
// Each of three passes a token to the next; one wakes the wrong one.
#include <pthread.h>

enum { SEATS = 3 };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t turn_of[SEATS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER,
                                 PTHREAD_COND_INITIALIZER};
int turn;

static void *pass(void *number) {
    int me = (int)(long)number, next = (me + 1) % SEATS;
    pthread_mutex_lock(&lock);
    while (turn != me)
        pthread_cond_wait(&turn_of[me], &lock);
    turn = next;
#ifdef FIXED
    pthread_cond_signal(&turn_of[next]);
#else
    pthread_cond_signal(&turn_of[me]);
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t all[SEATS];
    for (long i = 0; i < SEATS; i++)
        pthread_create(&all[i], NULL, pass, (void *)i);
    for (int i = 0; i < SEATS; i++)
        pthread_join(all[i], NULL);
    return 0;
}
