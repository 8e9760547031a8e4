// Memory that processes share, made before main: without a file, and of a file, of which a part is
// not there.
//@ file data xyz
//@ outcomes 0:2,12 0:2,21
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int *count;
static char *of_file;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void before_main(void) {
    int file = open("data", O_RDWR);
    count = mmap(NULL, 1 << 17, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    of_file = mmap(NULL, 1 << 14, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    count[20000] = 5;
    close(file);
}

static void *add(void *argument) {
    pthread_mutex_lock(&mutex);
    if (of_file[1] == 'y')
        of_file[0] = *(char *)argument;
    of_file[1] = *(char *)argument;
    count[20000]++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, "1");
    pthread_create(&b, NULL, add, "2");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d,%.2s\n", count[20000] - 5, of_file);
    return 0;
}
