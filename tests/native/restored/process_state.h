/* What kept_state.c and process.c share: each run changes all of it, and says what it found
 * changed. With IN_MEMORY nothing that makes heddle fork. */
#ifndef PROCESS_STATE_H
#define PROCESS_STATE_H

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char order[3];
static __thread int own;
static char *rest;

static void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    strcat(order, argument);
    if (own++ || fegetround() != FE_UPWARD) /* as whoever made it */
        puts("thread");
    fesetround(FE_DOWNWARD);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* In memory: both ways restore it. */
static void look_in_memory(void) {
    static char text[] = "a b c";
    char *first = strtok_r(rest ? NULL : text, " ", &rest);
    if (own++ || !first || *first != 'a')
        printf("memory ");
    if (rand() != 1804289383)
        printf("rand ");
    if (fegetround() != FE_TONEAREST)
        printf("rounding ");
    if (getenv("HEDDLE_TEST_RESTORED") || strcmp(setlocale(LC_ALL, NULL), "C") != 0)
        printf("environment ");
    fesetround(FE_UPWARD);
    setenv("HEDDLE_TEST_RESTORED", "1", 1);
}

#ifndef IN_MEMORY
/* In the kernel: these calls make heddle fork. */
static void look_in_kernel(void) {
    struct rlimit limit;
    char name[16] = "", folder[256];
    sigset_t mask;
    mode_t old = umask(0777);
    if (old == 0777)
        printf("umask ");
    if (!getcwd(folder, sizeof folder) || strcmp(folder, "/") == 0 || chdir("/") != 0)
        printf("folder ");
    getrlimit(RLIMIT_CORE, &limit);
    if (limit.rlim_cur == 4096)
        printf("limit ");
    limit.rlim_cur = limit.rlim_max < 4096 ? 0 : 4096;
    setrlimit(RLIMIT_CORE, &limit);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    if (sigismember(&mask, SIGUSR1))
        printf("mask ");
    sigaddset(&mask, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    prctl(PR_GET_NAME, name);
    if (strcmp(name, "changed") == 0)
        printf("name ");
    prctl(PR_SET_NAME, "changed");
    int file = dup(0);
    if (file > 8)
        printf("files ");
    if (alarm(1000))
        printf("alarm ");
}
#endif

int main(void) {
    pthread_t a, b;
    look_in_memory();
#ifndef IN_MEMORY
    look_in_kernel();
#endif
    pthread_create(&a, NULL, work, "a");
    pthread_create(&b, NULL, work, "b");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf(",%s", order);
    return 0;
}

#endif
