/* A program that declares the functions itself, with types of its own, beside the headers. */
#include <pthread.h>
#include <stddef.h>
#include <valgrind/helgrind.h>
void AnnotateBenignRaceSized(const char *file, int line, void *memory, long size, char *why);
void AnnotateHappensBefore(char *file, unsigned line, long object);
static int counts, other;
static void *count(void *unused) {
    counts++;
#ifdef CLEAN
    return unused;
#else
    other++;
    return unused;
#endif
}
int main(void) {
    pthread_t thread;
    AnnotateBenignRaceSized(__FILE__, __LINE__, &counts, sizeof counts, "a statistic");
    ANNOTATE_HAPPENS_BEFORE(&other);
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    return 0;
}
