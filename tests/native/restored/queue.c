// Objects that are shared by name and outlive the process: that is said.
//@ outcomes 0:0 0:1
//@ shaky kernel-state
#include <pthread.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/sem.h>

static int first = -1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *argument) {
    pthread_mutex_lock(&mutex);
    if (first < 0)
        first = (int)(long)argument;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int set = semget(IPC_PRIVATE, 1, 0600);
    pthread_create(&a, NULL, run, (void *)0);
    pthread_create(&b, NULL, run, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    semctl(set, 0, IPC_RMID);
    printf("%d", first);
    return 0;
}
