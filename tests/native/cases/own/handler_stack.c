// truth: right. A handler runs on the stack that its thread has set, and knows so.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static char room[65536];
static int handled;

static void handle(int number) {
    char here;
    stack_t now;
    assert(&here >= room && &here < room + sizeof room);
    assert(sigaltstack(NULL, &now) == 0 && now.ss_flags == SS_ONSTACK && now.ss_sp == room);
    assert(sigaltstack(&now, NULL) == -1 && errno == EPERM);
    handled = number;
}

int main(void) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    stack_t stack = {.ss_sp = room, .ss_size = 100}, now;
    assert(sigaltstack(NULL, &now) == 0 && now.ss_flags == SS_DISABLE);
    assert(sigaltstack(&stack, NULL) == -1 && errno == ENOMEM);
    stack.ss_size = sizeof room;
    assert(sigaltstack(&stack, NULL) == 0);
    sigaction(SIGUSR1, &action, NULL);
    pthread_kill(pthread_self(), SIGUSR1);
    assert(handled == SIGUSR1);
}
