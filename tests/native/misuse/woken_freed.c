/* A thread uses a word that the thread which it woke may have freed; to wake is no use of it. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *wake(void *pointer) {
    atomic_int *word = pointer;
    atomic_store(word, 1);
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
#ifndef CLEAN
    atomic_store(word, 2);
#endif
    return NULL;
}
int main(void) {
    pthread_t thread;
    atomic_int *word = calloc(1, sizeof *word);
    pthread_create(&thread, NULL, wake, word);
    while (!atomic_load(word))
        syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    free(word);
    pthread_join(thread, NULL);
    return 0;
}
