// Handlers and calls that wait: EINTR, SA_RESTART, masks of threads, a handler that is not
// entered again while it runs, signals to oneself, sigwait for one that is sent to a thread.
//@ output 1 2 3 4 5 6
//@ cflags -D_GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int files[2], depth, deepest, runs;
static pthread_t main_thread;
static pthread_barrier_t both;
static sigset_t quit;

static void handle(int number) {
    (void)number;
    runs++;
    deepest = ++depth > deepest ? depth : deepest;
    pthread_kill(pthread_self(), 0); /* a point: the same signal may wait by now */
    if (runs == 1)
        raise(SIGUSR1);
    depth--;
}

static void install(int flags) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
}

static void *disturb(void *unused) {
    int number = 0;
    pthread_barrier_wait(&both);
    while (pthread_kill(main_thread, SIGUSR1) == 0 && !__atomic_load_n(&runs, __ATOMIC_SEQ_CST))
        usleep(1000);
    pthread_barrier_wait(&both);
    usleep(1000);
    pthread_kill(main_thread, SIGUSR1); /* starts again */
    usleep(1000);
    assert(write(files[1], "x", 1) == 1);
    assert(sigwait(&quit, &number) == 0 && number == SIGUSR2);
    return unused;
}

int main(void) {
    pthread_t thread;
    char byte;
    sigset_t old;
    sigemptyset(&quit);
    sigaddset(&quit, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &quit, NULL); /* what it creates inherits that */
    main_thread = pthread_self();
    assert(pipe(files) == 0);
    pthread_barrier_init(&both, NULL, 2);
    install(0);
    pthread_create(&thread, NULL, disturb, NULL);
    pthread_barrier_wait(&both);
    struct pollfd wanted = {.fd = files[0], .events = POLLIN};
    if (!__atomic_load_n(&runs, __ATOMIC_SEQ_CST))
        assert(poll(&wanted, 1, -1) == -1 && errno == EINTR);
    printf("1 ");
    install(SA_RESTART);
    pthread_barrier_wait(&both);
    assert(read(files[0], &byte, 1) == 1);
    printf("2 ");
    assert(deepest == 1);
    printf("3 ");
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, &old);
    int before = runs;
    raise(SIGUSR1);
    assert(runs == before);
    printf("4 ");
    assert(sigsuspend(&old) == -1 && errno == EINTR && runs == before + 1);
    printf("5 ");
    pthread_kill(thread, SIGUSR2);
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    kill(getpid(), SIGUSR1);
    assert(runs == before + 2);
    printf("6\n");
    return 0;
}
