/*
 * Which steps are guessed.  A *stay* is what a lane does to a variable between two of its places;
 * overlapping stays of two lanes are beside each other.
 */
#include <stdlib.h>

#include "packed_guess.h"

typedef struct stay {
    uint64_t start, end;
    uint32_t lane;
    bool reads, writes;                /* what it does */
    bool beside_reader, beside_writer; /* what others do meanwhile */
} stay;

typedef struct marker {
    hd_packed_guess *guess;
    HD_VEC(stay) stays;
    hd_vec_u32 *present; /* of each variable: stays that may not have ended */
    uint32_t *stay_of;   /* of each part */
} marker;

/* The stay that the part belongs to; ended stays are forgotten. */
static uint32_t find_stay(marker *m, const hd_packed_guess_step *step, uint32_t variable) {
    hd_vec_u32 *present = &m->present[variable];
    uint32_t own = UINT32_MAX;
    size_t left = 0;
    for (size_t i = 0; i < present->length; i++) {
        const stay *it = &m->stays.data[present->data[i]];
        if (it->lane == step->lane && it->start == step->start && it->end == step->end)
            own = present->data[i];
        if (it->end > step->start)
            present->data[left++] = present->data[i];
    }
    present->length = left;
    if (own != UINT32_MAX)
        return own;
    hd_vec_push(&m->stays, (stay){.start = step->start, .end = step->end, .lane = step->lane});
    own = (uint32_t)m->stays.length - 1;
    if (step->end > step->start)
        hd_vec_push(present, own);
    return own;
}

static void meet_stays(marker *m, const hd_packed_guess_step *step, uint32_t place) {
    const hd_packed_guess_part *part = &m->guess->parts.data[place];
    uint32_t number = find_stay(m, step, part->variable);
    stay *own = &m->stays.data[number];
    own->reads |= !part->write;
    own->writes |= part->write;
    const hd_vec_u32 *present = &m->present[part->variable];
    for (size_t i = 0; i < present->length; i++) {
        stay *other = &m->stays.data[present->data[i]];
        if (other->lane == step->lane)
            continue;
        other->beside_reader |= !part->write;
        other->beside_writer |= part->write;
        own->beside_reader |= other->reads;
        own->beside_writer |= other->writes;
    }
    m->stay_of[place] = number;
}

static bool is_guessed(const marker *m, const hd_packed_guess_step *step, uint32_t part) {
    const stay *its = &m->stays.data[m->stay_of[part]];
    return step->end > step->start &&
           (its->beside_writer || (m->guess->parts.data[part].write && its->beside_reader));
}

static void mark(marker *m, hd_bits *kept) {
    hd_packed_guess *guess = m->guess;
    for (size_t i = 0; i < guess->steps.length; i++) {
        hd_packed_guess_step *step = &guess->steps.data[i];
        for (uint32_t part = step->part; part < step->part + step->parts; part++)
            if (is_guessed(m, step, part)) {
                step->guessed = true;
                hd_bits_set(kept, guess->parts.data[part].variable);
            }
    }
}

/* --- what is left --------------------------------------------------------------------------- */

static void renumber(hd_packed_guess *guess, const hd_bits *kept) {
    uint32_t *number = HD_NEW_ARRAY(uint32_t, guess->variables + 1), count = 0;
    for (uint32_t i = 0; i < guess->variables; i++) {
        number[i] = count;
        count += hd_bits_has(kept, i);
    }
    size_t steps = 0, parts = 0;
    for (size_t i = 0; i < guess->steps.length; i++) {
        hd_packed_guess_step step = guess->steps.data[i];
        size_t first = parts;
        for (uint32_t j = step.part; j < step.part + step.parts; j++) {
            hd_packed_guess_part part = guess->parts.data[j];
            if (!hd_bits_has(kept, part.variable))
                continue;
            part.variable = number[part.variable];
            guess->parts.data[parts++] = part;
        }
        step.part = (uint32_t)first;
        step.parts = (uint32_t)(parts - first);
        if (step.parts)
            guess->steps.data[steps++] = step;
    }
    guess->steps.length = steps;
    guess->parts.length = parts;
    guess->variables = count;
    free(number);
}

static void sort_by_lane(hd_packed_guess *guess) {
    size_t count = guess->steps.length;
    hd_packed_guess_step *sorted = HD_NEW_ARRAY(hd_packed_guess_step, count + 1);
    size_t *at = HD_NEW_ARRAY(size_t, (size_t)guess->lanes + 1);
    for (size_t i = 0; i < count; i++)
        at[guess->steps.data[i].lane + 1]++;
    for (uint32_t lane = 0; lane < guess->lanes; lane++)
        at[lane + 1] += at[lane];
    for (size_t i = 0; i < count; i++)
        sorted[at[guess->steps.data[i].lane]++] = guess->steps.data[i];
    for (size_t i = 0; i < count; i++)
        guess->steps.data[i] = sorted[i];
    free(sorted);
    free(at);
}

void hd_packed_guess_mark(hd_packed_guess *guess, hd_bits *kept) {
    marker m = {.guess = guess};
    m.present = HD_NEW_ARRAY(hd_vec_u32, guess->variables + 1);
    m.stay_of = HD_NEW_ARRAY(uint32_t, guess->parts.length + 1);
    for (size_t i = 0; i < guess->steps.length; i++) {
        const hd_packed_guess_step *step = &guess->steps.data[i];
        for (uint32_t j = 0; j < step->parts; j++)
            meet_stays(&m, step, step->part + j);
    }
    mark(&m, kept);
    for (uint32_t i = 0; i < guess->variables; i++)
        hd_vec_release(&m.present[i]);
    free(m.present);
    hd_vec_release(&m.stays);
    free(m.stay_of);
    renumber(guess, kept);
    sort_by_lane(guess);
}
