# More threads come to a barrier than it lets pass: that the order of arrival matters is learned when
# the third is created, and the search starts over.
cat >crowd.c <<END
#include <pthread.h>
static pthread_barrier_t barrier;
static void *come(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}
int main(void) {
    pthread_t t[3];
    pthread_barrier_init(&barrier, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, come, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
END
heddle cc -o crowd crowd.c
for how in naive sdpor odpor; do
    heddle explore -a $how -j 1 --stop never --json ./crowd |
        jq -c '[.complete, (.findings | map(.rule) | unique)]'
done
