// A stack of two places.  The check for room and the push are two steps, so two pushes may
// both find the last place free.
// verdict: false
#include <assert.h>
#include <pthread.h>

#define SIZE 2

void reach_error(void) {
    assert(0);
}

int items[SIZE + 1], top = 1;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int has_room(void) {
    pthread_mutex_lock(&lock);
    int room = top < SIZE;
    pthread_mutex_unlock(&lock);
    return room;
}

static void push(int item) {
    pthread_mutex_lock(&lock);
    if (top >= SIZE)
        reach_error();
    items[top++] = item;
    pthread_mutex_unlock(&lock);
}

static void *producer(void *item) {
    if (has_room())
        push((int)(long)item);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, (void *)7);
    pthread_create(&b, 0, producer, (void *)8);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
