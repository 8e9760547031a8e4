// What no restored memory has alike: the system's number of threads, some of which were made
// beforehand.  The failure that comes of it cannot be run again in a fresh process; so the search
// starts over, with a process for each run.
//@ outcomes 0:
//@ options --find=failure,outcome
#include <pthread.h>
#include <sys/stat.h>

static _Atomic int x;

static void *set(void *a) {
    x = 1;
    return a;
}

/* Threads of the process, which has a folder with one entry for each. */
static unsigned threads_now(void) {
    struct stat found;
    return stat("/proc/self/task", &found) == 0 ? (unsigned)found.st_nlink - 2 : 0;
}

int main(void) {
    pthread_t thread;
    unsigned before = threads_now();
    pthread_create(&thread, NULL, set, NULL);
    int seen = x;
    pthread_join(thread, NULL);
    return before > 1 && seen >= 0; /* it is 1 before the first is made */
}
