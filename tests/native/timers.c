// Timers of the system's that send signals, while another thread waits for a lock.
//@ output alarm timer
//@ cflags -D_GNU_SOURCE
//@ free
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t got;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handle(int number) {
    (void)number;
    got++;
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigset_t set, old;
    timer_t timer;
    struct sigaction action = {.sa_handler = handle};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerval once = {{0, 0}, {0, 5000}};
    struct itimerspec due = {{0, 0}, {0, 5000000}};
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigaction(SIGALRM, &action, NULL);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, work, NULL);
    setitimer(ITIMER_REAL, &once, NULL);
    while (!got)
        sigsuspend(&old);
    printf("alarm ");
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &due, NULL);
    while (got < 2)
        sigsuspend(&old);
    printf("timer\n");
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    timer_delete(timer);
    return 0;
}
