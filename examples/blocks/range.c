/*
 * A range: two variables that must change together.  One thread moves the range, with the lock held
 * at both writes; another one takes the lock for each of its two reads.  There is no data race, and
 * no variable is read twice; but the reader can see the old low end and the new high end.
 *
 *     heddle cc -g -o range range.c
 *     heddle record -o range.htr ./range
 *     heddle race --blocks -o witness range.htr      the block is not serializable
 *     heddle replay ./range witness                  shown on the program
 *
 * With -DFIXED one hold of the lock covers both reads.
 */
#include <heddle/mark.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int low = 10, high = 20;

static void *look(void *width) {
    heddle_begin("look");
    pthread_mutex_lock(&lock);
    int from = low;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    *(int *)width = high - from;
    pthread_mutex_unlock(&lock);
    heddle_end("look");
    return NULL;
}

static void *move(void *unused) {
    pthread_mutex_lock(&lock);
    low = 30;
    high = 40;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t reader, writer;
    int width = 0;
    pthread_create(&reader, NULL, look, &width);
    pthread_create(&writer, NULL, move, NULL);
    pthread_join(reader, NULL);
    pthread_join(writer, NULL);
    printf("%d\n", width);
    return 0;
}
