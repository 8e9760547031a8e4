/*
 * Another travelling salesman, as our_tsp of the paper's table 1: one more lock protects
 * MinTourLen, and a global counts the calls of a function.
 *
 * The remaining race is rare.  `calls` is counted under MinLock and read under TourLock, only
 * by a thread that finds the pool empty; the other thread must then still be in a tour that
 * is the best so far.  With FIXED the reader takes MinLock.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, TOWNS = 5, POOL = 16 };

typedef struct tour {
    int towns[TOWNS], length, cost;
} tour;

/* Not the same both ways: the best tour begins with the town that is taken last. */
static const int distance[TOWNS][TOWNS] = {
    {0, 2, 9, 9, 9}, {8, 0, 3, 4, 3}, {4, 4, 0, 5, 8}, {3, 6, 5, 0, 6}, {7, 3, 4, 6, 0}};

static pthread_mutex_t TourLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t MinLock = PTHREAD_MUTEX_INITIALIZER;
static tour pool[POOL];
static int pooled;
static int MinTourLen = 1000;
static int calls, reported;

static void report(void) {
#ifdef FIXED
    pthread_mutex_lock(&MinLock);
#endif
    reported = calls;
#ifdef FIXED
    pthread_mutex_unlock(&MinLock);
#endif
}

static int take_tour(tour *to) {
    pthread_mutex_lock(&TourLock);
    int found = pooled > 0;
    if (found)
        *to = pool[--pooled];
    else
        report();
    pthread_mutex_unlock(&TourLock);
    return found;
}

static void set_best(int cost) {
    pthread_mutex_lock(&MinLock);
    if (cost < MinTourLen) {
        MinTourLen = cost;
        calls++;
    }
    pthread_mutex_unlock(&MinLock);
}

static int is_hopeless(int cost) {
    pthread_mutex_lock(&MinLock);
    int hopeless = cost >= MinTourLen;
    pthread_mutex_unlock(&MinLock);
    return hopeless;
}

static int has_town(const tour *t, int town) {
    for (int i = 0; i < t->length; i++)
        if (t->towns[i] == town)
            return 1;
    return 0;
}

static void extend(const tour *from) {
    int last = from->towns[from->length - 1];
    if (is_hopeless(from->cost))
        return;
    if (from->length == TOWNS) {
        set_best(from->cost + distance[last][0]);
        return;
    }
    for (int town = 1; town < TOWNS; town++) {
        if (has_town(from, town))
            continue;
        tour longer = *from;
        longer.towns[longer.length++] = town;
        longer.cost += distance[last][town];
        extend(&longer);
    }
}

static void *solve(void *argument) {
    tour t;
    (void)argument;
    while (take_tour(&t))
        extend(&t);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    int workers = count > 1 ? atoi(words[1]) : 2;
    if (workers < 1 || workers > MOST)
        return 2;
    for (int town = 1; town < TOWNS; town++)
        pool[pooled++] = (tour){{0, town}, 2, distance[0][town]};
    for (int i = 0; i < workers; i++)
        pthread_create(&threads[i], NULL, solve, NULL);
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    return MinTourLen == 17 && reported <= calls ? 0 : 1;
}
