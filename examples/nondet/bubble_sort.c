/*
 * Bubble sort by threads, after the concurrency benchmark of Farchi, Nir and Ur: there is a thread
 * for each pass, with a lock for each pair of neighbours that are compared.  A pass begins when the
 * one before it is two cells ahead.
 *
 *   bubble_sort [CELLS]
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 16 };

static int cells[MOST], count_of_cells = 8;
static pthread_mutex_t cell_locks[MOST];
static pthread_mutex_t progress_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t progressed = PTHREAD_COND_INITIALIZER;
static int progress[MOST + 1]; /* of each pass; that of the pass before the first is complete */
static int swaps;

static void wait_until(int pass, int cell) {
    pthread_mutex_lock(&progress_lock);
    while (progress[pass] < cell)
        pthread_cond_wait(&progressed, &progress_lock);
    pthread_mutex_unlock(&progress_lock);
}

static void advance(int pass, int cell, int swapped) {
    pthread_mutex_lock(&progress_lock);
    progress[pass] = cell;
    swaps += swapped;
    pthread_cond_broadcast(&progressed);
    pthread_mutex_unlock(&progress_lock);
}

static int compare_and_swap(int at) {
    pthread_mutex_lock(&cell_locks[at]);
    pthread_mutex_lock(&cell_locks[at + 1]);
    int swapped = cells[at] > cells[at + 1];
    if (swapped) {
        int kept = cells[at];
        cells[at] = cells[at + 1];
        cells[at + 1] = kept;
    }
    pthread_mutex_unlock(&cell_locks[at + 1]);
    pthread_mutex_unlock(&cell_locks[at]);
    return swapped;
}

static void *pass(void *argument) {
    int own = (int)(size_t)argument, last = count_of_cells - own;
    for (int i = 0; i + 1 < last; i++) {
        wait_until(own, i + 3 < count_of_cells ? i + 3 : count_of_cells);
        advance(own + 1, i + 1, compare_and_swap(i));
    }
    advance(own + 1, count_of_cells, 0);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    if (count > 1)
        count_of_cells = atoi(words[1]);
    if (count_of_cells < 2 || count_of_cells > MOST)
        return 2;
    for (int i = 0; i < count_of_cells; i++) {
        pthread_mutex_init(&cell_locks[i], NULL);
        cells[i] = (7 * i + 3) % count_of_cells;
    }
    progress[0] = count_of_cells;
    for (int i = 0; i + 1 < count_of_cells; i++)
        pthread_create(&threads[i], NULL, pass, (void *)(size_t)i);
    for (int i = 0; i + 1 < count_of_cells; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i + 1 < count_of_cells; i++)
        if (cells[i] > cells[i + 1])
            return 1;
    return swaps < 0;
}
