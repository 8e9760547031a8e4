/* A test of each kind. */
#include <heddle/test.h>

#include <stdatomic.h>

static int count;
static atomic_int flag;
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

static void *raise_flag(void *flag_or_null) {
    if (flag_or_null)
        atomic_store((atomic_int *)flag_or_null, 1);
    return NULL;
}

static void two(void *(*function)(void *)) {
    heddle_thread(function, NULL);
    heddle_thread(function, NULL);
    heddle_join();
}

HEDDLE_TEST(locked) {
    two(add_locked);
    HEDDLE_EQUAL(count, 2);
}

HEDDLE_TEST(unlocked) {
    two(add);
    HEDDLE_EQUAL(count, 2);
}

HEDDLE_TEST_FAILS(known_race, "with=race") {
    two(add);
}

HEDDLE_TEST_FAILS(not_so, "with=deadlock") {
    two(add);
}

HEDDLE_TEST_FAILS(not_broken) {
    two(add_locked);
}

HEDDLE_INVARIANT(at_most_two, count >= 0 && count <= 2);
HEDDLE_TEST(at_most_two) {
    two(add_locked);
}

HEDDLE_INVARIANT(at_most_one, count <= 1);
HEDDLE_TEST(at_most_one) {
    two(add_locked);
}

HEDDLE_TEST(comes) {
    heddle_thread(raise_flag, &flag);
    HEDDLE_EVENTUALLY(atomic_load(&flag) == 1);
}

HEDDLE_TEST(never_comes) {
    heddle_thread(raise_flag, NULL);
    HEDDLE_EVENTUALLY(atomic_load(&flag) == 1);
}

HEDDLE_TEST(inputs) {
    HEDDLE_CHECK(heddle_choose(0, 3) < 3);
}

HEDDLE_TEST(cut, "executions=1") {
    two(add_locked);
}

HEDDLE_TEST(leaves) {
    exit(3);
}
