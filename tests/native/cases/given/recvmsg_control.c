/* recvmsg stores what comes with a message.  truth: fails and races. */
#include "given.h"

static char byte = 'a';
static int ends[2];
static union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr first;
} control;

static void *other(void *unused) {
    struct iovec part = {&byte, 1};
    struct msghdr header = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control};
    recvmsg(ends[0], &header, 0);
    return unused;
}

int main(void) {
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr first;
    } mine = {.first = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    struct iovec part = {&byte, 1};
    struct msghdr header = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = mine.bytes,
                            .msg_controllen = sizeof mine};
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    memcpy(CMSG_DATA(&mine.first), &ends[1], sizeof(int));
    assert(sendmsg(ends[1], &header, 0) == 1);
    pthread_t thread = begin(other);
    int type = control.first.cmsg_type;
    end(thread);
    assert(!type);
}
