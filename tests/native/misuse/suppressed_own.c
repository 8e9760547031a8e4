/* The program has suppressions of its own, which name another race, or this one.  Alone: they name
 * the variable as it is called here, and a program has one such function. */
#include <pthread.h>

static int counted, other;

const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) {
#ifdef CLEAN
    return "# as ThreadSanitizer reads it\nrace:^counted$\n";
#else
    return "race:^other$";
#endif
}

static void *count(void *unused) {
    counted++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    counted++;
    pthread_join(thread, NULL);
    return other;
}
