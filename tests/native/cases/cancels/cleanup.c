/* truth: right or shaky.  The handler of the cancelled thread gives the mutex back. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int file;
void give(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&lock);
}
void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(give, NULL);
    write(file, "x", 1);
    pthread_cleanup_pop(1);
    return unused;
}
int main(void) {
    pthread_t t;
    file = open("/dev/null", O_RDWR);
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
