/*
 * A kernel for measuring recorders: four threads take parts of an array from a counter
 * and sort them, then merge pairs of sorted parts as an atomic flag says that both are
 * there.  Branches that nobody can predict, plain accesses, some atomics.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, PARTS = 64, NODES = 2 * PARTS, MOST = 1 << 20 };

static uint32_t numbers[MOST], scratch[MOST];
static int length = 1 << 18;
static atomic_int next_part, done[NODES];

static void insertion(uint32_t *a, int n) {
    for (int i = 1; i < n; i++) {
        uint32_t it = a[i];
        int j = i;
        for (; j > 0 && a[j - 1] > it; j--)
            a[j] = a[j - 1];
        a[j] = it;
    }
}

static void quick(uint32_t *a, int n) {
    while (n > 12) {
        uint32_t pivot = a[n / 2];
        int i = 0, j = n - 1;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                uint32_t t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        quick(a, j + 1);
        a += i;
        n -= i;
    }
    insertion(a, n);
}

static void merge(const uint32_t *from, uint32_t *to, int half, int n) {
    int i = 0, j = half;
    for (int k = 0; k < n; k++)
        to[k] = j == n || (i < half && from[i] <= from[j]) ? from[i++] : from[j++];
    for (int k = 0; k < n; k++)
        ((uint32_t *)from)[k] = to[k];
}

/* Node n of a tree has the parts below it sorted when both children have. */
static void climb(int node, int part, int parts) {
    int size = length / PARTS;
    while (node > 1 && atomic_fetch_add(&done[node / 2], 1) == 1) {
        node /= 2;
        parts *= 2;
        part -= part % parts;
        merge(numbers + (size_t)part * (size_t)size, scratch + (size_t)part * (size_t)size,
              parts / 2 * size, parts * size);
    }
}

static void *work(void *unused) {
    int part, size = length / PARTS;
    while ((part = atomic_fetch_add(&next_part, 1)) < PARTS) {
        quick(numbers + (size_t)part * (size_t)size, size);
        climb(PARTS + part, part, 1);
    }
    return unused;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    if (argc > 1)
        length = (int)strtol(argv[1], NULL, 10);
    uint32_t state = 2463534242;
    for (int i = 0; i < length; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        numbers[i] = state ^= state << 5;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < length; i++)
        if (numbers[i - 1] > numbers[i])
            return 1;
    printf("%u\n", numbers[0]);
    return 0;
}
