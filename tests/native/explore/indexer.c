// Each enters four messages into a table by hash; the first that finds a place taken goes on to
// the next one.  Up to eleven threads never meet.
//@ case -DN=11 | executions=1
//@ case -DN=12 | executions=8 only=sdpor
//@ case -DN=14 | executions=512 only=sdpor long
//@ case -DN=15 | executions=4096 only=sdpor long
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define THREADS N
enum { SIZE = 128, MESSAGES = 4 };

atomic_int table[SIZE];

static void *work(void *argument) {
    int id = (int)(intptr_t)argument;
    for (int message = 1; message <= MESSAGES; message++) {
        int word = message * 11 + id, place = word * 7 % SIZE, empty = 0;
        while (!atomic_compare_exchange_strong_explicit(
            &table[place], &empty, word, memory_order_relaxed, memory_order_relaxed)) {
            place = (place + 1) % SIZE;
            empty = 0;
        }
    }
    return argument;
}

int main(void) {
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
