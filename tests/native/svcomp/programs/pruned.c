// An abort by an assumption prunes the run; it is not what the property is about.
// word: explore --sv-comp = true, 0, [annotations:assumptions]
// word: check --sv-comp = true, 0
// word: explore --sv-comp=no-data-race = true, 0
// word: race --sv-comp = true, 0, [annotations:assumptions]
#include <pthread.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
void reach_error() {
}
void assume_abort_if_not(int cond) {
    if (!cond) {
        abort();
    }
}

int level;
pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *raise_level(void *unused) {
    pthread_mutex_lock(&guard);
    level++;
    pthread_mutex_unlock(&guard);
    return unused;
}

int main() {
    pthread_t thread;
    int wanted = __VERIFIER_nondet_bool();
    pthread_create(&thread, 0, raise_level, 0);
    assume_abort_if_not(wanted);
    pthread_mutex_lock(&guard);
    int seen = level;
    pthread_mutex_unlock(&guard);
    if (seen > wanted)
        reach_error();
    pthread_join(thread, 0);
    return 0;
}
