# The number of the process is the same when a recording is replayed.
cat >tests.c <<'C'
#include <heddle/test.h>
#include <pthread.h>
static int x;
static void *add(void *unused) {
    x++;
    return unused;
}
HEDDLE_TEST(adds) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
    HEDDLE_CHECK(x == 1);
}
C
cat >asks.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static pid_t process, thread;
static int there, mine, other;
static char path[64];
static void *ask(void *unused) {
    thread = gettid() - process;
    return unused;
}
int main(void) {
    pthread_t handle;
    process = getpid();
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    there = access(path, R_OK) == 0;
    mine = kill(process, 0) == 0;
    other = kill(process + 0x1000000, 0) == 0;
    pthread_create(&handle, NULL, ask, NULL);
    pthread_join(handle, NULL);
    printf("thread %d, there %d, mine %d, other %d\n", (int)thread, there, mine, other);
    return 0;
}
C
for program in tests asks; do
    heddle cc -o $program $program.c
    heddle record -q -o $program.htr ./$program
    heddle replay ./$program $program.htr | sed 's/[0-9,]* events/N events/'
    echo "status ${PIPESTATUS[0]}"
    heddle convert -q $program.htr - | sed -n 's/\(^# heddle: input process=\)[0-9]*$/\1N/p'
done
# What is no number of a process is not taken.
printf 'main|w4(x=1)|a.c:1\n# heddle: ended exit 0\n# heddle: input process=99999999\n' >bad.std
heddle convert -q bad.std bad.htr
heddle replay ./asks bad.htr 2>&1 | grep -o 'it did .*process=[0-9]*'
