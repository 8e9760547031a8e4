/* Blocks of the heap, named by where and by whom they were allocated. */
//@ output 15 ok
//@ lines w4(block@17#main.1:1.0. in worker()=.*)  1
//@ lines w4(block@17#main.1:3.2. in worker()=.*)  2
//@ events fork=2 join=2
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *worker(void *unused) {
    for (int i = 0; i < 3; i++) {
        /* a line of its own */
        int *volatile block = malloc(16);
        block[i] = i;
        if (i == 0)
            block = realloc(block, 4000);
        block[i]++;
        free(block);
    }
    return unused;
}

int main(void) {
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    char *zero = calloc(1000, 3);
    for (int i = 0; i < 3000; i++)
        assert(zero[i] == 0);
    free(zero);
    void *aligned;
    assert(posix_memalign(&aligned, 4096, 100) == 0 && (uintptr_t)aligned % 4096 == 0);
    assert(malloc_usable_size(aligned) >= 100);
    free(aligned);
    free(aligned_alloc(64, 128));
    /* More than there is memory for, if it were not given back. */
    for (int i = 0; i < 2000; i++) {
        char *large = malloc(64 << 20);
        large[0] = large[(64 << 20) - 1] = 1;
        free(large);
    }
    char *copy = strdup("fifteen");
    copy = realloc(copy, 0x100);
    free(copy);
    free(NULL);
    void *volatile none = malloc(SIZE_MAX / 2);
    assert(none == NULL);
    printf("%d ok\n", 15);
    return 0;
}
