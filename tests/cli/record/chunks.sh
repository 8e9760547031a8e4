# A record of several chunks, which the tool takes while the program runs: every value is there,
# in order, whatever becomes of the program.
# In make test-long only.
cat >prog.c <<END
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
int32_t cells[2][512];
int64_t sums[2];
static void *work(void *its) {
    uint32_t number = (uint32_t)(long)its, state = 2463534242 + number;
    for (int i = 0; i < 220000; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        cells[number][i % 512] = (int32_t)state;
        sums[number] += (int32_t)state;
    }
    return NULL;
}
int main(int argc, char **argv) {
    (void)argv;
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%lld\n", (long long)(sums[0] + sums[1]));
    fflush(stdout);
    return argc > 1 ? raise(SIGKILL) : 0;
}
END
heddle cc -O1 -o prog prog.c
count() {
    heddle convert -q --to=text "$1" - | awk -F'[=()|]' '$2 ~ /^w4/ && $3 ~ /^cells/ { n++; sum += $4 } END { printf "%d writes, %.0f\n", n, sum }'
}
heddle record -q -o a.htr ./prog && count a.htr
heddle record -q -o b.htr ./prog && cmp a.htr b.htr && echo same
heddle record -q --free -o free.htr ./prog && count free.htr
heddle record -q -o killed.htr ./prog kill; echo $?
count killed.htr
