// Arguments by their places: the texts are read in the order of the format.
//@ levels 0 2
//@ outcomes 0:ab 0:ay 0:xb 0:xy
#include <pthread.h>
#include <stdio.h>

char first[8] = "a", second[8] = "b", result[16];

static void *print(void *unused) {
    snprintf(result, sizeof result, "%2$.*3$s%1$s", second, first, 7);
    return unused;
}

static void *change(void *unused) {
    first[0] = 'x';
    second[0] = 'y';
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, print, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%s", result);
    return 0;
}
