/*
 * store: a store of keys and values in memory, and the clients that use it, in one process.
 *
 * A hash table whose buckets are under striped locks, and which grows; entries that expire, a limit
 * on their number with the least recently used one dropped, a log of all changes that a thread
 * writes, and snapshots of the whole.
 *
 * Locks are taken in this order: `growing` (for reading, by who uses the table; for writing, by
 * who makes it larger), stripes by their number, the list of use, the log.
 *
 * -DBUG=N builds a version with one error; `bug N` marks the lines that it is about.
 * ../bugs.tsv lists them.
 */
#ifndef STORE_H
#define STORE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef BUG
#define BUG 0
#endif

enum {
    KEY_SIZE = 16,
    VALUE_SIZE = 24,
    STRIPES = 4,
    FIRST_BUCKETS = 4,
    LOAD = 2,    /* entries a bucket before the table grows */
    RECORDS = 8, /* of the log, that wait to be written */
    RECORD_SIZE = 48,
    MOST_CLIENTS = 8,
};

/* --- entry.c ------------------------------------------------------------------------------- */

typedef struct entry {
    char key[KEY_SIZE], value[VALUE_SIZE];
    unsigned long hash;
    unsigned long expires;       /* tick; 0: never */
    struct entry *next;          /* in the bucket, under its stripe */
    struct entry *newer, *older; /* in the list of use, under its lock */
} entry;

entry *entry_make(const char *key, unsigned long hash);
void entry_set(entry *e, const char *value);

/* --- table.c: the hash table ----------------------------------------------------------------- */

unsigned long table_hash(const char *key);
void table_open(void);
void table_enter(void); /* uses the table; between enter and leave it does not grow */
void table_leave(void);
void table_lock(unsigned long hash);
void table_unlock(unsigned long hash);
void table_lock_two(unsigned long one, unsigned long other);
void table_unlock_two(unsigned long one, unsigned long other);
void table_lock_all(void);
void table_unlock_all(void);
entry *table_find(const char *key, unsigned long hash);
void table_insert(entry *e);
bool table_take_out(entry *e); /* false: it is not there any more */
void table_grow(void);         /* if it is full; outside of enter and leave */
size_t table_size(void);
void table_each(void (*visit)(entry *e, void *context), void *context);
void table_each_in(unsigned stripe, void (*visit)(entry *e, void *context), void *context);
void table_free(void);

/* --- lru.c: the list of use ----------------------------------------------------------------- */

void lru_open(size_t limit);
void lru_add(entry *e);
void lru_touch(entry *e);
void lru_remove(entry *e);
bool lru_oldest(char *key); /* of too many entries; false: there are not too many */

/* --- expire.c ------------------------------------------------------------------------------- */

unsigned long ticks(void);
void expire_start(void);
void expire_stop(void);

/* --- append.c: the log of changes ------------------------------------------------------------ */

void append_open(bool keep);
unsigned long append(const char *verb, const char *key, const char *value);
void append_flush(unsigned long number);
unsigned long append_close(void); /* records written */

/* --- snapshot.c ----------------------------------------------------------------------------- */

typedef struct snapshot {
    size_t entries, counted; /* one by one, and by the table */
    long sum;                /* of the values that are accounts */
} snapshot;

snapshot snapshot_take(void);

/* --- store.c: the commands ------------------------------------------------------------------- */

void store_open(size_t limit, bool keep_log);
void store_close(void);
bool store_get(const char *key, char *value);
void store_set(const char *key, const char *value, unsigned long seconds);
bool store_delete(const char *key);
long store_increment(const char *key, long by);
bool store_move(const char *from, const char *to, long amount);

/* --- command.c: lines of text ---------------------------------------------------------------- */

/* Does what the line says; false: it is no command. */
bool command_run(const char *line, char *answer, size_t room);

/* --- client.c ------------------------------------------------------------------------------- */

typedef struct client {
    pthread_t thread;
    int number, rounds;
} client;

void client_start(client *c);
void client_join(client *c);

#endif
