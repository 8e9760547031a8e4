// A queue whose head and tail have a lock each, but whose count has none: an update of it is
// lost, and with it an element.
// verdict: false
#include <pthread.h>

extern void reach_error(void);

#define SIZE 4

int items[SIZE], head, tail, count;
pthread_mutex_t head_lock = PTHREAD_MUTEX_INITIALIZER, tail_lock = PTHREAD_MUTEX_INITIALIZER;
int taken;

static void put(int item) {
    pthread_mutex_lock(&tail_lock);
    items[tail++] = item;
    count++;
    pthread_mutex_unlock(&tail_lock);
}

static void *consumer(void *unused) {
    pthread_mutex_lock(&head_lock);
    if (count > 0) {
        taken += items[head++];
        count--;
    }
    pthread_mutex_unlock(&head_lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    put(1);
    pthread_create(&thread, 0, consumer, 0);
    put(2);
    pthread_join(thread, 0);
    if (tail - head != count)
        reach_error();
    return 0;
}
