// truth: fails. The text has no end in its block.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *measures(void *unused) {
    char *text = malloc(4);
    memcpy(text, "1234", 4);
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
