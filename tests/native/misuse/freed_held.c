/* A block is freed with a mutex in it that its thread holds. */
#include <pthread.h>
#include <stdlib.h>
typedef struct box {
    pthread_mutex_t lock;
    int content;
} box;
static void *empties(void *argument) {
    box *it = argument;
    pthread_mutex_lock(&it->lock);
    int content = it->content;
#ifdef CLEAN
    pthread_mutex_unlock(&it->lock);
    pthread_mutex_destroy(&it->lock);
#endif
    free(it);
    return content ? argument : NULL;
}
int main(void) {
    pthread_t thread;
    box *it = calloc(1, sizeof *it);
    pthread_mutex_init(&it->lock, NULL);
    pthread_create(&thread, NULL, empties, it);
    pthread_join(thread, NULL);
    return 0;
}
