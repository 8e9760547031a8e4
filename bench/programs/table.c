/*
 * A kernel for measuring recorders: four threads put keys into a hash table of lists
 * and look them up, each list under its mutex.  Many locks, blocks of the heap, and
 * accesses all over the memory.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, LISTS = 1024, KEYS = 16384 };

typedef struct node {
    uint64_t key, count;
    struct node *next;
} node;

static struct {
    pthread_mutex_t lock;
    node *first;
} table[LISTS];
static int rounds = 100000;

static uint64_t mix(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static void count(uint64_t key) {
    unsigned list = key % LISTS;
    pthread_mutex_lock(&table[list].lock);
    node *it = table[list].first;
    while (it && it->key != key)
        it = it->next;
    if (!it) {
        it = malloc(sizeof *it);
        *it = (node){key, 0, table[list].first};
        table[list].first = it;
    }
    it->count++;
    pthread_mutex_unlock(&table[list].lock);
}

static void *work(void *argument) {
    uint64_t state = 88172645463325252ULL + (uint64_t)(long)argument;
    for (int i = 0; i < rounds; i++)
        count(mix(&state) % KEYS);
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    if (argc > 1)
        rounds = (int)strtol(argv[1], NULL, 10);
    for (int i = 0; i < LISTS; i++)
        pthread_mutex_init(&table[i].lock, NULL);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    uint64_t sum = 0;
    for (int i = 0; i < LISTS; i++)
        for (node *it = table[i].first; it; it = it->next)
            sum += it->count;
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
