// A function that is a section by its name, in binaries too.  What a section accesses is not
// compared with accesses outside, so there is no proof that nothing races.
// word: explore --sv-comp = true, 0
// word: explore = -, 0
// word: race --sv-comp = unknown, 3, [annotations:sections]
// built: explore --sv-comp = true, 0
// built: explore = -, 0
#include <pthread.h>

void reach_error() {
}
int sum;

static void __VERIFIER_atomic_add(int by) {
    int seen = sum;
    sum = seen + by;
}

static void *add(void *unused) {
    __VERIFIER_atomic_add(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    __VERIFIER_atomic_add(2);
    pthread_join(thread, 0);
    if (sum != 3)
        reach_error();
    return sum != 3;
}
