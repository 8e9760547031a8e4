/* truth: right.  strlen, malloc, mutexes and getpid are no cancellation points. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

atomic_int done;
int file;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *unused) {
    pthread_mutex_lock(&lock);
    char *text = malloc(3);
    strcpy(text, "ab");
    file = getpid() + (int)strlen(text);
    free(text);
    pthread_mutex_unlock(&lock);
    done = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    void *result;
    pthread_join(t, &result);
    assert(done);
    return 0;
}
