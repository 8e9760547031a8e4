/*
 * From records to events: the second pass over a run (recording_memory.h describes the first).  An
 * access becomes an event for each granule that it covers.
 *
 * A recording that was saved has its own converter, in src/trace/trace_recorded.c.  Both read the
 * same packed records (room packed) and must make the same events of them, which the tests compare.
 * They are two because they have different things at hand: here a program that ran, whose names
 * come from its symbols and whose granules come from a pass over all records before; there a file
 * with the names and granules in it, which is read as a stream, in a room that knows no programs.
 */
#include "recording_events.h"

#include "launch/launch.h"
#include "recording_certain.h"
#include "recording_class.h"
#include "recording_end.h"
#include "recording_memory.h"
#include "recording_save.h"
#include "recording_split.h"
#include "symbols/symbols.h"

enum { BATCH = 32768, RECENT = 4096 };

typedef struct hd_recording_maker maker;

struct hd_recording_maker {
    const hd_launch_run *run;
    hd_symbols *symbols;
    hd_recording_memory *memory;
    hd_packed_granules *places; /* its */
    hd_packed_lanes *lanes;     /* of a free run, while events are made; else NULL */
    hd_trace_tables *tables;
    hd_trace_stacks *stacks; /* NULL: not wanted */
    hd_trace_check *check;
    hd_recording_class *class; /* NULL: not asked for */
    heddle_event *batch;
    size_t length;
    hd_recording_sink *sink;
    void *to;
    hd_recording_summary *summary;
    hd_vec_char text;
    hd_map locations; /* code -> place in `known` */
    HD_VEC(hd_trace_frame) known;
    struct recent {
        uint64_t code;
        hd_trace_frame place;
    } recent[RECENT];
    hd_packed_exempt exempt;
    hd_packed_certain certain;
    hd_map objects;      /* (class, address) -> object, of all but granules */
    uint64_t records;    /* left to read */
    hd_vec_u32 granules; /* granule -> variable + 1 */
    hd_vec_u32 users;    /* granule -> the thread that used it (packed_users.h) */
    hd_packed_gone gone;
    hd_vec_u32 threads;     /* thread -> number + 1 */
    hd_vec_u32 labels[2];   /* label -> number + 1, of LABEL and BLOCK */
    hd_vec_u64 label_names; /* label -> offset in label_text + 1 */
    hd_vec_char label_text;
    bool stopped;
    /* Of a run that has not ended yet. */
    hd_recording_split *cuts;
    hd_recording_cut_sink *cut;
    hd_recording_retire_sink *retire;
    hd_recording_reuse_sink *reuse;
    hd_vec_u32 unused, free_locks; /* variables and locks to be retired, when the events before it
                                      were passed on */
    size_t dead_objects;           /* keys of objects that are used no more */
    enum hd_recording_wanted wanted;
};

/* --- the first pass ------------------------------------------------------------------------- */

static bool is_access(const hd_packed_record *record) {
    unsigned kind = record->op - 1U;
    return kind < HEDDLE_KIND_COUNT && hd_trace_kinds[kind].traits & HEDDLE_T_ACCESS;
}

static bool is_range(const hd_packed_record *record) {
    return record->op == HEDDLE_WIRE_READ_RANGE || record->op == HEDDLE_WIRE_WRITE_RANGE;
}

static bool frees(const hd_packed_record *record) {
    return record->op == HEDDLE_WIRE_FREE && record->size;
}

static void keep_label(maker *m, const hd_packed_record *record) {
    if (record->address >= 1 << 16)
        return;
    if (m->label_names.length <= record->address)
        hd_vec_resize(&m->label_names, record->address + 1);
    m->label_names.data[record->address] = m->label_text.length + 1;
    for (uint64_t i = 0; i < record->value; i++)
        hd_vec_push(&m->label_text, (char)record->bytes[i]);
    hd_vec_push(&m->label_text, '\0');
}

