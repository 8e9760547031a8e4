# The stack of each event: in the trace, in what is found, and kept by convert but in text.
cat >prog.c <<END
#include <pthread.h>
#include <setjmp.h>
int balance, tries;
pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;
jmp_buf again;
void add(int n) {
    balance += n;
}
void deep(int n) {
    if (n)
        deep(n - 1);
    else
        longjmp(again, 1);
    tries = -1;
}
void deposit(int n) {
    if (!setjmp(again))
        deep(3);
    tries = 1;
    add(n);
}
void *clerk(void *p) {
    pthread_mutex_lock(&one);
    pthread_mutex_lock(&two);
    add(2);
    pthread_mutex_unlock(&two);
    pthread_mutex_unlock(&one);
    return p;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, clerk, 0);
    deposit(1);
    pthread_mutex_lock(&two);
    pthread_mutex_lock(&one);
    pthread_mutex_unlock(&one);
    pthread_mutex_unlock(&two);
    pthread_join(t, 0);
    return 0;
}
END
heddle cc -g -o prog prog.c
heddle record --quiet --seed=0 -o prog.htr ./prog
heddle info --event=4 --event=6 prog.htr
heddle race prog.htr | sed -n '/^race/,/fix/p'
heddle deadlock prog.htr | sed -n '/^deadlock/,/schedule/p'
heddle nondet prog.htr | sed -n '/read of balance/,/order/p'
heddle detect --model=loset prog.htr race | sed -n '/last/,/schedule/p'
{
    heddle race --json prog.htr
    heddle deadlock --json prog.htr
    heddle detect --model=loset --json prog.htr race
    heddle nondet --json prog.htr
    heddle info --json --event=6 prog.htr
} | jq -c '. as $it | {
    race: [.findings[0].places[]? | {event, thread, stack}],
    deadlock: [.findings[0].places[]? | {event, thread, stack}],
    detect: [.findings[0].stacks[]?],
    nondet: [.findings[0].places[]?.stack],
    info: [.result.stacks] }[.command][]'
heddle convert prog.htr same.htr && heddle info --event=4 same.htr
heddle convert prog.htr prog.std
heddle info --event=4 prog.std
heddle record --quiet --no-stacks -o none.htr ./prog
heddle info --event=4 none.htr
heddle info --event=0 prog.htr; echo $?
heddle info --event=x prog.htr; echo $?
