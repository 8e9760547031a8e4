#include "base_bytes.h"

#include "base_mem.h"

#include <xxhash.h>

enum { BITS = 7, MORE = 1 << BITS, WHOLE = 64 };

void hd_bytes_put(hd_vec_char *to, uint64_t number) {
    for (; number >= MORE; number >>= BITS)
        hd_vec_push(to, (char)(unsigned char)(number | MORE));
    hd_vec_push(to, (char)number);
}

void hd_bytes_put_text(hd_vec_char *to, const char *text, size_t length) {
    hd_bytes_put(to, length);
    hd_vec_reserve(to, to->length + length);
    if (length)
        memcpy(to->data + to->length, text, length);
    to->length += length;
}

void hd_bytes_put_string(hd_vec_char *to, const char *text) {
    hd_bytes_put(to, text != NULL);
    if (text)
        hd_bytes_put_text(to, text, strlen(text));
}

void hd_bytes_put_steps(hd_vec_char *to, const hd_steps *steps) {
    hd_bytes_put(to, steps->length);
    for (size_t i = 0; i < steps->length; i++) {
        hd_bytes_put(to, steps->data[i].thread);
        hd_bytes_put(to, steps->data[i].choice);
    }
}

static uint64_t spoil(hd_bytes *from) {
    from->bad = true;
    from->at = from->end;
    return 0;
}

uint64_t hd_bytes_get(hd_bytes *from, uint64_t most) {
    uint64_t number = 0;
    for (unsigned shift = 0; from->at < from->end && shift < WHOLE; shift += BITS) {
        unsigned char byte = (unsigned char)*from->at++;
        uint64_t part = byte & (MORE - 1);
        if (part << shift >> shift != part)
            return spoil(from);
        number |= part << shift;
        if (!(byte & MORE))
            return number <= most ? number : spoil(from);
    }
    return spoil(from);
}

size_t hd_bytes_get_count(hd_bytes *from, size_t least) {
    uint64_t count = hd_bytes_get(from, SIZE_MAX);
    return count <= (uint64_t)(from->end - from->at) / least ? (size_t)count : spoil(from);
}

const char *hd_bytes_get_text(hd_bytes *from, size_t *length) {
    *length = hd_bytes_get_count(from, 1);
    const char *text = from->at;
    from->at += *length;
    return text;
}

char *hd_bytes_get_string(hd_bytes *from) {
    if (!hd_bytes_get(from, 1))
        return NULL;
    size_t length;
    const char *text = hd_bytes_get_text(from, &length);
    return hd_mem_string(text, length);
}

void hd_bytes_get_steps(hd_bytes *from, hd_steps *steps) {
    size_t count = hd_bytes_get_count(from, 2);
    for (size_t i = 0; i < count; i++) {
        uint32_t thread = (uint32_t)hd_bytes_get(from, UINT32_MAX);
        hd_vec_push(steps, (hd_step){thread, (uint32_t)hd_bytes_get(from, UINT32_MAX)});
    }
}

uint64_t hd_bytes_sum(const void *data, size_t length) {
    return XXH3_64bits(data, length);
}