static void note_all(maker *m) {
    hd_launch_reader reader;
    hd_packed_record record;
    hd_launch_reader_init(&reader, m->run);
    while (hd_launch_reader_next(&reader, &record)) {
        m->records++;
        if (frees(&record))
            hd_packed_granules_add(m->places, record.address); /* its end is no border */
        else if (is_access(&record) || is_range(&record))
            hd_recording_memory_note_access(m->memory, record.address, record.size);
        else if (record.op == HEDDLE_WIRE_ALLOCATE)
            hd_recording_memory_note_block(m->memory, &record);
        else if (record.op == HEDDLE_WIRE_NAME)
            keep_label(m, &record);
    }
    hd_launch_reader_release(&reader);
    hd_recording_memory_noted(m->memory);
    hd_vec_resize(&m->granules, hd_packed_granules_count(m->places) + 1);
    hd_vec_resize(&m->users, m->granules.length);
}

/* --- names ---------------------------------------------------------------------------------- */

static uint32_t add_name(maker *m, enum heddle_class class, uint64_t address) {
    hd_names *names = &m->tables->names[class];
    if (hd_names_find(names, m->text.data, m->text.length) != HD_NAMES_NONE)
        hd_text_append(&m->text, " at 0x%llx", (unsigned long long)address);
    return hd_names_add(names, m->text.data, m->text.length);
}

static uint32_t thread_number(maker *m, uint32_t thread) {
    assert(thread < HEDDLE_WIRE_THREADS);
    if (m->threads.length <= thread)
        hd_vec_resize(&m->threads, thread + 1);
    uint32_t *number = &m->threads.data[thread];
    if (!*number) {
        hd_vec_clear(&m->text);
        hd_launch_thread_name(m->run, thread, &m->text);
        *number = add_name(m, HEDDLE_CLASS_THREAD, thread) + 1;
    }
    return *number - 1;
}

static hd_trace_frame find_place(maker *m, uint64_t code) {
    bool added;
    uint32_t *number = hd_map_at(&m->locations, code, &added);
    if (added) {
        hd_trace_frame place = {0};
        hd_vec_clear(&m->text);
        if (hd_symbols_line(m->symbols, code, &m->text))
            place.location = hd_names_add(&m->tables->names[HEDDLE_CLASS_LOCATION], m->text.data,
                                          m->text.length);
        hd_vec_clear(&m->text);
        if (m->stacks && hd_symbols_function(m->symbols, code, &m->text))
            place.function = hd_trace_stacks_function(m->stacks, m->text.data, m->text.length);
        *number = (uint32_t)m->known.length;
        hd_vec_push(&m->known, place);
    }
    return m->known.data[*number];
}

/* The location and the function of a code address. */
static inline hd_trace_frame place_of(maker *m, uint64_t code) {
    struct recent *recent = &m->recent[code % RECENT];
    if (recent->code != code)
        *recent = (struct recent){code, find_place(m, code)};
    return recent->place;
}

static uint32_t variable_number(maker *m, uint32_t granule, uint64_t address) {
    uint32_t *number = &m->granules.data[granule];
    if (!*number) {
        hd_vec_clear(&m->text);
        hd_recording_memory_name(m->memory, address, false, &m->text);
        *number = add_name(m, HEDDLE_CLASS_VARIABLE, address) + 1;
    }
    return *number - 1;
}

/* The number of something new, whose name is in m->text: if possible one that was used before. */
static uint32_t renew_name(maker *m, enum heddle_class class, uint64_t address) {
    hd_names *names = &m->tables->names[class];
    uint32_t number;
    bool can = m->reuse && (class == HEDDLE_CLASS_VARIABLE || class == HEDDLE_CLASS_LOCK);
    if (!can || !m->reuse(m->to, class, &number))
        return add_name(m, class, address);
    if (hd_names_find(names, m->text.data, m->text.length) != HD_NAMES_NONE)
        hd_text_append(&m->text, " at 0x%llx", (unsigned long long)address);
    hd_names_reuse(names, number, m->text.data, m->text.length);
    return number;
}

/* Values are numbers + 1; 0: it is gone. */
static uint32_t object_number(maker *m, enum heddle_class class, uint64_t address) {
    bool added;
    uint32_t *number = hd_map_at(&m->objects, address | (uint64_t) class << 56, &added);
    if (!*number) {
        m->dead_objects -= !added;
        hd_vec_clear(&m->text);
        hd_recording_memory_name(m->memory, address, true, &m->text);
        *number = renew_name(m, class, address) + 1;
    }
    return *number - 1;
}

static void forget_lock(maker *m, uint32_t *number) {
    hd_vec_push(&m->free_locks, *number - 1);
    *number = 0;
    m->dead_objects++;
}

