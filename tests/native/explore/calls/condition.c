// A signal wakes one of two waiters, a broadcast the other.
//@ outcomes 0:12 0:21 0:early
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int waiting, turn, order[2], count;

static void *waiter(void *number) {
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_cond_wait(&condition, &lock);
    order[count++] = (int)(long)number;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, (void *)1);
    pthread_create(&b, NULL, waiter, (void *)2);
    for (int done = 0; !done;) {
        pthread_mutex_lock(&lock);
        if (waiting < 2) { /* not this order */
            pthread_mutex_unlock(&lock);
            return 0 * printf("early");
        }
        done = 1;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d%d", order[0], order[1]);
    return 0;
}
