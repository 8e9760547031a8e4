# A loop that reads a counter of the processor may wait for time to pass: that it waits is no proof of
# a deadlock.  One without a counter that waits for ever is reported.
cat >waits.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static unsigned long count(void) {
#ifndef COUNTS
    return 0;
#elif defined __x86_64__
    return __builtin_ia32_rdtsc();
#else
    unsigned long now;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
    return now;
#endif
}
static void *wait(void *none) {
    unsigned long begun = count();
    while (count() - begun < 1000000 && !flag)
        ;
    return none;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    pthread_join(thread, 0);
    return 0;
}
C
for options in "-O0 -DCOUNTS" "-O2 -DCOUNTS" "-O0" "-O2"; do
    heddle cc $options -o waits waits.c
    heddle explore -q --no-race --json ./waits
    echo "\"$options: status $?\""
done | jq -r '. as $answer | "\(input), \($answer | [.findings[].rule,
    (.verdict.rests_on[] | select(.what == "counters").code)] | tojson)"'
