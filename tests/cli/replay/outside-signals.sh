# Signals from outside are played back where they came: handlers, timers, sigwait and signalfd.
# In make test-long only.
cat >signals.c <<'END'
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t alarms, ticks, users, stop;
static int sum, rounds;
static void add(int number) {
    pthread_mutex_lock(&lock);
    sum += number;
    rounds++;
    pthread_mutex_unlock(&lock);
}
static void on_alarm(int number) {
    (void)number;
    alarms++;
}
static void on_tick(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)context;
    ticks += info->si_value.sival_int;
}
static void on_user(int number, siginfo_t *info, void *context) {
    (void)number;
    (void)context;
    users += 1 + (info->si_code == SI_USER && info->si_pid > 0);
}
static void on_term(int number) {
    (void)number;
    stop = 1;
}
static void *work(void *unused) {
    while (!stop) {
        add(alarms + ticks + users);
        poll(NULL, 0, 1);
    }
    return unused;
}
static void *await(void *unused) {
    sigset_t set, pending;
    int got = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigwait(&set, &got);
    sigpending(&pending);
    add(got + 100 * sigismember(&pending, SIGHUP));
    return unused;
}
int main(void) {
    struct sigaction alarm = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct sigaction tick = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO};
    struct sigaction user = {.sa_sigaction = on_user, .sa_flags = SA_SIGINFO};
    struct sigaction term = {.sa_handler = on_term};
    struct sigevent event = {.sigev_signo = SIGRTMIN, .sigev_value.sival_int = 7};
    struct itimerval often = {{0, 3000}, {0, 3000}};
    struct itimerspec seldom = {{0, 7000000}, {0, 7000000}};
    struct signalfd_siginfo info;
    sigset_t blocked, hup;
    pthread_t threads[3];
    timer_t timer;
    sigemptyset(&hup);
    sigaddset(&hup, SIGHUP);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGHUP);
    sigaddset(&blocked, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &blocked, NULL);
    sigaction(SIGALRM, &alarm, NULL);
    sigaction(SIGRTMIN, &tick, NULL);
    sigaction(SIGUSR1, &user, NULL);
    sigaction(SIGTERM, &term, NULL);
    int file = signalfd(-1, &hup, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, i < 2 ? work : await, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &seldom, NULL);
    FILE *pid = fopen("pid.new", "w");
    fprintf(pid, "%d\n", (int)getpid());
    fclose(pid);
    rename("pid.new", "pid");
    while (read(file, &info, sizeof info) != sizeof info)
        ;
    add((int)info.ssi_signo);
    while (!stop)
        pause();
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d alarms, %d of ticks, %d of users, sum %d in %d rounds\n", (int)alarms, (int)ticks,
           (int)users, sum, rounds);
    return 0;
}
END
send() { # to the program, once it is ready
    for _ in $(seq 400); do [ -e pid ] && break; sleep 0.05; done
    for signal in "$@"; do sleep 0.05; kill -"$signal" "$(cat pid)"; done
}
heddle cc -o signals signals.c
send USR1 USR1 USR2 HUP USR1 TERM &
timeout 60 heddle record --quiet --outside -o signals.htr ./signals >first
wait
rm pid
grep -Evc '^0 alarms|, 0 of' first
timeout 60 heddle replay --quiet ./signals signals.htr >second
echo "status $?"
cmp first <(head -1 second)
sed -n 's/[0-9,]* events/N events/; 2,$p' second
# So does gdb.
timeout 60 heddle replay --gdb --ex 'print 1 + 1' ./signals signals.htr 2>/dev/null >third
cmp first <(grep alarms third)
ls pid 2>/dev/null || echo 'no file was written'

# A run that a signal ended is played back to where it waited then.
cat >ended.c <<'END'
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
static int rounds;
static void *work(void *unused) {
    rounds++;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    timer_t timer;
    struct sigevent event = {.sigev_signo = SIGUSR1};
    struct itimerspec soon = {{0, 0}, {0, 50000000}};
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &soon, NULL);
    for (;;)
        poll(NULL, 0, -1);
}
END
heddle cc -o ended ended.c
timeout 60 heddle record --quiet --outside -o ended.htr ./ended
echo "status $?"
timeout 60 heddle replay --quiet ./ended ended.htr | sed 's/[0-9,]* events/N events/'
