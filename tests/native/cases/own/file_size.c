// truth: fails. The size of a file, asked for by its name, is what was written to it by then.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int file;

static void *writes(void *unused) {
    (void)!write(file, "x", 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct stat status;
    char name[32];
    file = memfd_create("size", 0);
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    pthread_create(&thread, NULL, writes, NULL);
    stat(name, &status);
    assert(status.st_size == 0);
    pthread_join(thread, NULL);
    return 0;
}
