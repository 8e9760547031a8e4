/* A thread closes a socket from which another one receives.  Clean: it says that nothing more
 * comes, which lets the receiver end, and closes it then. */
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *receive(void *unused) {
    char byte;
    return recv(ends[0], &byte, 1, 0) >= 0 ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    pthread_create(&thread, NULL, receive, NULL);
    shutdown(ends[1], SHUT_RDWR);
#ifdef CLEAN
    pthread_join(thread, NULL);
    close(ends[0]);
#else
    close(ends[0]);
    pthread_join(thread, NULL);
#endif
    close(ends[1]);
    return 0;
}