/* Locks in memory that is freed: by their addresses, or by looking at all, whatever is less. */
static void forget_locks(maker *m, uint64_t address, uint64_t size) {
    enum { STEP = 4 };
    uint64_t class = (uint64_t)HEDDLE_CLASS_LOCK << 56, key;
    uint32_t value, *number;
    if (size / STEP < m->objects.length) {
        for (uint64_t at = (address + STEP - 1) / STEP * STEP; at < address + size; at += STEP)
            if ((number = hd_map_find(&m->objects, at | class)) && *number)
                forget_lock(m, number);
    } else
        for (size_t i = 0; hd_map_each(&m->objects, &i, &key, &value);)
            if (value && key >> 56 == HEDDLE_CLASS_LOCK && (key & ~class) - address < size)
                forget_lock(m, hd_map_find(&m->objects, key));
    hd_map_sweep(&m->objects, &m->dead_objects);
}

static uint32_t label_number(maker *m, enum heddle_class class, uint64_t label) {
    hd_vec_u32 *numbers = &m->labels[class == HEDDLE_CLASS_BLOCK];
    if (numbers->length <= label)
        hd_vec_resize(numbers, label + 1);
    uint32_t *number = &numbers->data[label];
    if (!*number) {
        bool known = label < m->label_names.length && m->label_names.data[label];
        if (!known && m->cuts && label < HEDDLE_WIRE_LABELS) { /* its record is still to come */
            const char *shared = m->run->wire->label[label];
            keep_label(m, &(hd_packed_record){.address = label,
                                              .value = strnlen(shared, HEDDLE_WIRE_LABEL),
                                              .bytes = (const uint8_t *)shared});
            known = true;
        }
        const char *text = known ? &m->label_text.data[m->label_names.data[label] - 1] : "?";
        *number =
            hd_names_add(&m->tables->names[class], *text ? text : "?", *text ? strlen(text) : 1) +
            1;
    }
    return *number - 1;
}

/* --- events --------------------------------------------------------------------------------- */

/* An impossible event (of a mutex that was overwritten while held, for example) is dropped and
 * counted: the result is always well-formed. */
static void check_batch(maker *m) {
    hd_error error;
    size_t done = 0, wrong;
    while (done < m->length && !hd_trace_check_batch(m->check, m->tables, m->batch + done,
                                                     m->length - done, &wrong, &error)) {
        done += wrong;
        m->length--;
        memmove(m->batch + done, m->batch + done + 1, (m->length - done) * sizeof *m->batch);
        m->summary->lost++;
        if (m->stacks)
            hd_trace_stacks_drop(m->stacks, (uint32_t)(m->summary->events + done + 1));
        hd_trace_doubt_certain(m->batch + done, m->length - done);
        hd_packed_certain_stop(&m->certain);
    }
    if (m->stacks)
        hd_trace_stacks_settle(m->stacks);
    m->summary->events += m->length;
}

static void flush(maker *m) {
    check_batch(m);
    if (m->class)
        hd_recording_class_add(m->class, m->tables, m->batch, m->length);
    if (m->length && !m->stopped && !m->sink(m->to, m->tables, m->batch, m->length))
        m->stopped = true;
    m->length = 0;
    for (size_t i = 0; i < m->unused.length; i++)
        m->retire(m->to, HEDDLE_CLASS_VARIABLE, m->unused.data[i]);
    for (size_t i = 0; i < m->free_locks.length; i++)
        m->retire(m->to, HEDDLE_CLASS_LOCK, m->free_locks.data[i]);
    hd_vec_clear(&m->unused);
    hd_vec_clear(&m->free_locks);
}

static inline void add_event(maker *m, heddle_event event) {
    m->batch[m->length++] = event;
    if (m->length == BATCH)
        flush(m);
}

