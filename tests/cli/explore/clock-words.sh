# A look at the clock is named in schedules, and is no fence of a trace.
cat >clock.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int x;
static void *run(void *none) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    x = 1;
    return none;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    atomic_thread_fence(memory_order_seq_cst);
    int seen = x;
    pthread_join(thread, NULL);
    assert(seen == 0);
    return 0;
}
EOF
heddle cc -g -O1 -o clock clock.c
heddle explore -q -o schedule ./clock | grep -E 'clock \(|fence'
