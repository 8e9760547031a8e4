/*
 * The sections of a saved recording: tables of names, granules, and chunks of records.
 */
#include <string.h>

#include "trace_binary.h"
#include "trace_recorded_state.h"

typedef struct payload {
    const unsigned char *at, *end;
} payload;

static bool take_number(payload *from, uint64_t limit, uint64_t *value) {
    if (from->at >= from->end)
        return false;
    /* A number may look at bytes past the end; the reader's buffer has them. */
    *value = hd_trace_get_varint(&from->at);
    return from->at <= from->end && *value <= limit;
}

/* A text whose first `shared` bytes are those of the text at `before`. */
static bool take_text(hd_trace_recorded *recorded, payload *from, uint64_t before, uint64_t shared,
                      hd_trace_recorded_name *it) {
    uint64_t length;
    if (!take_number(from, HD_TRACE_MAX_NAME, &length) || length > (size_t)(from->end - from->at))
        return false;
    *it = (hd_trace_recorded_name){.text = recorded->texts.length,
                                   .length = (uint32_t)(shared + length)};
    /* One more: the first text of all may be empty, and has a place too. */
    hd_vec_reserve(&recorded->texts, recorded->texts.length + shared + length + 1);
    char *to = recorded->texts.data + recorded->texts.length;
    if (shared)
        memcpy(to, recorded->texts.data + before, shared);
    if (length)
        memcpy(to + shared, from->at, length);
    recorded->texts.length += shared + length;
    from->at += length;
    return true;
}

