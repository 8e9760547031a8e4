/*
 * A set as a sorted list with one lock per node, taken hand over hand, after the
 * dissertation's faulty and correct set.
 *
 * The faulty one reads the next node's key before it has that node's lock.  With FIXED
 * (the correct set) it reads it afterwards.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, ADDS = 2 };

typedef struct node {
    pthread_mutex_t lock;
    int key;
    struct node *next;
} node;

static node *head;

static node *make(int key, node *next) {
    node *made = malloc(sizeof *made);
    if (!made)
        exit(2);
    pthread_mutex_init(&made->lock, NULL);
    made->key = key;
    made->next = next;
    return made;
}

/* The last node with a smaller key, locked. */
static node *find(int key) {
    node *at = head;
    pthread_mutex_lock(&at->lock);
    for (;;) {
        node *next = at->next;
#ifndef FIXED
        if (!next || next->key >= key)
            return at;
        pthread_mutex_lock(&next->lock);
#else
        if (!next)
            return at;
        pthread_mutex_lock(&next->lock);
        if (next->key >= key) {
            pthread_mutex_unlock(&next->lock);
            return at;
        }
#endif
        pthread_mutex_unlock(&at->lock);
        at = next;
    }
}

static void add(int key) {
    node *before = find(key);
    before->next = make(key, before->next);
    pthread_mutex_unlock(&before->lock);
}

/* Gives all keys from this one on another value, without changing their order. */
static void raise_keys(int from, int by) {
    node *at = find(from);
    for (;;) {
        node *next = at->next;
        if (next)
            pthread_mutex_lock(&next->lock);
        pthread_mutex_unlock(&at->lock);
        if (!next)
            return;
        next->key += by;
        at = next;
    }
}

static void *work(void *argument) {
    int own = (int)(size_t)argument;
    for (int i = 0; i < ADDS; i++)
        add(10 * i + own + 1);
    raise_keys(11, 100);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    int workers = count > 1 ? atoi(words[1]) : 2;
    if (workers < 1 || workers > MOST)
        return 2;
    head = make(0, NULL);
    for (int i = 0; i < workers; i++)
        pthread_create(&threads[i], NULL, work, (void *)(size_t)i);
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
