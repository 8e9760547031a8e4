/* recvmsg reads the list of parts when it begins.  truth: fails and races. */
#include "given.h"

static char one, two;
static int ends[2];
static struct iovec part = {&one, 1};
static struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
static struct mmsghdr messages[1];

static void *other(void *unused) {
    recvmsg(ends[0], &header, 0);
    return unused;
}

int main(void) {
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    messages[0].msg_hdr = header;
    write(ends[1], "a", 1);
    pthread_t thread = begin(other);
    part.iov_base = &two;
    end(thread);
    assert(!one);
}
