# Through states that are put together from runs: what was executed counts, and the runs in random
# orders, which come first, are drawn from the seed.
cat >lost.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *nothing) {
    int seen = atomic_load(&x);
    atomic_store(&x, seen + 1);
    return nothing;
}
int main(int argc, char **argv) {
    pthread_t t[3];
    (void)argv;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, add, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(argc > 1 || x == 3);
    return 0;
}
EOF
heddle cc -g -o lost lost.c
for seed in 1 1 2 3 4 5 6 7 8; do
    heddle explore --states --seed=$seed --json ./lost >answer
    jq -c '[.result.violations, .result.executions >= 1, .findings[0].strategy]' answer
    jq -c .findings[0].schedule answer >>schedules
done | sort -u
echo "the same: $(head -2 schedules | sort -u | wc -l); some differ: $(($(sort -u schedules | wc -l) > 1))"
heddle explore --states ./lost no | grep 'proves\|violations' | sed 's,[0-9]* put,N put,'
heddle explore --states --json ./lost no |
    jq -c '.result | [.finished, .limit, .executions > 60, .violations]'
heddle explore --states --random=3 ./lost
heddle explore --states ./lost | grep 'found by'
