/*
 * The same where a thread registers the handler, tries to join another, and may be the last one,
 * or not: a thread that was joined is never the last.
 */
//@ outcomes 0:0t 0:1t 0:0f 0:1f 0:3f
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local int own;
static int joined;

static void handler(void) {
    printf("%d%c", own, joined ? 't' : 'f');
}

static void *end(void *unused) {
    (void)unused;
    own = 3;
    return NULL;
}

static void *create(void *unused) {
    pthread_t thread;
    own = 1;
    atexit(handler);
    pthread_create(&thread, NULL, end, NULL);
    joined = pthread_tryjoin_np(thread, NULL) == 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, create, NULL);
    pthread_exit(NULL);
}
