// A spin lock, and a try.
//@ outcomes 0:0,2 0:16,1
#include <pthread.h>
#include <stdio.h>

pthread_spinlock_t lock;
int count;

static void *add(void *unused) {
    pthread_spin_lock(&lock);
    count++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, 0);
    pthread_create(&thread, NULL, add, NULL);
    int busy = pthread_spin_trylock(&lock);
    if (!busy) {
        count++;
        pthread_spin_unlock(&lock);
    }
    pthread_join(thread, NULL);
    printf("%d,%d", busy, count);
    return 0;
}
