/* recvmsg stores to the header.  truth: fails and races. */
#include "given.h"

static char byte;
static int ends[2];
static struct iovec part = {&byte, 1};
static struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1, .msg_flags = 77};

static void *other(void *unused) {
    recvmsg(ends[0], &header, 0);
    return unused;
}

int main(void) {
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    write(ends[1], "a", 1);
    pthread_t thread = begin(other);
    int seen = (int)header.msg_flags;
    end(thread);
    assert(seen == 77);
}
