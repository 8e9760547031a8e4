/*
 * Successive over-relaxation of a grid, after the dissertation's sor: each thread has some
 * rows, red points are done first, then black ones, with a barrier after each.
 *
 * The barrier after the black points of a round is missing: a thread may begin the red
 * points of the next round in a border row while its neighbour still reads that row.  With
 * FIXED the barrier is there.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, COLUMNS = 4, ROWS_EACH = 2, ROUNDS = 2 };

static pthread_barrier_t phase;
static int grid[MOST * ROWS_EACH + 2][COLUMNS + 2];

static void relax(int row, int colour) {
    for (int column = 1 + (row + colour) % 2; column <= COLUMNS; column += 2)
        grid[row][column] = (grid[row - 1][column] + grid[row + 1][column] +
                             grid[row][column - 1] + grid[row][column + 1]) /
                            4;
}

static void *work(void *argument) {
    int first = 1 + (int)(size_t)argument * ROWS_EACH;
    for (int round = 0; round < ROUNDS; round++) {
        for (int row = first; row < first + ROWS_EACH; row++)
            relax(row, 0);
        pthread_barrier_wait(&phase);
        for (int row = first; row < first + ROWS_EACH; row++)
            relax(row, 1);
#ifdef FIXED
        pthread_barrier_wait(&phase);
#endif
    }
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    int workers = count > 1 ? atoi(words[1]) : 2;
    if (workers < 1 || workers > MOST)
        return 2;
    pthread_barrier_init(&phase, NULL, (unsigned)workers);
    for (int column = 0; column < COLUMNS + 2; column++)
        grid[0][column] = 1000;
    for (int i = 0; i < workers; i++)
        pthread_create(&threads[i], NULL, work, (void *)(size_t)i);
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    return grid[1][1] > 0 ? 0 : 1;
}
