/*
 * Memory of the program that streams have: the buffer of setvbuf and its kin, the array of
 * fmemopen, and where open_memstream stores its text and the length of it.  Whatever is done with
 * such a stream may read or write that, so it is an object that the call uses (rt_objects.c), and
 * if the program accesses it, too, both are steps.
 *
 * Most such streams are made before there are threads.  Buffers are found in the FILE; the others
 * are noted here.
 */
#include <stdio.h>

#include "rt_explore.h"
#include "rt_foreign.h"
#include "rt_real.h"
#include "rt_string.h"

enum { MOST = 64 };

/* As the run goes on. */
static struct kept {
    const FILE *stream; /* NULL: free */
    uintptr_t memory, length;
    size_t size;
    bool reads; /* it is not written to */
} kept[MOST];
static uint32_t kept_count; /* places that were ever used */

static struct kept *find(const FILE *stream) {
    for (uint32_t i = 0; i < kept_count; i++)
        if (kept[i].stream == stream)
            return &kept[i];
    return NULL;
}

static void note(struct kept it) {
    struct kept *place = find(NULL);
    if (!it.stream || !hd_rt.exploring)
        return;
    if (!place && kept_count == MOST) {
        hd_rt_explore->hidden |= HEDDLE_WIRE_HIDES_KEPT;
        return;
    }
    *(place ? place : &kept[kept_count++]) = it;
}

/* Which is used at a step, if it is one; true if so. */
static bool use(uintptr_t memory, size_t size, bool reads, uintptr_t code) {
    if (!memory || !size || !hd_rt_explore_object(memory, size))
        return false;
    hd_rt_point(reads ? HEDDLE_OP_ATOMIC_READ : HEDDLE_OP_ATOMIC_WRITE, (const void *)memory,
                (uint32_t)size, code);
    return true;
}

static bool has_buffer(const FILE *stream) {
    enum { USERS = 1 }; /* it is not the library's own */
    uintptr_t low = (uintptr_t)stream->_IO_buf_base, high = (uintptr_t)stream->_IO_buf_end;
    return stream->_flags & USERS && low - (uintptr_t)stream >= sizeof *stream && high > low;
}

static bool use_buffer(const FILE *stream, uintptr_t code) {
    uintptr_t low = (uintptr_t)stream->_IO_buf_base, high = (uintptr_t)stream->_IO_buf_end;
    if (!has_buffer(stream))
        return false;
    hd_rt_explore_unseen();
    return use(low, high - low, false, code);
}

bool hd_rt_kept(const FILE *stream) {
    return find(stream) || has_buffer(stream);
}

bool hd_rt_kept_use(const FILE *stream, uintptr_t code) {
    const struct kept *it = find(stream);
    if (!it)
        return use_buffer(stream, code);
    hd_rt_explore_unseen(); /* the program may look there when it is alone */
    bool step = use(it->memory, it->size, it->reads, code);
    if (it->length) { /* of open_memstream, what it has so far */
        step |= use(it->length, sizeof(size_t), false, code);
        step |= use((uintptr_t)stream->_IO_buf_base,
                    (size_t)(stream->_IO_buf_end - stream->_IO_buf_base), false, code);
    }
    return step;
}

void hd_rt_kept_close(const FILE *stream) {
    struct kept *it = find(stream);
    if (stream && it)
        it->stream = NULL;
}

/* What the call itself does there is done by the caller. */
static void access_now(unsigned kind, const void *memory, size_t size, uintptr_t code) {
    if (hd_rt.exploring && hd_rt_explored.births && hd_rt_controlled() && !hd_rt.ended && memory)
        hd_rt_explore_access(kind, memory, size, code);
}

HD_RT_EXPORT FILE *open_memstream(char **text, size_t *length) {
    access_now(HEDDLE_OP_WRITE, text, sizeof *text, HD_RT_CODE());
    access_now(HEDDLE_OP_WRITE, length, sizeof *length, HD_RT_CODE());
    FILE *stream = hd_rt_real.open_memstream(text, length);
    note((struct kept){stream, (uintptr_t)text, (uintptr_t)length, sizeof *text, false});
    return stream;
}

HD_RT_EXPORT FILE *fmemopen(void *memory, size_t size, const char *mode) {
    bool plus = false;
    for (size_t i = 0; mode && mode[i]; i++)
        plus |= mode[i] == '+';
    bool reads = mode && *mode == 'r' && !plus;
    access_now(reads ? HEDDLE_OP_READ : HEDDLE_OP_WRITE, memory, size, HD_RT_CODE());
    FILE *stream = hd_rt_real.fmemopen(memory, size, mode);
    note((struct kept){stream, (uintptr_t)memory, 0, size, reads});
    return stream;
}
