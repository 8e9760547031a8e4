/* What the programs of this folder share: main goes on while another thread makes a call. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static pthread_t begin(void *(*start)(void *)) {
    pthread_t thread;
    pthread_create(&thread, NULL, start, NULL);
    return thread;
}

static void end(pthread_t thread) {
    pthread_join(thread, NULL);
}
