// A write to a bit-field reads the bytes around it, and writes all of them: an update of a
// neighbour is lost.
//@ levels 0 1 2
//@ outcomes 0:1,0 0:0,1 0:1,1
#include <pthread.h>
#include <stdio.h>

struct {
    unsigned a : 4, b : 4;
} fields;

static void *set_a(void *unused) {
    fields.a = 1;
    return unused;
}

static void *set_b(void *unused) {
    fields.b = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set_a, NULL);
    pthread_create(&b, NULL, set_b, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%u,%u", fields.a, fields.b);
    return 0;
}
