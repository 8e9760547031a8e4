// A log that is opened before main: its contents and its length; and flags of a descriptor.
//@ file log old
//@ outcomes 0:old12,0 0:old21,0
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int file, again;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void before_main(void) {
    file = open("log", O_WRONLY | O_APPEND);
    again = open("log", O_RDONLY);
}

static void *add(void *argument) {
    pthread_mutex_lock(&mutex);
    if (write(file, argument, 1) != 1)
        _exit(9);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    char text[64] = "";
    int flags = fcntl(again, F_GETFL);
    pthread_create(&a, NULL, add, "1");
    pthread_create(&b, NULL, add, "2");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    fcntl(again, F_SETFL, flags | O_NONBLOCK);
    ssize_t length = pread(again, text, sizeof text - 1, 0);
    printf("%.*s,%d\n", (int)length, text, (flags & O_NONBLOCK) != 0);
    return 0;
}
