// A copy reads, then writes: others come between, and what is written is what was read.
//@ levels 0 2
//@ outcomes 0:0 0:1 0:2
//@ flags -DHOW=1
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct large {
    int a[5];
};
struct {
    int a;
} one, other;
struct large many, more;
int from, to;

static void *copy(void *unused) {
#if HOW == 1
    memcpy(&to, &from, sizeof to);
#elif HOW == 2
    memmove(&to, &from, sizeof to);
#elif HOW == 3
    other = one;
#else
    more = many;
#endif
    return unused;
}

static void *change(void *unused) {
#if HOW == 3
    one.a = 1;
    other.a = 2;
#elif HOW == 4
    many.a[2] = 1;
    more.a[2] = 2;
#else
    from = 1;
    to = 2;
#endif
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, copy, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d", to + other.a + more.a[2]);
    return 0;
}
