// A thread uses a variable of a function of another thread that has returned.
#include <pthread.h>
#include <semaphore.h>

static sem_t given, taken;

static void *use(void *) {
    sem_wait(&given);
    extern int *shared;
    *shared = 2;
    sem_post(&taken);
    return nullptr;
}

int *shared;

__attribute__((noinline)) static void give() {
    int value = 1;
    shared = &value;
    sem_post(&given);
#ifdef CLEAN
    sem_wait(&taken);
#endif
}

int main() {
    pthread_t thread;
    sem_init(&given, 0, 0);
    sem_init(&taken, 0, 0);
    pthread_create(&thread, nullptr, use, nullptr);
    give();
#ifndef CLEAN
    sem_wait(&taken);
#endif
    pthread_join(thread, nullptr);
}
