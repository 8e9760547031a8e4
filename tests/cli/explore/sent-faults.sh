# Signals that instructions raise end a program, too, where it sends them to itself.
cat >sends.c <<END
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused) {
    int old = x;
    x = old + 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    if (x != 2)
        raise(NUMBER);
    return 0;
}
END
for number in SIGSEGV SIGBUS SIGFPE SIGILL SIGTRAP SIGTERM; do
    heddle cc -g -O1 -DNUMBER=$number -o sends sends.c -pthread
    heddle explore -q ./sends 2>/dev/null | grep -o -m 1 'killed by.*'
    heddle explore -q --reset=fork -a unfold ./sends >/dev/null 2>&1; echo "$number $?"
done
