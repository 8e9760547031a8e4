#define _GNU_SOURCE
#include "held.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A file of the system has the name of the first thread, too. */
static void *f(void *x) {
#ifdef SWAP
    FILE *file = fopen("/proc/self/comm", "w");
    fputs("other", file);
    fclose(file);
#else
    int file = open("/proc/self/comm", O_WRONLY);
    assert(write(file, "other", 5) == 5);
    close(file);
#endif
    return 0;
}
int main(void) {
    pthread_t it;
    char name[16] = "";
    pthread_setname_np(pthread_self(), "own");
    pthread_create(&it, 0, f, 0);
    pthread_getname_np(pthread_self(), name, sizeof name);
    pthread_join(it, 0);
    assert(strcmp(name, "own") == 0);
}
