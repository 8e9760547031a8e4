// An initialisation runs once, in whatever thread comes first.
//@ outcomes 0:1,1 0:1,2
#include <pthread.h>
#include <stdio.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
_Thread_local int me;
int runs, by;

static void initialise(void) {
    runs++;
    by = me;
}

static void *use(void *number) {
    me = (int)(long)number;
    pthread_once(&once, initialise);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, (void *)1);
    pthread_create(&b, NULL, use, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d,%d", runs, by);
    return 0;
}