static void add_access(maker *m, const hd_packed_record *record, heddle_event event) {
    uint64_t end = record->address + record->size;
    bool more = false, alone = !m->cuts && hd_packed_users_alone(m->users.data, m->users.length,
                                                                 m->places, record);
    if (alone && record->silent)
        return;
    if (m->cuts)
        hd_recording_split_access(m->cuts, record->address, record->size);
    uint32_t granule = m->cuts ? 0 : hd_packed_granule(m->places, record->address);
    for (uint64_t from = record->address, to; from < end; from = alone ? end : to, granule++) {
        heddle_event part = event;
        if (m->cuts)
            part.object = hd_recording_split_granule(m->cuts, from, &to);
        else {
            to = hd_packed_granule_next(m->places, from);
            if (!hd_packed_users_note(&m->users.data[granule], record) && !alone)
                continue; /* what has no event gets no name */
            part.object = variable_number(m, granule, from);
        }
        uint64_t size = (to < end ? to : end) - from;
        part.size = (uint16_t)(size > UINT16_MAX ? 0 : size);
        if (hd_packed_record_part(record, from - record->address, to - from, &part.value))
            part.flags |= HEDDLE_HAS_VALUE;
        if (record->guessed && hd_packed_lanes_guessed(m->lanes, granule))
            part.flags |= (uint8_t)(record->unexplained ? HEDDLE_GUESSED | HEDDLE_UNEXPLAINED
                                                        : HEDDLE_GUESSED);
        if (more || record->silent)
            part.flags |= HEDDLE_CONTINUED;
        more = true;
        add_event(m, part);
    }
}

/* A function begins or ends. */
static void add_call(maker *m, const hd_packed_record *record) {
    if (record->op == HEDDLE_WIRE_ENTER)
        hd_trace_stacks_enter(m->stacks, record->thread,
                              hd_trace_stacks_frame(m->stacks, place_of(m, record->code)));
    else
        hd_trace_stacks_leave(m->stacks, record->thread);
}

static bool is_certain(maker *m, const hd_packed_record *record, uint8_t flags) {
    bool may_be = record->op && record->op <= HEDDLE_KIND_COUNT && !record->order &&
                  !(flags & HEDDLE_ORDER) &&
                  hd_trace_may_be_certain((enum heddle_kind)(record->op - 1));
    return hd_packed_certain_take(&m->certain, record, may_be);
}

static void add_record(maker *m, const hd_packed_record *record) {
    hd_packed_exempt_take(&m->exempt, record);
    if (record->op > HEDDLE_KIND_COUNT && !is_range(record) && !frees(record)) {
        if (record->op != HEDDLE_WIRE_ENTER && record->op != HEDDLE_WIRE_LEAVE)
            return;
        is_certain(m, record, 0);
        if (m->stacks)
            add_call(m, record);
        return;
    }
    hd_trace_frame place = place_of(m, record->code);
    heddle_event event = {.thread = thread_number(m, record->thread), .location = place.location};
    if (hd_packed_exempt_has(&m->exempt, record))
        event.flags = HEDDLE_EXEMPT;
    if (is_certain(m, record, event.flags))
        event.flags |= HEDDLE_CERTAIN;
    if (m->stacks)
        hd_trace_stacks_event(m->stacks, record->thread, event.thread,
                              (uint32_t)(m->summary->events + m->length + 1), place.function);
    if (is_range(record) || frees(record)) {
        event.kind = record->op == HEDDLE_WIRE_READ_RANGE ? HEDDLE_READ
                     : frees(record)                      ? HEDDLE_FREE
                                                          : HEDDLE_WRITE;
        add_access(m, record, event);
        return;
    }
    event.kind = (uint8_t)(record->op - 1);
    event.flags |= (uint8_t)(record->order << HEDDLE_ORDER_SHIFT);
    if (is_access(record)) {
        add_access(m, record, event);
        return;
    }
    enum heddle_class class = (enum heddle_class)hd_trace_kinds[event.kind].class;
    switch (class) {
    case HEDDLE_CLASS_THREAD:
        if (record->address >= m->run->wire->threads)
            return;
        event.object = thread_number(m, (uint32_t)record->address);
        break;
    case HEDDLE_CLASS_LABEL:
    case HEDDLE_CLASS_BLOCK:
        if (record->address >= 1 << 16)
            return;
        event.object = label_number(m, class, record->address);
        break;
    default:
        event.object = object_number(m, class, record->address);
        break;
    }
    if (event.kind == HEDDLE_MARK && record->has_value) {
        event.flags = HEDDLE_HAS_VALUE;
        event.value = (int64_t)record->value;
    }
    add_event(m, event);
}

