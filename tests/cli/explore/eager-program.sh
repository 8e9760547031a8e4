# A program has no sections: the answer names the algorithm that ran.
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
    heddle explore -a $how ./p | grep -e algorithm -e executions
done
heddle explore -a epor --json ./p | jq -r .result.algorithm
heddle explore -a epor "$ROOT/examples/models/ring.hdm" | grep algorithm
