#include "launch_drain.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK ((size_t)32 << 20) /* bytes that are allocated at a time */

struct hd_launch_drain {
    pthread_t thread;
    const void *asker;             /* who it works for */
    struct hd_launch_drain *older; /* of those that run */
    heddle_wire *wire;
    uint64_t size; /* of the mapped file */
    uint32_t stop;
    HD_VEC(hd_launch_piece) pieces;
    HD_VEC(char *) blocks;
    size_t used;        /* of the last block */
    hd_vec_u32 emptied; /* places + 1 that could not be offered to the program yet */
    HD_VEC(heddle_wire_chunk *) found;
    bool full; /* out of memory: nothing is taken any more */
};

/* --- what is kept --------------------------------------------------------------------------- */

/* Large pages where the system has them: they are allocated and freed at once. */
static bool add_block(hd_launch_drain *drain) {
    char *block = mmap(NULL, BLOCK, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        return false;
    madvise(block, BLOCK, MADV_HUGEPAGE);
    hd_vec_push(&drain->blocks, block);
    drain->used = 0;
    return true;
}

/* A copy of the chunk; false if there is no memory for it.  It is checked afterwards: to copy it is
 * the fastest way to get it from the other processor. */
static bool keep_chunk(hd_launch_drain *drain, const heddle_wire_chunk *chunk) {
    size_t size = hd_launch_used(chunk) + HD_LAUNCH_BEYOND;
    bool fits = drain->blocks.length && BLOCK - drain->used >= size;
    if (!fits && !add_block(drain))
        return false;
    char *to = *hd_vec_last(&drain->blocks) + drain->used;
    memcpy(to, chunk->bytes, size);
    hd_launch_piece piece;
    hd_launch_piece_of(chunk, (unsigned char *)to, &piece);
    drain->used += piece.size;
    hd_vec_push(&drain->pieces, piece);
    return true;
}

/* --- taking --------------------------------------------------------------------------------- */

static int compare_chunks(const void *a, const void *b) {
    const heddle_wire_chunk *x = *(heddle_wire_chunk *const *)a,
                            *y = *(heddle_wire_chunk *const *)b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Finds the chunks with contents, or only the complete ones, in the order in which they were begun,
 * so that those of a lane are in order. */
static void find_chunks(hd_launch_drain *drain, bool whole) {
    uint64_t most = (drain->size - HEDDLE_WIRE_DATA) / HEDDLE_WIRE_CHUNK;
    uint64_t count = __atomic_load_n(&drain->wire->chunks, __ATOMIC_ACQUIRE);
    hd_vec_clear(&drain->found);
    for (uint64_t i = 0; i < count && i < most; i++) {
        heddle_wire_chunk *chunk = heddle_wire_chunk_at(drain->wire, i);
        if (__atomic_load_n(&chunk->lane, __ATOMIC_ACQUIRE) &&
            (!whole || __atomic_load_n(&chunk->whole, __ATOMIC_ACQUIRE)))
            hd_vec_push(&drain->found, chunk);
    }
    if (drain->found.length)
        qsort(drain->found.data, drain->found.length, sizeof *drain->found.data, compare_chunks);
}

static void give_back(hd_launch_drain *drain, heddle_wire_chunk *chunk) {
    uint64_t offset = (uint64_t)((char *)chunk - (char *)drain->wire) - HEDDLE_WIRE_DATA;
    chunk->lane = 0;
    hd_vec_push(&drain->emptied, (uint32_t)(offset / HEDDLE_WIRE_CHUNK + 1));
}

/* Offers empty places as far as there is room; the others wait. */
static void offer_emptied(hd_launch_drain *drain) {
    uint32_t *emptied = drain->wire->emptied;
    for (unsigned i = 0; i < HEDDLE_WIRE_EMPTIED && drain->emptied.length; i++)
        if (!__atomic_load_n(&emptied[i], __ATOMIC_RELAXED))
            __atomic_store_n(&emptied[i], hd_vec_pop(&drain->emptied), __ATOMIC_RELEASE);
}

static void take_whole(hd_launch_drain *drain) {
    find_chunks(drain, true);
    for (size_t i = 0; i < drain->found.length && !drain->full; i++)
        if (keep_chunk(drain, drain->found.data[i]))
            give_back(drain, drain->found.data[i]);
        else
            drain->full = true;
    offer_emptied(drain);
}

/* The program has ended: what is still in the file stays there. */
static void take_rest(hd_launch_drain *drain) {
    find_chunks(drain, false);
    for (size_t i = 0; i < drain->found.length; i++) {
        hd_launch_piece piece;
        const heddle_wire_chunk *chunk = drain->found.data[i];
        hd_launch_piece_of(chunk, chunk->bytes, &piece);
        hd_vec_push(&drain->pieces, piece);
    }
}

/* Out of memory it takes no more, as when there is no page left: the program loses events. */
static void take_guarded(hd_launch_drain *drain) {
    hd_mem_guard guard;
    hd_mem_guard_begin(&guard);
    if (setjmp(guard.at) != 0) {
        drain->full = true;
        return;
    }
    take_whole(drain);
    hd_mem_guard_end(&guard);
}

static void *work(void *its) {
    hd_launch_drain *drain = its;
    uint32_t *wholes = &drain->wire->wholes;
    for (;;) {
        uint32_t seen = __atomic_load_n(wholes, __ATOMIC_ACQUIRE);
        bool last = __atomic_load_n(&drain->stop, __ATOMIC_ACQUIRE);
        if (last)
            return NULL;
        if (!drain->full)
            take_guarded(drain);
        syscall(SYS_futex, wholes, FUTEX_WAIT, seen, NULL, NULL, 0);
    }
}

/* --- the run -------------------------------------------------------------------------------- */

static hd_launch_drain *newest;
static pthread_mutex_t newest_lock = PTHREAD_MUTEX_INITIALIZER;

static void enlist(hd_launch_drain *drain) {
    drain->asker = hd_worker_asker();
    pthread_mutex_lock(&newest_lock);
    drain->older = newest;
    newest = drain;
    pthread_mutex_unlock(&newest_lock);
}

static void delist(const hd_launch_drain *drain) {
    pthread_mutex_lock(&newest_lock);
    for (hd_launch_drain **at = &newest; *at; at = &(*at)->older)
        if (*at == drain) {
            *at = drain->older;
            break;
        }
    pthread_mutex_unlock(&newest_lock);
}

static void end_thread(hd_launch_drain *drain) {
    uint32_t *wholes = &drain->wire->wholes;
    __atomic_store_n(&drain->stop, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(wholes, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, wholes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    pthread_join(drain->thread, NULL);
    delist(drain);
}

static void release(hd_launch_drain *drain) {
    for (size_t i = 0; i < drain->blocks.length; i++)
        munmap(drain->blocks.data[i], BLOCK);
    hd_vec_release(&drain->blocks);
    hd_vec_release(&drain->pieces);
    hd_vec_release(&drain->emptied);
    hd_vec_release(&drain->found);
    free(drain);
}

static hd_launch_drain *of_this_asker(void) {
    pthread_mutex_lock(&newest_lock);
    hd_launch_drain *drain = newest;
    while (drain && drain->asker != hd_worker_asker())
        drain = drain->older;
    pthread_mutex_unlock(&newest_lock);
    return drain;
}

void hd_launch_drain_abandon(void) {
    hd_launch_drain *drain;
    while ((drain = of_this_asker())) {
        end_thread(drain);
        release(drain);
    }
}

void hd_launch_drain_start(hd_launch_run *run) {
    hd_launch_drain *drain = HD_NEW(hd_launch_drain);
    drain->wire = run->wire;
    drain->size = run->size;
    /* Signals are for the thread that waits for the program. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool good = pthread_create(&drain->thread, NULL, work, drain) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!good) {
        free(drain);
        return;
    }
    enlist(drain);
    run->drain = drain;
}

void hd_launch_drain_stop(hd_launch_run *run) {
    if (!run->drain)
        return;
    end_thread(run->drain);
    take_rest(run->drain);
}

void hd_launch_drain_release(hd_launch_run *run) {
    if (run->drain)
        release(run->drain);
    run->drain = NULL;
}

bool hd_launch_drained(const hd_launch_run *run, uint64_t number, hd_launch_piece *piece) {
    if (number >= run->drain->pieces.length)
        return false;
    *piece = run->drain->pieces.data[number];
    return true;
}
