#include "trace_recording.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "trace_binary.h"
#include "trace_program.h"

struct hd_trace_recording {
    hd_file *file;
    ZSTD_CCtx *zstd;
    hd_trace_bytes raw, stored;
};

hd_trace_recording *hd_trace_recording_open(const char *path, bool stacks, bool free_running,
                                            hd_error *error) {
    hd_file *file = hd_file_create(path, error);
    if (!file)
        return NULL;
    hd_trace_recording *recording = HD_NEW(hd_trace_recording);
    recording->file = file;
    recording->zstd = hd_mem_made(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(recording->zstd, ZSTD_c_compressionLevel, 1);
    unsigned char header[HD_TRACE_HEADER_SIZE] = {0};
    memcpy(header, hd_trace_magic, HD_TRACE_MAGIC_SIZE);
    header[HD_TRACE_MAGIC_SIZE] = free_running ? HD_TRACE_FREE_VERSION
                                  : stacks     ? HD_TRACE_STACKS_VERSION
                                               : HD_TRACE_RECORDED_VERSION;
    hd_file_write(file, header, sizeof header);
    return recording;
}

/* A section whose stored bytes are in two places. */
static void put_section(hd_trace_recording *recording, hd_trace_section section,
                        const hd_trace_bytes *first, const void *second, size_t size) {
    unsigned char head[HD_TRACE_SECTION_SIZE];
    section.stored = (uint32_t)(first->length + size);
    hd_trace_section_pack(head, &section);
    section.checksum =
        hd_trace_section_checksum_of_both(head, first->data, first->length, second, size);
    hd_trace_section_pack(head, &section);
    hd_file_write(recording->file, head, sizeof head);
    hd_file_write(recording->file, first->data, first->length);
    hd_file_write(recording->file, second, size);
}

/* What was put into `raw`, followed by the bytes as they are. */
static void put_stored(hd_trace_recording *recording, enum hd_trace_section_type type,
                       const void *bytes, size_t size) {
    hd_trace_bytes *raw = &recording->raw;
    hd_trace_section section = {.type = (uint8_t)type, .raw = (uint32_t)(raw->length + size)};
    put_section(recording, section, raw, bytes, size);
    hd_vec_clear(raw);
}

static void put_compressed(hd_trace_recording *recording, enum hd_trace_section_type type,
                           hd_trace_bytes *raw) {
    hd_trace_bytes *stored = &recording->stored;
    hd_vec_reserve(stored, ZSTD_compressBound(raw->length));
    size_t packed =
        ZSTD_compress2(recording->zstd, stored->data, stored->capacity, raw->data, raw->length);
    hd_trace_section section = {.type = (uint8_t)type,
                                .compression = !ZSTD_isError(packed) && packed < raw->length,
                                .raw = (uint32_t)raw->length};
    stored->length = section.compression ? packed : 0;
    put_section(recording, section, section.compression ? stored : raw, "", 0);
    hd_vec_clear(raw);
}

void hd_trace_recording_tables(hd_trace_recording *recording, hd_trace_bytes *payload) {
    put_compressed(recording, HD_TRACE_SECTION_TABLES, payload);
}

void hd_trace_recording_granules(hd_trace_recording *recording, hd_trace_bytes *payload) {
    put_compressed(recording, HD_TRACE_SECTION_GRANULES, payload);
}

void hd_trace_recording_pairs(hd_trace_recording *recording, hd_trace_bytes *payload) {
    put_compressed(recording, HD_TRACE_SECTION_PROGRAM, payload);
}

void hd_trace_recording_chunk(hd_trace_recording *recording, const void *bytes, size_t size,
                              uint64_t run) {
    hd_trace_put_number(&recording->raw, run);
    put_stored(recording, HD_TRACE_SECTION_RECORD, bytes, size);
}

void hd_trace_recording_lane(hd_trace_recording *recording, uint32_t lane, const void *bytes,
                             size_t size, uint64_t run) {
    hd_trace_put_number(&recording->raw, lane);
    hd_trace_put_number(&recording->raw, run);
    put_stored(recording, HD_TRACE_SECTION_LANE, bytes, size);
}

void hd_trace_recording_program(hd_trace_recording *recording, const char *build,
                                const hd_trace_end *end) {
    for (size_t at = 0; hd_trace_program_put(&recording->raw, build, end, &at);)
        put_stored(recording, HD_TRACE_SECTION_PROGRAM, "", 0);
}

static void release_recording(hd_trace_recording *recording) {
    ZSTD_freeCCtx(recording->zstd);
    hd_vec_release(&recording->raw);
    hd_vec_release(&recording->stored);
    free(recording);
}

void hd_trace_recording_abandon(hd_trace_recording *recording) {
    hd_file_abandon(recording->file);
    release_recording(recording);
}

bool hd_trace_recording_close(hd_trace_recording *recording, uint64_t lost, bool incomplete,
                              hd_error *error) {
    hd_trace_put_number(&recording->raw, UINT64_MAX); /* events: they were not counted */
    hd_trace_put_number(&recording->raw, lost);
    hd_trace_put_number(&recording->raw, incomplete);
    put_stored(recording, HD_TRACE_SECTION_END, "", 0);
    bool good = hd_file_commit(recording->file, error);
    release_recording(recording);
    return good;
}
