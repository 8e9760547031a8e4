/* Atomic sections are critical sections of one lock, until they take another one, and race with
 * nothing. */
//@ output 12 2
//@ lines acq\(atomic sections\)  6
//@ lines rel\(atomic sections\)  6
//@ events acq=8 rel=8 fork=2 join=2
//@ no-race
//@ free
#include <pthread.h>
#include <stdio.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total, guarded;

void __VERIFIER_atomic_add(int more);
__attribute__((noinline)) void __VERIFIER_atomic_add(int more) {
    total += more;
}

static void *work(void *unused) {
    __VERIFIER_atomic_begin();
    total += 1;
    __VERIFIER_atomic_begin(); /* they nest */
    total += 2;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_add(3);
    __VERIFIER_atomic_begin();
    pthread_mutex_lock(&mutex);
    guarded++;
    pthread_mutex_unlock(&mutex);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", total, guarded);
    return 0;
}
