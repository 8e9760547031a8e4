/*
 * Whole states of a model: variables, locks, locals and where each thread is.
 */
#include "model_machine.h"

/* As an LEB128 number whose lowest bit is the sign: most take one byte. */
static void put(hd_vec_char *to, int64_t cell) {
    uint64_t value = (uint64_t)cell, left = value << 1 ^ (value >> 63 ? UINT64_MAX : 0);
    for (; left > 0x7f; left >>= 7)
        hd_vec_push(to, (char)(left | 0x80));
    hd_vec_push(to, (char)left);
}

/* A local that will be assigned before it is read counts as 0. */
bool hd_model_state(hd_machine *machine, hd_vec_char *to) {
    enum { MASKED = 64 };
    const hd_model_machine *m = hd_model_of(machine);
    size_t begin = to->length;
    uint32_t threads = machine->threads, written = m->locations + threads;
    for (uint32_t i = 0; i < written; i++)
        put(to, m->cells[i]);
    for (uint32_t t = 0; t < threads; t++) {
        const hd_model_instance *instance = &m->program->instances[t];
        const hd_model_turn *at = &m->program->turns.data[m->cells[m->locations + t]];
        if (instance->frame != written) { /* the frames do not follow each other */
            to->length = begin;
            return false;
        }
        for (uint32_t i = 0; i < instance->thread->frame; i++)
            put(to, at->live_known && i < MASKED && !(at->live >> i & 1)
                        ? 0
                        : m->cells[instance->frame + i]);
        written += instance->thread->frame;
    }
    while (written < m->states)
        put(to, m->cells[written++]);
    return true;
}

/* Whatever was found by looking is not so any more. */
void hd_model_place(hd_model_machine *m, const int64_t *cells) {
    memcpy(m->cells, cells, m->states * sizeof *cells);
    hd_vec_clear(&m->log);
    hd_vec_clear(&m->steps);
    hd_vec_clear(&m->before);
    m->clock++;
    for (uint32_t i = 0; i < m->locations; i++)
        m->stamps[i] = m->clock;
    for (uint32_t t = 0; t < m->machine.threads; t++) {
        m->moved[t] = m->clock;
        m->last[t] = 0;
    }
    m->failure.kind = HD_MODEL_NO_FAILURE;
    m->placed = true;
}

void hd_model_go_to(hd_machine *machine, const char *state, size_t length) {
    hd_model_machine *m = hd_model_of(machine);
    hd_vec_resize(&m->locals, m->states);
    for (size_t i = 0, at = 0; i < m->states; i++) {
        uint64_t value = 0;
        unsigned shift = 0;
        for (bool more = true; more && at < length; shift += 7) {
            more = state[at] & 0x80;
            value |= (uint64_t)(state[at++] & 0x7f) << shift;
        }
        m->locals.data[i] = (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
    }
    hd_model_place(m, m->locals.data);
}

void hd_model_tell_states(hd_machine *machine, bool tell) {
    hd_model_of(machine)->every_round = tell;
    hd_model_restart(machine);
}
