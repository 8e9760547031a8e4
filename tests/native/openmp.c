// How the threads of OpenMP wait for each other is not seen; a region runs with one of them.
//@ output 4950 1
//@ cflags -fopenmp
//@ only gcc
//@ stderr every parallel region runs with one
//@ free
#include <omp.h>
#include <stdio.h>

int main(void) {
    int sum = 0, threads = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
    for (int i = 0; i < 100; i++) {
        sum += i;
        threads = omp_get_num_threads();
    }
    printf("%d %d\n", sum, threads);
    return 0;
}
