# The thread that looks whether an invariant holds is not counted among those of a deadlock.
cat >dead.c <<'END'
#include <heddle/test.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int count;
HEDDLE_INVARIANT(dead, count <= 2);
static void *one(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    count++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}
static void *two(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    count++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}
HEDDLE_TEST(dead) {
    heddle_thread(one, NULL);
    heddle_thread(two, NULL);
    heddle_join();
}
END
heddle test dead.c | grep '^dead: '
heddle replay dead.c.heddle/program dead.c.heddle/dead.std -- --run dead | grep shown
