# Sections of a program are learnt, and compared with what is executed.
cat >p.c <<END
#include <pthread.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *unused) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    return x != 2;
}
END
heddle cc -o p p.c
for how in epor epor-sh 'epor --source-sets' odpor; do
    heddle explore -a $how ./p | grep -e algorithm -e executions -e sections
done
heddle explore -a epor --json ./p | jq -r .result.algorithm

# What a thread does next depends on what it reads: only in one order does it write y.
cat >q.c <<END
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static void *reads(void *unused) {
    if (x == 1)
        y = 1;
    else
        z = 1;
    return unused;
}
static void *writes(void *unused) {
    x = 1;
    x = 2;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reads, 0);
    pthread_create(&b, 0, writes, 0);
    int seen = y;
    pthread_join(a, 0);
    pthread_join(b, 0);
    return seen;
}
END
heddle cc -o q q.c
for how in sdpor epor epor-sh 'epor --source-sets'; do
    heddle explore -a $how --stop=never --json ./q
done | jq -c '[.complete, .result.executions, .result.violations, .result.taken_back]'
heddle explore -a epor --explain ./q | sed -n '/^section/,/^$/p' | head -8
heddle explore --explain ./q

# A program that is one section, with the threads that it creates and joins: what depends on what
# is found out once, and the number of executions does not matter.
cat >r.c <<END
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *reads(void *unused) {
    (void)atomic_load(&x);
    return unused;
}
int main(void) {
    pthread_t t[7];
    for (int i = 0; i < 7; i++)
        pthread_create(&t[i], 0, reads, 0);
    x = 1;
    for (int i = 0; i < 7; i++)
        pthread_join(t[i], 0);
    return 0;
}
END
heddle cc -o r r.c
for how in sdpor epor 'epor --source-sets'; do
    heddle explore -a $how --json ./r
done | jq -c '[.complete, .result.executions, .result.sections, .result.taken_back,
    .result.dependency_checks < 200]'
heddle explore -a epor "$ROOT/examples/models/ring.hdm" | grep algorithm

# Several workers share the section, and begin anew where the program does not keep to it.
for program in ./r ./q; do
    heddle explore -a epor -j 3 --stop=never --json $program
done | jq -c '[.complete, .result.workers, .result.executions, .result.violations,
    .result.taken_back, (.result.outcomes | map(.executions))]'
