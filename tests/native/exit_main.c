/* The first thread leaves by pthread_exit, the program ends with the last one; values
 * come through pthread_exit and pthread_join, cleanup handlers run. */
//@ free
//@ output cleaned cleaned done 5
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_t first;

static void clean(void *unused) {
    (void)unused;
    printf("cleaned ");
}

static void *deep(void *value) {
    pthread_cleanup_push(clean, NULL);
    pthread_exit(value);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *last(void *unused) {
    pthread_t thread;
    void *value;
    pthread_join(first, NULL);
    pthread_create(&thread, NULL, deep, (void *)5);
    pthread_join(thread, &value);
    printf("done %ld\n", (long)value);
    return unused;
}

int main(void) {
    first = pthread_self();
    pthread_t thread;
    pthread_create(&thread, NULL, last, NULL);
    pthread_detach(thread);
    pthread_cleanup_push(clean, NULL);
    pthread_exit(NULL);
    pthread_cleanup_pop(0);
}
