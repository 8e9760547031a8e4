/* Two threads close one descriptor. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void end(void) {
#ifdef CLEAN
    pthread_mutex_lock(&lock);
    if (file >= 0)
        close(file);
    file = -1;
    pthread_mutex_unlock(&lock);
#else
    pthread_mutex_lock(&lock);
    int mine = file;
    pthread_mutex_unlock(&lock);
    close(mine);
#endif
}

static void *end_it(void *unused) {
    end();
    return unused;
}

int main(void) {
    pthread_t thread;
    file = open("/dev/null", O_RDONLY);
    pthread_create(&thread, NULL, end_it, NULL);
    end();
    pthread_join(thread, NULL);
    return 0;
}
