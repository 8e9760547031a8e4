// truth: right. Each thread has its own stack for handlers, a new one has none.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static char room[2][65536];
static atomic_int steps;

static void *set(void *mine) {
    stack_t stack = {.ss_sp = mine, .ss_size = sizeof room[0]}, now;
    sigaltstack(NULL, &now);
    assert(now.ss_flags == SS_DISABLE);
    sigaltstack(&stack, NULL);
    steps++;
    sigaltstack(NULL, &now);
    assert(now.ss_sp == mine);
    return NULL;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, set, room[0]);
    set(room[1]);
    pthread_create(&second, NULL, set, room[0]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
