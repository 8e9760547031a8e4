/*
 * Two threads take two locks in opposite orders, and a third one looks round now and then until
 * main tells it to end.  Where the two wait for each other the third goes on for ever, so that
 * there is always a thread that can go on; it is a deadlock all the same.
 */
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static bool stop;
static int moved, rounds;

static void move(pthread_mutex_t *from, pthread_mutex_t *to) {
    pthread_mutex_lock(from);
    pthread_mutex_lock(to);
    moved++;
    pthread_mutex_unlock(to);
    pthread_mutex_unlock(from);
}

static void *there(void *unused) {
    move(&left, &right);
    return unused;
}

static void *back(void *unused) {
    move(&right, &left);
    return unused;
}

static void *look(void *unused) {
    struct timespec until;
    pthread_mutex_lock(&lock);
    while (!stop) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&ended, &lock, &until);
        rounds++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t looker, one, other;
    pthread_create(&looker, NULL, look, NULL);
    pthread_create(&one, NULL, there, NULL);
    pthread_create(&other, NULL, back, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    pthread_mutex_lock(&lock);
    stop = true;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    pthread_join(looker, NULL);
    return 0;
}
