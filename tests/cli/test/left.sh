# A test that exits before its checks has failed; so has one that waits for what nobody does.
cat >left.c <<'C'
#include <heddle/test.h>
static int n, flag;
static void *add(void *x) { n++; return x; }
static void *leave(void *x) { exit(0); return x; }
HEDDLE_TEST(early) { exit(0); HEDDLE_CHECK(0); }
HEDDLE_TEST(by_thread) { heddle_thread(leave, NULL); heddle_join(); HEDDLE_CHECK(n == 0); }
static void *leave_at_once(void *x) { _exit(0); return x; }
HEDDLE_TEST(at_once) { heddle_thread(add, NULL); _exit(0); }
HEDDLE_TEST(at_once_by_thread) { heddle_thread(leave_at_once, NULL); heddle_join(); HEDDLE_CHECK(0); }
HEDDLE_TEST(ends_thread) { heddle_thread(add, NULL); pthread_exit(NULL); }
HEDDLE_TEST(fine) { heddle_thread(add, NULL); heddle_join(); HEDDLE_EQUAL(n, 1); }
HEDDLE_TEST_FAILS(status, "with=exit") { exit(3); }
HEDDLE_TEST(nobody) { heddle_thread(add, NULL); HEDDLE_EVENTUALLY(flag == 1); heddle_join(); }
C
heddle test left.c | sed 's/ *[0-9.]* s$//; s|[^ ]*/test.h:[0-9]*|test.h:N|'
gcc -std=c11 -I"$ROOT/include" -o plain left.c -pthread 2>/dev/null || echo 'it does not compile'
./plain early by_thread at_once at_once_by_thread fine status 2>/dev/null
echo "status $?"
