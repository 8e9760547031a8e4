/* The same where the list is changed after the call.  truth: clean. */
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
    end(begin(other));
    part.iov_base = &two;
    assert(one == 'a' && !two);
}
