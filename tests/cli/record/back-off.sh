# Two threads that take turns at every point back off from each other for ever, as std::lock has
# it: a long run changes its pace, so it ends, with every seed.
cat > back_off.c << 'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int both;
static void take_both(pthread_mutex_t *first, pthread_mutex_t *second) {
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
    }
    both++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}
static void *other(void *none) { take_both(&b, &a); return none; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    take_both(&a, &b);
    pthread_join(thread, 0);
    return both - 2;
}
END
heddle cc -O1 -o back_off back_off.c
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    timeout 20 heddle record -q --seed=$seed -o run.htr ./back_off || echo "seed $seed: status $?"
done
echo done
