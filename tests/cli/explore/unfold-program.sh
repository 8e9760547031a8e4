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
    echo "\"$way\""
    heddle explore --json $way ./readers
done | jq -r '[.] + (input | [.result.algorithm, .result.classes, .complete, .result.executions]) | @tsv'
heddle cc -g -DSIGNALS readers.c -o signals
heddle explore --executions=3 --no-race --classes=reads ./signals | sed -n 3p
heddle explore --json --executions=3 --no-race --algorithm=unfold -q ./signals |
    jq -r '.result.algorithm, .result.unsupported'

# Two accesses that no run of the first events has together: that they share memory must be learnt.
cat >apart.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x;
int w;
static void *one(void *unused) {
    if (atomic_load(&x) == 1)
        w = 1;
    return unused;
}
static void *two(void *unused) {
    if (atomic_load(&x) == 2)
        w = 2;
    return unused;
}
static void *set(void *value) {
    atomic_store(&x, (int)(long)value);
    return NULL;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, one, NULL);
    pthread_create(&thread, NULL, two, NULL);
    pthread_create(&thread, NULL, set, (void *)1);
    pthread_create(&thread, NULL, set, (void *)2);
    exit(0);
}
EOF
heddle cc -g apart.c -o apart
for way in --algorithm=sdpor --algorithm=unfold --classes=reads; do
    echo "\"$way\""
    heddle explore --json --stop=never --reset=fork $way ./apart
done | jq -r '[.] + (input | [.result.algorithm, .complete, .result.executions, .findings[].rule]) | @tsv'

# What main reads once it is alone is a step where reads-from would not tell which write it finds.
cat >last.c <<'EOF'
#include <pthread.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *set(void *value) {
    pthread_mutex_lock(&m);
    x = value ? 2 : 1;
    pthread_mutex_unlock(&m);
    return value;
}
int main(int argc, char **words) {
    pthread_t a, b;
    (void)words;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, set, &m);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x == argc;
}
EOF
heddle cc -g last.c -o last
for words in '' 1 '1 2'; do
    heddle explore --json --algorithm=unfold -o last.std ./last $words |
        jq -c '[.result.algorithm, .complete, .result.violations]'
    [ ! -e last.std ] || heddle replay -q ./last last.std $words
    rm -f last.std
done
