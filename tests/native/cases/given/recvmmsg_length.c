/* recvmmsg stores how long each message is.  truth: fails and races. */
#include "given.h"

static char bytes[8];
static int ends[2];
static struct iovec part = {bytes, sizeof bytes};
static struct mmsghdr messages[1] = {{.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}}};

static void *other(void *unused) {
    recvmmsg(ends[0], messages, 1, 0, NULL);
    return unused;
}

int main(void) {
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    write(ends[1], "abc", 3);
    pthread_t thread = begin(other);
    unsigned length = messages[0].msg_len;
    end(thread);
    assert(!length && messages[0].msg_len == 3);
}
