/*
 * A program that ends in the way its argument names, or not at all.  It has no data race.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic unsigned counter;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;

static void *count_for_ever(void *unused) {
    (void)unused;
    for (;;)
        counter++;
    return NULL;
}

static void *rest_between(void *unused) {
    (void)unused;
    for (;;) {
        counter++;
        usleep(500);
    }
    return NULL;
}

/* Two threads that never end, and leave the processors to others. */
static void count_and_rest(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, rest_between, NULL);
    rest_between(NULL);
}

static void spin(int threads) {
    pthread_t thread;
    for (int i = 0; i < threads; i++)
        pthread_create(&thread, NULL, count_for_ever, NULL);
    count_for_ever(NULL);
}

static void *other_end(void *unused) {
    counter++;
    return unused;
}

static void *other_way(void *unused) {
    (void)unused;
    pthread_mutex_lock(&second);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&first);
    return NULL;
}

static void deadlock(void) {
    pthread_t thread;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&thread, NULL, other_way, NULL);
    pthread_mutex_lock(&first);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&second);
}

static void ignore_all(void) {
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
}

static void leave_well(int number) {
    (void)number;
    _exit(0);
}

static void segfault(void) {
    volatile int *volatile nowhere = NULL;
    // cppcheck-suppress nullPointer ; on purpose
    *nowhere = 1;
}

static void sleep_for_ever(void) {
    for (;;)
        sleep(60);
}

static void fork_one(void) {
    if (fork() == 0)
        sleep_for_ever();
    spin(1);
}

/* Processes in every relation to this one: a child of a child, one whose parent has ended, one of a
 * session of its own, which ignores signals and has no files, and another program. */
static void fork_family(void) {
    if (fork() == 0) {
        fork();
        sleep_for_ever();
    }
    if (fork() == 0) {
        if (fork() == 0)
            sleep_for_ever();
        _exit(0);
    }
    if (daemon(0, 0) < 0)
        abort();
}

static void *fork_in_thread(void *unused) {
    if (fork() == 0) {
        ignore_all();
        setsid();
        if (fork() == 0) {
            for (int file = 0; file < 1024; file++)
                close(file);
            sleep_for_ever();
        }
        _exit(0);
    }
    if (fork() == 0)
        execl("/bin/sleep", "sleep", "1000", NULL);
    return unused;
}

static void fork_many(void) {
    pthread_t thread;
    if (fork() == 0) {
        fork_family();
        sleep_for_ever();
    }
    pthread_create(&thread, NULL, fork_in_thread, NULL);
    pthread_join(thread, NULL);
    spin(1);
}

/* Waits for input, between its accesses. */
static void await_input(void) {
    char byte;
    pthread_t thread;
    pthread_create(&thread, NULL, other_end, NULL);
    counter++;
    if (read(STDIN_FILENO, &byte, 1) < 0)
        abort();
    pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    counter++;
    if (strcmp(how, "exit") == 0)
        return 3;
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "segfault") == 0)
        segfault();
    if (strcmp(how, "exec") == 0)
        execl("/bin/true", "true", NULL);
    if (strcmp(how, "deadlock") == 0)
        deadlock();
    if (strcmp(how, "spin") == 0)
        spin(1);
    if (strcmp(how, "threads") == 0)
        spin(20);
    if (strcmp(how, "fork") == 0)
        fork_one();
    if (strcmp(how, "family") == 0)
        fork_many();
    if (strcmp(how, "input") == 0)
        await_input();
    if (strcmp(how, "long") == 0)
        for (int i = 0; i < 20000; i++)
            counter++;
    if (strcmp(how, "stubborn") == 0) {
        ignore_all();
        count_and_rest();
    }
    if (strcmp(how, "handler") == 0) {
        signal(SIGTERM, leave_well);
        spin(1);
    }
    return 0;
}
