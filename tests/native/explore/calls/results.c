// What calls store for their caller is seen by others: the result of a join, units of a semaphore.
//@ levels 0 2
//@ outcomes 0:7,5 0:3,5 0:7,9 0:3,9
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

sem_t units;
int count = 7, seen_count;
void *result = (void *)5, *seen_result;

static void *returns(void *unused) {
    (void)unused;
    return (void *)9;
}

static void *ask(void *unused) {
    sem_getvalue(&units, &count);
    return unused;
}

static void *look(void *unused) {
    seen_count = count;
    seen_result = result;
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    sem_init(&units, 0, 3);
    pthread_create(&a, NULL, returns, NULL);
    pthread_create(&b, NULL, ask, NULL);
    pthread_create(&c, NULL, look, NULL);
    pthread_join(a, &result);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    printf("%d,%ld", seen_count, (long)seen_result);
    return 0;
}
