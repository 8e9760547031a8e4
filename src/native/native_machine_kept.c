/*
 * What was learnt of a program as bytes, for a search that another process goes on with: what a
 * copy of the machine is told.  Words (native_machine_shared.c) say most of it; the rest are
 * numbers that mean something to the same build on the same kind of machine only.
 */
#include <stdlib.h>

#include "native_program.h"

/* ---- Writing ---- */

static void put_words(const hd_machine *machine, hd_vec_char *to) {
    hd_launch_words words = {0};
    hd_native_machine_words(machine, &words);
    hd_bytes_put(to, words.length);
    for (size_t i = 0; i < words.length; i++) {
        hd_bytes_put_string(to, words.data[i]);
        free(words.data[i]);
    }
    hd_vec_release(&words);
}

static void put_body(const hd_native_body *body, hd_vec_char *to) {
    hd_bytes_put(to, body->key);
    hd_bytes_put(to, body->all_now);
    hd_bytes_put(to, body->now);
    for (size_t i = 0; i < body->now; i++) {
        hd_bytes_put(to, body->ranges.data[i].address);
        hd_bytes_put(to, body->ranges.data[i].size);
        hd_bytes_put(to, body->ranges.data[i].write);
    }
}

static void put_awaits(const heddle_wire_awaits *awaits, hd_vec_char *to) {
    hd_bytes_put(to, awaits->asked);
    hd_bytes_put(to, awaits->lost);
    hd_bytes_put(to, awaits->count);
    for (uint32_t i = 0; i < awaits->count; i++) {
        const heddle_wire_awaited *it = &awaits->word[i];
        hd_bytes_put(to, it->address);
        hd_bytes_put(to, it->size);
        hd_bytes_put(to, it->flags);
        hd_bytes_put(to, it->thread);
        hd_bytes_put(to, it->values);
        for (uint32_t k = 0; k < it->values; k++)
            hd_bytes_put(to, it->value[k]);
    }
}

static void put_locations(const hd_native_locations *locations, hd_vec_char *to) {
    size_t known = 0;
    hd_bytes_put(to, locations->mixed);
    hd_bytes_put(to, locations->made.length);
    for (size_t i = 0; i < locations->made.length; i++) {
        hd_bytes_put(to, locations->made.data[i].word);
        hd_bytes_put(to, locations->made.data[i].bytes);
    }
    for (size_t i = 0; i < locations->bodies.list.length; i++)
        known += locations->bodies.list.data[i].known;
    hd_bytes_put(to, known);
    for (size_t i = 0; i < locations->bodies.list.length; i++)
        if (locations->bodies.list.data[i].known)
            put_body(&locations->bodies.list.data[i], to);
}

static void put_calls(const hd_native_program *m, hd_vec_char *to) {
    const heddle_wire *wire = m->server.run.wire;
    size_t count = 0;
    uint32_t callees = wire->callees < HEDDLE_WIRE_CALLEES ? wire->callees : HEDDLE_WIRE_CALLEES;
    for (uint32_t i = 0; i < callees; i++)
        count += wire->callee[i].known == HEDDLE_WIRE_CAUGHT;
    hd_bytes_put(to, count);
    for (uint32_t i = 0; i < callees; i++)
        if (wire->callee[i].known == HEDDLE_WIRE_CAUGHT) {
            hd_bytes_put(to, i);
            hd_bytes_put(to, wire->callee[i].address);
        }
    count = 0;
    for (uint32_t i = 0; i < HEDDLE_WIRE_ORDERS; i++)
        count += wire->order_object[i] != 0;
    hd_bytes_put(to, count);
    for (uint32_t i = 0; i < HEDDLE_WIRE_ORDERS; i++)
        if (wire->order_object[i]) {
            hd_bytes_put(to, i);
            hd_bytes_put(to, wire->order_object[i]);
        }
}

