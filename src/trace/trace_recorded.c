/*
 * A saved recording as events.  src/recording/recording_events.c does the same of a run that is
 * still in memory, and says why these are two.
 */
#include "trace_recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_recorded_state.h"

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
    hd_vec_release(&recorded->gone.codes);
    hd_vec_release(&recorded->arrays);
    hd_vec_release(&recorded->text);
    hd_vec_release(&recorded->batch);
    hd_packed_exempt_release(&recorded->exempt);
    hd_packed_certain_release(&recorded->certain);
    hd_map_release(&recorded->codes);
    hd_map_release(&recorded->places);
    free(recorded);
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
static void make_text(hd_trace_recorded *recorded, const hd_trace_recorded_name *it,
                      uint64_t address) {
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

/* The number of a name in its table. */
static uint32_t find_number(hd_trace_recorded *recorded, hd_trace_recorded_name *it,
                            enum heddle_class class, uint64_t address) {
    hd_names *names = &recorded->tables->names[class];
    hd_vec_char *text = &recorded->text;
    make_text(recorded, it, address);
    bool legal = text->length && hd_trace_legal_name(class, text->data, text->length);
    if (class == HEDDLE_CLASS_LOCATION)
        it->number = legal ? hd_names_add(names, text->data, text->length) + 1 : 1;
    else {
        /* Two objects with the same name are distinguished by their addresses. */
        if (!legal || hd_names_find(names, text->data, text->length) != HD_NAMES_NONE)
            hd_trace_make_legal(text, address);
        it->number = hd_names_add(names, text->data, text->length) + 1;
    }
    return it->number - 1;
}

static inline uint32_t number_of(hd_trace_recorded *recorded, hd_trace_recorded_name *it,
                                 enum heddle_class class, uint64_t address) {
    return it->number ? it->number - 1 : find_number(recorded, it, class, address);
}

/* The number of a code's function, if stacks are wanted and it is known. */
static uint32_t function_of(hd_trace_recorded *recorded, uint32_t place) {
    if (!recorded->stacks || place >= recorded->functions.length)
        return 0;
    hd_trace_recorded_name *it = &recorded->functions.data[place];
    if (!it->number && it->length)
        it->number =
            hd_trace_stacks_function(recorded->stacks, recorded->texts.data + it->text, it->length);
    return it->number;
}

/* Where a code address is: its location and its function. */
static const struct recent *place_of(hd_trace_recorded *recorded, uint64_t code) {
    struct recent *recent = &recorded->recent[code % HD_TRACE_RECENT];
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
    uint32_t *place = hd_map_at(&recorded->places, hd_trace_recorded_key(class, address), &added);
    if (added) {
        *place = (uint32_t)recorded->objects.length;
        hd_vec_push(&recorded->objects, (hd_trace_recorded_name){0});
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
    if (alone && record->silent)
        return true;
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
        if (hd_trace_kinds[part.kind].traits & HEDDLE_T_VALUE &&
            hd_packed_record_part(record, from - record->address, to - from, &part.value))
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

/* An access or another operation, by its flags so far; and whatever else there is. */
static bool is_certain(hd_trace_recorded *recorded, const hd_packed_record *record, uint8_t flags) {
    bool may_be = record->op && record->op <= HEDDLE_KIND_COUNT && !record->order &&
                  !(flags & HEDDLE_ORDER) &&
                  hd_trace_may_be_certain((enum heddle_kind)(record->op - 1));
    return hd_packed_certain_take(&recorded->certain, record, may_be);
}

void hd_trace_recorded_doubt(hd_trace_recorded *recorded) {
    hd_packed_certain_stop(&recorded->certain);
}

static bool add_record(hd_trace_recorded *recorded, const hd_packed_record *record) {
    hd_packed_exempt_take(&recorded->exempt, record);
    bool frees = record->op == HEDDLE_WIRE_FREE && record->size;
    bool range =
        frees || record->op == HEDDLE_WIRE_READ_RANGE || record->op == HEDDLE_WIRE_WRITE_RANGE;
    if (record->op == HEDDLE_WIRE_ENTER || record->op == HEDDLE_WIRE_LEAVE) {
        is_certain(recorded, record, 0);
        add_call(recorded, record);
    }
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
    if (is_certain(recorded, record, event.flags))
        event.flags |= HEDDLE_CERTAIN;
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

static bool is_stack(const hd_packed_record *record) {
    return record->op == HEDDLE_WIRE_FREE && record->size && record->silent;
}

/* Ends of threads whose stack the record is the first to use after them. */
static bool add_ends(hd_trace_recorded *recorded, const hd_packed_record *record) {
    hd_packed_record end;
    unsigned kind = record->op - 1U;
    if (kind == HEDDLE_JOIN)
        hd_packed_gone_join(&recorded->gone, record->address);
    bool access = kind < HEDDLE_KIND_COUNT ? hd_trace_kinds[kind].traits & HEDDLE_T_ACCESS
                                           : record->op == HEDDLE_WIRE_READ_RANGE ||
                                                 record->op == HEDDLE_WIRE_WRITE_RANGE;
    while (access &&
           hd_packed_gone_take(&recorded->gone, &recorded->users, recorded->granules, record, &end))
        if (!add_record(recorded, &end))
            return false;
    return true;
}

/* The record's events, or none of them. */
static bool add_whole_record(hd_trace_recorded *recorded, const hd_packed_record *record) {
    size_t before = recorded->batch.length;
    bool good = !recorded->gone.any || add_ends(recorded, record);
    if (good && add_record(recorded, record)) {
        if (is_stack(record))
            hd_packed_gone_add(&recorded->gone, &recorded->users, recorded->granules, record);
        return true;
    }
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
