/*
 * The log of changes.  A record gets a number and waits in a ring until the writer has written it;
 * who must know that it is written waits for that number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t added = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static char records[RECORDS][RECORD_SIZE];
static unsigned long put, written;
static bool closing, kept;
static pthread_t thread;

/* Writes what waits; the lock is held, but not while it writes. */
static void write_batch(void) {
    char batch[RECORDS][RECORD_SIZE];
    unsigned long first = written, count = put - written;
    for (unsigned long i = 0; i < count; i++)
        memcpy(batch[i], records[(first + i) % RECORDS], RECORD_SIZE);
    pthread_mutex_unlock(&lock);
    for (unsigned long i = 0; kept && i < count; i++)
        fputs(batch[i], stderr);
    pthread_mutex_lock(&lock);
    written += count;
#if BUG == 8
    pthread_cond_signal(&done); /* bug 8 */
#else
    pthread_cond_broadcast(&done);
#endif
}

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        while (put == written && !closing)
            pthread_cond_wait(&added, &lock);
        if (put == written)
            break;
        write_batch();
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

void append_open(bool keep) {
    kept = keep;
    if (pthread_create(&thread, NULL, work, NULL))
        abort();
}

unsigned long append(const char *verb, const char *key, const char *value) {
    char record[RECORD_SIZE];
    unsigned long number;
    snprintf(record, sizeof record, "%.7s %.15s %.20s\n", verb, key, value);
    pthread_mutex_lock(&lock);
    while (put == written + RECORDS)
        pthread_cond_wait(&done, &lock); /* bug 8 */
    memcpy(records[put % RECORDS], record, sizeof record);
    number = ++put;
    pthread_cond_signal(&added);
    pthread_mutex_unlock(&lock);
    return number;
}

void append_flush(unsigned long number) {
    pthread_mutex_lock(&lock);
    while (written < number)
        pthread_cond_wait(&done, &lock); /* bug 8 */
    pthread_mutex_unlock(&lock);
}

unsigned long append_close(void) {
    pthread_mutex_lock(&lock);
    closing = true;
    pthread_cond_signal(&added);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return written;
}
