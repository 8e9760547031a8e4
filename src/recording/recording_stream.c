#include "recording_stream.h"

#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct lane {
    hd_packed_unpack *unpack;
    HD_VEC(uint64_t) chunks; /* not read to their end yet; only the first can be open */
    bool open, whole;   /* what the unpacker was told about that chunk: whether it is complete, */
    uint64_t size, run; /* and how much there is */
    hd_packed_record head; /* the next record */
    bool has_head;
} lane;

struct hd_recording_stream {
    const hd_launch_run *run;
    void (*done)(void *context, uint64_t chunk);
    void *context;
    bool over, damaged;
    uint64_t chunks; /* that are known */
    HD_VEC(lane) lanes;
    uint32_t current; /* lane that is read, or NONE */
    uint64_t place;   /* the last place that was taken */
    uint64_t exact;   /* records of the current lane that must come before any other's */
};

hd_recording_stream *hd_recording_stream_create(const hd_launch_run *run,
                                                void (*done)(void *context, uint64_t chunk),
                                                void *context) {
    hd_recording_stream *flow = HD_NEW(hd_recording_stream);
    *flow = (hd_recording_stream){.run = run, .done = done, .context = context, .current = NONE};
    return flow;
}

void hd_recording_stream_free(hd_recording_stream *flow) {
    if (!flow)
        return;
    for (size_t i = 0; i < flow->lanes.length; i++) {
        hd_packed_unpack_free(flow->lanes.data[i].unpack);
        hd_vec_release(&flow->lanes.data[i].chunks);
    }
    hd_vec_release(&flow->lanes);
    free(flow);
}

void hd_recording_stream_end(hd_recording_stream *flow) {
    flow->over = true;
    flow->done = NULL; /* chunks stay: the last record may point into one */
}

bool hd_recording_stream_damaged(const hd_recording_stream *flow) {
    return flow->damaged;
}

uint32_t hd_recording_stream_lanes(const hd_recording_stream *flow) {
    return (uint32_t)flow->lanes.length;
}

/* --- lanes ---------------------------------------------------------------------------------- */

/* Gives chunks that were begun to their lanes. */
static void find_chunks(hd_recording_stream *flow) {
    heddle_wire *wire = flow->run->wire;
    uint64_t most = (flow->run->size - HEDDLE_WIRE_DATA) / HEDDLE_WIRE_CHUNK;
    uint64_t count = __atomic_load_n(&wire->chunks, __ATOMIC_ACQUIRE);
    count = count < most ? count : most;
    /* Not those that may not be taken yet: looking would allocate a page. */
    uint32_t allowed = __atomic_load_n(&wire->allowed, __ATOMIC_ACQUIRE);
    for (; flow->chunks < count && flow->chunks < allowed; flow->chunks++) {
        heddle_wire_chunk *chunk = heddle_wire_chunk_at(wire, flow->chunks);
        uint64_t number = __atomic_load_n(&chunk->lane, __ATOMIC_ACQUIRE);
        if (!number && !flow->over)
            return;
        if (number > HEDDLE_WIRE_THREADS)
            flow->damaged = true;
        if (!number || flow->damaged)
            continue;
        while (flow->lanes.length < number)
            hd_vec_push(&flow->lanes, (lane){0});
        lane *it = &flow->lanes.data[number - 1];
        if (!it->unpack) {
            it->unpack = hd_packed_unpack_create();
            hd_packed_unpack_chunk(it->unpack, "", 0, 0);
        }
        hd_vec_push(&it->chunks, flow->chunks);
    }
}

static void drop_first(lane *it) {
    it->chunks.length--;
    memmove(it->chunks.data, it->chunks.data + 1, it->chunks.length * sizeof *it->chunks.data);
    it->open = it->whole = false;
}

