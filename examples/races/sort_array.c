/*
 * A parallel sort, as SortArray of the paper's table 1: each thread sorts its part, counts
 * itself as done under a lock, and the last one merges.
 *
 * The added race: to see whether it is the last one, a thread first reads the count without
 * the lock, and then takes the lock.  With FIXED it does not read it first.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, SIZE = 48 };

static pthread_mutex_t DoneLock = PTHREAD_MUTEX_INITIALIZER;
static int numbers[SIZE], merged[SIZE];
static int workers, done, merges;

static void sort(int from, int to) {
    for (int i = from + 1; i < to; i++)
        for (int k = i; k > from && numbers[k - 1] > numbers[k]; k--) {
            int number = numbers[k];
            numbers[k] = numbers[k - 1];
            numbers[k - 1] = number;
        }
}

static void merge(void) {
    int part = SIZE / workers, at[MOST];
    for (int w = 0; w < workers; w++)
        at[w] = w * part;
    for (int i = 0; i < part * workers; i++) {
        int best = -1;
        for (int w = 0; w < workers; w++)
            if (at[w] < (w + 1) * part && (best < 0 || numbers[at[w]] < numbers[at[best]]))
                best = w;
        merged[i] = numbers[at[best]++];
    }
}

static void *work(void *argument) {
    int own = (int)(size_t)argument, part = SIZE / workers, last = 0;
    sort(own * part, (own + 1) * part);
    pthread_mutex_lock(&DoneLock);
    done++;
    pthread_mutex_unlock(&DoneLock);
#ifndef FIXED
    if (done < workers)
        return NULL;
#endif
    pthread_mutex_lock(&DoneLock);
    if (done == workers && !merges) {
        merges = 1;
        last = 1;
    }
    pthread_mutex_unlock(&DoneLock);
    if (last)
        merge();
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    workers = count > 1 ? atoi(words[1]) : 2;
    if (workers < 1 || workers > MOST)
        return 2;
    for (int i = 0; i < SIZE; i++)
        numbers[i] = i * 37 % 101;
    for (int i = 0; i < workers; i++)
        pthread_create(&threads[i], NULL, work, (void *)(size_t)i);
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    for (int i = 1; i < SIZE / workers * workers; i++)
        if (merged[i - 1] > merged[i])
            return 1;
    return 0;
}
