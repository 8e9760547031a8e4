/* truth: right.  The cancel comes after cancellation was disabled. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

atomic_int done;
sem_t ready;
int file;
void *work(void *unused) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    sem_post(&ready);
    write(file, "x", 1);
    printf("x\n");
    fflush(stdout);
    close(file);
    done = 1;
    return unused;
}
int main(void) {
    pthread_t t;
    sem_init(&ready, 0, 0);
    file = open("/dev/null", O_RDWR);
    pthread_create(&t, NULL, work, NULL);
    sem_wait(&ready);
    pthread_cancel(t);
    void *result;
    pthread_join(t, &result);
    assert(done && !result);
    return 0;
}
