/*
 * Two threads at a time, the second function first with -DSWAP: what a program does in the first
 * schedule must not decide what is found.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

static inline void both(void *(*first)(void *), void *(*second)(void *)) {
    pthread_t one, other;
#ifdef SWAP
    void *(*swapped)(void *) = first;
    first = second;
    second = swapped;
#endif
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
