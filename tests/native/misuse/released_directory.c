/* A thread closes a directory that another one reads. */
#include <dirent.h>
#include <pthread.h>

static DIR *directory;

static void *use(void *unused) {
    return readdir(directory) ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    directory = opendir("/");
    pthread_create(&thread, NULL, use, NULL);
#ifdef CLEAN
    pthread_join(thread, NULL);
    closedir(directory);
#else
    closedir(directory);
    pthread_join(thread, NULL);
#endif
    return 0;
}
