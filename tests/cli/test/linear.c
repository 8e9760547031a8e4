/* A counter whose increment is two steps, one with a lock, and a box whose take may wait. */
#include <heddle/linear.h>

static _Atomic long long torn;
static long long counted, box;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

HEDDLE_LINEAR(torn, long long) {
}
HEDDLE_OPERATION(torn, add, "1,2") {
    long long old = torn;
    torn = old + a;
    return old;
}
HEDDLE_MODEL(torn, add) {
    *model += a;
    return *model - a;
}
HEDDLE_LINEAR(locked, long long, "threads=3 operations=1 after=add(5)") {
    counted = *model = 7;
}
HEDDLE_OPERATION(locked, add, "1,2") {
    pthread_mutex_lock(&lock);
    long long old = counted;
    counted += a;
    pthread_mutex_unlock(&lock);
    return old;
}
HEDDLE_MODEL(locked, add) {
    *model += a;
    return *model - a;
}

/* No one tells who waits that there is something. */
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

HEDDLE_LINEAR(box, long long, "before=0") {
}
HEDDLE_OPERATION(box, put, "7") {
    pthread_mutex_lock(&lock);
    box += a;
    pthread_mutex_unlock(&lock);
    return HEDDLE_DONE;
}
HEDDLE_MODEL(box, put) {
    *model += a;
    return HEDDLE_DONE;
}
HEDDLE_OPERATION(box, take) {
    pthread_mutex_lock(&lock);
    while (!box)
        pthread_cond_wait(&filled, &lock);
    box -= 7;
    pthread_mutex_unlock(&lock);
    return 7;
}
HEDDLE_MODEL(box, take) {
    if (!*model)
        return HEDDLE_WAITS;
    *model -= 7;
    return 7;
}
