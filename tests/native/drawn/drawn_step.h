/* What drawn_state.c and drawn_step.c share: parts of a state. */
#ifndef DRAWN_STEP_H
#define DRAWN_STEP_H

#include "drawn_state.h"

extern const char *const state_words[]; /* what strcpy and strcat write */
frame *state_top(state *s, int t);
const frame *state_top_of(const state *s, int t);
const instruction *state_next_of(const state *s, const program *p, int t);
uint64_t state_get(const state *s, int at, int size);
void state_set(state *s, int at, int size, uint64_t value);
uint64_t state_masked(uint64_t value, int size);
uint64_t state_value_of(const frame *f, const statement *q);
void state_push(state *s, int t, int function);
void state_leave_function(state *s, const program *p, int t);
void state_advance(state *s, const program *p, int t);
bool state_mutex_free(const state *s, const program *p, int t, int m);
bool state_rw_free(const state *s, const program *p, bool write);
int state_waiters(const state *s, const program *p, int condition, int list[DRAWN_THREADS]);
/* A place as it is for the statement that the frame is at. */
place state_place(const frame *f, int number);
int state_text_length(const state *s, int at);
int state_compared(const state *s, int a, int b);

#endif
