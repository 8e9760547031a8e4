#include "trace_recording.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "trace_binary.h"

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
    recording->zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(recording->zstd, ZSTD_c_compressionLevel, 1);
    unsigned char header[HD_TRACE_HEADER_SIZE] = {0};
    memcpy(header, hd_trace_magic, HD_TRACE_MAGIC_SIZE);
    header[HD_TRACE_MAGIC_SIZE] = free_running ? HD_TRACE_FREE_VERSION
                                  : stacks     ? HD_TRACE_STACKS_VERSION
                                               : HD_TRACE_RECORDED_VERSION;
    hd_file_write(file, header, sizeof header);
    return recording;
}

static void put_section(hd_trace_recording *recording, enum hd_trace_section_type type,
                        hd_trace_bytes *raw, bool compress) {
    const unsigned char *payload = raw->data;
    size_t size = raw->length;
    if (compress) {
        hd_vec_reserve(&recording->stored, ZSTD_compressBound(raw->length));
        size_t packed = ZSTD_compress2(recording->zstd, recording->stored.data,
                                       recording->stored.capacity, raw->data, raw->length);
        compress = !ZSTD_isError(packed) && packed < raw->length;
        payload = compress ? recording->stored.data : payload;
        size = compress ? packed : size;
    }
    hd_trace_section section = {.type = (uint8_t)type,
                                .compression = compress,
                                .stored = (uint32_t)size,
                                .raw = (uint32_t)raw->length};
    unsigned char head[HD_TRACE_SECTION_SIZE];
    hd_trace_section_pack(head, &section);
    section.checksum = hd_trace_section_checksum(head, payload, size);
    hd_trace_section_pack(head, &section);
    hd_file_write(recording->file, head, sizeof head);
    hd_file_write(recording->file, payload, size);
    hd_vec_clear(raw);
}

void hd_trace_recording_tables(hd_trace_recording *recording, hd_trace_bytes *payload) {
    put_section(recording, HD_TRACE_SECTION_TABLES, payload, true);
}

void hd_trace_recording_granules(hd_trace_recording *recording, hd_trace_bytes *payload) {
    put_section(recording, HD_TRACE_SECTION_GRANULES, payload, true);
}

static void put_record(hd_trace_recording *recording, enum hd_trace_section_type type,
                       const void *bytes, size_t size, bool compress) {
    hd_trace_bytes *raw = &recording->raw;
    hd_vec_reserve(raw, raw->length + size);
    if (size)
        memcpy(raw->data + raw->length, bytes, size);
    raw->length += size;
    put_section(recording, type, raw, compress);
}

void hd_trace_recording_chunk(hd_trace_recording *recording, const void *bytes, size_t size,
                              uint64_t run, bool compress) {
    hd_trace_put_number(&recording->raw, run);
    put_record(recording, HD_TRACE_SECTION_RECORD, bytes, size, compress);
}

void hd_trace_recording_lane(hd_trace_recording *recording, uint32_t lane, const void *bytes,
                             size_t size, uint64_t run) {
    hd_trace_put_number(&recording->raw, lane);
    hd_trace_put_number(&recording->raw, run);
    put_record(recording, HD_TRACE_SECTION_LANE, bytes, size, false);
}

void hd_trace_recording_build(hd_trace_recording *recording, const char *build) {
    hd_trace_put_string(&recording->raw, "build", strlen("build"));
    hd_trace_put_string(&recording->raw, build, strlen(build));
    put_section(recording, HD_TRACE_SECTION_PROGRAM, &recording->raw, false);
}

static void release(hd_trace_recording *recording) {
    ZSTD_freeCCtx(recording->zstd);
    hd_vec_release(&recording->raw);
    hd_vec_release(&recording->stored);
    free(recording);
}

void hd_trace_recording_abandon(hd_trace_recording *recording) {
    hd_file_abandon(recording->file);
    release(recording);
}

bool hd_trace_recording_close(hd_trace_recording *recording, uint64_t lost, bool incomplete,
                              hd_error *error) {
    hd_trace_put_number(&recording->raw, UINT64_MAX); /* events: nobody has counted them */
    hd_trace_put_number(&recording->raw, lost);
    hd_trace_put_number(&recording->raw, incomplete);
    put_section(recording, HD_TRACE_SECTION_END, &recording->raw, false);
    bool good = hd_file_commit(recording->file, error);
    release(recording);
    return good;
}
