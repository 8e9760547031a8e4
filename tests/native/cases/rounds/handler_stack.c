// truth: fails. Each round sets another stack for handlers.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int flag;
static char room[100000];

static void *set(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, set, NULL);
    while (!flag) {
        stack_t now;
        sigaltstack(NULL, &now);
        assert(now.ss_sp != room + 2);
        now = (stack_t){.ss_sp = now.ss_sp ? (char *)now.ss_sp + 1 : room, .ss_size = 90000};
        sigaltstack(&now, NULL);
    }
    pthread_join(other, NULL);
}
