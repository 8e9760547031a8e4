# Explored runs that crash write no cores, whatever the limit says: these took longer than the runs,
# and were left in the working folder.  A program that is recorded writes its own.
ulimit -S -c hard
export ASAN_OPTIONS="${ASAN_OPTIONS-}:disable_coredump=0" # the address sanitizer sets the limit to 0
cat >p.c <<'C'
#include <assert.h>
#include <pthread.h>
static int n;
static void *add(void *none) {
    n++;
    return none;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
C
heddle cc -o p p.c
for ask in "explore --find=failure" "explore --find=failure --reset=fork" race "check -o out" "nondet"; do
    heddle $ask --time=20 ./p >out.txt
    echo "$ask: status $?"
done
ls core* 2>/dev/null

# What a program asks for is as it was: it may want them all the same.
cat >q.c <<'C'
#include <stdio.h>
#include <sys/resource.h>
int main(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_CORE, &limit);
    printf("%d\n", limit.rlim_cur == limit.rlim_max);
    return 0;
}
C
heddle cc -o q q.c
heddle record -q -o q.htr ./q
