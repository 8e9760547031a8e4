// truth: right. The text ends with the last byte of its block.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *measures(void *unused) {
    char *text = malloc(4);
    memcpy(text, "123", 4);
    volatile size_t length = strlen(text);
    (void)length;
    free(text);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, measures, NULL);
    return pthread_join(thread, NULL);
}
