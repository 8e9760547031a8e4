/*
 * All primes of an interval, as PrimeFinder of the paper's table 1: threads take numbers
 * from a counter and enter the primes in a list.
 *
 * The added race: `largest` is read without PrimeLock, and written under it only if a prime
 * is larger, so the two accesses meet only if a thread tests a number while another enters
 * a prime.  With FIXED it is read under the lock.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, LOW = 90, HIGH = 120 };

static pthread_mutex_t NextLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t PrimeLock = PTHREAD_MUTEX_INITIALIZER;
static int next = LOW;
static int primes[HIGH - LOW], found, largest;

static int take_number(void) {
    pthread_mutex_lock(&NextLock);
    int number = next < HIGH ? next++ : 0;
    pthread_mutex_unlock(&NextLock);
    return number;
}

static int is_prime(int number) {
    for (int i = 2; i * i <= number; i++)
        if (number % i == 0)
            return 0;
    return 1;
}

static void enter(int prime) {
#ifndef FIXED
    int is_larger = prime > largest;
#endif
    pthread_mutex_lock(&PrimeLock);
#ifdef FIXED
    int is_larger = prime > largest;
#endif
    primes[found++] = prime;
    if (is_larger)
        largest = prime;
    pthread_mutex_unlock(&PrimeLock);
}

static void *search(void *argument) {
    int number;
    (void)argument;
    while ((number = take_number()) != 0)
        if (is_prime(number))
            enter(number);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    int workers = count > 1 ? atoi(words[1]) : 2;
    if (workers < 1 || workers > MOST)
        return 2;
    for (int i = 0; i < workers; i++)
        pthread_create(&threads[i], NULL, search, NULL);
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    return found == 6 && primes[0] ? 0 : 1;
}
