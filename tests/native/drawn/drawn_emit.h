/* A drawn program as it is written: what drawn_emit.c and drawn_emit_statement.c share. */
#ifndef DRAWN_EMIT_H
#define DRAWN_EMIT_H

#include "drawn.h"

typedef struct {
    program *p;
    FILE *file; /* or NULL */
    int line;
    function *f;
    int indent;
    const char *before; /* what a line starts with, in two braces that close at its end; or NULL */
} writer;

/* One line of the program. */
__attribute__((format(printf, 2, 3))) void emit_line(writer *w, const char *format, ...);
/* The next line is an instruction. */
instruction *emit_code(writer *w, operation op, const statement *s);
void emit_needs(writer *w, feature f);
void emit_touches(writer *w, int number); /* a place */
/* A list of statements, with what is inside them. */
void emit_list(writer *w, int first);

#endif
