#include "native_bodies.h"

enum { MOST_RANGES = 256 }; /* of a body; with more it depends on all */

static hd_native_body *body_at(hd_native_bodies *bodies, uint64_t key, bool *added) {
    for (size_t i = 0; i < bodies->list.length; i++)
        if (bodies->list.data[i].key == key)
            return &bodies->list.data[i];
    *added = true;
    hd_vec_push(&bodies->list, (hd_native_body){.key = key});
    return hd_vec_last(&bodies->list);
}

static bool add_range(hd_native_body *body, hd_native_range range) {
    for (size_t i = 0; i < body->ranges.length; i++) {
        const hd_native_range *known = &body->ranges.data[i];
        if (known->address == range.address && known->size == range.size &&
            known->write == range.write)
            return false;
    }
    hd_vec_push(&body->ranges, range);
    return true;
}

static bool make_all(hd_native_body *body) {
    bool news = !body->all;
    body->all = true;
    return news;
}

static bool note_inner(hd_native_body *body, const heddle_wire_operation *inner) {
    bool writes = false;
    switch (inner->kind) {
    case HEDDLE_READ + 1:
    case HEDDLE_ATOMIC_READ + 1:
        break;
    case HEDDLE_WRITE + 1:
    case HEDDLE_ATOMIC_WRITE + 1:
    case HEDDLE_ATOMIC_RMW + 1:
        writes = true;
        break;
    default:
        return make_all(body);
    }
    if (body->ranges.length >= MOST_RANGES || inner->flags & HEDDLE_WIRE_FREES)
        return make_all(body);
    return add_range(body, (hd_native_range){inner->address, inner->size, writes});
}

bool hd_native_bodies_note(hd_native_bodies *bodies, uint64_t key, const heddle_wire_next *inner,
                           size_t count, bool over) {
    bool news = false;
    hd_native_body *body = body_at(bodies, key, &news);
    for (size_t i = 0; i < count && !body->all; i++)
        if (inner[i].inner)
            news |= note_inner(body, &inner[i].operation);
    if (over)
        news |= make_all(body);
    return news;
}

void hd_native_bodies_use(hd_native_bodies *bodies) {
    for (size_t i = 0; i < bodies->list.length; i++) {
        hd_native_body *body = &bodies->list.data[i];
        body->known = true;
        body->all_now = body->all;
        body->now = body->ranges.length;
    }
}

static const hd_native_body *find_body(const hd_native_bodies *bodies, uint64_t key) {
    for (size_t i = 0; i < bodies->list.length; i++)
        if (bodies->list.data[i].key == key)
            return &bodies->list.data[i];
    return NULL;
}

const hd_native_body *hd_native_bodies_find(const hd_native_bodies *bodies, uint64_t key) {
    const hd_native_body *body = find_body(bodies, key);
    return body && body->known && !body->all_now ? body : NULL;
}

bool hd_native_bodies_is_all(const hd_native_bodies *bodies, uint64_t key) {
    const hd_native_body *body = find_body(bodies, key);
    return body && body->all;
}

bool hd_native_bodies_join(hd_native_bodies *to, const hd_native_bodies *from, bool used) {
    bool news = false;
    for (size_t i = 0; i < from->list.length; i++) {
        const hd_native_body *theirs = &from->list.data[i];
        hd_native_body *ours = body_at(to, theirs->key, &news);
        if (theirs->all)
            news |= make_all(ours);
        for (size_t k = 0; k < theirs->ranges.length; k++)
            news |= add_range(ours, theirs->ranges.data[k]);
        if (used) {
            ours->known = theirs->known;
            ours->all_now = theirs->all_now;
            ours->now = theirs->now;
        }
    }
    return news;
}

void hd_native_bodies_release(hd_native_bodies *bodies) {
    for (size_t i = 0; i < bodies->list.length; i++)
        hd_vec_release(&bodies->list.data[i].ranges);
    hd_vec_release(&bodies->list);
}
