# What the C library returns in memory of its own: that it writes there is not in the recording.
cat >main.c <<'END'
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int year(time_t when) {
    pthread_mutex_lock(&m);
    const struct tm *result = gmtime(&when);
    pthread_mutex_unlock(&m);
    return result->tm_year; /* another thread may have called it again */
}
static void *work(void *none) {
#ifndef ONE
    year(100000000);
#endif
    return none;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    year(1);
    pthread_join(thread, 0);
    return 0;
}
END
for way in "" --free; do
    for who in SEVERAL ONE; do
        heddle cc -D$who -o main main.c
        heddle record -q $way -o run.htr ./main
        heddle race run.htr >said
        echo "$way $who: status $?"
        grep -o 'not all that.*' said
    done
done
true