static int compare_words(const void *a, const void *b) {
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* Words of stacks that others write to, those that are left out of states. */
static void put_lent(const hd_native_program *m, hd_vec_char *to) {
    const heddle_wire_explore *explore = m->server.explore;
    HD_VEC(uint64_t) words = {0};
    for (uint32_t i = 0; i < HEDDLE_WIRE_LENT; i++)
        if (explore->lent_word[i] & HEDDLE_WIRE_LEFT_OUT)
            hd_vec_push(&words, explore->lent_word[i] & ~HEDDLE_WIRE_LEFT_OUT);
    if (words.length)
        qsort(words.data, words.length, sizeof *words.data, compare_words);
    hd_bytes_put(to, words.length);
    for (size_t i = 0; i < words.length; i++)
        hd_bytes_put(to, words.data[i]);
    hd_vec_release(&words);
}

/* What is known of loops, which their words tell in part. */
static void put_loops(const hd_native_program *m, hd_vec_char *to) {
    const heddle_wire_explore *explore = m->server.explore;
    hd_bytes_put(to, explore->loops);
    for (uint32_t i = 0; i < explore->loops; i++) {
        hd_bytes_put(to, explore->loop[i].code - m->server.run.wire->code);
        hd_bytes_put(to, explore->loop[i].now);
    }
}

void hd_native_machine_put(const hd_machine *machine, hd_vec_char *to) {
    const hd_native_program *m = hd_native_program_const(machine);
    const heddle_wire_explore *explore = m->server.explore;
    const heddle_wire_thread *main = &m->server.run.wire->thread[0];
    put_words(machine, to);
    hd_bytes_put(to, main->stack + main->stack_size);
    hd_bytes_put_string(to, m->server.why[0] ? m->server.why : NULL);
    hd_bytes_put(to, m->options.awaits);
    hd_bytes_put(to, m->options.predicts);
    hd_bytes_put(to, explore->unattributed);
    hd_bytes_put(to, explore->unseen);
    hd_bytes_put(to, explore->statics);
    hd_bytes_put(to, explore->stays_used);
    for (uint32_t i = 0; i < explore->stays_used; i++) {
        hd_bytes_put(to, explore->stay[i].history);
        hd_bytes_put(to, explore->stay[i].value);
        hd_bytes_put(to, explore->stay[i].from);
    }
    hd_bytes_put(to, explore->reaches.used);
    for (uint32_t i = 0; i < explore->reaches.used; i++) {
        hd_bytes_put(to, explore->reaches.reach[i].history);
        hd_bytes_put(to, explore->reaches.reach[i].value);
        hd_bytes_put(to, explore->reaches.reach[i].state);
    }
    put_awaits(&explore->awaits, to);
    put_lent(m, to);
    put_loops(m, to);
    put_locations(&m->locations, to);
    put_calls(m, to);
}

/* ---- Reading ---- */

static void get_words(hd_machine *machine, hd_bytes *from) {
    hd_launch_words known = {0};
    hd_native_machine_words(machine, &known);
    size_t count = hd_bytes_get_count(from, 1);
    for (size_t i = 0; i < count && !from->bad; i++) {
        char *word = hd_bytes_get_string(from);
        bool there = false;
        for (size_t k = 0; word && k < known.length && !there; k++)
            there = strcmp(word, known.data[k]) == 0;
        if (!word || (!there && !hd_native_machine_add_word(machine, word)))
            from->bad = true;
        free(word);
    }
    for (size_t i = 0; i < known.length; i++)
        free(known.data[i]);
    hd_vec_release(&known);
}

static void get_bodies(hd_native_bodies *bodies, hd_bytes *from) {
    enum { LEAST_BODY = 3, LEAST_RANGE = 3 };
    hd_native_bodies theirs = {0};
    size_t count = hd_bytes_get_count(from, LEAST_BODY);
    for (size_t i = 0; i < count && !from->bad; i++) {
        hd_native_body body = {.key = hd_bytes_get(from, UINT64_MAX), .known = true};
        body.all = body.all_now = hd_bytes_get(from, 1);
        body.now = hd_bytes_get_count(from, LEAST_RANGE);
        for (size_t k = 0; k < body.now; k++) {
            hd_native_range range = {.address = hd_bytes_get(from, UINT64_MAX)};
            range.size = (uint32_t)hd_bytes_get(from, UINT32_MAX);
            range.write = hd_bytes_get(from, 1);
            hd_vec_push(&body.ranges, range);
        }
        hd_vec_push(&theirs.list, body);
    }
    if (!from->bad)
        hd_native_bodies_join(bodies, &theirs, true);
    hd_native_bodies_release(&theirs);
}

/* Cuts that are there already would be made twice. */
static void get_locations(hd_native_locations *locations, hd_bytes *from) {
    locations->mixed |= hd_bytes_get(from, 1);
    size_t count = hd_bytes_get_count(from, 2), had = locations->made.length;
    for (size_t i = 0; i < count && !from->bad; i++) {
        hd_native_cut cut = {.word = hd_bytes_get(from, UINT64_MAX)};
        cut.bytes = (uint32_t)hd_bytes_get(from, UINT32_MAX);
        bool there = false;
        for (size_t k = 0; k < had && !there; k++)
            there = locations->made.data[k].word == cut.word &&
                    locations->made.data[k].bytes == cut.bytes;
        if (!there)
            hd_vec_push(&locations->wanted, cut);
    }
    get_bodies(&locations->bodies, from);
}

static void get_calls(hd_native_program *m, hd_bytes *from) {
    heddle_wire *wire = m->server.run.wire;
    size_t count = hd_bytes_get_count(from, 2);
    for (size_t i = 0; i < count && !from->bad; i++) {
        uint64_t number = hd_bytes_get(from, HEDDLE_WIRE_CALLEES - 1);
        uint64_t address = hd_bytes_get(from, UINT64_MAX);
        if (wire->callee[number].address != address)
            from->bad = true;
        else if (wire->callee[number].known != HEDDLE_WIRE_CAUGHT) {
            wire->callee[number].known = HEDDLE_WIRE_CAUGHT;
            m->server.explore->caught++;
        }
    }
    count = hd_bytes_get_count(from, 2);
    for (size_t i = 0; i < count && !from->bad; i++) {
        uint64_t number = hd_bytes_get(from, HEDDLE_WIRE_ORDERS - 1);
        wire->order_object[number] = hd_bytes_get(from, UINT64_MAX);
    }
}

static void get_stays(hd_native_program *m, hd_bytes *from) {
    enum { LEAST = 3 };
    heddle_wire_explore *explore = m->server.explore;
    size_t count = hd_bytes_get_count(from, LEAST);
    if (count > HEDDLE_WIRE_STAYS)
        from->bad = true;
    for (size_t i = 0; i < count && !from->bad; i++) {
        heddle_wire_stay *stay = &explore->stay[i];
        stay->history = hd_bytes_get(from, UINT64_MAX);
        stay->value = hd_bytes_get(from, UINT64_MAX);
        stay->from = hd_bytes_get(from, UINT64_MAX);
    }
    explore->stays = from->bad ? 0 : (uint32_t)count;
}

static void get_reaches(hd_native_program *m, hd_bytes *from) {
    enum { LEAST = 3 };
    heddle_wire_reaches *reaches = &m->server.explore->reaches;
    size_t count = hd_bytes_get_count(from, LEAST);
    if (count > HEDDLE_WIRE_REACHES)
        from->bad = true;
    memset(reaches->place, 0,
           sizeof reaches->place); /* what the first run of this process showed */
    reaches->count = 0;
    reaches->news = m->reach_news;
    for (size_t i = 0; i < count && !from->bad; i++) {
        heddle_wire_reach reach = {.history = hd_bytes_get(from, UINT64_MAX)};
        reach.value = hd_bytes_get(from, UINT64_MAX);
        reach.state = hd_bytes_get(from, UINT64_MAX);
        heddle_wire_reach_add(reaches, reach);
    }
}

static void get_awaits(heddle_wire_awaits *awaits, hd_bytes *from) {
    enum { LEAST = 5 };
    awaits->asked = (uint32_t)hd_bytes_get(from, 1);
    awaits->lost = (uint32_t)hd_bytes_get(from, 1);
    awaits->count = 0; /* what the first run of this process showed */
    size_t count = hd_bytes_get_count(from, LEAST);
    for (size_t i = 0; i < count && !from->bad; i++) {
        heddle_wire_awaited it = {.address = hd_bytes_get(from, UINT64_MAX)};
        it.size = (uint32_t)hd_bytes_get(from, sizeof(uint64_t));
        it.flags = (uint32_t)hd_bytes_get(from, UINT32_MAX);
        it.thread = (uint32_t)hd_bytes_get(from, UINT32_MAX);
        it.values = (uint32_t)hd_bytes_get(from, HEDDLE_WIRE_AWAITED_VALUES);
        for (uint32_t k = 0; k < it.values; k++)
            it.value[k] = hd_bytes_get(from, UINT64_MAX);
        heddle_wire_awaits_join(awaits, &it);
    }
}

static void get_lent(heddle_wire_explore *explore, hd_bytes *from) {
    size_t count = hd_bytes_get_count(from, 1);
    if (count > HEDDLE_WIRE_LENT / 2)
        from->bad = true;
    memset(explore->lent_word, 0, sizeof explore->lent_word);
    explore->lent = explore->lent_looked = 0;
    for (size_t i = 0; i < count && !from->bad; i++) {
        uint64_t word = hd_bytes_get(from, UINT64_MAX & ~HEDDLE_WIRE_LEFT_OUT);
        uint64_t *at = word ? &explore->lent_word[heddle_wire_lent_place(explore, word - 1)] : NULL;
        from->bad |= !word || *at;
        if (!from->bad)
            *at = word;
    }
    explore->lent = from->bad ? 0 : (uint32_t)count;
}

static void get_loops(hd_native_program *m, hd_bytes *from) {
    heddle_wire_explore *explore = m->server.explore;
    size_t count = hd_bytes_get_count(from, 2);
    for (size_t i = 0; i < count && !from->bad; i++) {
        uint64_t code = m->server.run.wire->code + hd_bytes_get(from, UINT64_MAX);
        uint32_t now = (uint32_t)hd_bytes_get(from, UINT32_MAX);
        for (uint32_t k = 0; k < explore->loops; k++)
            if (explore->loop[k].code == code)
                explore->loop[k].found = now;
    }
}

/* That the machine is the same then is compared as a whole.  A search that goes on does not start
 * over because it learns what loops wait for: that is worth it only early. */
bool hd_native_machine_get(hd_machine *machine, const hd_vec_char *bytes) {
    hd_native_program *m = hd_native_program_of(machine);
    hd_bytes source = {bytes->data, bytes->data + bytes->length, false}, *from = &source;
    get_words(machine, from);
    hd_bytes_get(from, UINT64_MAX); /* where the stack of main is: compared below */
    char *why = hd_bytes_get_string(from);
    if (why && !m->server.why[0]) {
        snprintf(m->server.why, sizeof m->server.why, "%s", why);
        m->options.by_fork = m->server.by_fork = true;
    }
    free(why);
    if (!hd_bytes_get(from, 1))
        hd_native_machine_every_round(machine);
    m->options.predicts &= hd_bytes_get(from, 1);
    m->server.explore->unattributed |= (uint32_t)hd_bytes_get(from, UINT32_MAX);
    m->server.explore->unseen |= (uint32_t)hd_bytes_get(from, UINT32_MAX);
    m->server.explore->statics |= (uint32_t)hd_bytes_get(from, UINT32_MAX);
    get_stays(m, from);
    get_reaches(m, from);
    get_awaits(&m->server.explore->awaits, from);
    get_lent(m->server.explore, from);
    get_loops(m, from);
    get_locations(&m->locations, from);
    get_calls(m, from);
    m->resumed = true;
    hd_native_machine_renew(machine);
    hd_vec_char now = {0};
    hd_native_machine_put(machine, &now);
    bool same = hd_bytes_done(from) && now.length == bytes->length &&
                memcmp(now.data, bytes->data, now.length) == 0;
    hd_vec_release(&now);
    return same;
}
