/*
 * What the last thread reads once it is alone again is no step (heddle_wire_look), so reads-from
 * does not tell which write it finds; nor does it tell what threads find that it makes after it
 * wrote there.  That is decided by the rest if at most one thread writes the word otherwise than by
 * updates, which read what was there.  Else the search begins anew, and what that thread does with
 * shared words is steps from then on (HEDDLE_WIRE_ENDS_ALONE).  If it still looks at such a word
 * without one, on the way out for example, the search by reads-from does not support the program.
 */
#include "native_reads.h"

enum { WORD = 8, MANY = UINT16_MAX };

/* Blind writes of the run, by word: the thread + 1 that does them, or MANY. */
static void note_writer(hd_native_program *m, const heddle_wire_operation *about, uint32_t thread) {
    if (about->kind != HEDDLE_WRITE + 1 && about->kind != HEDDLE_ATOMIC_WRITE + 1)
        return;
    uint64_t last = (about->address + (about->size ? about->size - 1U : 0)) / WORD;
    for (uint64_t word = about->address / WORD; word <= last; word++) {
        bool added;
        uint32_t *writer = hd_map_at(&m->writers, word, &added);
        *writer = added || *writer == thread + 1 ? thread + 1 : MANY;
    }
}

static void note_writers(hd_native_program *m, const hd_launch_log *log) {
    uint32_t next[HEDDLE_WIRE_EXPLORED] = {0}; /* of each thread, from 1 */
    uint32_t entered = 0;
    for (size_t i = 0; i < log->steps.length; i++) {
        uint32_t thread = log->steps.data[i].thread;
        if (thread < HEDDLE_WIRE_EXPLORED && next[thread])
            note_writer(m, &log->nexts.data[next[thread] - 1].operation, thread);
        for (; entered < log->steps.data[i].nexts && entered < log->nexts.length; entered++)
            if (!log->nexts.data[entered].inner &&
                log->nexts.data[entered].thread < HEDDLE_WIRE_EXPLORED)
                next[log->nexts.data[entered].thread] = entered + 1;
    }
}

static void look_at(hd_native_program *m, uint64_t word) {
    bool added;
    hd_map_at(&m->looked, word, &added);
    if (added)
        hd_vec_push(&m->looks, word);
}

/* Is a word looked at that several threads write? */
static bool is_odd(const hd_native_program *m) {
    bool odd = false;
    for (size_t i = 0; i < m->looks.length && !odd; i++) {
        const uint32_t *writer = hd_map_find(&m->writers, m->looks.data[i]);
        odd = writer && *writer == MANY;
    }
    return odd;
}

/* Looks until now were of a search in which there were no such steps. */
void hd_native_reads_alone_renew(hd_native_program *m) {
    hd_map_clear(&m->looked);
    hd_vec_clear(&m->looks);
}

static const char unsupported[] = "a plain read of the last thread, of what several wrote";

static void want_steps(hd_native_program *m) {
    if (m->ends & HEDDLE_WIRE_ENDS_ALONE)
        m->unread = unsupported;
    m->server.explore->ends |= HEDDLE_WIRE_ENDS_ALONE;
    m->changed = true;
}

void hd_native_reads_alone_learn(hd_native_program *m, const hd_native_program *copy) {
    size_t at = 0;
    uint64_t word;
    uint32_t theirs;
    for (size_t i = 0; i < copy->looks.length; i++)
        look_at(m, copy->looks.data[i]);
    while (hd_map_each(&copy->writers, &at, &word, &theirs)) {
        bool added;
        uint32_t *writer = hd_map_at(&m->writers, word, &added);
        *writer = added || *writer == theirs ? theirs : MANY;
    }
    if (m->base.reads && !m->unread && is_odd(m))
        want_steps(m);
}

/* A word that is looked at in one run may have its writers in another. */
void hd_native_reads_alone(hd_native_program *m, const hd_launch_log *log,
                           const heddle_wire_looks *looks) {
    if (!m->base.reads || m->unread)
        return;
    bool odd = looks->more;
    note_writers(m, log);
    for (uint32_t i = 0; i < looks->count && i < HEDDLE_WIRE_LOOKS_KEPT; i++)
        look_at(m, looks->look[i].word);
    if (odd || is_odd(m))
        want_steps(m);
}
