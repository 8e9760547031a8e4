/*
 * Double-checked initialisation.  Without atomic operations, a thread may see the pointer before it
 * sees what it points to; with acquire and release, or with a static variable, it is right.
 *
 *     heddle test instance.cc
 */
#include <heddle/test.h>

#include <atomic>
#include <mutex>

struct config {
    int value;
    config() : value(7) {}
};

static std::mutex lock;
static config *plain;
static std::atomic<config *> ordered;

static config &checked_twice() {
    if (!plain) {
        std::lock_guard<std::mutex> hold(lock);
        if (!plain)
            plain = new config;
    }
    return *plain;
}

static config &checked_in_order() {
    config *it = ordered.load(std::memory_order_acquire);
    if (!it) {
        std::lock_guard<std::mutex> hold(lock);
        it = ordered.load(std::memory_order_relaxed);
        if (!it) {
            it = new config;
            ordered.store(it, std::memory_order_release);
        }
    }
    return *it;
}

static config &once() {
    static config it;
    return it;
}

HEDDLE_TEST_FAILS(checked_twice_races, "with=race") {
    heddle_thread([] { HEDDLE_EQUAL(checked_twice().value, 7); });
    heddle_thread([] { HEDDLE_EQUAL(checked_twice().value, 7); });
}

HEDDLE_TEST(acquire_and_release_do_not) {
    heddle_thread([] { HEDDLE_EQUAL(checked_in_order().value, 7); });
    heddle_thread([] { HEDDLE_EQUAL(checked_in_order().value, 7); });
}

HEDDLE_TEST(nor_does_a_static_variable) {
    heddle_thread([] { HEDDLE_EQUAL(once().value, 7); });
    heddle_thread([] { HEDDLE_EQUAL(once().value, 7); });
}
