/*
 * A counter in four ways: without a lock, with one, by two atomic operations, and by one.
 *
 *     heddle test counter.c
 */
#include <heddle/test.h>

#include <stdatomic.h>

static int count;
static atomic_int atomic_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
    count++;
    return unused;
}

static void *add_locked(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *load_and_store(void *unused) {
    atomic_store(&atomic_count, atomic_load(&atomic_count) + 1);
    return unused;
}

static void *fetch_and_add(void *unused) {
    atomic_fetch_add(&atomic_count, 1);
    return unused;
}

HEDDLE_TEST_FAILS(an_update_is_lost, "with=assertion") {
    heddle_thread(add, NULL);
    heddle_thread(add, NULL);
    heddle_join();
    HEDDLE_EQUAL(count, 2);
}

HEDDLE_TEST(none_with_a_lock) {
    heddle_thread(add_locked, NULL);
    heddle_thread(add_locked, NULL);
    heddle_join();
    HEDDLE_EQUAL(count, 2);
}

HEDDLE_TEST_FAILS(atomic_but_in_two_steps, "with=assertion") {
    heddle_thread(load_and_store, NULL);
    heddle_thread(load_and_store, NULL);
    heddle_join();
    HEDDLE_EQUAL(atomic_load(&atomic_count), 2);
}

HEDDLE_TEST(atomic_in_one) {
    heddle_thread(fetch_and_add, NULL);
    heddle_thread(fetch_and_add, NULL);
    HEDDLE_EVENTUALLY(atomic_load(&atomic_count) == 2);
}
