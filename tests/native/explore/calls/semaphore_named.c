// A semaphore with a name, opened twice: the same one.
//@ outcomes 0:1,0 0:1,1
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

sem_t *units;
char name[40];

static void *post(void *unused) {
    sem_t *again = sem_open(name, 0);
    sem_post(again);
    sem_close(again);
    return unused;
}

int main(void) {
    pthread_t thread;
    snprintf(name, sizeof name, "/heddle-call-%d", (int)getpid());
    units = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
    pthread_create(&thread, NULL, post, NULL);
    sem_wait(units);
    int left;
    sem_getvalue(units, &left);
    pthread_join(thread, NULL);
    printf("%d,%d", units != SEM_FAILED, left);
    sem_close(units);
    sem_unlink(name);
    return 0;
}
