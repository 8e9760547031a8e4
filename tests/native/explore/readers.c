// Readers of a read-write lock, and posts of a semaphore, are independent.
//@ case -DREADERS | executions=1 naive
//@ case -DWRITER | executions=4 naive
//@ case -DPOSTS | executions=1 naive
//@ case -DTRY | executions=3 naive
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t units;

static void *read(void *unused) {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *write(void *unused) {
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *post(void *unused) {
    sem_post(&units);
    return unused;
}

static void *try(void *unused) {
    if (pthread_rwlock_trywrlock(&lock) == 0)
        pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    sem_init(&units, 0, 0);
#if defined READERS
    void *(*const starts[])(void *) = {read, read, read};
#elif defined WRITER
    void *(*const starts[])(void *) = {read, read, write};
#elif defined POSTS
    void *(*const starts[])(void *) = {post, post, post};
#else
    void *(*const starts[])(void *) = {read, try, post};
#endif
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, starts[i], NULL);
    (void)read, (void)write, (void)post, (void)try;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
