/*
 * pack: a compressor whose blocks are compressed side by side.
 *
 *   reader -> bounded queue -> workers -> writer, which puts the blocks back into order
 *
 * Beside them are a thread that reports progress and one that waits for a request to stop.
 * Blocks come from a pool and return to it once they are written.
 *
 * -DBUG=N builds a version with one error; `bug N` marks the lines that it is about.
 * ../bugs.tsv lists them.
 */
#ifndef PACK_H
#define PACK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

enum {
    MOST_WORKERS = 8,
    MOST_BLOCK = 4096,
    /* What a block can grow to: its header, and a control byte for each run of literals. */
    MOST_PACKED = MOST_BLOCK + MOST_BLOCK / 64 + 16,
    QUEUE_SIZE = 3,
    WINDOW = 4,
};

/* A piece of the input, and what it was compressed to. */
typedef struct block {
    unsigned long number;
    size_t size, packed_size;
    uint32_t checksum;
    struct block *next; /* in the pool */
    unsigned char data[MOST_BLOCK];
    unsigned char packed[MOST_PACKED];
} block;

/* crc.c: CRC-32 of the input of each block. */
uint32_t crc_of(const unsigned char *data, size_t size);

/* lz.c: runs of literals, and matches with what came before in the block. */
size_t lz_compress(const unsigned char *in, size_t size, unsigned char *out);
bool lz_expand(const unsigned char *in, size_t size, unsigned char *out, size_t out_size);

/* huffman.c: canonical codes of at most 15 bits. */
size_t huffman_compress(const unsigned char *in, size_t size, unsigned char *out, size_t room);
bool huffman_expand(const unsigned char *in, size_t size, unsigned char *out, size_t out_size);

/* codec.c: a block with its header, by the method that makes it smallest. */
size_t codec_pack(const block *b, unsigned char *out);
size_t codec_unpack(const unsigned char *in, size_t room, unsigned char *out, size_t out_room);

/* pool.c: the blocks that may be in use at once. */
void pool_open(int blocks);
block *pool_take(void); /* NULL: no more, the work is cancelled */
void pool_give(block *b);
void pool_close(void);
void pool_free(void);

/* queue.c: blocks on their way from the reader to the workers. */
typedef struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled, drained;
    block *entries[QUEUE_SIZE];
    int first, count;
    bool closed;
} queue;

void queue_init(queue *q);
bool queue_put(queue *q, block *b);
block *queue_take(queue *q); /* NULL: closed and empty */
void queue_close(queue *q);
int queue_length(queue *q);
void queue_release(queue *q);

/* order.c: compressed blocks, to be taken in the order of the input. */
void order_open(void);
bool order_put(block *b);
block *order_take(void); /* NULL: that was the last, or the work is cancelled */
void order_end(unsigned long blocks);
void order_skip(void);
void order_close(void);

/* progress.c: counts, and the thread that reports them. */
typedef struct progress progress;
progress *progress_start(queue *q, bool verbose);
void progress_read(size_t bytes);
void progress_packed(size_t bytes);
void progress_written(size_t bytes);
size_t progress_bytes_packed(void);
void progress_stop(progress *p);

/* cancel.c: the request to stop, by SIGINT or SIGTERM. */
void cancel_start(queue *q);
bool cancelled(void);
void cancel_stop(void);

/* stages.c: the threads that do the work. */
typedef struct output {
    unsigned char *bytes;
    size_t size, room;
} output;

typedef struct job {
    const unsigned char *input;
    size_t size, block_size;
    long cancel_at; /* the reader sends SIGINT at this block, to try it; -1: never */
    int workers;
    queue queue;
    output output;
} job;

void run_job(job *j);

#endif
