/*
 * The running example of Shacham, Sagiv and Schuster (PPoPP 2005), Fig. 3: threads that
 * share a store of clauses and reorganise it now and then.
 *
 * numDelItr is read under KeyLock and changed under DelLock: no common lock.  The two meet
 * only if one thread has been through its whole share of the clauses while another has not
 * begun; on most schedules happens-before sees the read long before the write.  With FIXED
 * both hold DelLock.
 *
 *     heddle cc -g -o running running.c && heddle race ./running 2
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, POOL = 24 };

static pthread_mutex_t KeyLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t NumLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t DelLock = PTHREAD_MUTEX_INITIALIZER;

static int numDelItr = 1, NumDeleted, compressed;
static int clause_size[POOL];
static int numThreads;

static void compress(void) {
    compressed++;
}

static void *reorganise(void *argument) {
    int myStart = (int)(size_t)argument * (POOL / numThreads);
    pthread_mutex_lock(&KeyLock);
#ifdef FIXED
    pthread_mutex_lock(&DelLock);
#endif
    if (numDelItr % 5 == 0)
        compress();
#ifdef FIXED
    pthread_mutex_unlock(&DelLock);
#endif
    pthread_mutex_unlock(&KeyLock);

    for (int i = myStart; i < myStart + POOL / numThreads; ++i) {
        pthread_mutex_lock(&NumLock);
        if (clause_size[i] > 5) {
            clause_size[i] = 0;
            ++NumDeleted;
        }
        pthread_mutex_unlock(&NumLock);
    }

    pthread_mutex_lock(&DelLock);
    ++numDelItr;
    pthread_mutex_unlock(&DelLock);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    numThreads = count > 1 ? atoi(words[1]) : 2;
    if (numThreads < 1 || numThreads > MOST)
        return 2;
    for (int i = 0; i < POOL; i++)
        clause_size[i] = i % 11;
    for (int i = 0; i < numThreads; i++)
        pthread_create(&threads[i], NULL, reorganise, (void *)(size_t)i);
    for (int i = 0; i < numThreads; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
