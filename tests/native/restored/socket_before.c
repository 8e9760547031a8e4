// A socket that is open before main cannot be put back: that is said.
//@ outcomes 0:ok
//@ shaky kernel-state
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int files[2];

__attribute__((constructor)) static void before_main(void) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, files) != 0)
        _exit(9);
}

static void *put(void *argument) {
    return write(files[0], "x", 1) == 1 ? NULL : argument;
}

int main(void) {
    pthread_t a;
    char byte;
    pthread_create(&a, NULL, put, NULL);
    pthread_join(a, NULL);
    puts(read(files[1], &byte, 1) == 1 ? "ok" : "bad");
    return 0;
}
