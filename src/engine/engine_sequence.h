/*
 * A finding as a violation witness of the competition (report_sequence.h): the inputs that the
 * schedule chose, in its order, and where the property is violated.
 */
#ifndef HD_ENGINE_SEQUENCE_H
#define HD_ENGINE_SEQUENCE_H

#include "engine_places.h"
#include "engine_property.h"

/* What is shown must be of a program that was compiled from a file of C, `source`.  False, with an
 * error, if it was not, or the place of the violation is not in that file. */
bool hd_engine_sequence_save(const hd_engine_shown *shown, enum hd_engine_property property,
                             const char *source, const char *path, hd_error *error);

/* ---- Inside ---- */

/* A source in lines, each with the file and line that it says it came from. */
typedef struct hd_engine_source {
    hd_vec_char text;
    HD_VEC(struct hd_engine_source_line {
        const char *begin;
        size_t length;
        const char *file; /* the last part of its name */
        size_t file_length;
        uint32_t line;
    })
    lines;
} hd_engine_source;

bool hd_engine_source_load(hd_engine_source *source, const char *path, hd_error *error);
void hd_engine_source_release(hd_engine_source *source);

/* The number, from 1, of the only line that came from there and has the word exactly once; of all
 * lines, if the word is NULL.  0: no line did, or several. */
uint32_t hd_engine_source_find(const hd_engine_source *source, const char *file, uint32_t line,
                               const char *word);

/* The column, from 1, where the word begins in a line; and where the call of a function whose name
 * begins with it ends.  0: it does not, or not in this line. */
uint32_t hd_engine_source_column(const hd_engine_source *source, uint32_t number, const char *word);
uint32_t hd_engine_source_call(const hd_engine_source *source, uint32_t number, const char *word);

#endif
