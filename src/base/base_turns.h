/*
 * Work in pieces, done by several threads in any order, and entered by the thread that asks for it
 * in the order of the pieces.  So what comes out is the same, whatever the number of threads.
 *
 * Pieces are begun in their order.  How many may be done before their turn is bounded, so that not
 * everything is kept if one piece takes long.
 *
 * Other processes may do pieces, too, if what they come to can be sent: a crew.
 */
#ifndef HD_BASE_TURNS_H
#define HD_BASE_TURNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base_bytes.h"

typedef struct hd_turns {
    void *context;
    uint64_t pieces;
    /* Does a piece; what it returns, which is not NULL, is for `enter`.  The worker is a number
     * below that of the workers. */
    void *(*work)(void *context, unsigned worker, uint64_t piece);
    /* Takes over what was returned; false: no more is wanted. */
    bool (*enter)(void *context, void *done);
    /* Takes over what was done and is not wanted. */
    void (*drop)(void *context, void *done);
    /* NULL, or: the piece that the worker does is waited for, and it should return what it has, for
     * `enter` does the rest.  A lock is held. */
    void (*hurry)(void *context, unsigned worker, uint64_t piece);
    /* NULL, or: what was done as bytes, and what a process that was asked the same question made of
     * a piece.  If the bytes are not such, the source is made bad, and NULL may be returned. */
    void (*pack)(void *context, const void *done, hd_vec_char *to);
    void *(*unpack)(void *context, uint64_t piece, hd_bytes *from);
} hd_turns;

/* With one worker, or none, no thread is started, and each piece is entered before the next is
 * begun.  If they can be hurried the thread that asks is one of the workers.  What is fatal in a
 * piece is passed on when all have ended. */
void hd_turns_run(const hd_turns *turns, unsigned workers);

/* Processes that do the pieces of one, which enters them.  All of them come to the same turns with
 * the same input. */
typedef struct hd_turns_crew {
    unsigned size; /* of those that do pieces */
    bool serves;   /* this one does pieces, and enters none */
    void (*run)(void *context, const hd_turns *turns);
    void *context;
} hd_turns_crew;

/* From now on turns that can be packed are done by a crew; NULL: by threads again.  The crew of
 * this process; NULL: it has no crew. */
void hd_turns_set_crew(const hd_turns_crew *crew);
const hd_turns_crew *hd_turns_crew_now(void);

/* Does this process only do pieces for another one? */
static inline bool hd_turns_serves(void) {
    return hd_turns_crew_now() && hd_turns_crew_now()->serves;
}

#endif
