// truth: fails. Each round changes the rounding mode, which is no memory.
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *set(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, set, NULL);
    while (!flag) {
        assert(fegetround() != FE_UPWARD);
        fesetround(fegetround() == FE_TONEAREST ? FE_DOWNWARD : FE_UPWARD);
    }
    pthread_join(other, NULL);
}
