# Instructions of several threads fail, and a handler of the program goes on: by a jump to a place of
# the thread's own, or by making the memory writable.  While one handler waits for its turn another
# thread may fail.
cat >head.h <<'C'
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
static atomic_int sum;
static __thread sigjmp_buf back;
static __thread int hits;
static __thread char *page;
static void *run(void *none);
static void handle(int number);
int main(void) {
    pthread_t a, b;
    signal(SIGSEGV, handle);
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
C
cat >jumps.c <<'C'
#include "head.h"
static void handle(int number) {
    siglongjmp(back, number);
}
static void *run(void *none) {
    for (volatile int i = 0; i < 2; i++)
        if (sigsetjmp(back, 1) == 0) {
            sum++;
            *(volatile int *)0 = 1;
            abort();
        }
    sum++;
    return none;
}
C
cat >writable.c <<'C'
#include "head.h"
static void handle(int number) {
    (void)number;
    hits++;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}
static void *run(void *none) {
    page = mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *(volatile char *)page = 1;
    assert(hits == 1);
    return none;
}
C
# The signal is blocked: in the handler, and after a jump that does not restore the mask.
cat >inside.c <<'C'
#include "head.h"
static void handle(int number) {
    *(volatile int *)8 = number;
}
static void *run(void *none) {
    *(volatile int *)0 = 1;
    return none;
}
C
cat >bare.c <<'C'
#include "head.h"
static void handle(int number) {
    siglongjmp(back, number);
}
static void *run(void *none) {
    for (volatile int i = 0; i < 2; i++)
        if (sigsetjmp(back, 0) == 0)
            *(volatile int *)0 = 1;
    return none;
}
C
for name in jumps writable inside bare; do
    heddle cc -O1 -o $name $name.c
    heddle explore -q --no-race --time=40 --json ./$name
    echo "\"$name: status $?\""
done | jq -r '. as $answer | "\(input), \($answer | [.complete, .findings[].message] | tojson)"'
heddle record -q -o writable.htr ./writable
echo "recorded: status $?"
