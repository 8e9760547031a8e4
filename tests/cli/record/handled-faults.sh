# A write that faults, whose handler leaves by a jump: the record goes on, the replay and the search
# say the same.
cat >faults.c <<'EOF'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

static __thread sigjmp_buf before;
static int *volatile target;
static int caught[2], seen[2];
static char stacks[2][1 << 16];

static void handle(int number) {
    (void)number;
    siglongjmp(before, 1);
}

static void *run(void *number) {
    long me = (long)number;
    stack_t other = {.ss_sp = stacks[me], .ss_size = sizeof stacks[me]};
    if (ON_STACK)
        sigaltstack(&other, NULL);
    for (int i = 0; i < 2; i++)
        if (sigsetjmp(before, 1) == 0)
            *target = 5;
        else
            caught[me]++;
    seen[me] = READABLE ? *target : 7;
    return NULL;
}

int main(void) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = ON_STACK ? SA_ONSTACK : 0};
    pthread_t threads[2];
    sigaction(SIGSEGV, &action, NULL);
    if (READABLE) {
        target = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *target = 7;
        mprotect(target, 4096, PROT_READ);
    }
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("caught %d %d, seen %d %d\n", caught[0], caught[1], seen[0], seen[1]);
    return !(caught[0] == 2 && caught[1] == 2 && seen[0] == 7 && seen[1] == 7);
}
EOF
for how in '-DON_STACK=0 -DREADABLE=0' '-DON_STACK=1 -DREADABLE=0' '-DON_STACK=0 -DREADABLE=1'; do
    echo "-- $how"
    heddle cc -g -O1 $how -o faults faults.c
    heddle record -q -o run.htr ./faults
    echo "recorded: status $?"
    heddle validate run.htr | sed 's/, .*//'
    heddle record -q --free -o free.htr ./faults
    echo "recorded, free: status $?"
    heddle replay -q ./faults run.htr | tail -1
    heddle explore -q --no-race --json ./faults | jq -c '[.complete, .result.violations]'
done
