# A replayed recording has the inputs of the recorded run: drawn from its seed, or given.
cat >inputs.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include "heddle/mark.h"
int __VERIFIER_nondet_int(void);
static atomic_int sum;
static void *add(void *unused) {
    long long times = heddle_choose(0, 9);
    for (long long i = 0; i <= times; i++)
        sum++;
#ifdef GIVEN
    for (int i = __VERIFIER_nondet_int(); i > 0; i--)
        sum++;
#endif
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", sum);
    return 0;
}
C
heddle cc -O1 -w -o inputs inputs.c
for seed in 1 2 3 4; do
    heddle record -q --seed=$seed -o inputs.htr ./inputs >recorded
    heddle replay ./inputs inputs.htr >replayed 2>&1 && echo followed
    grep -cxFf recorded replayed
    heddle convert inputs.htr inputs.std 2>/dev/null
    grep 'heddle: input' inputs.std
done
heddle convert inputs.std again.htr && heddle convert again.htr again.std && cmp inputs.std again.std
heddle cc -O1 -w -DGIVEN -o inputs inputs.c
heddle record -q --seed=3 --inputs=2,1 -o inputs.htr ./inputs >recorded
heddle replay ./inputs inputs.htr >replayed 2>&1 && echo followed
heddle convert inputs.htr - 2>/dev/null | grep 'heddle: input'
