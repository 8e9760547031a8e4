# To put the accesses of free threads that race in order may take long: a limit on time ends it, and
# a signal does.
# In make test-long only.
cat >racy.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static volatile int each[64];
static long rounds;
static void *add(void *unused) {
    for (long i = 0; i != rounds; i++) {
        each[i % 61]++;
        each[i * 7 % 64] = i & 3;
    }
    return unused;
}
int main(int argc, char **argv) {
    pthread_t thread[4];
    rounds = argc > 1 ? atol(argv[1]) : -1;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], 0, add, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], 0);
    return 0;
}
END
heddle cc -O1 -g -o racy racy.c -pthread
heddle record -q --free -o run.htr ./racy 60000
timeout 30 heddle info -q --time=0.2 run.htr >out; echo "info: $?"
timeout 30 heddle race -q --method=hb --time=0.2 run.htr >out; echo "race: $?"
heddle record -q --free --timeout=1 -o cut.htr ./racy 2>said &
recorder=$!
sleep 1.8
kill -TERM $recorder
(sleep 20; kill -9 $recorder) &
late=$!
wait $recorder; echo "cut: $?"
kill $late
