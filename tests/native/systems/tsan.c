// Built by gcc -fsanitize=thread, without heddle.
#include <pthread.h>
#include <stdio.h>

static int counted;

static void *count(void *unused) {
    counted++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", counted > 0);
    return 0;
}
