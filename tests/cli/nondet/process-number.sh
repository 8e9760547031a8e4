# The number of the process is the same in every run, by fork too, and means the program.
# In make test-long only.
cat >number.c <<'C'
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
static volatile sig_atomic_t handled;
static void handle(int number) {
    handled = number;
}
static void *work(void *unused) {
    char path[64];
#ifdef FILES
    snprintf(path, sizeof path, "/proc/%d/stat", getpid());
    int file = open(path, O_RDONLY);
    assert(file >= 0 && close(file) == 0 && access(path, R_OK) == 0);
#else
    memset(path, 0, sizeof path);
    assert(kill(getpid(), 0) == 0 && sigqueue(getpid(), 0, (union sigval){0}) == 0);
    errno = 0;
    assert(sched_getscheduler(getpid()) >= 0 && getpriority(PRIO_PROCESS, getpid()) != 77 && !errno);
    assert(syscall(SYS_getpid) == getpid() && syscall(SYS_getppid) == getppid());
    assert(getpgid(getpid()) == getpgrp());
#endif
    return unused;
}
int main(void) {
    pthread_t a, b;
    assert(syscall(SYS_gettid) == getpid());
    signal(SIGUSR1, handle);
    assert(kill(getpid(), SIGUSR1) == 0 && handled == SIGUSR1);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", getpid() == getppid(), getpid());
    return 0;
}
C
for flags in -DFEW -DFILES; do
    heddle cc -O1 -w $flags -o number number.c
    heddle nondet -q ./number 2>/dev/null | head -1
    # The second has the same runs as before: it handles signals, so each is a process by itself.
    [ $flags = -DFILES ] ||
        heddle explore --find=outcome --reset=fork --no-race -q ./number 2>/dev/null | head -1
    heddle record -q -o number.htr ./number >/dev/null && echo recorded
done
