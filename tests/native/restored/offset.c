// Where a file is read next is kept by the kernel, for all processes that a fork made.
//@ file data ABC
//@ outcomes 0:ABC 0:ACB 0:BAC 0:BCA 0:CAB 0:CBA
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int file;
static char got[3];

__attribute__((constructor)) static void before_main(void) {
    file = open("data", O_RDONLY);
}

static void *take(void *argument) {
    pthread_mutex_lock(&mutex);
    if (read(file, &got[(long)argument], 1) != 1)
        got[(long)argument] = '?';
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, take, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%.3s\n", got);
    return 0;
}
