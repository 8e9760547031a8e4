/*
 * Dining philosophers who all take the left fork first: they can deadlock.  With GATE they
 * take both forks under one more lock.  Lock-order tools still warn then, but no schedule
 * hangs, and heddle reports nothing.
 *
 *     heddle cc -g -o philosophers philosophers.c && heddle deadlock ./philosophers 3
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8 };

static pthread_mutex_t fork_lock[MOST];
#ifdef GATE
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
#endif
static int meals[MOST];
static int seats;

static void *dine(void *argument) {
    int own = (int)(size_t)argument, other = (own + 1) % seats;
#ifdef GATE
    pthread_mutex_lock(&gate);
#endif
    pthread_mutex_lock(&fork_lock[own]);
    pthread_mutex_lock(&fork_lock[other]);
#ifdef GATE
    pthread_mutex_unlock(&gate);
#endif
    meals[own]++;
    pthread_mutex_unlock(&fork_lock[other]);
    pthread_mutex_unlock(&fork_lock[own]);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    seats = count > 1 ? atoi(words[1]) : 3;
    if (seats < 2 || seats > MOST)
        return 2;
    for (int i = 0; i < seats; i++)
        pthread_mutex_init(&fork_lock[i], NULL);
    for (int i = 0; i < seats; i++)
        pthread_create(&threads[i], NULL, dine, (void *)(size_t)i);
    for (int i = 0; i < seats; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
