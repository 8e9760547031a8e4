# What an answer rests on if the program asks for inputs.
rests() {
    command heddle "$@" | grep -e 'complete' -e '\[inputs:' -e 'changed nothing' -e '^[a-z][a-z]*$'
    echo "status ${PIPESTATUS[0]}"
}
cat >ask.c <<END
#include <heddle/mark.h>
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
int main(int argc, char **argv) {
    (void)argv;
    if (argc == 1)
        return heddle_choose(1, 3) == 4 || __VERIFIER_nondet_bool() == 2;
    if (argc == 2)
        return heddle_choose(0, 1000000) == -1;
    if (argc == 4) {
        heddle_choose(0, 1); /* takes nothing from the list of --inputs */
        return __VERIFIER_nondet_int() == 7;
    }
    int asked = __VERIFIER_nondet_int();
    return asked * asked == 49;
}
END
heddle cc -o ask ask.c
./ask; echo "without heddle $?"
rests explore ./ask
rests explore ./ask 1
rests explore ./ask 1 2
rests explore ./ask 1 2 3
rests explore --accept=inputs:domain ./ask 1 2
rests explore --inputs=any:0..3,5 ./ask 1 2
rests explore --inputs=any:5..8 ./ask 1 2
rests explore --inputs=7 ./ask 1 2
rests explore --inputs=1 ./ask 1 2
rests race ./ask 1 2
for how in --random=100 --pct=2 --states; do
    rests explore $how ./ask 1 2 3
done
rests explore --inputs=7 ./ask 1 2 3
rests explore --inputs=7,8 ./ask
rests explore --inputs=any:0,1 ./ask
rests explore --inputs=any:0,1 ./ask 1
rests explore --input-seed=7 ./ask 1
rests explore --input-seed=7 --inputs=1 ./ask 1 2
heddle explore --inputs=any:5..2 ./ask
heddle race --inputs=any:0..64 ./ask
heddle record --inputs=any: ./ask
heddle check --inputs=1.. ./ask
for bad in 9223372036854775808 -9223372036854775809 any:0,18446744073709551616 \
    any:9223372036854775807..9223372036854775808 0x8000000000000000 0xg ' 1' +1 '' 1e3; do
    heddle explore "--inputs=$bad" ./ask 2>&1 | sed 's/.*, not/not/'
done
for good in 010 0x7fffffffffffffff any:9223372036854775807,-0x8000000000000000; do
    heddle explore --inputs=$good ./ask 1 2 | grep '\[inputs:'
done
heddle explore --input-seed=0 ./ask
heddle explore --wakes=4294967296 ./ask
# race and deadlock use the numbers that the program compares its inputs with, too.
cat >wider.c <<END
#include <pthread.h>
int __VERIFIER_nondet_int(void);
static int shared;
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void take(int first) {
    pthread_mutex_lock(&m[first]);
    pthread_mutex_lock(&m[1 - first]);
    pthread_mutex_unlock(&m[1 - first]);
    pthread_mutex_unlock(&m[first]);
}
static void *other(void *nothing) { shared = 1; take(0); return nothing; }
int main(void) {
    pthread_t thread;
    int asked = __VERIFIER_nondet_int();
    pthread_create(&thread, 0, other, 0);
    if (asked == 77)
        shared = 2;
    take(asked == -40);
    pthread_join(thread, 0);
    return 0;
}
END
heddle cc -o wider wider.c
heddle race -o wider.witness ./wider | sed -n '1p;/^race on/p'
heddle replay ./wider wider.witness | tail -n 1
heddle deadlock ./wider | sed -n 1p
rests race --inputs=any:0,1 ./wider
rests race --inputs=1,0 ./wider
rests race --sv-comp --inputs=1,0 wider.c
