/* A fixed number of blocks, in a list of free ones. */
#include <assert.h>
#include <stdlib.h>

#include "pack.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static block *all, *free_list;
static int blocks_in_all;
static bool closed;

void pool_open(int blocks) {
    all = calloc((size_t)blocks, sizeof *all);
    if (!all)
        abort();
    for (int i = 0; i < blocks; i++) {
        all[i].next = free_list;
        free_list = &all[i];
    }
    blocks_in_all = blocks;
}

block *pool_take(void) {
    block *b = NULL;
    pthread_mutex_lock(&lock);
    while (!free_list && !closed)
        pthread_cond_wait(&given, &lock);
    if (!closed) {
        b = free_list;
        free_list = b->next;
        b->next = NULL;
    }
    pthread_mutex_unlock(&lock);
    return b;
}

void pool_give(block *b) {
    pthread_mutex_lock(&lock);
    b->next = free_list;
    free_list = b;
    pthread_cond_signal(&given);
    pthread_mutex_unlock(&lock);
}

/* No more blocks are given: the reader ends. */
void pool_close(void) {
    pthread_mutex_lock(&lock);
    closed = true;
    pthread_cond_broadcast(&given);
    pthread_mutex_unlock(&lock);
}

void pool_free(void) {
    int count = 0;
    for (block *b = free_list; b; b = b->next)
        count++;
    assert(count == blocks_in_all && "every block has come back");
    free(all);
}
