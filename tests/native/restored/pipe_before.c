// A pipe and an event descriptor that have something in them before main.
//@ outcomes 0:ab,7 0:ba,7
#include <pthread.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int files[2], event;
static char got[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void before_main(void) {
    if (pipe(files) != 0 || write(files[1], "ab", 2) != 2)
        _exit(9);
    event = eventfd(5, 0);
}

static void *take(void *argument) {
    pthread_mutex_lock(&mutex);
    if (read(files[0], &got[(long)argument], 1) != 1)
        got[(long)argument] = '?';
    eventfd_write(event, 1);
    if (write(files[1], "xyz", 3) != 3)
        got[(long)argument] = '!';
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    eventfd_t value = 0;
    pthread_create(&a, NULL, take, (void *)0);
    pthread_create(&b, NULL, take, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    eventfd_read(event, &value);
    eventfd_write(event, 100);
    printf("%.2s,%d\n", got, (int)value);
    return 0;
}
