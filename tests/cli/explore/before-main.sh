# What ends before main cannot be explored, and that is said, however soon it ends.
cat > threads.c << 'END'
#include <assert.h>
#include <pthread.h>
static _Atomic int x;
static pthread_t thread;
static void *set(void *a) { x = 1; return a; }
__attribute__((constructor)) static void early(void) {
    pthread_create(&thread, 0, set, 0);
    assert(x == 0);
}
int main(void) { return pthread_join(thread, 0); }
END
cat > ends.c << 'END'
#include <assert.h>
#include <stdlib.h>
static volatile int zero;
__attribute__((constructor)) static void early(void) {
#ifdef EXITS
    exit(3);
#else
    assert(zero);
#endif
}
int main(void) { return 0; }
END
heddle cc -g -o threads threads.c && heddle cc -g -o fails ends.c && heddle cc -g -DEXITS -o exits ends.c
for program in threads fails exits; do
    for i in 1 2 3 4 5 6; do
        timeout 20 heddle explore --time=5 ./$program 2>&1
        echo "status $?"
    done | uniq | sort -u
done
