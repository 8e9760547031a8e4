// The same by a pointer, with a value that is not a constant.
//@ levels 0 1 2
//@ outcomes 0:5,0 0:0,300 0:5,300
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct fields {
    int before;
    unsigned a : 5, b : 11;
    int behind;
} * fields;

static void *set_a(void *value) {
    fields->a = (unsigned)(long)value & 31;
    return NULL;
}

static void *set_b(void *value) {
    fields->b = (unsigned)(long)value & 2047;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    fields = calloc(1, sizeof *fields);
    pthread_create(&a, NULL, set_a, (void *)5);
    pthread_create(&b, NULL, set_b, (void *)300);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%u,%u", fields->a, fields->b);
    free(fields);
    return 0;
}
