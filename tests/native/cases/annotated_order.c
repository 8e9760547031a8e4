/* An annotation that may come before or after another: the program reads nothing there.  Alone: the
 * functions that it declares are those of the runtime. */
#include <pthread.h>

void AnnotateHappensBefore(const char *file, int line, const volatile void *object);
void AnnotateHappensAfter(const char *file, int line, const volatile void *object);

static int data;

static void *before(void *unused) {
    AnnotateHappensBefore(__FILE__, __LINE__, &data);
    return unused;
}

static void *after(void *unused) {
    AnnotateHappensAfter(__FILE__, __LINE__, &data);
    return __atomic_load_n(&data, __ATOMIC_RELAXED) ? &data : unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, before, NULL);
    pthread_create(&two, NULL, after, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
