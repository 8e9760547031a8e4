/*
 * A block as it is written:
 *
 *   number (4 bytes), checksum (4), size (2), size as LZ (2), size as stored (2), method (1)
 *
 * and the bytes: as they were, as LZ, or as LZ in Huffman's codes.
 */
#include <string.h>

#include "pack.h"

enum { HEADER = 15 };
enum { STORED, LZ, LZ_HUFFMAN };

static void put(unsigned char *out, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        out[i] = (unsigned char)(value >> 8 * i);
}

static uint32_t get(const unsigned char *in, int bytes) {
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint32_t)in[i] << 8 * i;
    return value;
}

size_t codec_pack(const block *b, unsigned char *out) {
    unsigned char shorter[MOST_PACKED];
    unsigned char *body = out + HEADER;
    size_t lz = lz_compress(b->data, b->size, shorter), size, coded;
    int method = STORED;
    if (lz < b->size) {
        method = LZ;
        size = lz;
        coded = huffman_compress(shorter, lz, body, lz - 1);
        if (coded > 0) {
            method = LZ_HUFFMAN;
            size = coded;
        } else {
            memcpy(body, shorter, lz);
        }
    } else {
        size = b->size;
        memcpy(body, b->data, size);
    }
    put(out, (uint32_t)b->number, 4);
    put(out + 4, b->checksum, 4);
    put(out + 8, (uint32_t)b->size, 2);
    put(out + 10, (uint32_t)lz, 2);
    put(out + 12, (uint32_t)size, 2);
    out[14] = (unsigned char)method;
    return HEADER + size;
}

/* The bytes of `in` that were one block, or 0; the block's size is in its header. */
size_t codec_unpack(const unsigned char *in, size_t room, unsigned char *out, size_t out_room) {
    unsigned char shorter[MOST_PACKED];
    const unsigned char *body = in + HEADER;
    size_t size, lz, stored;
    bool good = false;
    if (room < HEADER)
        return 0;
    size = get(in + 8, 2);
    lz = get(in + 10, 2);
    stored = get(in + 12, 2);
    if (size > out_room || lz > sizeof shorter || stored > room - HEADER)
        return 0;
    switch (in[14]) {
    case STORED:
        good = stored == size;
        if (good)
            memcpy(out, body, size);
        break;
    case LZ:
        good = lz_expand(body, stored, out, size);
        break;
    case LZ_HUFFMAN:
        good = huffman_expand(body, stored, shorter, lz) && lz_expand(shorter, lz, out, size);
        break;
    default:
        break;
    }
    if (!good || crc_of(out, size) != get(in + 4, 4))
        return 0;
    return HEADER + stored;
}
