#include "packed_lanes.h"

#include <stdlib.h>

#include "packed_guess.h"

/* Steps that searches for an order may take in total, in addition to the first attempt. */
#define SEARCH_LIMIT ((uint64_t)4 << 20)
#define NONE UINT32_MAX

/* Records between two looks at the memory budget: each can touch a page of its lane's tables. */
enum { BUDGET_EVERY = 2048 };

/* Records that are put in order in no time, and so to the end. */
enum { SMALL = 100000 };

typedef struct chunk {
    const void *bytes;
    size_t size;
    uint64_t run;
} chunk;

typedef struct lane {
    HD_VEC(chunk) chunks;
    size_t next_chunk;
    hd_packed_unpack *unpack;
    hd_packed_record head; /* the next record */
    bool has_head;
    uint64_t index;  /* its number in the lane */
    uint64_t place;  /* of the records that follow */
    uint64_t drawn;  /* the last place that was read */
    size_t step;     /* the lane's next one in the order that was decided */
    size_t steps;    /* where they end */
    hd_vec_u32 open; /* while steps are collected: those since the last place */
} lane;

/* The last visitor of a granule: a lane and its segment.  A segment is what a lane does between two
 * places. */
typedef struct visitor {
    uint32_t lane, place;
} visitor;

typedef struct shade {
    visitor writer, readers[2];
    bool many; /* others read it too */
} shade;

struct hd_packed_lanes {
    HD_VEC(lane) lanes;
    hd_vec_u32 waiting; /* lanes whose head is a place, a heap */
    uint32_t current;   /* lane, or NONE */
    uint32_t *segments; /* of each lane, the current one; all are different */
    uint32_t segment_count;
    bool damaged;
    uint32_t unbudgeted; /* records since the last look at the memory budget */

    hd_bits wanted;  /* granules that may be guessed; then those that are */
    hd_map variable; /* granule -> variable of the guess */
    hd_packed_guess guess;
    uint32_t *order; /* of the steps */
    size_t released; /* steps of the order that were released */
    hd_packed_granules *granules;
    bool (*over)(void);
    uint64_t looks;
    bool cut; /* it said so: there is no order */
};

hd_packed_lanes *hd_packed_lanes_create(void) {
    hd_packed_lanes *lanes = HD_NEW(hd_packed_lanes);
    lanes->current = NONE;
    return lanes;
}

static void forget_guess(hd_packed_lanes *lanes) {
    lanes->guess.variables = 0;
    hd_bits_release(&lanes->wanted);
    hd_map_release(&lanes->variable);
    hd_vec_release(&lanes->guess.steps);
    hd_vec_release(&lanes->guess.parts);
    free(lanes->order);
    lanes->order = NULL;
    lanes->wanted = (hd_bits){0};
    lanes->variable = (hd_map){0};
}

void hd_packed_lanes_free(hd_packed_lanes *lanes) {
    if (!lanes)
        return;
    for (size_t i = 0; i < lanes->lanes.length; i++) {
        hd_packed_unpack_free(lanes->lanes.data[i].unpack);
        hd_vec_release(&lanes->lanes.data[i].chunks);
        hd_vec_release(&lanes->lanes.data[i].open);
    }
    forget_guess(lanes);
    hd_vec_release(&lanes->lanes);
    hd_vec_release(&lanes->waiting);
    free(lanes->segments);
    free(lanes);
}

void hd_packed_lanes_chunk(hd_packed_lanes *lanes, uint32_t number, const void *bytes, size_t size,
                           uint64_t run) {
    if (lanes->lanes.length <= number)
        hd_vec_resize(&lanes->lanes, (size_t)number + 1);
    hd_vec_push(&lanes->lanes.data[number].chunks, (chunk){bytes, size, run});
}

/* --- lanes ---------------------------------------------------------------------------------- */

/* From here on the lane is damaged. */
static void end_lane(hd_packed_lanes *lanes, lane *it) {
    lanes->damaged = true;
    it->next_chunk = it->chunks.length;
    hd_packed_unpack_chunk(it->unpack, "", 0, 0);
}

/* The head is a place; it must be later than the lane's last.  No two lanes get the same place,
 * whatever the file says. */
static bool take_place(hd_packed_lanes *lanes, lane *it) {
    uint64_t place = it->head.value, number = (uint64_t)(it - lanes->lanes.data);
    if (place <= it->drawn || place >> 48)
        return false;
    it->drawn = place;
    it->head.value = place << 15 | number;
    return true;
}

