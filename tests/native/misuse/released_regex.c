/* A thread frees a pattern with which another one compares. */
#include <pthread.h>
#include <regex.h>

static regex_t pattern;

static void *use(void *unused) {
    return regexec(&pattern, "x", 0, NULL, 0) == 0 ? NULL : unused;
}

int main(void) {
    pthread_t thread;
    if (regcomp(&pattern, "x", REG_NOSUB) != 0)
        return 1;
    pthread_create(&thread, NULL, use, NULL);
#ifdef CLEAN
    pthread_join(thread, NULL);
    regfree(&pattern);
#else
    regfree(&pattern);
    pthread_join(thread, NULL);
#endif
    return 0;
}
