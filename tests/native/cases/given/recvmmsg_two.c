/* Two messages in one call, and none that is not there.  truth: clean. */
#include "given.h"

static int ends[2];

static void *other(void *unused) {
    struct iovec part = {"abc", 3};
    struct mmsghdr messages[2] = {{.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}},
                                  {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1}}};
    assert(sendmmsg(ends[1], messages, 2, 0) == 2 && messages[1].msg_len == 3);
    return unused;
}

int main(void) {
    char bytes[3][8];
    struct iovec parts[3] = {{bytes[0], 8}, {bytes[1], 8}, {bytes[2], 8}};
    struct mmsghdr messages[3] = {0};
    for (int i = 0; i < 3; i++)
        messages[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    end(begin(other));
    assert(recvmmsg(ends[0], messages, 3, MSG_DONTWAIT, NULL) == 2);
    assert(messages[1].msg_len == 3 && bytes[1][2] == 'c');
}