/* Goes to the lane's next record, if it has one. */
static void pull(hd_packed_lanes *lanes, lane *it) {
    it->index++;
    it->has_head = false;
    if (++lanes->unbudgeted >= BUDGET_EVERY) {
        lanes->unbudgeted = 0;
        hd_mem_budget_check();
        lanes->looks++;
        lanes->cut |= lanes->over && lanes->looks > SMALL / BUDGET_EVERY && lanes->over();
    }
    for (;;) {
        int more = hd_packed_unpack_next(it->unpack, &it->head);
        if (more > 0 && it->head.op == HEDDLE_WIRE_SWITCH)
            continue;
        it->has_head = more > 0 && (it->head.op != HEDDLE_WIRE_ORDER || take_place(lanes, it));
        if (more > 0 && !it->has_head)
            more = -1;
        if (more < 0)
            end_lane(lanes, it);
        if (more || it->next_chunk == it->chunks.length)
            return;
        chunk *next = &it->chunks.data[it->next_chunk++];
        hd_packed_unpack_chunk(it->unpack, next->bytes, next->size, next->run);
    }
}

static uint64_t next_place(const hd_packed_lanes *lanes, uint32_t number) {
    return lanes->lanes.data[number].head.value;
}

static void wait_for_place(hd_packed_lanes *lanes, uint32_t number) {
    hd_vec_push(&lanes->waiting, number);
    uint32_t *heap = lanes->waiting.data;
    size_t at = lanes->waiting.length - 1;
    for (; at && next_place(lanes, heap[(at - 1) / 2]) > next_place(lanes, number);
         at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = number;
}

static uint32_t take_first_place(hd_packed_lanes *lanes) {
    uint32_t *heap = lanes->waiting.data, first = heap[0], last = hd_vec_pop(&lanes->waiting);
    size_t count = lanes->waiting.length, at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count &&
            next_place(lanes, heap[child + 1]) < next_place(lanes, heap[child]))
            child++;
        if (next_place(lanes, heap[child]) >= next_place(lanes, last))
            break;
        heap[at] = heap[child];
    }
    if (count)
        heap[at] = last;
    return first;
}

/* Puts each lane at its next place, at a step that waits, or at its end. */
static void rewind_all(hd_packed_lanes *lanes) {
    hd_vec_clear(&lanes->waiting);
    lanes->current = NONE;
    lanes->released = 0;
    lanes->damaged = false;
    lanes->segment_count = 0;
    free(lanes->segments);
    lanes->segments = HD_NEW_ARRAY(uint32_t, lanes->lanes.length + 1);
    for (uint32_t i = 0; i < lanes->lanes.length; i++) {
        lane *it = &lanes->lanes.data[i];
        if (!it->chunks.length)
            continue;
        hd_packed_unpack_free(it->unpack);
        it->unpack = hd_packed_unpack_create();
        hd_packed_unpack_chunk(it->unpack, "", 0, 0);
        it->next_chunk = 0;
        it->index = 0;
        it->place = it->drawn = 0;
        pull(lanes, it);
        while (it->has_head && it->head.op != HEDDLE_WIRE_ORDER) { /* a lane begins with a place */
            lanes->damaged = true;
            pull(lanes, it);
        }
        if (it->has_head)
            wait_for_place(lanes, i);
    }
}

/* The current lane cannot go on before others have. */
static bool must_wait(hd_packed_lanes *lanes) {
    lane *it = &lanes->lanes.data[lanes->current];
    if (!it->has_head)
        return true;
    if (it->head.op == HEDDLE_WIRE_ORDER) {
        wait_for_place(lanes, lanes->current);
        return true;
    }
    return it->step < it->steps && it->index == lanes->guess.steps.data[it->step].index;
}

/* The next step of the order, if no place comes before it. */
static bool release_step(hd_packed_lanes *lanes) {
    if (lanes->released == lanes->guess.steps.length || !lanes->order)
        return false;
    const hd_packed_guess_step *step = &lanes->guess.steps.data[lanes->order[lanes->released]];
    if (lanes->waiting.length && next_place(lanes, lanes->waiting.data[0]) <= step->start)
        return false;
    lanes->released++;
    lanes->current = step->lane;
    lanes->lanes.data[step->lane].step++;
    return true;
}

/* Chooses a lane that can go on as the current one; false if none can. */
static bool choose_lane(hd_packed_lanes *lanes) {
    if (release_step(lanes))
        return true;
    if (!lanes->waiting.length)
        return false;
    lanes->current = take_first_place(lanes);
    lane *it = &lanes->lanes.data[lanes->current];
    it->place = it->head.value;
    for (size_t i = 0; i < it->open.length; i++)
        lanes->guess.steps.data[it->open.data[i]].end = it->place;
    hd_vec_clear(&it->open);
    lanes->segments[lanes->current] = ++lanes->segment_count;
    pull(lanes, it);
    return true;
}

