# A program whose memory can be put back, and one that opens a file while it runs: each run of it
# is a process of its own, and the answer is the same.  A run that never takes a step.
# In make test-long only.
cat >file.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int x;
void *work(void *unused) {
#ifdef FILES
    FILE *file = fopen("/dev/null", "w");
    fputs("word", file);
    fclose(file);
#endif
#ifdef HANG
    for (volatile int i = 1; i;)
        ;
#endif
    atomic_fetch_add(&x, 1);
    printf("%d\n", atomic_load(&x));
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2);
}
END
for flags in -DNONE -DFILES; do
    heddle cc -O1 $flags -o file file.c
    for how in memory fork; do
        heddle explore --reset=$how --json ./file
    done
done | jq -c '[.complete, .result.executions]'
heddle cc -O1 -DHANG -o file file.c
heddle explore -q --hang=0.3 --json ./file | jq -c '[.complete, .verdict.why_not[0].code]'
heddle explore --reset=disk ./file
echo "status $?"
heddle explore --hang=1 model.hdm
echo "status $?"
