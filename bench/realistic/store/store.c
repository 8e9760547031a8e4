/* The commands of the store. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

void store_open(size_t limit, bool keep_log) {
    table_open();
    lru_open(limit);
    append_open(keep_log);
    expire_start();
}

void store_close(void) {
    expire_stop();
    append_close();
    table_free();
}

/* The entry with that key, unless it has expired; its stripe is locked. */
static entry *find(const char *key, unsigned long hash) {
    entry *e = table_find(key, hash);
    return e && e->expires && e->expires <= ticks() ? NULL : e;
}

static entry *find_or_make(const char *key, unsigned long hash) {
    entry *e = table_find(key, hash);
    if (e)
        return e;
    e = entry_make(key, hash);
    table_insert(e);
    lru_add(e);
    return e;
}

bool store_get(const char *key, char *value) {
    unsigned long hash = table_hash(key);
    entry *e;
    table_enter();
    table_lock(hash);
    e = find(key, hash);
    if (e)
        lru_touch(e);
#if BUG == 6
    table_unlock(hash);
    if (e)
        memcpy(value, e->value, VALUE_SIZE); /* bug 6 */
#else
    if (e)
        memcpy(value, e->value, VALUE_SIZE);
    table_unlock(hash);
#endif
    table_leave();
    return e != NULL;
}

/* Drops what was not used for longest, while there is too much. */
static void make_room(void) {
    char key[KEY_SIZE];
    while (lru_oldest(key))
        store_delete(key);
}

void store_set(const char *key, const char *value, unsigned long seconds) {
    unsigned long hash = table_hash(key), number;
    entry *e;
    table_enter();
    table_lock(hash);
    e = find_or_make(key, hash);
    entry_set(e, value);
    e->expires = seconds ? ticks() + seconds : 0;
    lru_touch(e);
    number = append("set", key, value);
    table_unlock(hash);
    table_leave();
    append_flush(number);
    table_grow();
    make_room();
}

bool store_delete(const char *key) {
    unsigned long hash = table_hash(key);
    entry *e;
    table_enter();
    table_lock(hash);
    e = table_find(key, hash);
    if (e) {
        table_take_out(e);
        lru_remove(e);
        append("delete", key, "");
        free(e);
    }
    table_unlock(hash);
    table_leave();
    return e != NULL;
}

static long value_of(const entry *e) {
    return e ? atol(e->value) : 0;
}

static void set_number(entry *e, long number) {
    char text[VALUE_SIZE];
    snprintf(text, sizeof text, "%ld", number);
    entry_set(e, text);
}

long store_increment(const char *key, long by) {
    unsigned long hash = table_hash(key);
    long value;
    entry *e;
    table_enter();
    table_lock(hash);
    value = value_of(find(key, hash)) + by; /* bug 5 */
#if BUG == 5
    table_unlock(hash);
    table_lock(hash);
#endif
    e = find_or_make(key, hash);
    set_number(e, value); /* bug 5 */
    lru_touch(e);
    append("incr", key, e->value);
    table_unlock(hash);
    table_leave();
    return value;
}

/* Moves an amount from one account to another; false: there is not that much. */
bool store_move(const char *from, const char *to, long amount) {
    unsigned long from_hash = table_hash(from), to_hash = table_hash(to);
    entry *e, *other;
    bool enough;
    table_enter();
    table_lock_two(from_hash, to_hash);
    e = find(from, from_hash);
    other = find_or_make(to, to_hash);
    if (e)
        lru_touch(e);
    lru_touch(other);
    enough = value_of(e) >= amount;
    if (enough) {
        set_number(e, value_of(e) - amount);
        set_number(other, value_of(other) + amount);
        append("move", from, to);
    }
    table_unlock_two(from_hash, to_hash);
    table_leave();
    return enough;
}
