// Every other run shows one more word that is shared, and the search starts over: the limit on
// time is for all of these searches together.
//@ limit -DN=400 1
#include <pthread.h>
#include <stdatomic.h>

atomic_int count;
int plain[4 * N];

static void touch(int number) {
    plain[4 * number % (4 * N)]++;
}

static void *look(void *argument) {
    for (int i = 0; i < N; i++)
        touch(atomic_load(&count));
    return argument;
}

static void *add(void *argument) {
    for (int i = 0; i < N; i++)
        touch(atomic_fetch_add(&count, 1));
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
