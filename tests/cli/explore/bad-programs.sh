# Programs that cannot be explored or replayed, or not as they are: a clear word each.
cat >small.c <<END
int main(void) { return 0; }
END
gcc -o plain small.c
heddle explore ./plain
echo "plain: status $?"
gcc -static -o static small.c
heddle explore ./static
echo "static: status $?"
# The head of a program for another machine is enough.
gcc -o other small.c
machine=$(od -An -tx1 -j18 -N1 other | tr -d ' ')
if [ "$machine" = 3e ]; then printf '\xb7'; else printf '\x3e'; fi | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
heddle explore ./other 2>&1 | sed 's/for aarch64; this heddle runs those for x86_64/for another machine/; s/for x86_64; this heddle runs those for aarch64/for another machine/; s/: Exec format error/: a program for another machine/'
heddle explore ./missing
echo "missing: status $?"
heddle replay ./missing none.std
echo "replay missing: status $?"

# Other processes are refused; the program is told, and so are you.
cat >forks.c <<END
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
int main(void) {
    pid_t child = fork();
    printf("%d %d", (int)child, errno == ENOSYS);
    return 0;
}
END
heddle explore --json --find=outcome forks.c | jq -r '.result.outcomes[].output'

# Memory that is not there: the program sees it as always.
cat >memory.c <<END
#include <pthread.h>
#include <stdlib.h>
static void *take(void *unused) {
    (void)unused;
    return malloc((size_t)1 << 60);
}
int main(void) {
    pthread_t thread;
    void *block;
    pthread_create(&thread, NULL, take, NULL);
    pthread_join(thread, &block);
    return block ? 0 : 3;
}
END
heddle explore memory.c | sed -n '/memory.c:.*status/p'

# A loop without a scheduling point.
cat >loop.c <<END
#include <pthread.h>
int flag;
static void *wait(void *unused) {
    while (!flag)
        ;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait, NULL);
    flag = 1;
    pthread_join(thread, NULL);
    return 0;
}
END
heddle cc -O1 loop.c -o loop
heddle explore --no-race --hang=0.3 ./loop | sed -n 's/.*search  *not complete: //p'

# A program that stops itself, past the runtime.
cat >stops.c <<END
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
static _Atomic int ready;
static void *stop(void *unused) {
    ready++;
    syscall(SYS_kill, getpid(), SIGSTOP);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, stop, NULL);
    ready++;
    return pthread_join(thread, NULL);
}
END
heddle explore --json --time=20 stops.c 2>/dev/null | jq -r '.verdict.why_not[].text'
