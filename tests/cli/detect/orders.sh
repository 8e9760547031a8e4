# Message passing: a relaxed flag orders nothing, one that is released and acquired does.
pass() {
    cat <<TRACE
M|fork(A)|0
M|fork(B)|0
A|w(data=1)|1
A|aw$1(flag=1)|2
B|ar$2(flag=1)|3
B|r(data=1)|4
TRACE
}
pass .relaxed .relaxed > relaxed.std
pass .release .acquire > released.std
pass .release .relaxed > half.std
for trace in relaxed released half; do
    heddle detect $trace.std race | grep -v '^ '
    heddle detect --online $trace.std race | grep -v '^ '
    heddle detect --count $trace.std race | head -1
done
# The schedule says what the state lets go.
heddle detect relaxed.std race
# The program itself.
cat > pass.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int flag;
static void *give(void *unused) {
    data = 42;
    atomic_store_explicit(&flag, 1, GIVE);
    return unused;
}
static void *take(void *unused) {
    while (!atomic_load_explicit(&flag, TAKE))
        ;
    return data == 42 ? unused : &data;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, give, NULL);
    pthread_create(&b, NULL, take, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
C
heddle cc -g -O1 -DGIVE=memory_order_relaxed -DTAKE=memory_order_relaxed pass.c -o relaxed
heddle cc -g -O1 -DGIVE=memory_order_release -DTAKE=memory_order_acquire pass.c -o released
for program in relaxed released; do
    heddle detect --online -e race ./$program | grep -e poss -e 'in no' -e 'last .*data' |
        sed 's/event [0-9]*/event N/'
done
