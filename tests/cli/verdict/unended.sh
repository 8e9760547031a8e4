# Threads that have not ended when the program exits: what those that could go on would have done is
# not in the trace.  One that waits for another thread, which does not come, had nothing more to do.
cat >prog.c <<END
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int jobs, idle, seen;
static void add(int *to) {
    pthread_mutex_lock(&lock);
    (*to)++;
    pthread_mutex_unlock(&lock);
}
static void *runs(void *unused) {
    for (;;)
        add(&seen);
    return unused;
}
static void *sleeps(void *unused) {
    for (;;) {
        sleep(1000);
        add(&seen);
    }
    return unused;
}
static void *waits(void *unused) {
    pthread_mutex_lock(&lock);
    for (;;) {
        for (idle = 1; !jobs;)
            pthread_cond_wait(&more, &lock);
        jobs = idle = 0;
    }
    return unused;
}
static void *ends(void *unused) {
    return unused;
}
static void wake(void) {
    pthread_mutex_lock(&lock);
    jobs = 1;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}
int main(int argc, char **argv) {
    char how = argc > 1 ? argv[1][0] : 0;
    pthread_t thread;
    pthread_create(&thread, 0, how == 'r' ? runs : how == 's' ? sleeps : how == 'e' ? ends : waits, 0);
    if (how == 'e')
        pthread_join(thread, 0);
    for (int there = how == 'e' || how == 's'; !there;) {
        pthread_mutex_lock(&lock);
        there = how == 'r' ? seen : idle;
        pthread_mutex_unlock(&lock);
        usleep(1000);
    }
    if (how == 'w' && argv[1][1] == '2')
        atexit(wake);
    return 0;
}
END
heddle cc -g -o prog prog.c -pthread
for how in ends runs sleeps waits w2; do
    for free in "" --free; do
        [ "$how$free" = w2--free ] && continue # woken by a handler, it may be back in time
        heddle record -q $free -o run.htr ./prog $how 2>said; echo "$how $free: recorded $?"
        heddle convert -q run.htr - --to=text | grep -e doubt
        for question in race deadlock states; do
            heddle $question -q run.htr >out; echo "$question $?"
        done
        heddle race -q --accept=threads:unended run.htr >out; echo "accepted $?"
    done
done
# Where all schedules are explored, the recorded ones do not matter.
cat >few.c <<END
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *add(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        n++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
    return 0;
}
END
heddle cc -g -o few few.c -pthread
heddle record -q --seed=2 -o run.htr ./few 2>said
heddle race -q run.htr >out; echo "a recording of few: $?"
heddle check -q -o kept ./few >out 2>said; echo "few: $?"
heddle check -q -o kept run.htr >out; echo "its recording: $?"