/* After the ends of threads whose stack the record is the first to use after them. */
static void add_with_ends(maker *m, const hd_packed_record *record) {
    hd_packed_record end;
    if (record->op == HEDDLE_JOIN + 1)
        hd_packed_gone_join(&m->gone, record->address);
    while (m->gone.any && !m->cuts && (is_access(record) || is_range(record)) &&
           hd_packed_gone_take(&m->gone, &m->users, m->places, record, &end))
        add_record(m, &end);
    add_record(m, record);
    if (frees(record) && record->silent && !m->cuts)
        hd_packed_gone_add(&m->gone, &m->users, m->places, record);
}

/* Did it take much longer than was thought to save a run that a limit on time has ended, or came a
 * signal meanwhile?  Then it is saved as far as one has come. */
static bool is_late(const maker *m) {
    enum { OFTEN = 1024 };
    static const double grace = 0.3;
    bool asked = hd_stop_asked() && !m->run->stopped;
    return m->run->timed_out && m->records && m->records % OFTEN == 0 &&
           (asked || hd_clock_late_by() > grace);
}

static bool is_asked(void) {
    return hd_stop_asked() != 0;
}

/* If the run was killed between the hook and the store, the value of the very last write is not
 * known. */
static void add_all(maker *m) {
    hd_launch_reader reader;
    hd_packed_record record;
    hd_launch_reader_init(&reader, m->run);
    bool cuts = m->run->timed_out && !m->run->stopped;
    bool late = !hd_launch_reader_order(&reader, m->places, cuts ? is_asked : NULL);
    m->summary->unordered = late;
    m->lanes = reader.lanes;
    while (!m->stopped && !late && !(late = is_late(m)) &&
           hd_launch_reader_next(&reader, &record)) {
        if (--m->records == 0 && record.op == HEDDLE_WRITE + 1 &&
            m->run->wire->ending == HEDDLE_WIRE_RUNNING)
            record.has_value = false;
        add_with_ends(m, &record);
    }
    m->lanes = NULL;
    m->summary->incomplete = reader.damaged || late;
    hd_launch_reader_release(&reader);
}

bool hd_recording_nothing(const hd_launch_run *run, hd_recording_summary *summary,
                          hd_error *error) {
    if (run->damaged)
        return hd_error_set(error, "the program wrote over the memory that it shares with heddle: "
                                   "nothing can be read");
    summary->nothing = true;
    return hd_error_set(error, "the program did nothing that is recorded: no access, no lock, "
                               "no second thread");
}

static maker *create(const hd_launch_run *run, hd_trace_tables *tables, hd_trace_stacks *stacks,
                     hd_recording_sink *sink, void *to, hd_recording_summary *summary) {
    maker *made = HD_NEW(maker);
    *made = (maker){.run = run, .tables = tables, .sink = sink, .to = to, .summary = summary};
    made->stacks = run->wire->calls ? stacks : NULL;
    made->symbols = hd_symbols_create(run);
    made->memory = hd_recording_memory_create(run, made->symbols);
    made->places = hd_recording_memory_granules(made->memory);
    made->check = hd_trace_check_create();
    made->batch = HD_NEW_ARRAY(heddle_event, BATCH);
    return made;
}

void hd_recording_maker_free(maker *made) {
    if (!made)
        return;
    hd_trace_check_free(made->check);
    hd_recording_split_free(made->cuts);
    hd_recording_memory_free(made->memory);
    hd_symbols_free(made->symbols);
    free(made->batch);
    hd_vec_release(&made->text);
    hd_vec_release(&made->granules);
    hd_vec_release(&made->users);
    hd_vec_release(&made->gone.codes);
    hd_vec_release(&made->threads);
    hd_vec_release(&made->labels[0]);
    hd_vec_release(&made->labels[1]);
    hd_vec_release(&made->label_names);
    hd_vec_release(&made->label_text);
    hd_map_release(&made->locations);
    hd_vec_release(&made->known);
    hd_map_release(&made->objects);
    hd_vec_release(&made->unused);
    hd_vec_release(&made->free_locks);
    hd_packed_exempt_release(&made->exempt);
    hd_packed_certain_release(&made->certain);
    free(made);
}

