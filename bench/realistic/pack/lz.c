/*
 * A compressor in the manner of LZ77.
 *
 * A control byte below 128 is followed by that many literals and one more; one of 128 and
 * more is a match of (its low bits + SHORTEST) bytes, whose distance is in the next two bytes.
 */
#include <string.h>

#include "pack.h"

enum {
    SHORTEST = 4,
    LONGEST = SHORTEST + 127,
    MOST_LITERALS = 128,
    SLOTS = 256,
};

typedef struct writer {
    unsigned char *out;
    size_t size;
} writer;

static unsigned slot_of(const unsigned char *at) {
    uint32_t word =
        (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return word * UINT32_C(2654435761) >> 24;
}

static void put_literals(writer *w, const unsigned char *from, size_t count) {
    while (count > 0) {
        size_t piece = count < MOST_LITERALS ? count : MOST_LITERALS;
        w->out[w->size++] = (unsigned char)(piece - 1);
        memcpy(w->out + w->size, from, piece);
        w->size += piece;
        from += piece;
        count -= piece;
    }
}

static void put_match(writer *w, size_t length, size_t distance) {
    w->out[w->size++] = (unsigned char)(128 + length - SHORTEST);
    w->out[w->size++] = (unsigned char)(distance & 255);
    w->out[w->size++] = (unsigned char)(distance >> 8);
}

static size_t match_length(const unsigned char *in, size_t size, size_t from, size_t at) {
    size_t length = 0, most = size - at < LONGEST ? size - at : LONGEST;
    while (length < most && in[from + length] == in[at + length])
        length++;
    return length;
}

size_t lz_compress(const unsigned char *in, size_t size, unsigned char *out) {
    writer w = {.out = out, .size = 0};
    uint16_t seen[SLOTS]; /* where such a word began last, plus one */
    size_t at = 0, literals = 0;
    memset(seen, 0, sizeof seen);
    while (at + SHORTEST <= size) {
        unsigned slot = slot_of(in + at);
        size_t from = seen[slot], length = 0;
        seen[slot] = (uint16_t)(at + 1);
        if (from > 0)
            length = match_length(in, size, from - 1, at);
        if (length >= SHORTEST) {
            put_literals(&w, in + literals, at - literals);
            put_match(&w, length, at - (from - 1));
            at += length;
            literals = at;
        } else {
            at++;
        }
    }
    put_literals(&w, in + literals, size - literals);
    return w.size;
}

bool lz_expand(const unsigned char *in, size_t size, unsigned char *out, size_t out_size) {
    size_t at = 0, made = 0;
    while (at < size) {
        unsigned control = in[at++];
        if (control < 128) {
            size_t count = control + 1;
            if (count > size - at || count > out_size - made)
                return false;
            memcpy(out + made, in + at, count);
            at += count;
            made += count;
        } else {
            size_t count = control - 128 + SHORTEST, distance;
            if (size - at < 2 || count > out_size - made)
                return false;
            distance = in[at] | (size_t)in[at + 1] << 8;
            at += 2;
            if (distance == 0 || distance > made)
                return false;
            for (; count > 0; count--, made++)
                out[made] = out[made - distance];
        }
    }
    return made == out_size;
}
