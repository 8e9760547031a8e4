# A run that ended at a use after free is a trace like others: the race of the free with the use is
# predicted from it, and its replay is shown where the use fails.
cat >uaf.c <<'END'
#include <pthread.h>
#include <stdlib.h>
struct job { int id; } *job;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    sum += job->id;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t t;
    job = malloc(sizeof *job);
    job->id = 7;
    pthread_create(&t, NULL, work, NULL);
    free(job);
    pthread_join(t, NULL);
    return 0;
}
END
heddle cc -O1 uaf.c -o uaf || exit
heddle record -q -o bad.htr ./uaf >/dev/null 2>&1
echo "recorded: $?"
heddle race -o witness bad.htr | head -n 1
heddle replay ./uaf witness 2>&1
echo "replayed: $?"
