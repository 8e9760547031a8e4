/*
 * So many executions that workers share them: what tests/unit/test_api_memory.c asks about.
 */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused) {
    for (int i = 0; i < 3; i++)
        x = x + 1;
    return unused;
}
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
