/*
 * Command lines that show something again, and the files of witnesses.
 */
#ifndef HD_ENGINE_WORDS_H
#define HD_ENGINE_WORDS_H

#include "base/base.h"

/* The words after a program on its command line. */
typedef struct hd_engine_words {
    char *const *data;
    size_t count;
} hd_engine_words;

/* A word as a shell reads it, whole, after what is there; NUL-terminated.  Bytes that a
 * terminal does not show are written as bash takes them: $'\x1b'. */
void hd_engine_quote(hd_vec_char *to, const char *word);

/* The file of the i-th witness that goes to FILE: FILE, FILE.2, ...; to be freed. */
char *hd_engine_witness_file(const char *output, size_t i);

/* "FRONT PROGRAM WORD...", and "heddle replay PROGRAM WITNESS -- WORD...", which show
 * something again; to be freed. */
char *hd_engine_command_line(const char *front, const char *program, hd_engine_words words);
char *hd_engine_replay_line(const char *program, const char *witness, hd_engine_words words);

#endif
