// Threads that talk through pipes, sockets and event descriptors: each read waits for what
// another thread writes, and sees what that one wrote to memory before.
//@ output 1 2 3
//@ free
//@ no-race
//@ cflags -D_GNU_SOURCE
//@ lines armw8(file 3=1)  1
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BIG = 300000 };

static int pipes[2], pair[2], event, epoll, nonblocking[2];
static int by_pipe, by_socket, by_event; /* plain: what orders them are the files */
static char big[BIG];

static void *writer(void *unused) {
    by_pipe = 1;
    assert(write(pipes[1], "x", 1) == 1);
    by_socket = 2;
    assert(send(pair[1], "y", 1, 0) == 1);
    by_event = 3;
    assert(eventfd_write(event, 5) == 0);
    /* More than a pipe holds: it goes on as the other one reads. */
    assert(write(pipes[1], big, BIG) == BIG);
    assert(write(pair[1], big, BIG) == BIG);
    close(pipes[1]);
    return unused;
}

static size_t read_all(int file) {
    static char to[5000];
    size_t whole = 0;
    while (whole < BIG) {
        ssize_t got = read(file, to, sizeof to);
        assert(got > 0);
        whole += (size_t)got;
    }
    return whole;
}

static void wait_for_event(void) {
    struct epoll_event it = {.events = EPOLLIN, .data.ptr = &by_event}, got;
    eventfd_t value;
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, event, &it) == 0);
    assert(epoll_wait(epoll, &got, 1, -1) == 1 && got.data.ptr == &by_event);
    assert(eventfd_read(event, &value) == 0 && value == 5 && by_event == 3);
}

int main(void) {
    pthread_t thread;
    char byte;
    assert(pipe(pipes) == 0 && pipe2(nonblocking, O_NONBLOCK) == 0);
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    event = eventfd(0, 0);
    epoll = epoll_create1(0);
    pthread_create(&thread, NULL, writer, NULL);
    assert(read(nonblocking[0], &byte, 1) == -1 && errno == EAGAIN);
    struct pollfd wanted = {.fd = pipes[0], .events = POLLIN};
    assert(poll(&wanted, 1, -1) == 1 && wanted.revents == POLLIN);
    assert(read(pipes[0], &byte, 1) == 1 && byte == 'x' && by_pipe == 1);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pair[0], &set);
    assert(select(pair[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(pair[0], &set));
    assert(recv(pair[0], &byte, 1, 0) == 1 && byte == 'y' && by_socket == 2);
    wait_for_event();
    assert(read_all(pipes[0]) == BIG && read_all(pair[0]) == BIG);
    assert(read(pipes[0], &byte, 1) == 0);
    assert(poll(&wanted, 0, 20) == 0);
    pthread_join(thread, NULL);
    printf("%d %d %d\n", by_pipe, by_socket, by_event);
    return 0;
}
