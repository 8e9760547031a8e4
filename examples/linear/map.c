/*
 * A hash map with a lock for each stripe of its buckets, twice.
 *
 *     heddle test map.c
 *
 * map: a call holds the lock of the stripe that its key is in.
 *
 * unlocked_get: get looks without the lock for the stripe, and finds a key with the value of another
 * one, while an entry is replaced.
 */
#include <heddle/linear.h>

#include <stdatomic.h>

enum { STRIPES = 2, ENTRIES = 2 };

typedef struct entry {
    _Atomic long long key, value; /* key 0: none */
} entry;

static struct stripe {
    pthread_mutex_t lock;
    entry entries[ENTRIES];
} stripes[STRIPES] = {{PTHREAD_MUTEX_INITIALIZER, {{0, 0}}}, {PTHREAD_MUTEX_INITIALIZER, {{0, 0}}}};

static struct stripe *stripe_of(long long key) {
    return &stripes[key % STRIPES];
}

/* The entry with this key; that without one if key is 0; NULL: no entry has it. */
static entry *find(struct stripe *in, long long key) {
    for (int i = 0; i < ENTRIES; i++)
        if (in->entries[i].key == key)
            return &in->entries[i];
    return NULL;
}

/* The value that it had. */
static long long put(long long key, long long value) {
    struct stripe *in = stripe_of(key);
    long long old = HEDDLE_EMPTY;
    pthread_mutex_lock(&in->lock);
    entry *it = find(in, key);
    if (it)
        old = it->value;
    else
        it = find(in, 0);
    it->value = value;
    it->key = key;
    pthread_mutex_unlock(&in->lock);
    return old;
}

static long long drop(long long key) {
    struct stripe *in = stripe_of(key);
    pthread_mutex_lock(&in->lock);
    entry *it = find(in, key);
    long long old = it ? it->value : HEDDLE_EMPTY;
    if (it)
        it->key = 0;
    pthread_mutex_unlock(&in->lock);
    return old;
}

static long long get_unlocked(long long key) {
    entry *it = find(stripe_of(key), key);
    return it ? it->value : HEDDLE_EMPTY;
}

static long long get(long long key) {
    struct stripe *in = stripe_of(key);
    pthread_mutex_lock(&in->lock);
    long long value = get_unlocked(key);
    pthread_mutex_unlock(&in->lock);
    return value;
}

/* ---- The model: for each key whether it is there, and its value ---- */

typedef struct table {
    long long there[4], value[4];
} table;

static long long model_get(const table *model, long long key) {
    return model->there[key] ? model->value[key] : HEDDLE_EMPTY;
}

static long long model_put(table *model, long long key, long long value) {
    long long old = model_get(model, key);
    model->there[key] = 1;
    model->value[key] = value;
    return old;
}

static long long model_drop(table *model, long long key) {
    long long old = model_get(model, key);
    model->there[key] = 0;
    return old;
}

/* ---- With the lock ---- */

HEDDLE_LINEAR(map, table, "threads=3 operations=1") {
}

HEDDLE_OPERATION(map, put, "1,3", "fresh") {
    return put(a, b);
}

HEDDLE_MODEL(map, put) {
    return model_put(model, a, b);
}

HEDDLE_OPERATION(map, drop, "1") {
    return drop(a);
}

HEDDLE_MODEL(map, drop) {
    return model_drop(model, a);
}

HEDDLE_OPERATION(map, get, "1,2") {
    return get(a);
}

HEDDLE_MODEL(map, get) {
    return model_get(model, a);
}

/* ---- Without it ---- */

HEDDLE_LINEAR_FAILS(unlocked_get, table, "with=linearizability") {
}

HEDDLE_OPERATION(unlocked_get, put, "1,3", "fresh") {
    return put(a, b);
}

HEDDLE_MODEL(unlocked_get, put) {
    return model_put(model, a, b);
}

HEDDLE_OPERATION(unlocked_get, drop, "1") {
    return drop(a);
}

HEDDLE_MODEL(unlocked_get, drop) {
    return model_drop(model, a);
}

HEDDLE_OPERATION(unlocked_get, get, "1") {
    return get_unlocked(a);
}

HEDDLE_MODEL(unlocked_get, get) {
    return model_get(model, a);
}
