// Blocks that one thread allocates and another finds: they have the same places in every run,
// also where a run goes back to a state in which the thread was not there.
//@ case | executions=2 naive
#include <pthread.h>
#include <stdlib.h>

typedef struct node {
    int key;
    struct node *next;
} node;

static node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *argument) {
    node *made = malloc(sizeof *made);
    if (!made)
        abort();
    pthread_mutex_lock(&lock);
    *made = (node){.key = 1, .next = head};
    head = made;
    for (node *at = head; at; at = at->next)
        at->key++;
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return head->key + head->next->key != 5;
}
