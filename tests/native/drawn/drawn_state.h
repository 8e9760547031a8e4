/* A state of a drawn program and one step of it: what drawn_interpret.c searches. */
#ifndef DRAWN_STATE_H
#define DRAWN_STATE_H

#include "drawn.h"

enum { FRAMES = 3, TEXT = 200 };

typedef struct {
    uint8_t function, phase;
    uint16_t pc;
    uint32_t r[DRAWN_REGISTERS];
    uint8_t kept[16]; /* what the first half of a statement read */
    uint8_t block;    /* that the pointer of the statement points to */
} frame;

typedef enum { LIFE_NONE, LIFE_RUNNING, LIFE_ENDED } life;
typedef enum { WOKEN_NOT, WOKEN_BY_SIGNAL, WOKEN_BY_TIME } woken;

typedef struct {
    uint8_t life, depth;
    uint8_t waits_for; /* a condition, plus one */
    uint8_t woken;
    uint8_t released; /* from the barrier */
    uint8_t exiting, status, handlers_left;
    uint32_t result, local;
    frame frames[FRAMES];
} thread;

typedef struct {
    uint8_t memory[DRAWN_MEMORY];
    thread threads[DRAWN_THREADS];
    uint8_t owner[DRAWN_MUTEXES], depth[DRAWN_MUTEXES]; /* owner: thread plus one */
    uint8_t writer, readers[DRAWN_THREADS];
    uint8_t units[DRAWN_SEMAPHORES];
    uint8_t arrived;
    uint8_t once[2];
    uint8_t blocks, freed; /* how many were made; bits of those that are freed */
    uint8_t section;       /* the thread that is in an atomic section, plus one */
    uint8_t others;        /* threads that were created and not joined */
    uint32_t library_count;
    char library_text[24], log[40], last[TEXT], output[TEXT];
} state;

typedef struct {
    int at, size;
    bool write, atomic, wide;
} access_range;

void state_start(state *s, const program *p);
/* How many ways the next step of a thread can go; 0 if it cannot. */
int state_choices(const state *s, const program *p, int t);
/* What the next step touches; at most two ranges. */
int state_accesses(const state *s, const program *p, int t, access_range out[2]);
/* The line of the next step. */
int state_line(const state *s, const program *p, int t);
/* An assertion that does not hold is next. */
bool state_asserts(const state *s, const program *p, int t);
/* That, or a block that was freed is used or freed next. */
bool state_fails(const state *s, const program *p, int t);
/* The end of the process is next. */
bool state_exits(const state *s, const program *p, int t);
/* Some thread locks a mutex that it holds, for ever. */
bool state_waits_for_itself(const state *s, const program *p);
void state_step(state *s, const program *p, int t, int choice);
bool state_all_ended(const state *s, const program *p);
/* Of the bytes of a state; two of different seeds tell states apart. */
uint64_t state_hash(const void *bytes, size_t size, uint64_t seed);

#endif