bool hd_packed_lanes_next(hd_packed_lanes *lanes, hd_packed_record *record) {
    bool released = false;
    if (lanes->cut)
        return false;
    while (lanes->current == NONE || (!released && must_wait(lanes))) {
        size_t before = lanes->released;
        lanes->current = NONE;
        if (!choose_lane(lanes))
            return false;
        released = lanes->released > before;
    }
    lane *it = &lanes->lanes.data[lanes->current];
    *record = it->head;
    if (released) {
        const hd_packed_guess_step *step =
            &lanes->guess.steps.data[lanes->order[lanes->released - 1]];
        assert(it->index == step->index);
        record->guessed = step->guessed;
        record->unexplained = step->unexplained;
    }
    record->lane = lanes->current;
    pull(lanes, it);
    /* The thread was killed, or still ran at the end: its last write was not seen by any other. */
    if (!it->has_head && record->op == HEDDLE_WRITE + 1)
        record->has_value = false;
    return true;
}

bool hd_packed_lanes_guessed(const hd_packed_lanes *lanes, uint32_t granule) {
    return granule < lanes->wanted.length && hd_bits_has(&lanes->wanted, granule);
}

bool hd_packed_lanes_damaged(const hd_packed_lanes *lanes) {
    return lanes->damaged;
}

/* The traits of each kind of event, from event.def. */
static const uint32_t traits[] = {
#define HEDDLE_KIND(ID, op, CLASS, traits, text) [HEDDLE_##ID] = (traits),
#include "heddle/event.def"
};

/* --- which granules ------------------------------------------------------------------------- */

static bool is_access(const hd_packed_record *record, bool *write, bool *atomic) {
    unsigned kind = record->op - 1U;
    *atomic = false;
    *write =
        record->op == HEDDLE_WIRE_WRITE_RANGE || (record->op == HEDDLE_WIRE_FREE && record->size);
    if (*write || record->op == HEDDLE_WIRE_READ_RANGE)
        return true;
    if (kind >= HEDDLE_KIND_COUNT || !(traits[kind] & HEDDLE_T_ACCESS))
        return false;
    *write = (traits[kind] & HEDDLE_T_WRITES) != 0;
    *atomic = (traits[kind] & HEDDLE_T_ATOMIC) != 0;
    return true;
}

/* Is the visitor another lane that has not reached its next place? */
static bool is_beside(const hd_packed_lanes *lanes, visitor it, uint32_t self) {
    return it.place && it.lane != self && lanes->segments[it.lane] == it.place;
}

static bool is_past(const hd_packed_lanes *lanes, visitor it) {
    return !it.place || lanes->segments[it.lane] != it.place;
}

static void note_reader(const hd_packed_lanes *lanes, shade *it, visitor self) {
    for (int i = 0; i < 2; i++)
        if (it->readers[i].place && it->readers[i].lane == self.lane) {
            it->readers[i] = self;
            return;
        }
    for (int i = 0; i < 2; i++)
        if (is_past(lanes, it->readers[i])) {
            it->readers[i] = self;
            return;
        }
    it->many = true;
}

/* True if it may overlap a conflicting access. */
static bool visit(const hd_packed_lanes *lanes, shade *it, uint32_t self, bool write, bool atomic) {
    visitor now = {self, lanes->segments[self]};
    bool beside = is_beside(lanes, it->writer, self);
    if (write) {
        beside |= it->many || is_beside(lanes, it->readers[0], self) ||
                  is_beside(lanes, it->readers[1], self);
        it->many = false;
    }
    if (atomic) /* it has its place: later ones come after it */
        return beside;
    if (write)
        it->writer = now;
    else
        note_reader(lanes, it, now);
    return beside;
}

/* False if there is no such granule. */
static bool granule_at(const hd_packed_lanes *lanes, uint64_t *from, uint64_t end,
                       uint32_t *granule, uint64_t *size) {
    *granule = hd_packed_granule(lanes->granules, *from);
    uint64_t to = hd_packed_granule_next(lanes->granules, *from);
    *size = to - *from;
    *from = to;
    return *granule < lanes->wanted.length && to <= end;
}

