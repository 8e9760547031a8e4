/* recvmsg stores the address of the sender, and its length.  truth: fails and races. */
#include "given.h"

static char byte;
static int ends[2];
static struct sockaddr_un name;
static struct iovec part = {&byte, 1};
static struct msghdr header = {
    .msg_name = &name, .msg_namelen = sizeof name, .msg_iov = &part, .msg_iovlen = 1};

static void *other(void *unused) {
    recvmsg(ends[0], &header, 0);
    return unused;
}

int main(void) {
    struct sockaddr_un own = {.sun_family = AF_UNIX};
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    bind(ends[1], (struct sockaddr *)&own, sizeof own.sun_family);
    write(ends[1], "a", 1);
    pthread_t thread = begin(other);
    int family = name.sun_family;
    end(thread);
    assert(!family && name.sun_family == AF_UNIX);
}
