# A complete exploration says how many outcomes there are, whatever reads of a recorded run can see.
for update in '+= 3' '*= 3'; do
    cat > sum.c <<EOF
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    sum += 2;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_mutex_lock(&lock);
    sum $update;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    printf("%d\n", sum);
    return 0;
}
EOF
    heddle check --time=30 sum.c | sed 's/ ([0-9.]* s)//' | grep -E '^   (nondet|explore)'
done
