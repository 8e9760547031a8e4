/*
 * What the source says where a block is allocated: which pointer gets it, and which type is named.
 * The compiler does not tell either in the debugging information.
 *
 *     queue *q = malloc(sizeof *q);      pointer "q"
 *     q->head = (node *)calloc(1, n);    pointer "q->head", type "node"
 *     return new Account(4);             type "Account"
 */
#ifndef HD_SYMBOLS_SOURCE_H
#define HD_SYMBOLS_SOURCE_H

#include "base/base.h"

typedef struct hd_symbols_source hd_symbols_source;

typedef struct hd_symbols_allocated {
    hd_vec_char pointer; /* without spaces; indices are left out, as in "table[]" */
    hd_vec_char type;    /* of new or of a cast, else of sizeof */
    bool sure;           /* the type is not only that of sizeof */
    bool array;          /* new T[] */
    int line;            /* of the call */
} hd_symbols_allocated;

/* The file's words; NULL if it cannot be read. */
hd_symbols_source *hd_symbols_source_read(const char *path);
void hd_symbols_source_free(hd_symbols_source *source);

/* The allocation in that line, and of several the one in that column; false if it is not clear. */
bool hd_symbols_source_find(const hd_symbols_source *source, int line, int column,
                            hd_symbols_allocated *to);

/* Has the function that begins in that line (0: has the file) another one for the same pointer or
 * of the same type? */
bool hd_symbols_source_repeats(const hd_symbols_source *source, const hd_symbols_allocated *it,
                               int function);

void hd_symbols_allocated_release(hd_symbols_allocated *it);

#endif
