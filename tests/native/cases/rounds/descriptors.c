// truth: fails. Each round opens one more descriptor, with the lowest number that is free.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>

static atomic_int flag;

static void *set(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t other;
    int first = socket(AF_UNIX, SOCK_STREAM, 0);
    pthread_create(&other, NULL, set, NULL);
    while (!flag)
        assert(socket(AF_UNIX, SOCK_STREAM, 0) <= first + 3);
    pthread_join(other, NULL);
}
