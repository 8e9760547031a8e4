// N tellers move money between accounts, each account with its lock; one of them reads its balance
// before it locks.
#include "find.h"
#ifndef N
#define N 8
#endif
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int balance[2];

static void add(int account, int amount) {
    pthread_mutex_lock(&lock[account]);
    atomic_store(&balance[account], atomic_load(&balance[account]) + amount);
    pthread_mutex_unlock(&lock[account]);
}

static void *teller(void *argument) {
    int own = number_of(argument), from = own % 2;
    if (own == N - 1) {
        int known = atomic_load(&balance[from]); // wrong: without the lock
        pthread_mutex_lock(&lock[from]);
        atomic_store(&balance[from], known - 1);
        pthread_mutex_unlock(&lock[from]);
    } else
        add(from, -1);
    add(1 - from, 1);
    return NULL;
}

int main(void) {
    atomic_store(&balance[0], 100);
    atomic_store(&balance[1], 100);
    start_all(N, teller);
    join_all(N);
    assert(atomic_load(&balance[0]) + atomic_load(&balance[1]) == 200);
    return 0;
}
