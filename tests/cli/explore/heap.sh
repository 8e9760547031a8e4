# Blocks of the heap have the names that they have in a recorded run, whatever the schedule, and
# both accesses of a race have their stacks.
cat >heap.c <<END
#include <pthread.h>
#include <stdlib.h>
struct node {
    int key, value;
};
static struct node *make(int key) {
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->value = 0;
    return n;
}
static void add(struct node *n, int by) {
    n->value += by;
}
static void *clerk(void *p) {
    int *own = malloc(sizeof *own);
    *own = 3;
    add(p, *own);
    free(own);
    return 0;
}
int main(void) {
    pthread_t one, two;
    struct node *first = make(1), *second = make(2);
    pthread_create(&one, 0, clerk, second);
    pthread_create(&two, 0, clerk, second);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return second->value + first->value > 100;
}
END
heddle cc -g -o heap heap.c
for reset in memory fork; do
    heddle explore --reset=$reset ./heap | grep 'data race\|stack of\|  at '
done
heddle explore --json ./heap | jq -c '.findings[0].places[].stack'
heddle race ./heap | grep 'race on'
heddle record -q -o heap.htr ./heap
heddle race heap.htr | grep 'race on'
