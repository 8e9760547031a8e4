/* sendmmsg reads the messages and stores their lengths.  truth: fails and races. */
#include "given.h"

static int ends[2];
static struct iovec part = {"abc", 3};
static struct mmsghdr messages[1] = {{.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}}};

static void *other(void *unused) {
    sendmmsg(ends[1], messages, 1, 0);
    return unused;
}

int main(void) {
    char bytes[8];
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    pthread_t thread = begin(other);
    part.iov_len = 2;
    end(thread);
    assert(recv(ends[0], bytes, sizeof bytes, 0) == 3);
}
