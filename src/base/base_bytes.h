/*
 * Numbers, texts and schedules as bytes, for files and messages that only heddle reads.
 *
 *     hd_bytes_put(&to, 7);                         a hd_vec_char
 *     hd_bytes from = {data, data + length, false};
 *     uint64_t number = hd_bytes_get(&from, 100);   at most 100
 *     if (from.bad) ...                             asked once, at the end
 *
 * Small numbers are short: seven bits a byte, the lowest first.  What is read is never trusted: a
 * number that is too large, or bytes that end too early, make all that follows 0 and the source
 * bad.
 */
#ifndef HD_BASE_BYTES_H
#define HD_BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base_step.h"
#include "base_vec.h"

typedef struct hd_bytes {
    const char *at, *end;
    bool bad;
} hd_bytes;

void hd_bytes_put(hd_vec_char *to, uint64_t number);
void hd_bytes_put_text(hd_vec_char *to, const char *text, size_t length);
void hd_bytes_put_string(hd_vec_char *to, const char *text); /* NULL is not the empty one */
void hd_bytes_put_steps(hd_vec_char *to, const hd_steps *steps);

uint64_t hd_bytes_get(hd_bytes *from, uint64_t most);

/* How many things follow, each of at least `least` bytes: never more than there can be. */
size_t hd_bytes_get_count(hd_bytes *from, size_t least);

/* A part of the source, of *length bytes. */
const char *hd_bytes_get_text(hd_bytes *from, size_t *length);

/* To be freed; NULL if that was put. */
char *hd_bytes_get_string(hd_bytes *from);
void hd_bytes_get_steps(hd_bytes *from, hd_steps *steps); /* are appended */

/* Nothing is wrong, and nothing is left. */
static inline bool hd_bytes_done(const hd_bytes *from) {
    return !from->bad && from->at == from->end;
}

/* A sum that tells damaged bytes. */
uint64_t hd_bytes_sum(const void *data, size_t length);

#endif
