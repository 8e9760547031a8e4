// Threads that print without synchronisation: in every order, if that is asked for.
//@ outcomes 0:abcd
//@ options --find=outcome
//@ outcomes 0:abcd 0:acbd 0:acdb 0:cabd 0:cadb 0:cdab
//@ options --find=outcome --reset=fork
//@ outcomes 0:abcd 0:acbd 0:acdb 0:cabd 0:cadb 0:cdab
#include <pthread.h>
#include <stdio.h>

static void *first(void *argument) {
    printf("%s", "a");
    putchar('b');
    return argument;
}

static void *second(void *argument) {
    fwrite("c", 1, 1, stdout);
    fputs("d", stdout);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
