/* Two threads call strtok, which keeps one place for all. */
#include <pthread.h>
#include <string.h>
static void *split(void *unused) {
    char text[] = "a,b";
#ifdef CLEAN
    char *place;
    strtok_r(text, ",", &place);
    strtok_r(NULL, ",", &place);
#else
    strtok(text, ",");
#endif
    return unused;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, split, NULL);
    pthread_create(&two, NULL, split, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
