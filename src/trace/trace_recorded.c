/*
 * A saved recording as events.  src/recording/recording_events.c does the same of a run that is
 * still in memory, and says why these are two.
 */
#include "trace_recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packed/packed.h"
#include "trace_binary.h"

enum { RECENT = 4096 };

/* Text that becomes a name when it is first used. */
typedef struct name {
    uint64_t text; /* offset in recorded->texts */
    uint32_t length;
    uint32_t number; /* + 1 in its table, 0: none yet */
    uint32_t array;  /* + 1 of the array it is an element of; the text is the array's */
} name;

struct hd_trace_recorded {
    hd_trace_tables *tables;
    hd_trace_stacks *stacks; /* NULL: not wanted */
    uint32_t first;          /* number of the batch's first event */
    hd_packed_unpack *unpack;
    hd_packed_lanes *lanes; /* of a free run; else NULL */
    hd_arena lane_bytes;
    hd_packed_granules *granules;
    bool numbered;
    hd_vec_char texts;
    HD_VEC(name) threads;
    HD_VEC(name) locations; /* of codes */
    HD_VEC(name) functions; /* likewise, where they are known */
    HD_VEC(name) objects;   /* of all but variables */
    HD_VEC(name) variables; /* by granule */
    hd_vec_u32 users;       /* by granule: the thread that used it (packed_users.h) */
    HD_VEC(hd_trace_array) arrays;
    hd_vec_char text;
    hd_packed_exempt exempt;
    hd_map codes;  /* code -> place in locations */
    hd_map places; /* class and address -> place in objects */
    struct recent {
        uint64_t code;
        uint32_t location, function;
    } recent[RECENT];
    HD_VEC(heddle_event) batch;
};

hd_trace_recorded *hd_trace_recorded_create(hd_trace_tables *tables, hd_trace_stacks *stacks) {
    hd_trace_recorded *recorded = HD_NEW(hd_trace_recorded);
    recorded->tables = tables;
    recorded->stacks = stacks;
    recorded->unpack = hd_packed_unpack_create();
    recorded->granules = hd_packed_granules_create();
    return recorded;
}

void hd_trace_recorded_free(hd_trace_recorded *recorded) {
    if (!recorded)
        return;
    hd_packed_unpack_free(recorded->unpack);
    hd_packed_lanes_free(recorded->lanes);
    hd_arena_release(&recorded->lane_bytes);
    hd_packed_granules_free(recorded->granules);
    hd_vec_release(&recorded->texts);
    hd_vec_release(&recorded->threads);
    hd_vec_release(&recorded->locations);
    hd_vec_release(&recorded->functions);
    hd_vec_release(&recorded->objects);
    hd_vec_release(&recorded->variables);
    hd_vec_release(&recorded->users);
    hd_vec_release(&recorded->arrays);
    hd_vec_release(&recorded->text);
    hd_vec_release(&recorded->batch);
    hd_packed_exempt_release(&recorded->exempt);
    hd_map_release(&recorded->codes);
    hd_map_release(&recorded->places);
    free(recorded);
}

/* --- sections ------------------------------------------------------------------------------- */

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
                      name *it) {
    uint64_t length;
    if (!take_number(from, HD_TRACE_MAX_NAME, &length) || length > (size_t)(from->end - from->at))
        return false;
    *it = (name){.text = recorded->texts.length, .length = (uint32_t)(shared + length)};
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
        name it;
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
        name location;
        if (!take_number(from, UINT64_MAX, &difference) ||
            !take_text(recorded, from, 0, 0, &location))
            return false;
        code += difference;
        *hd_map_at(&recorded->codes, code, NULL) = (uint32_t)recorded->locations.length;
        hd_vec_push(&recorded->locations, location);
        if (!functions)
            continue;
        name function;
        if (!take_text(recorded, from, 0, 0, &function) ||
            memchr(recorded->texts.data + function.text, '\0', function.length))
            return false;
        hd_vec_push(&recorded->functions, function);
    }
    return true;
}

