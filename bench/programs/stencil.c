/*
 * A kernel for measuring recorders: heat spreads over a grid.  Four threads have a
 * band of rows each and meet at a barrier between the steps; nearly all events are
 * plain accesses to floating-point numbers.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, SIDE = 256 };

static double grid[2][SIDE][SIDE];
static pthread_barrier_t barrier;
static int steps = 60;

static void relax(const double from[SIDE][SIDE], double to[SIDE][SIDE], int first, int last) {
    for (int y = first; y < last; y++)
        for (int x = 1; x < SIDE - 1; x++)
            to[y][x] = 0.2 * (from[y][x] + from[y - 1][x] + from[y + 1][x] + from[y][x - 1] +
                              from[y][x + 1]);
}

static void *work(void *argument) {
    int number = (int)(long)argument, rows = (SIDE - 2) / THREADS;
    int first = 1 + number * rows, last = number == THREADS - 1 ? SIDE - 1 : first + rows;
    for (int step = 0; step < steps; step++) {
        relax(grid[step % 2], grid[(step + 1) % 2], first, last);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    if (argc > 1)
        steps = (int)strtol(argv[1], NULL, 10);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            grid[0][y][x] = grid[1][y][x] = (double)((x * 37 + y * 101) % 251);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%.6f\n", grid[steps % 2][1][SIDE / 2]);
    return 0;
}
