/* The process ends with a failure while another thread prints, or before. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *fail(void *unused) {
    exit(3);
    return unused;
}

static void *print(void *unused) {
    printf("b");
    return unused;
}

int main(void) {
    pthread_t failing, printing;
    pthread_create(&failing, NULL, fail, NULL);
    pthread_create(&printing, NULL, print, NULL);
    pthread_join(failing, NULL);
    return 0;
}
