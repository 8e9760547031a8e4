/*
 * Huffman's codes, in canonical form.
 *
 * What is written: the number of different bytes less one, each of these bytes with the
 * length of its code, and the codes, most significant bit first.
 */
#include <string.h>

#include "pack.h"

enum { SYMBOLS = 256, NODES = 2 * SYMBOLS, LONGEST = 15 };

typedef struct code {
    int used;
    unsigned char symbol[SYMBOLS]; /* in the order of their codes */
    unsigned char length[SYMBOLS]; /* by symbol; 0: does not occur */
    uint16_t bits[SYMBOLS];
} code;

/* The two nodes without parent that weigh least. */
static void lightest(const uint32_t *weight, const int *parent, int nodes, int pair[2]) {
    pair[0] = pair[1] = -1;
    for (int i = 0; i < nodes; i++) {
        if (parent[i] >= 0)
            continue;
        if (pair[0] < 0 || weight[i] < weight[pair[0]]) {
            pair[1] = pair[0];
            pair[0] = i;
        } else if (pair[1] < 0 || weight[i] < weight[pair[1]]) {
            pair[1] = i;
        }
    }
}

/* The lengths of the codes for these weights; the longest of them. */
static int measure(code *c, const uint32_t *count) {
    uint32_t weight[NODES];
    int parent[NODES], nodes = 0, longest = 0, leaf[SYMBOLS];
    for (int s = 0; s < SYMBOLS; s++)
        if (count[s] > 0) {
            leaf[nodes] = s;
            weight[nodes] = count[s];
            parent[nodes++] = -1;
        }
    c->used = nodes;
    for (int left = nodes; left > 1; left--) {
        int pair[2];
        lightest(weight, parent, nodes, pair);
        weight[nodes] = weight[pair[0]] + weight[pair[1]];
        parent[nodes] = -1;
        parent[pair[0]] = parent[pair[1]] = nodes++;
    }
    memset(c->length, 0, sizeof c->length);
    for (int i = 0; i < c->used; i++) {
        int length = 0;
        for (int at = i; parent[at] >= 0; at = parent[at])
            length++;
        if (length == 0)
            length = 1; /* the only one */
        c->length[leaf[i]] = (unsigned char)(length < 255 ? length : 255);
        if (length > longest)
            longest = length;
    }
    return longest;
}

/* Orders the symbols by length, and numbers the codes. */
static void number(code *c) {
    unsigned next = 0;
    int at = 0;
    for (int length = 1; length <= LONGEST; length++) {
        next <<= 1;
        for (int s = 0; s < SYMBOLS; s++)
            if (c->length[s] == length) {
                c->symbol[at++] = (unsigned char)s;
                c->bits[s] = (uint16_t)next++;
            }
    }
    c->used = at;
}

static void make_code(code *c, const unsigned char *in, size_t size) {
    uint32_t count[SYMBOLS] = {0};
    for (size_t i = 0; i < size; i++)
        count[in[i]]++;
    while (measure(c, count) > LONGEST)
        for (int s = 0; s < SYMBOLS; s++)
            count[s] = count[s] / 2 + (count[s] > 0);
    number(c);
}

size_t huffman_compress(const unsigned char *in, size_t size, unsigned char *out, size_t room) {
    code c;
    size_t at = 0;
    uint32_t held = 0;
    int bits = 0;
    if (size == 0)
        return 0;
    make_code(&c, in, size);
    if (room < 1 + 2 * (size_t)c.used)
        return 0;
    out[at++] = (unsigned char)(c.used - 1);
    for (int i = 0; i < c.used; i++) {
        out[at++] = c.symbol[i];
        out[at++] = c.length[c.symbol[i]];
    }
    for (size_t i = 0; i < size; i++) {
        held = held << c.length[in[i]] | c.bits[in[i]];
        bits += c.length[in[i]];
        for (; bits >= 8; bits -= 8) {
            if (at == room)
                return 0;
            out[at++] = (unsigned char)(held >> (bits - 8));
        }
    }
    if (bits > 0) {
        if (at == room)
            return 0;
        out[at++] = (unsigned char)(held << (8 - bits));
    }
    return at;
}

static bool read_code(code *c, const unsigned char *in, size_t size, size_t *at) {
    int used;
    if (size == 0)
        return false;
    used = in[(*at)++] + 1;
    if (size - 1 < 2 * (size_t)used)
        return false;
    memset(c->length, 0, sizeof c->length);
    for (int i = 0; i < used; i++) {
        unsigned char symbol = in[(*at)++], length = in[(*at)++];
        if (length == 0 || length > LONGEST || c->length[symbol] > 0)
            return false;
        c->length[symbol] = length;
    }
    number(c);
    return true;
}

bool huffman_expand(const unsigned char *in, size_t size, unsigned char *out, size_t out_size) {
    code c;
    size_t at = 0;
    int left = 0; /* bits of the byte before `at` */
    if (out_size == 0)
        return size == 0;
    if (!read_code(&c, in, size, &at))
        return false;
    for (size_t made = 0; made < out_size; made++) {
        unsigned bits = 0, first = 0;
        int length = 0, base = 0;
        bool found = false;
        while (!found && length < LONGEST) {
            int same = 0;
            if (left == 0) {
                if (at == size)
                    return false;
                at++;
                left = 8;
            }
            bits = bits << 1 | (in[at - 1] >> --left & 1);
            first <<= 1;
            length++;
            while (base + same < c.used && c.length[c.symbol[base + same]] == length)
                same++;
            if (bits - first < (unsigned)same) {
                out[made] = c.symbol[base + (int)(bits - first)];
                found = true;
            }
            base += same;
            first += (unsigned)same;
        }
        if (!found)
            return false;
    }
    return at == size;
}