static bool find_granules(hd_packed_lanes *lanes) {
    uint32_t count = hd_packed_granules_count(lanes->granules);
    shade *shades = HD_NEW_ARRAY(shade, (size_t)count + 1);
    hd_packed_record record;
    bool write, atomic, found = false;
    hd_bits_init(&lanes->wanted, count);
    rewind_all(lanes);
    while (hd_packed_lanes_next(lanes, &record)) {
        uint64_t from = record.address, end = from + record.size, size;
        uint32_t granule;
        if (!is_access(&record, &write, &atomic))
            continue;
        while (from < end && granule_at(lanes, &from, end, &granule, &size))
            if (visit(lanes, &shades[granule], record.lane, write, atomic)) {
                hd_bits_set(&lanes->wanted, granule);
                found = true;
            }
    }
    free(shades);
    return found;
}

/* --- their accesses ------------------------------------------------------------------------- */

static uint32_t variable_of(hd_packed_lanes *lanes, uint32_t granule) {
    bool added;
    uint32_t *variable = hd_map_at(&lanes->variable, granule, &added);
    if (added)
        *variable = lanes->guess.variables++;
    return *variable;
}

/* A record that touches wanted granules, as a step of its lane. */
static void add_step(hd_packed_lanes *lanes, const hd_packed_record *record, bool write,
                     bool atomic) {
    uint64_t from = record->address, end = from + record->size, size;
    uint32_t granule, first = (uint32_t)lanes->guess.parts.length;
    while (from < end && granule_at(lanes, &from, end, &granule, &size)) {
        if (!hd_bits_has(&lanes->wanted, granule))
            continue;
        hd_packed_guess_part part = {.variable = variable_of(lanes, granule), .write = write};
        part.known =
            hd_packed_record_part(record, from - size - record->address, size, &part.value);
        hd_vec_push(&lanes->guess.parts, part);
    }
    if (lanes->guess.parts.length == first)
        return;
    lane *it = &lanes->lanes.data[record->lane];
    if (!atomic)
        hd_vec_push(&it->open, (uint32_t)lanes->guess.steps.length);
    hd_vec_push(&lanes->guess.steps,
                (hd_packed_guess_step){.start = it->place,
                                       .end = atomic ? it->place : UINT64_MAX,
                                       .index = it->index - 1,
                                       .lane = record->lane,
                                       .part = first,
                                       .parts = (uint32_t)lanes->guess.parts.length - first});
}

static void find_steps(hd_packed_lanes *lanes) {
    hd_packed_record record;
    bool write, atomic;
    rewind_all(lanes);
    while (hd_packed_lanes_next(lanes, &record))
        if (is_access(&record, &write, &atomic))
            add_step(lanes, &record, write, atomic);
}

/* Keeps those of the wanted granules that are guessed. */
static void keep_granules(hd_packed_lanes *lanes, const hd_bits *kept) {
    for (size_t i = hd_bits_next(&lanes->wanted, 0); i < lanes->wanted.length;
         i = hd_bits_next(&lanes->wanted, i + 1))
        if (!hd_bits_has(kept, variable_of(lanes, (uint32_t)i)))
            hd_bits_unset(&lanes->wanted, i);
}

static void guess_order(hd_packed_lanes *lanes) {
    hd_packed_guess *guess = &lanes->guess;
    hd_bits kept;
    guess->lanes = (uint32_t)lanes->lanes.length;
    find_steps(lanes);
    hd_bits_init(&kept, guess->variables);
    hd_packed_guess_mark(guess, &kept);
    keep_granules(lanes, &kept);
    hd_bits_release(&kept);
    lanes->order = HD_NEW_ARRAY(uint32_t, guess->steps.length + 1);
    lanes->cut |= !hd_packed_guess_order(guess, SEARCH_LIMIT, lanes->over, lanes->order);
    for (size_t i = 0; i < guess->steps.length; i++) {
        lane *it = &lanes->lanes.data[guess->steps.data[i].lane];
        if (it->steps <= it->step)
            it->step = i;
        it->steps = i + 1;
    }
}

bool hd_packed_lanes_order(hd_packed_lanes *lanes, hd_packed_granules *granules,
                           bool (*over)(void)) {
    forget_guess(lanes);
    for (size_t i = 0; i < lanes->lanes.length; i++)
        lanes->lanes.data[i].step = lanes->lanes.data[i].steps = 0;
    lanes->granules = granules;
    lanes->over = over;
    lanes->looks = 0;
    lanes->cut = false;
    if (granules && lanes->lanes.length > 1 && find_granules(lanes) && !lanes->cut)
        guess_order(lanes);
    lanes->over = NULL;
    if (!lanes->cut)
        rewind_all(lanes);
    return !lanes->cut;
}
