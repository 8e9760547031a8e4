/* truth: fails.  The handler may run between the two writes of its own thread */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

pthread_t target;
int low, high;
void handle(int number) {
    (void)number;
    assert(low == high);
}
void *work(void *unused) {
    low = 1;
    high = 1;
    return unused;
}
int main(void) {
    signal(SIGUSR1, handle);
    pthread_create(&target, NULL, work, NULL);
    pthread_kill(target, SIGUSR1);
    pthread_join(target, NULL);
    return 0;
}