/* At the end of what the lane has: is there more by now? */
static bool grow_lane(hd_recording_stream *flow, lane *it) {
    if (it->open && it->whole) {
        if (flow->done)
            flow->done(flow->context, it->chunks.data[0]);
        drop_first(it);
    }
    if (!it->chunks.length)
        return false;
    /* Looked at first: once there is another chunk, the tail of this one no longer changes. */
    bool whole = it->chunks.length > 1 || flow->over;
    const heddle_wire_chunk *chunk = heddle_wire_chunk_at(flow->run->wire, it->chunks.data[0]);
    uint64_t tail = __atomic_load_n(&chunk->tail, __ATOMIC_ACQUIRE);
    uint64_t size = HEDDLE_WIRE_TAIL_BYTES(tail), run = HEDDLE_WIRE_TAIL_RUN(tail);
    if (size > HEDDLE_WIRE_CHUNK - sizeof *chunk)
        size = HEDDLE_WIRE_CHUNK - sizeof *chunk;
    if (!it->open) {
        hd_packed_unpack_open(it->unpack, chunk->bytes);
        it->open = true;
        it->size = it->run = 0;
    }
    it->whole = whole;
    if (!whole && size == it->size && run == it->run)
        return false;
    it->size = size;
    it->run = run;
    hd_packed_unpack_grown(it->unpack, size, run, whole);
    return true;
}

static bool is_thread(const hd_recording_stream *flow, uint32_t thread) {
    uint32_t threads = __atomic_load_n(&flow->run->wire->threads, __ATOMIC_ACQUIRE);
    return thread < threads && thread < HEDDLE_WIRE_THREADS;
}

/* The lane's next record into its head, if it has come. */
static bool pull(hd_recording_stream *flow, lane *it) {
    while (!it->has_head && !flow->damaged && it->unpack) {
        int more = hd_packed_unpack_next(it->unpack, &it->head);
        if (more < 0 || (more > 0 && !is_thread(flow, it->head.thread)))
            flow->damaged = true;
        else if (more > 0)
            it->has_head = it->head.op != HEDDLE_WIRE_SWITCH;
        else if (!grow_lane(flow, it))
            return false;
    }
    return it->has_head && !flow->damaged;
}

/* --- one stream ----------------------------------------------------------------------------- */

/* The lane whose place is next; when nothing more comes, the lowest place there is. */
static uint32_t next_place(hd_recording_stream *flow) {
    uint64_t best = UINT64_MAX;
    uint32_t found = NONE;
    for (uint32_t i = 0; i < flow->lanes.length; i++) {
        lane *it = &flow->lanes.data[i];
        if (!pull(flow, it) || it->head.op != HEDDLE_WIRE_ORDER || it->head.value >= best)
            continue;
        best = it->head.value;
        found = i;
    }
    return best == flow->place + 1 || flow->over ? found : NONE;
}

/* A lane whose next record is not a place. */
static uint32_t any_plain(hd_recording_stream *flow) {
    for (uint32_t i = 0; i < flow->lanes.length; i++)
        if (pull(flow, &flow->lanes.data[i]) && flow->lanes.data[i].head.op != HEDDLE_WIRE_ORDER)
            return i;
    return NONE;
}

/* Chooses a lane that has a record; false if none has. */
static bool choose_lane(hd_recording_stream *flow) {
    find_chunks(flow);
    flow->current = any_plain(flow);
    while (flow->current == NONE && !flow->damaged) {
        uint32_t next = next_place(flow);
        if (next == NONE)
            return false;
        lane *it = &flow->lanes.data[next];
        flow->place = it->head.value;
        flow->exact = it->head.address;
        it->has_head = false;
        flow->current = pull(flow, it) && it->head.op != HEDDLE_WIRE_ORDER ? next : NONE;
        if (flow->exact && flow->current == NONE && !flow->over) {
            flow->current = next; /* its record is still to come */
            return false;
        }
    }
    return flow->current != NONE;
}

bool hd_recording_stream_next(hd_recording_stream *flow, hd_packed_record *record) {
    for (;;) {
        lane *it = flow->current == NONE ? NULL : &flow->lanes.data[flow->current];
        if (it && pull(flow, it) && it->head.op != HEDDLE_WIRE_ORDER)
            break;
        if (flow->damaged || (it && flow->exact && !flow->over))
            return false; /* not before records with an exact place */
        flow->exact = 0;
        if (!choose_lane(flow))
            return false;
    }
    lane *it = &flow->lanes.data[flow->current];
    *record = it->head;
    it->has_head = false;
    flow->exact -= flow->exact > 0;
    return true;
}
