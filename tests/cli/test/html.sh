# The failures as a page, and the verdict of each test.
cat >two.c <<'END'
#include <heddle/test.h>
static int count;
static void *add(void *unused) {
    count++;
    return unused;
}
HEDDLE_TEST(alone) {
    heddle_thread(add, NULL);
    heddle_join();
    HEDDLE_EQUAL(count, 1);
}
HEDDLE_TEST(unlocked) {
    heddle_thread(add, NULL);
    heddle_thread(add, NULL);
    heddle_join();
    HEDDLE_EQUAL(count, 2);
}
END
heddle test --quiet --html=page.html two.c >/dev/null
echo "status $?"
grep -o '"command": "[a-z]*"' page.html
grep -o '"tests": {[^}]*}' page.html
grep -o '"message": "[^"]*"' page.html
grep -c '"words": \[{' page.html
heddle test --html=- two.c; echo "status $?"
heddle test --html=missing/page.html two.c >/dev/null; echo "status $?"
