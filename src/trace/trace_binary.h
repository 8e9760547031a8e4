/*
 * The binary format (.htr), shared by its reader and its writer; doc/format.md
 * is the normative description.
 *
 * A header, then sections; each is compressed and has a checksum of its own. A block holds
 * consecutive events of the trace: the schedule (which thread acted for how long) and a chunk for
 * each thread that acted, in columns, as differences that start anew in each block, so that blocks
 * can be read separately.  The numbers of a column are all as wide as its widest: varints would
 * cost an unpredictable branch per event, and zstd compresses the zero bytes.
 */
#ifndef HD_TRACE_BINARY_H
#define HD_TRACE_BINARY_H

#include <stdint.h>
#include <string.h>

#include "trace_event.h"

enum {
    HD_TRACE_MAGIC_SIZE = 8,
    HD_TRACE_HEADER_SIZE = 16,
    HD_TRACE_SECTION_SIZE = 24,
    HD_TRACE_BLOCK_EVENTS = 32768,
    HD_TRACE_BLOCK_OPS = 256,
    HD_TRACE_BINARY_VERSION = 1,
    HD_TRACE_RECORDED_VERSION = 2, /* with a packed record in it */
    HD_TRACE_STACKS_VERSION = 3,   /* with stacks */
    HD_TRACE_FREE_VERSION = 4      /* of a free run */
};

/* The largest section before compression: a name of the greatest length fits. */
#define HD_TRACE_MAX_SECTION ((size_t)32 << 20)

/* Bytes that a reader may look at past the end of a section. */
#define HD_TRACE_SECTION_PADDING 16

extern const unsigned char hd_trace_magic[HD_TRACE_MAGIC_SIZE];

enum hd_trace_section_type {
    HD_TRACE_SECTION_NAMES = 'N',
    HD_TRACE_SECTION_EVENTS = 'B',
    HD_TRACE_SECTION_END = 'E',
    HD_TRACE_SECTION_PROGRAM = 'P', /* the program that was recorded */
    HD_TRACE_SECTION_STACKS = 'S',
    HD_TRACE_SECTION_TABLES = 'T', /* of a packed record, and what follows */
    HD_TRACE_SECTION_GRANULES = 'G',
    HD_TRACE_SECTION_RECORD = 'R',
    HD_TRACE_SECTION_LANE = 'L' /* of a free run */
};

typedef struct hd_trace_section {
    uint8_t type;
    uint8_t compression; /* 0 none, 1 zstd */
    uint32_t stored;     /* bytes in the file after the section header */
    uint32_t raw;        /* bytes once decompressed */
    uint64_t checksum;
} hd_trace_section;

void hd_trace_section_pack(unsigned char to[HD_TRACE_SECTION_SIZE],
                           const hd_trace_section *section);
/* False if a byte that must be zero is not. */
bool hd_trace_section_unpack(hd_trace_section *section,
                             const unsigned char from[HD_TRACE_SECTION_SIZE]);

/* Over the section header without its checksum, and the stored bytes. */
uint64_t hd_trace_section_checksum(const unsigned char head[HD_TRACE_SECTION_SIZE],
                                   const void *stored, size_t size);

/* The same, where the stored bytes are in two places. */
uint64_t hd_trace_section_checksum_of_both(const unsigned char head[HD_TRACE_SECTION_SIZE],
                                           const void *first, size_t first_size, const void *second,
                                           size_t second_size);

static inline uint64_t hd_trace_zigzag(int64_t value) {
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

static inline int64_t hd_trace_unzigzag(uint64_t value) {
    return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

/* Little-endian base 128.  Returns the place after it; at most 10 bytes. */
static inline unsigned char *hd_trace_put_varint(unsigned char *to, uint64_t value) {
    while (value >= 0x80) {
        *to++ = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    *to++ = (unsigned char)value;
    return to;
}

/* Reads at most 10 bytes, whatever they are; bits past the 64th are dropped. */
static inline uint64_t hd_trace_get_varint(const unsigned char **at) {
    const unsigned char *p = *at;
    uint64_t value = *p++;
    if (value >= 0x80) {
        value &= 0x7f;
        for (unsigned shift = 7; shift < 70; shift += 7) {
            uint64_t byte = *p++;
            if (shift < 64)
                value |= (byte & 0x7f) << shift;
            if (byte < 0x80)
                break;
        }
    }
    *at = p;
    return value;
}

#endif