/* The name that an object has in the events, NULL if it is in none. */
static const char *name_of_object(void *context, enum heddle_class class, uint64_t address) {
    maker *m = context;
    const uint32_t *number = hd_map_find(&m->objects, address | (uint64_t) class << 56);
    return number && *number ? hd_names_text(&m->tables->names[class], *number - 1) : NULL;
}

bool hd_recording_events(const hd_launch_run *run, hd_trace_tables *tables, hd_trace_stacks *stacks,
                         hd_recording_sink *sink, void *to, hd_recording_summary *summary,
                         hd_error *error) {
    summary->lost = run->wire->lost;
    summary->threads = run->wire->threads;
    maker *made = create(run, tables, stacks, sink, to, summary);
    made->class = summary->classify ? hd_recording_class_create() : NULL;
    hd_recording_certain(run, made->symbols, &made->certain);
    note_all(made);
    add_all(made);
    flush(made);
    if (made->class)
        summary->class = hd_recording_class_value(made->class);
    hd_recording_class_free(made->class);
    if (summary->end)
        hd_recording_end(run, made->symbols, made->memory, name_of_object, made, summary->end);
    summary->incomplete |= summary->lost > 0;
    summary->wire_bytes = run->wire->begun * HEDDLE_WIRE_CHUNK;
    hd_recording_maker_free(made);
    if (summary->unordered)
        return hd_error_set(error,
                            "ended by %s before the threads of the run were put in order; "
                            "nothing is kept",
                            hd_stop_name(hd_stop_asked()));
    return summary->events || hd_recording_nothing(run, summary, error);
}

/* --- while it goes on ----------------------------------------------------------------------- */

static uint32_t cut_number(void *context, uint64_t address, uint32_t whole) {
    maker *m = context;
    hd_vec_clear(&m->text);
    hd_recording_memory_name(m->memory, address, false, &m->text);
    uint32_t number = renew_name(m, HEDDLE_CLASS_VARIABLE, address);
    if (whole != HD_RECORDING_SPLIT_NONE) {
        flush(m); /* events so far belong to the undivided variable */
        m->cut(m->to, whole, number);
    }
    return number;
}

hd_recording_maker *hd_recording_maker_create(const hd_launch_run *run, hd_trace_tables *tables,
                                              enum hd_recording_wanted wanted,
                                              const hd_recording_sinks *sinks,
                                              hd_recording_summary *summary) {
    maker *made = create(run, tables, NULL, sinks->events, sinks->to, summary);
    hd_recording_memory_noted(made->memory);
    made->cuts = hd_recording_split_create(cut_number, made);
    made->cut = sinks->cut;
    made->retire = sinks->retire;
    made->reuse = sinks->reuse;
    made->wanted = wanted;
    return made;
}

static bool is_wanted(const maker *m, const hd_packed_record *record) {
    bool writes = record->op == HEDDLE_WRITE + 1 || record->op == HEDDLE_WIRE_WRITE_RANGE;
    if (m->wanted == HD_RECORDING_ALL || (m->wanted == HD_RECORDING_WRITES && writes))
        return true;
    bool plain = writes || record->op == HEDDLE_READ + 1 || record->op == HEDDLE_WIRE_READ_RANGE;
    return !plain || (writes && hd_recording_split_known(m->cuts, record->address, record->size));
}

static void retire(void *context, uint32_t number) {
    maker *m = context;
    hd_vec_push(&m->unused, number);
}

static void forget_block(maker *m, uint64_t address) {
    uint64_t size = hd_recording_memory_freed(m->memory, address);
    if (!size || !m->retire)
        return;
    hd_recording_split_forget(m->cuts, address, size, retire, m);
    forget_locks(m, address, size);
}

void hd_recording_maker_take(maker *m, const hd_packed_record *record) {
    if (record->op == HEDDLE_WIRE_ALLOCATE || record->op == HEDDLE_WIRE_FREE)
        hd_packed_exempt_take(&m->exempt, record);
    if (record->op == HEDDLE_WIRE_ALLOCATE)
        hd_recording_memory_note_block(m->memory, record);
    else if (record->op == HEDDLE_WIRE_FREE)
        forget_block(m, record->address);
    else if (record->op == HEDDLE_WIRE_NAME)
        keep_label(m, record);
    else if (is_wanted(m, record))
        add_record(m, record);
}

bool hd_recording_maker_flush(maker *m) {
    flush(m);
    return !m->stopped;
}