static uint64_t place_key(unsigned class, uint64_t address) {
    return (address & HEDDLE_WIRE_ADDRESS) | (uint64_t) class << 56;
}

static bool take_objects(hd_trace_recorded *recorded, payload *from) {
    uint64_t count, class, address;
    if (!take_number(from, UINT32_MAX, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        name it;
        if (!take_number(from, HEDDLE_CLASS_COUNT - 1, &class) ||
            !take_number(from, HEDDLE_WIRE_ADDRESS, &address) ||
            !take_text(recorded, from, 0, 0, &it))
            return false;
        *hd_map_at(&recorded->places, place_key((unsigned)class, address), NULL) =
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

/* An array of which the next borders are elements. */
static bool take_array(hd_trace_recorded *recorded, payload *from, uint64_t count) {
    hd_trace_array array = {0};
    uint64_t dimensions;
    name it;
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
                            name *before) {
    for (unsigned done = 0; done < count;) {
        uint64_t how;
        name it;
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
    name before = {0};
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

bool hd_trace_recorded_lanes(hd_trace_recorded *recorded) {
    if (!recorded->lanes)
        return false;
    hd_packed_lanes_order(recorded->lanes, recorded->granules);
    return !hd_packed_lanes_damaged(recorded->lanes);
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

/* --- names ---------------------------------------------------------------------------------- */

void hd_trace_print_element(const hd_trace_array *array, uint64_t offset, hd_vec_char *to) {
    uint64_t index = offset / array->element, indexes[4] = {0};
    for (uint32_t i = array->dimensions; i-- > 0; index /= array->counts[i])
        indexes[i] = i ? index % array->counts[i] : index;
    hd_vec_reserve(to, to->length + 128);
    char *at = to->data + to->length;
    for (uint32_t i = 0; i < array->dimensions; i++)
        at += sprintf(at, "[%llu]", (unsigned long long)indexes[i]);
    if (offset % array->element)
        at += sprintf(at, "+%llu", (unsigned long long)(offset % array->element));
    *at = '\0';
    to->length = (size_t)(at - to->data);
}

/* The name's text, in recorded->text. */
static void make_text(hd_trace_recorded *recorded, const name *it, uint64_t address) {
    hd_vec_char *to = &recorded->text;
    hd_vec_clear(to);
    hd_vec_reserve(to, it->length + 1);
    if (it->length)
        memcpy(to->data, recorded->texts.data + it->text, it->length);
    to->length = it->length;
    if (it->array) {
        const hd_trace_array *array = &recorded->arrays.data[it->array - 1];
        hd_trace_print_element(array, address - array->start, to);
    }
}

/* Two objects with the same name are distinguished by their addresses; and some characters are not
 * allowed in names. */
static void make_legal(hd_vec_char *text, uint64_t address) {
    char suffix[32];
    snprintf(suffix, sizeof suffix, "%s0x%llx", text->length ? " at " : "",
             (unsigned long long)address);
    for (size_t i = 0; i < text->length; i++)
        if (text->data[i] == '|' || text->data[i] == '=' || text->data[i] == '\n' ||
            text->data[i] == '\r' || text->data[i] == '\0')
            text->data[i] = '~';
    for (const char *at = suffix; *at; at++)
        hd_vec_push(text, *at);
}

/* The number of a name in its table. */
static uint32_t find_number(hd_trace_recorded *recorded, name *it, enum heddle_class class,
                            uint64_t address) {
    hd_names *names = &recorded->tables->names[class];
    hd_vec_char *text = &recorded->text;
    make_text(recorded, it, address);
    bool legal = text->length && hd_trace_legal_name(class, text->data, text->length);
    if (class == HEDDLE_CLASS_LOCATION)
        it->number = legal ? hd_names_add(names, text->data, text->length) + 1 : 1;
    else {
        if (!legal || hd_names_find(names, text->data, text->length) != HD_NAMES_NONE)
            make_legal(text, address);
        it->number = hd_names_add(names, text->data, text->length) + 1;
    }
    return it->number - 1;
}

static inline uint32_t number_of(hd_trace_recorded *recorded, name *it, enum heddle_class class,
                                 uint64_t address) {
    return it->number ? it->number - 1 : find_number(recorded, it, class, address);
}

/* The number of a code's function, if stacks are wanted and it is known. */
static uint32_t function_of(hd_trace_recorded *recorded, uint32_t place) {
    if (!recorded->stacks || place >= recorded->functions.length)
        return 0;
    name *it = &recorded->functions.data[place];
    if (!it->number && it->length)
        it->number =
            hd_trace_stacks_function(recorded->stacks, recorded->texts.data + it->text, it->length);
    return it->number;
}

/* Where a code address is: its location and its function. */
static const struct recent *place_of(hd_trace_recorded *recorded, uint64_t code) {
    struct recent *recent = &recorded->recent[code % RECENT];
    if (recent->code != code) {
        const uint32_t *place = hd_map_find(&recorded->codes, code);
        *recent = (struct recent){.code = code};
        if (place) {
            recent->location =
                number_of(recorded, &recorded->locations.data[*place], HEDDLE_CLASS_LOCATION, code);
            recent->function = function_of(recorded, *place);
        }
    }
    return recent;
}

static uint32_t object_of(hd_trace_recorded *recorded, unsigned class, uint64_t address) {
    bool added;
    uint32_t *place = hd_map_at(&recorded->places, place_key(class, address), &added);
    if (added) {
        *place = (uint32_t)recorded->objects.length;
        hd_vec_push(&recorded->objects, (name){0});
    }
    return number_of(recorded, &recorded->objects.data[*place], (enum heddle_class) class, address);
}

/* --- events --------------------------------------------------------------------------------- */

/* False if no granule begins where the access does. */
static bool add_access(hd_trace_recorded *recorded, const hd_packed_record *record,
                       heddle_event event) {
    uint64_t end = record->address + record->size;
    bool more = false, alone = hd_packed_users_alone(recorded->users.data, recorded->users.length,
                                                     recorded->granules, record);
    uint32_t granule = hd_packed_granule(recorded->granules, record->address);
    for (uint64_t from = record->address, to; from < end; from = alone ? end : to, granule++) {
        to = hd_packed_granule_next(recorded->granules, from);
        if (granule >= recorded->variables.length ||
            (to > end && record->op != HEDDLE_WIRE_FREE)) /* the end of a block is no border */
            return false;
        if (!hd_packed_users_note(&recorded->users.data[granule], record) && !alone)
            continue;
        heddle_event part = event;
        uint64_t size = (to < end ? to : end) - from;
        part.size = (uint16_t)(size > UINT16_MAX ? 0 : size);
        if (hd_packed_record_part(record, from - record->address, to - from, &part.value))
            part.flags |= HEDDLE_HAS_VALUE;
        if (record->guessed && hd_packed_lanes_guessed(recorded->lanes, granule))
            part.flags |= (uint8_t)(record->unexplained ? HEDDLE_GUESSED | HEDDLE_UNEXPLAINED
                                                        : HEDDLE_GUESSED);
        if (more || record->silent)
            part.flags |= HEDDLE_CONTINUED;
        more = true;
        part.object =
            number_of(recorded, &recorded->variables.data[granule], HEDDLE_CLASS_VARIABLE, from);
        hd_vec_push(&recorded->batch, part);
    }
    return true;
}

/* A function begins or ends. */
static void add_call(hd_trace_recorded *recorded, const hd_packed_record *record) {
    hd_trace_stacks *stacks = recorded->stacks;
    if (!stacks)
        return;
    if (record->op == HEDDLE_WIRE_LEAVE) {
        hd_trace_stacks_leave(stacks, record->thread);
        return;
    }
    const struct recent *place = place_of(recorded, record->code);
    hd_trace_frame frame = {place->function, place->location};
    hd_trace_stacks_enter(stacks, record->thread, hd_trace_stacks_frame(stacks, frame));
}

static bool add_record(hd_trace_recorded *recorded, const hd_packed_record *record) {
    hd_packed_exempt_take(&recorded->exempt, record);
    bool frees = record->op == HEDDLE_WIRE_FREE && record->size;
    bool range =
        frees || record->op == HEDDLE_WIRE_READ_RANGE || record->op == HEDDLE_WIRE_WRITE_RANGE;
    if (record->op == HEDDLE_WIRE_ENTER || record->op == HEDDLE_WIRE_LEAVE)
        add_call(recorded, record);
    if (record->op > HEDDLE_KIND_COUNT && !range)
        return true;
    if (record->thread >= recorded->threads.length)
        return false;
    uint32_t thread = number_of(recorded, &recorded->threads.data[record->thread],
                                HEDDLE_CLASS_THREAD, record->thread);
    const struct recent *place = place_of(recorded, record->code);
    heddle_event event = {.thread = thread, .location = place->location};
    if (hd_packed_exempt_has(&recorded->exempt, record))
        event.flags = HEDDLE_EXEMPT;
    if (recorded->stacks)
        hd_trace_stacks_event(recorded->stacks, record->thread, thread,
                              recorded->first + (uint32_t)recorded->batch.length, place->function);
    if (range) {
        event.kind = record->op == HEDDLE_WIRE_READ_RANGE ? HEDDLE_READ
                     : frees                              ? HEDDLE_FREE
                                                          : HEDDLE_WRITE;
        return add_access(recorded, record, event);
    }
    event.kind = (uint8_t)(record->op - 1);
    event.flags |= (uint8_t)(record->order << HEDDLE_ORDER_SHIFT);
    if (hd_trace_kinds[event.kind].traits & HEDDLE_T_ACCESS)
        return add_access(recorded, record, event);
    unsigned class = hd_trace_kinds[event.kind].class;
    if (class == HEDDLE_CLASS_THREAD) {
        if (record->address >= recorded->threads.length)
            return false;
        event.object = number_of(recorded, &recorded->threads.data[record->address],
                                 HEDDLE_CLASS_THREAD, record->address);
    } else
        event.object = object_of(recorded, class, record->address);
    if (event.kind == HEDDLE_MARK && record->has_value) {
        event.flags = HEDDLE_HAS_VALUE;
        event.value = (int64_t)record->value;
    }
    hd_vec_push(&recorded->batch, event);
    return true;
}

/* The record's events, or none of them. */
static bool add_whole_record(hd_trace_recorded *recorded, const hd_packed_record *record) {
    size_t before = recorded->batch.length;
    if (add_record(recorded, record))
        return true;
    recorded->batch.length = before;
    return false;
}

int hd_trace_recorded_next(hd_trace_recorded *recorded, uint32_t first, size_t most,
                           heddle_event **events, size_t *count) {
    recorded->first = first;
    hd_packed_record record;
    int more = 1;
    hd_vec_clear(&recorded->batch);
    while (recorded->batch.length < most &&
           (more = recorded->lanes ? hd_packed_lanes_next(recorded->lanes, &record)
                                   : hd_packed_unpack_next(recorded->unpack, &record)) > 0)
        if (record.op != HEDDLE_WIRE_SWITCH && !add_whole_record(recorded, &record)) {
            more = -1;
            break;
        }
    /* A lane that is damaged ends there, and the others go on. */
    if (!more && recorded->lanes && hd_packed_lanes_damaged(recorded->lanes))
        more = -1;
    *events = recorded->batch.data;
    *count = recorded->batch.length;
    return more < 0 ? -1 : *count > 0;
}
