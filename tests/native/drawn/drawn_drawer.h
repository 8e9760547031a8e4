/* A program while it is drawn: what drawn_generate.c and drawn_threads.c share. */
#ifndef DRAWN_DRAWER_H
#define DRAWN_DRAWER_H

#include "drawn.h"

typedef struct {
    program *p;
    uint64_t state;
    bool on[FEATURES]; /* of this program */
    int places[4];     /* plain and atomic accesses go there */
    int place_count;
    int thread;
    /* of the statement that is drawn */
    bool m_held[DRAWN_MUTEXES], w_read, w_written;
    int budget;
    int concatenations;
    int made; /* blocks */
    bool met; /* the thread has been at the barrier */
} drawer;

int drawn_below(drawer *d, int below);
bool drawn_chance(drawer *d, int percent);
int drawn_register(drawer *d);
int drawn_make(drawer *d, operation op);         /* a new statement */
void drawn_append(program *p, int *list, int s); /* at the end of a list */
void drawn_choose_features(drawer *d, const bool allowed[FEATURES], const bool wanted[FEATURES]);
void drawn_choose_places(drawer *d);
int drawn_message(drawer *d); /* statements that send one or look at one */
int drawn_block(drawer *d);   /* one that uses, frees or makes the shared block */
/* Who makes and who joins whom. */
void drawn_threads(drawer *d, bool all_joined);

#endif
