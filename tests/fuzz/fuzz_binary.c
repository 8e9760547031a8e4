/*
 * The binary reader on any bytes.  Checksums would keep the fuzzer out, so it
 * writes sections without compression and checksum: a byte for the type, two
 * for the length, and the payload; they are wrapped properly here.  A byte 0xf1
 * to 0xf4 before them is the version; without it it is the newest.  An input that
 * starts with the magic itself is read as it is.
 */
#include "fuzz_common.h"
#include "trace/trace_binary.h"

typedef HD_VEC(unsigned char) bytes;

static void put(bytes *to, const void *from, size_t size) {
    hd_vec_reserve(to, to->length + size);
    if (size)
        memcpy(to->data + to->length, from, size);
    to->length += size;
}

static void wrap(bytes *file, uint8_t type, const uint8_t *payload, uint32_t size) {
    static const uint8_t types[] = {HD_TRACE_SECTION_NAMES,    HD_TRACE_SECTION_EVENTS,
                                    HD_TRACE_SECTION_EVENTS,   HD_TRACE_SECTION_END,
                                    HD_TRACE_SECTION_STACKS,   HD_TRACE_SECTION_TABLES,
                                    HD_TRACE_SECTION_GRANULES, HD_TRACE_SECTION_RECORD,
                                    HD_TRACE_SECTION_LANE,     HD_TRACE_SECTION_PROGRAM};
    hd_trace_section section = {.type = types[type % sizeof types], .stored = size, .raw = size};
    unsigned char head[HD_TRACE_SECTION_SIZE];
    hd_trace_section_pack(head, &section);
    section.checksum = hd_trace_section_checksum(head, payload, size);
    hd_trace_section_pack(head, &section);
    put(file, head, sizeof head);
    put(file, payload, size);
}

static void wrap_all(bytes *file, const uint8_t *data, size_t size) {
    unsigned char header[HD_TRACE_HEADER_SIZE] = {0};
    memcpy(header, hd_trace_magic, HD_TRACE_MAGIC_SIZE);
    header[HD_TRACE_MAGIC_SIZE] = HD_TRACE_FREE_VERSION;
    if (size && data[0] > 0xf0 && data[0] <= 0xf0 + HD_TRACE_FREE_VERSION) {
        header[HD_TRACE_MAGIC_SIZE] = data[0] & 0xf;
        data++;
        size--;
    }
    put(file, header, sizeof header);
    while (size >= 3) {
        size_t length = (size_t)data[1] | (size_t)data[2] << 8;
        if (length > size - 3)
            length = size - 3;
        wrap(file, data[0], data + 3, (uint32_t)length);
        data += 3 + length;
        size -= 3 + length;
    }
}

static void try_bytes(const void *data, size_t size, unsigned flags) {
    hd_trace trace;
    if (!fuzz_load(&trace, data, size, flags))
        return;
    fuzz_round_trip(&trace);
    hd_trace_release(&trace);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size && data[0] == 0x89) {
        try_bytes(data, size, 0);
        try_bytes(data, size, HD_TRACE_RECOVER);
        return 0;
    }
    bytes file = {0};
    wrap_all(&file, data, size);
    try_bytes(file.data, file.length, 0);
    try_bytes(file.data, file.length, HD_TRACE_RECOVER);
    hd_vec_release(&file);
    return 0;
}
