# Whoever starts heddle may ignore SIGCHLD, block SIGSYS, or have no limit on the stack: the answers
# are the same.
cat >lost.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static atomic_int x;
static void *add(void *unused) {
    int old = x;
    x = old + 1;
    free(malloc(100000));
    return unused;
}
int main(int argc, char **argv) {
    pthread_t thread;
    FILE *file = fopen("/dev/null", "r");
    (void)argv;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    fclose(file);
    assert(argc > 1 || x == 2);
    return 0;
}
END
heddle cc -g -O1 -o lost lost.c -pthread
ask() {
    echo "== $*"
    "$@" heddle explore -q ./lost >/dev/null 2>&1; echo "explored $?"
    "$@" heddle explore -q --stop=never --json ./lost 2>/dev/null | grep -o '"violations": [0-9]*'
    "$@" heddle nondet -q ./lost >/dev/null 2>&1; echo "nondet $?"
    "$@" heddle record -q -o run.htr ./lost any >/dev/null 2>&1; echo "recorded $?"
    "$@" heddle race -q run.htr >/dev/null 2>&1; echo "race $?"
}
ask env
ask env --ignore-signal=CHLD
ask env --block-signal=SYS
no_stack() {
    (ulimit -S -s unlimited 2>/dev/null || true; "$@")
}
ask no_stack
./lost any; (ulimit -S -s unlimited 2>/dev/null || true; ./lost any); echo "by itself $?"
