# Programs by reads-from: locks as locks; what is not supported is named, and sdpor runs.
cat >readers.c <<'EOF'
#include <pthread.h>
#include <signal.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *reader(void *unused) {
    pthread_mutex_lock(&m);
    int seen = x;
    pthread_mutex_unlock(&m);
    return seen ? &m : unused;
}
#ifdef SIGNALS
static void handle(int number) {
    x = number;
}
#endif
int main(void) {
    pthread_t threads[5];
#ifdef SIGNALS
    signal(SIGUSR1, handle);
#endif
    for (int i = 0; i < 5; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
#ifdef SIGNALS
    pthread_kill(pthread_self(), SIGUSR1);
#endif
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
EOF
heddle cc -g readers.c -o readers
for way in --algorithm=sdpor --algorithm=unfold --classes=reads; do
    heddle explore --json $way ./readers |
        jq -r --arg way "$way" '[$way, .result.algorithm, .result.classes, .complete,
            .result.executions] | @tsv'
done
heddle cc -g -DSIGNALS readers.c -o signals
heddle explore --executions=3 --no-race --classes=reads ./signals | sed -n 3p
heddle explore --json --executions=3 --no-race --algorithm=unfold -q ./signals |
    jq -r '.result.algorithm, .result.unsupported'