static bool take_threads(hd_trace_recorded *recorded, payload *from) {
    uint64_t count;
    if (!take_number(from, HEDDLE_WIRE_THREADS, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        hd_trace_recorded_name it;
        if (!take_text(recorded, from, 0, 0, &it))
            return false;
        hd_vec_push(&recorded->threads, it);
    }
    return true;
}

static bool take_codes(hd_trace_recorded *recorded, bool functions, payload *from) {
    uint64_t count, code = 0, difference;
    if (!take_number(from, UINT32_MAX, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        hd_trace_recorded_name location;
        if (!take_number(from, UINT64_MAX, &difference) ||
            !take_text(recorded, from, 0, 0, &location))
            return false;
        code += difference;
        *hd_map_at(&recorded->codes, code, NULL) = (uint32_t)recorded->locations.length;
        hd_vec_push(&recorded->locations, location);
        if (!functions)
            continue;
        hd_trace_recorded_name function;
        if (!take_text(recorded, from, 0, 0, &function) ||
            memchr(recorded->texts.data + function.text, '\0', function.length))
            return false;
        hd_vec_push(&recorded->functions, function);
    }
    return true;
}

static bool take_objects(hd_trace_recorded *recorded, payload *from) {
    uint64_t count, class, address;
    if (!take_number(from, UINT32_MAX, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        hd_trace_recorded_name it;
        if (!take_number(from, HEDDLE_CLASS_COUNT - 1, &class) ||
            !take_number(from, HEDDLE_WIRE_ADDRESS, &address) ||
            !take_text(recorded, from, 0, 0, &it))
            return false;
        *hd_map_at(&recorded->places, hd_trace_recorded_key((unsigned)class, address), NULL) =
            (uint32_t)recorded->objects.length;
        hd_vec_push(&recorded->objects, it);
    }
    return true;
}

bool hd_trace_recorded_tables(hd_trace_recorded *recorded, bool functions, const unsigned char *at,
                              const unsigned char *end) {
    payload from = {at, end};
    return !recorded->threads.length && take_threads(recorded, &from) &&
           take_codes(recorded, functions, &from) && take_objects(recorded, &from) &&
           from.at == from.end;
}

/* States: how many; of each its code, as the difference to the one before, and the numbers of the
 * states that follow it. */
bool hd_trace_recorded_certain(hd_trace_recorded *recorded, const char *text, size_t size) {
    payload from = {(const unsigned char *)text, (const unsigned char *)text + size};
    hd_packed_certain *to = &recorded->certain;
    uint64_t states, difference, count, next, code = 0;
    if (to->states.length || recorded->numbered || !take_number(&from, UINT32_MAX, &states))
        return false;
    for (uint64_t i = 0; i < states; i++) {
        if (!take_number(&from, UINT64_MAX, &difference) || !take_number(&from, states, &count))
            return false;
        code += (uint64_t)hd_trace_unzigzag(difference);
        hd_packed_certain_add(to, code);
        for (uint64_t k = 0; k < count; k++) {
            if (!take_number(&from, states - 1, &next))
                return false;
            hd_packed_certain_follow(to, (uint32_t)next);
        }
    }
    return from.at == from.end;
}

/* An array of which the next borders are elements. */
static bool take_array(hd_trace_recorded *recorded, payload *from, uint64_t count) {
    hd_trace_array array = {0};
    uint64_t dimensions;
    hd_trace_recorded_name it;
    if (!take_text(recorded, from, 0, 0, &it) ||
        !take_number(from, HEDDLE_WIRE_ADDRESS, &array.start) ||
        !take_number(from, HEDDLE_WIRE_ADDRESS, &array.element) ||
        !take_number(from, 4, &dimensions) || !array.element || !dimensions)
        return false;
    array.dimensions = (uint32_t)dimensions;
    for (uint32_t i = 0; i < array.dimensions; i++)
        if (!take_number(from, HEDDLE_WIRE_ADDRESS, &array.counts[i]) || !array.counts[i])
            return false;
    hd_vec_push(&recorded->arrays, array);
    it.array = (uint32_t)recorded->arrays.length;
    for (uint64_t i = 0; i < count; i++)
        hd_vec_push(&recorded->variables, it);
    return true;
}

/* The names of a page's borders. */
static bool take_page_names(hd_trace_recorded *recorded, payload *from, unsigned count,
                            hd_trace_recorded_name *before) {
    for (unsigned done = 0; done < count;) {
        uint64_t how;
        hd_trace_recorded_name it;
        if (!take_number(from, UINT32_MAX, &how))
            return false;
        if (how & 1) {
            if (how / 2 > count - done || !take_array(recorded, from, how / 2))
                return false;
            done += (unsigned)(how / 2);
            continue;
        }
        if (how / 2 > before->length || !take_text(recorded, from, before->text, how / 2, &it))
            return false;
        hd_vec_push(&recorded->variables, it);
        *before = it;
        done++;
    }
    return true;
}

bool hd_trace_recorded_granules(hd_trace_recorded *recorded, const unsigned char *at,
                                const unsigned char *end) {
    payload from = {at, end};
    hd_trace_recorded_name before = {0};
    while (from.at < from.end) {
        uint64_t number, bits[HD_PACKED_PAGE_WORDS];
        unsigned count = 0;
        if (recorded->numbered ||
            !take_number(&from, HEDDLE_WIRE_ADDRESS / HD_PACKED_PAGE, &number) ||
            (size_t)(from.end - from.at) < sizeof bits)
            return false;
        memcpy(bits, from.at, sizeof bits);
        from.at += sizeof bits;
        for (int i = 0; i < HD_PACKED_PAGE_WORDS; i++) {
            bits[i] = le64toh(bits[i]);
            count += (unsigned)__builtin_popcountll(bits[i]);
        }
        hd_packed_granules_add_page(recorded->granules, number, bits);
        if (!take_page_names(recorded, &from, count, &before))
            return false;
    }
    return true;
}

/* All granules are known. */
static bool number_granules(hd_trace_recorded *recorded) {
    if (recorded->numbered)
        return true;
    recorded->numbered = true;
    hd_packed_granules_number(recorded->granules);
    hd_vec_resize(&recorded->users, recorded->variables.length);
    return hd_packed_granules_count(recorded->granules) == recorded->variables.length;
}

bool hd_trace_recorded_lane(hd_trace_recorded *recorded, const unsigned char *at,
                            const unsigned char *end) {
    payload from = {at, end};
    uint64_t lane, run;
    if (!number_granules(recorded) || !take_number(&from, HEDDLE_WIRE_THREADS - 1, &lane) ||
        !take_number(&from, HEDDLE_WIRE_CHUNK, &run))
        return false;
    if (!recorded->lanes)
        recorded->lanes = hd_packed_lanes_create();
    size_t size = (size_t)(from.end - from.at);
    void *bytes = hd_arena_alloc(&recorded->lane_bytes, size + 1);
    memcpy(bytes, from.at, size);
    hd_packed_lanes_chunk(recorded->lanes, (uint32_t)lane, bytes, size, run);
    return true;
}

bool hd_trace_recorded_lanes(hd_trace_recorded *recorded, bool timed, bool *late) {
    if (!recorded->lanes)
        return false;
    *late =
        !hd_packed_lanes_order(recorded->lanes, recorded->granules, timed ? hd_clock_over : NULL);
    return *late || !hd_packed_lanes_damaged(recorded->lanes);
}

bool hd_trace_recorded_chunk(hd_trace_recorded *recorded, const unsigned char *at,
                             const unsigned char *end) {
    payload from = {at, end};
    uint64_t run;
    if (recorded->lanes || !number_granules(recorded) ||
        !take_number(&from, HEDDLE_WIRE_CHUNK, &run))
        return false;
    hd_packed_unpack_chunk(recorded->unpack, from.at, (size_t)(from.end - from.at), run);
    return true;
}
