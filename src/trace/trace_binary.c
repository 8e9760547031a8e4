#include "trace_binary.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The first byte is not text; the line ends reveal a transfer that converted them. */
const unsigned char hd_trace_magic[HD_TRACE_MAGIC_SIZE] = {0x89, 'H',  'T',  'R',
                                                           '\r', '\n', 0x1a, '\n'};

enum { CHECKSUM_AT = 16 };

static void put_le(unsigned char *to, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static uint64_t get_le(const unsigned char *from, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

void hd_trace_section_pack(unsigned char to[HD_TRACE_SECTION_SIZE],
                           const hd_trace_section *section) {
    memset(to, 0, HD_TRACE_SECTION_SIZE);
    to[0] = section->type;
    to[1] = section->compression;
    put_le(to + 4, section->stored, 4);
    put_le(to + 8, section->raw, 4);
    put_le(to + CHECKSUM_AT, section->checksum, 8);
}

bool hd_trace_section_unpack(hd_trace_section *section,
                             const unsigned char from[HD_TRACE_SECTION_SIZE]) {
    *section = (hd_trace_section){.type = from[0],
                                  .compression = from[1],
                                  .stored = (uint32_t)get_le(from + 4, 4),
                                  .raw = (uint32_t)get_le(from + 8, 4),
                                  .checksum = get_le(from + CHECKSUM_AT, 8)};
    return get_le(from + 2, 2) == 0 && get_le(from + 12, 4) == 0;
}

uint64_t hd_trace_section_checksum(const unsigned char head[HD_TRACE_SECTION_SIZE],
                                   const void *stored, size_t size) {
    uint64_t of_head = XXH3_64bits(head, CHECKSUM_AT);
    return XXH3_64bits_withSeed(stored, size, of_head);
}

uint64_t hd_trace_section_checksum_of_both(const unsigned char head[HD_TRACE_SECTION_SIZE],
                                           const void *first, size_t first_size, const void *second,
                                           size_t second_size) {
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset_withSeed(&state, XXH3_64bits(head, CHECKSUM_AT));
    XXH3_64bits_update(&state, first, first_size);
    XXH3_64bits_update(&state, second, second_size);
    return XXH3_64bits_digest(&state);
}
