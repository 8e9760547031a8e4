# Variables on stacks have names: in what is found, when it is replayed, and in a recording.
cat >stack.c <<END
#include <assert.h>
#include <pthread.h>
struct job {
    int step, done;
};
static void *work(void *p) {
    struct job *job = p;
    job->done = job->done + job->step;
    return 0;
}
static __attribute__((noinline)) int both(int step) {
    struct job shared = {step, 0};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, &shared);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return shared.done;
}
int main(void) {
    assert(both(3) == 6);
    return 0;
}
END
heddle cc -O1 -o stack stack.c
for reset in memory fork; do
    heddle explore --find=failure --reset=$reset -o stack.std ./stack | grep '  -> '
done
heddle replay --print ./stack stack.std 2>/dev/null | grep shared
heddle record -q -o run.htr ./stack
heddle convert run.htr - | sed 's/.certain//' | grep '[rw]4('
