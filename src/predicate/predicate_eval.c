/*
 * The stack machine.
 */
#include "predicate_facts.h"

enum { DEEPEST = 1024 };

static int64_t over_all(const hd_predicate_facts *facts, const hd_predicate_op *op,
                        const uint32_t *state) {
    uint32_t places = (uint32_t)facts->places.length;
    int64_t value = op->kind == HD_PREDICATE_ALL;
    for (uint32_t p = 0; p < places; p++) {
        int64_t x = hd_predicate_at(facts, op->local, p, state[p]);
        switch (op->kind) {
        case HD_PREDICATE_ANY:
            value |= x;
            break;
        case HD_PREDICATE_ALL:
            value &= x;
            break;
        case HD_PREDICATE_LEAST:
            value = p && value < x ? value : x;
            break;
        case HD_PREDICATE_MOST:
            value = p && value > x ? value : x;
            break;
        default:
            value = hd_predicate_apply(HD_PREDICATE_ADD, value, x);
        }
        /* Truths are 0 or 1, so that bits will do for them. */
        assert((op->kind != HD_PREDICATE_ANY && op->kind != HD_PREDICATE_ALL) || value >> 1 == 0);
    }
    return value;
}

/* Do two threads agree in all keys? */
static bool same_keys(const hd_predicate_facts *facts, uint32_t key, uint32_t p, uint32_t q,
                      const uint32_t *state) {
    const hd_predicate *predicate = facts->predicate;
    for (; key != HD_PREDICATE_NONE; key = predicate->tree.nodes.data[key].b) {
        uint32_t local = predicate->local_of[predicate->tree.nodes.data[key].a];
        if (hd_predicate_at(facts, local, p, state[p]) !=
            hd_predicate_at(facts, local, q, state[q]))
            return false;
    }
    return true;
}

/* The most threads for which it is true that agree in the keys. */
static int64_t count_by(const hd_predicate_facts *facts, const hd_predicate_op *op,
                        const uint32_t *state) {
    uint32_t places = (uint32_t)facts->places.length;
    int64_t most = 0;
    for (uint32_t p = 0; p < places; p++) {
        if (!hd_predicate_at(facts, op->local, p, state[p]))
            continue;
        int64_t count = 1;
        for (uint32_t q = p + 1; q < places; q++)
            count += hd_predicate_at(facts, op->local, q, state[q]) &&
                     same_keys(facts, op->other, p, q, state);
        most = count > most ? count : most;
    }
    assert(most <= (int64_t)places);
    return most;
}

static int64_t latest(const hd_predicate_facts *facts, const hd_predicate_op *op,
                      const uint32_t *state) {
    int64_t stamp = 0, value = 0;
    for (uint32_t p = 0; p < facts->places.length; p++) {
        int64_t s = hd_predicate_at(facts, op->local, p, state[p]);
        assert(!s || s != stamp); /* an event is of one thread */
        if (s > stamp) {
            stamp = s;
            value = hd_predicate_at(facts, op->other, p, state[p]);
        }
    }
    return value;
}

/* One thread is at a, another at b. */
static bool mutex(const hd_predicate_facts *facts, const hd_predicate_op *op,
                  const uint32_t *state) {
    uint32_t a = 0, b = 0, both = 0;
    for (uint32_t p = 0; p < facts->places.length; p++) {
        bool in_a = hd_predicate_at(facts, op->local, p, state[p]);
        bool in_b = hd_predicate_at(facts, op->other, p, state[p]);
        a += in_a;
        b += in_b;
        both += in_a && in_b;
    }
    return a && b && (both == 0 || a > 1 || b > 1);
}

static int64_t value_of(const hd_predicate_facts *facts, const hd_predicate_op *op,
                        const uint32_t *state) {
    switch (op->kind) {
    case HD_PREDICATE_NUMBER:
        return op->number;
    case HD_PREDICATE_VALUE: {
        uint32_t place = facts->place_of[op->other];
        return place == HD_PREDICATE_NONE ? facts->initial[op->local]
                                          : hd_predicate_at(facts, op->local, place, state[place]);
    }
    case HD_PREDICATE_LATEST:
        return latest(facts, op, state);
    case HD_PREDICATE_MUTEX:
        return mutex(facts, op, state);
    case HD_PREDICATE_RACE:
        return facts->judge.race(facts->judge.context, state, op->number);
    case HD_PREDICATE_DEADLOCK:
        return facts->judge.deadlock(facts->judge.context, state);
    case HD_PREDICATE_PLUGIN:
        return facts->judge.plugin(facts->judge.plugin_context, state);
    case HD_PREDICATE_COUNT:
        if (op->other != HD_PREDICATE_NONE)
            return count_by(facts, op, state);
        return over_all(facts, op, state);
    default:
        return over_all(facts, op, state);
    }
}

bool hd_predicate_holds(const hd_predicate_facts *facts, const uint32_t *state) {
    const hd_predicate *predicate = facts->predicate;
    int64_t stack[DEEPEST];
    stack[0] = 0;
    size_t top = 0, length = predicate->code.length;
    assert(predicate->depth < DEEPEST);
    for (size_t i = 0; i < length;) {
        const hd_predicate_op *op = &predicate->code.data[i++];
        assert(top <= predicate->depth);
        if (op->kind == HD_PREDICATE_AND || op->kind == HD_PREDICATE_OR) {
            assert(top && op->other >= i);
            // NOLINTNEXTLINE(clang-analyzer-core.*): code takes no more than it has put there
            if (!stack[top - 1] == (op->kind == HD_PREDICATE_AND))
                i = op->other;
            else
                top--;
        } else if (op->kind == HD_PREDICATE_MINUS || op->kind == HD_PREDICATE_NOT) {
            // NOLINTNEXTLINE(clang-analyzer-core.*): as above
            stack[top - 1] = hd_predicate_apply(op->kind, stack[top - 1], 0);
        } else if (op->kind > HD_PREDICATE_NOT && op->kind < HD_PREDICATE_AND) {
            assert(top >= 2);
            top--;
            // NOLINTNEXTLINE(clang-analyzer-core.*): as above
            stack[top - 1] = hd_predicate_apply(op->kind, stack[top - 1], stack[top]);
        } else {
            stack[top++] = value_of(facts, op, state);
        }
    }
    assert(top == 1);
    return stack[0] != 0;
}
