/* Two threads take numbers from rand; whose comes first matters.  The counter is there so that
 * there are enough runs for one to be audited.  With -DFAILS the second thread may not be first. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int numbers[2];
static atomic_int counter;

static void *take(void *number) {
    for (int i = 0; i < 3; i++)
        counter++;
    *(int *)number = rand();
    counter++;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, take, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
#ifdef FAILS
    srand(1);
    assert(numbers[0] == rand());
#endif
    return 0;
}
