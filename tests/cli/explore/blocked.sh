# A search in which most runs would be abandoned goes on with wakeup trees, and finds as many
# executions as source sets do.
# In make test-long only.
cat > zero.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static _Atomic int cell[N + 1];
static void *find(void *unused) {
    int i = N;
    while (cell[i])
        i--;
    return unused;
}
static void *write_cell(void *number) {
    intptr_t i = (intptr_t)number;
    cell[i] = cell[i - 1] + 1;
    return 0;
}
int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[0], 0, find, 0);
    for (intptr_t i = 1; i <= N; i++)
        pthread_create(&threads[i], 0, write_cell, (void *)i);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
C
heddle cc -O1 -DN=11 -o zero zero.c
for options in -j1 -j2; do
    heddle explore -q --json $options ./zero |
        jq -c '[.verdict.complete, .result.algorithm, .result.executions, .result.blocked]'
done
heddle explore -q --json -a sdpor ./zero |
    jq -c '[.verdict.complete, .result.algorithm, .result.executions, .result.blocked > 0]'
