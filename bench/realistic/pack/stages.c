/* Reader, workers and writer. */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pack.h"

static void *read_blocks(void *argument) {
    job *j = argument;
    unsigned long number = 0;
    size_t at = 0;
    while (at < j->size) {
        block *b = pool_take();
        if (!b)
            break;
        b->number = number++;
        b->size = j->size - at < j->block_size ? j->size - at : j->block_size;
        memcpy(b->data, j->input + at, b->size); /* bug 9 */
        at += b->size;
        if (j->cancel_at >= 0 && b->number == (unsigned long)j->cancel_at)
            kill(getpid(), SIGINT);
        if (!queue_put(&j->queue, b)) {
            pool_give(b);
            number--;
            break;
        }
    }
    queue_close(&j->queue);
    order_end(number);
    return NULL;
}

static void *pack_blocks(void *argument) {
    job *j = argument;
    block *b;
    while ((b = queue_take(&j->queue)) != NULL) {
        if (cancelled()) {
            pool_give(b);
            continue;
        }
        b->checksum = crc_of(b->data, b->size);
        b->packed_size = codec_pack(b, b->packed); /* bug 9 */
        progress_packed(b->packed_size);
        if (!order_put(b))
            pool_give(b);
    }
    return NULL;
}

static void append(output *o, const unsigned char *bytes, size_t size) {
    if (o->room - o->size < size) {
        o->room = 2 * o->room + size;
        o->bytes = realloc(o->bytes, o->room);
        if (!o->bytes)
            abort();
    }
    memcpy(o->bytes + o->size, bytes, size); /* bug 9 */
    o->size += size;
}

static void *write_blocks(void *argument) {
    job *j = argument;
    block *b;
    while ((b = order_take()) != NULL) {
#if BUG == 9
        pool_give(b);
        append(&j->output, b->packed, b->packed_size); /* bug 9 */
        progress_written(b->packed_size);              /* bug 9 */
#else
        append(&j->output, b->packed, b->packed_size);
        progress_written(b->packed_size);
        pool_give(b);
#endif
    }
    return NULL;
}

void run_job(job *j) {
    pthread_t reader, writer, workers[MOST_WORKERS];
    if (pthread_create(&reader, NULL, read_blocks, j))
        abort();
    for (int i = 0; i < j->workers; i++)
        if (pthread_create(&workers[i], NULL, pack_blocks, j))
            abort();
    if (pthread_create(&writer, NULL, write_blocks, j))
        abort();
    pthread_join(reader, NULL);
    for (int i = 0; i < j->workers; i++)
        pthread_join(workers[i], NULL);
    pthread_join(writer, NULL);
    order_skip();
}
