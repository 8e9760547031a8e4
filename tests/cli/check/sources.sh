# Several sources are one program, in C and in C++; what follows them belongs to the program.
# In make test-long only.
cat >count.c <<END
int count;
void add(int by) { count += by; }
END
cat >main.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int count;
void add(int by);
static int by = 1;
static void *work(void *unused) {
    add(by);
    return unused;
}
int main(int argc, char **argv) {
    pthread_t thread;
    by = argc > 1 ? atoi(argv[1]) : 1;
    pthread_create(&thread, 0, work, 0);
    add(by);
    pthread_join(thread, 0);
    assert(count == 2 * by);
    return 0;
}
END
heddle check -o out main.c count.c -- 5 | sed -n 's/ (.*//;/^1\./,/schedule/p;/see again/,/std/p'
echo "status ${PIPESTATUS[0]}"
ls out | grep -v htr
cat >add.cc <<END
#include <pthread.h>
extern "C" int count;
int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct guard {
    guard() { pthread_mutex_lock(&m); }
    ~guard() { pthread_mutex_unlock(&m); }
};
extern "C" void add(int by) {
    guard held;
    count += by;
}
END
heddle check --jobs=1 --no-stacks main.c add.cc 7 | head -1
heddle check --jobs=1 --depth=3 main.c add.cc | grep 'cut off'
heddle check --bound=preemptions=0 --ask=explore main.c count.c | grep -e preemption
heddle check main.c missing.c
echo "status $?"
heddle check --bound=3 main.c
echo "status $?"
heddle check --jobs=0 main.c
echo "status $?"
