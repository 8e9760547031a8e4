/* A descriptor is closed while another thread writes to it. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static int file;
static void *writes(void *unused) {
    if (write(file, "x", 1) != 1)
        return NULL;
    return unused;
}
int main(void) {
    pthread_t thread;
    file = open("/dev/null", O_WRONLY);
    pthread_create(&thread, NULL, writes, NULL);
#ifdef CLEAN
    pthread_join(thread, NULL);
    close(file);
#else
    close(file);
    pthread_join(thread, NULL);
#endif
    return 0;
}
