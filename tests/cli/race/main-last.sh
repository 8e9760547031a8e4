# Threads that main does not wait for race only in runs in which main returns last.
cat > main.c <<'C'
#include <pthread.h>
static int hits;
static void *count(void *unused) {
    hits++;
    return unused;
}
int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, count, 0);
        pthread_detach(thread);
    }
    return 0;
}
C
heddle cc -g -o main main.c
# Runs alone, without the search of all schedules.
heddle race --no-predict --seeds=1 --summary ./main >one; echo "status $?"
heddle race --no-predict --seeds=5 --summary ./main >five; echo "status $?"
# Runs go on until they show nothing new, and the verdict says so; not after a number.
cat > more.c <<'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *add(void *unused) {
    for (int i = 0; i < 12; i++) {
        pthread_mutex_lock(&lock);
        sum++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
C
heddle cc -g -o more more.c
heddle race --json --executions=50 ./more |
    jq -c '[.result.seeds > 8, (.verdict.why_not[] | select(.code == "sampled") | .text | test("nothing new"))]'
heddle race --json --executions=50 --seeds=3 ./more |
    jq -c '[.result.seeds, (.verdict.why_not[] | select(.code == "sampled") | .text | test("nothing new"))]'
