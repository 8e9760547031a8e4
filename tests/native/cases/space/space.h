/* What the programs of this folder share: a place where nothing is, and two threads. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLACE ((char *)0x5000000000)
enum { PAGE = 4096, BOTH = PROT_READ | PROT_WRITE, OWN = MAP_PRIVATE | MAP_ANONYMOUS };

static void *map(void *at, int more) {
    return mmap(at, PAGE, BOTH, OWN | more, -1, 0);
}

static pthread_t begin(void *(*start)(void *)) {
    pthread_t thread;
    pthread_create(&thread, NULL, start, NULL);
    return thread;
}

static void end(pthread_t thread) {
    pthread_join(thread, NULL);
}
