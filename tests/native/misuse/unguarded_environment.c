/* A thread changes the environment while another looks for a name in it. */
#include <pthread.h>
#include <stdlib.h>
#ifdef CLEAN
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define GUARDED(what)                                                                              \
    pthread_mutex_lock(&lock);                                                                     \
    what;                                                                                          \
    pthread_mutex_unlock(&lock)
#else
#define GUARDED(what) what
#endif
static void *change(void *unused) {
    GUARDED(setenv("COLOUR", "red", 1));
    return unused;
}
int main(void) {
    pthread_t thread;
    int found;
    pthread_create(&thread, NULL, change, NULL);
    GUARDED(found = getenv("SHAPE") != NULL);
    pthread_join(thread, NULL);
    return found && getenv("COLOUR") == NULL;
}
