# A run that ends in a deadlock says who waits for what, a line for each thread.
cat >prog.c <<END
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, one, 0);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    return 0;
}
END
heddle cc -g -o prog prog.c -pthread
for seed in $(seq 30); do
    heddle record --seed=$seed -o prog.htr ./prog 2>said
    grep -q deadlock said && break
done
cat said
