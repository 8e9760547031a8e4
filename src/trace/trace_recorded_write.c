/*
 * The tables of a saved recording, as bytes: numbers, names, arrays, and pages of granules.
 */
#include <endian.h>
#include <string.h>

#include "packed/packed.h"
#include "trace_binary.h"
#include "trace_recorded.h"

void hd_trace_put_number(hd_trace_bytes *to, uint64_t value) {
    hd_vec_reserve(to, to->length + 10);
    to->length = (size_t)(hd_trace_put_varint(to->data + to->length, value) - to->data);
}

void hd_trace_put_string(hd_trace_bytes *to, const char *text, size_t length) {
    hd_trace_put_number(to, length);
    hd_vec_reserve(to, to->length + length);
    if (length)
        memcpy(to->data + to->length, text, length);
    to->length += length;
}

void hd_trace_put_page(hd_trace_bytes *to, uint64_t page,
                       const uint64_t bits[HD_PACKED_PAGE_WORDS]) {
    hd_trace_put_number(to, page);
    hd_vec_reserve(to, to->length + HD_PACKED_PAGE / 8);
    for (int i = 0; i < HD_PACKED_PAGE_WORDS; i++) {
        uint64_t word = htole64(bits[i]);
        memcpy(to->data + to->length, &word, sizeof word);
        to->length += sizeof word;
    }
}

void hd_trace_put_name(hd_trace_bytes *to, const char *text, size_t length, hd_vec_char *before) {
    size_t shared = 0;
    while (shared < length && shared < before->length && before->data[shared] == text[shared])
        shared++;
    hd_trace_put_number(to, 2 * shared);
    hd_trace_put_string(to, text + shared, length - shared);
    hd_vec_clear(before);
    hd_vec_reserve(before, length + 1);
    if (length)
        memcpy(before->data, text, length);
    before->length = length;
}

void hd_trace_put_certain(hd_trace_bytes *to, const hd_packed_certain *certain) {
    hd_trace_bytes value = {0};
    uint64_t before = 0;
    hd_trace_put_number(&value, certain->states.length);
    for (size_t i = 0; i < certain->states.length; i++) {
        const struct hd_packed_state *it = &certain->states.data[i];
        hd_trace_put_number(&value, hd_trace_zigzag((int64_t)(it->code - before)));
        hd_trace_put_number(&value, it->count);
        for (uint32_t k = 0; k < it->count; k++)
            hd_trace_put_number(&value, certain->next.data[it->first + k]);
        before = it->code;
    }
    hd_trace_put_string(to, HD_TRACE_CERTAIN, strlen(HD_TRACE_CERTAIN));
    hd_trace_put_string(to, (const char *)value.data, value.length);
    hd_vec_release(&value);
}

void hd_trace_put_array(hd_trace_bytes *to, const char *text, size_t length,
                        const hd_trace_array *array, unsigned count) {
    hd_trace_put_number(to, 2 * (uint64_t)count + 1);
    hd_trace_put_string(to, text, length);
    hd_trace_put_number(to, array->start);
    hd_trace_put_number(to, array->element);
    hd_trace_put_number(to, array->dimensions);
    for (uint32_t i = 0; i < array->dimensions; i++)
        hd_trace_put_number(to, array->counts[i]);
}
