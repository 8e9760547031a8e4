// expected: false(unreach-call); with -DFIXED: true
// Only one value of the input shows it.
#include <assert.h>
#include <heddle/mark.h>
#include <pthread.h>

int places[4];

static void *fill(void *number) {
    places[(long)number] = 1;
    return NULL;
}

int main(void) {
    pthread_t a;
    long chosen = (long)heddle_choose(0, 3);
    pthread_create(&a, NULL, fill, (void *)chosen);
    pthread_join(a, NULL);
#ifdef FIXED
    assert(places[chosen] == 1);
#else
    assert(places[2] == 0);
#endif
    return 0;
}
