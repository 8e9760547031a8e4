/* truth: fails.  read ends with EINTR. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

atomic_int hits;
void handle(int number) {
    (void)number;
    hits++;
}
void set(int number, void (*to)(int), int flags) {
    struct sigaction action = {.sa_handler = to, .sa_flags = flags};
    sigaction(number, &action, NULL);
}

int files[2];
pthread_t reader;
void *work(void *unused) {
    pthread_kill(reader, SIGUSR1);
    write(files[1], "x", 1);
    return unused;
}
int main(void) {
    pthread_t t;
    char c;
    reader = pthread_self();
    pipe(files);
    set(SIGUSR1, handle, 0);
    pthread_create(&t, NULL, work, NULL);
    ssize_t got = read(files[0], &c, 1);
    assert(got == 1);
    pthread_join(t, NULL);
    return 0;
}
