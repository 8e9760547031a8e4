# A barrier that is initialised again while threads use it: a witness says that operations on objects
# access their bytes, which the search has found out.
cat >again.c <<'C'
#include <pthread.h>
static pthread_barrier_t barrier;
static void *meet(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, meet, NULL);
    pthread_create(&b, NULL, meet, NULL);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
heddle cc -O1 -o again again.c
heddle race --witness=race.std ./again 2>/dev/null | head -1
for witness in race.std*; do
    heddle replay ./again $witness 2>&1 | tail -1
done
