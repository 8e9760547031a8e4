# A real program: its arguments, options that are not for it, what is not a program of heddle's,
# and a witness of another build.
# What an answer rests on is for the tests in verdict/ and tests/report.
heddle() {
    command heddle "$@" | grep -v '\[[a-z-]*\(:.*\)\?\]$'
    return "${PIPESTATUS[0]}"
}
cat >bank.c <<END
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int balance, amount;
void *deposit(void *unused) {
    int seen = balance;
    balance = seen + amount;
    return unused;
}
int main(int argc, char **argv) {
    pthread_t a, b;
    amount = argc > 1 ? atoi(argv[1]) : 0;
    pthread_create(&a, NULL, deposit, NULL);
#ifdef ORDERED
    pthread_join(a, NULL);
#endif
    pthread_create(&b, NULL, deposit, NULL);
#ifndef ORDERED
    pthread_join(a, NULL);
#endif
    pthread_join(b, NULL);
    if (argc > 2 && strcmp(argv[2], "--check") == 0)
        assert(balance == 2 * amount);
    return 0;
}
END
heddle cc -O1 -o bank bank.c
heddle explore --no-race ./bank 5 | head -4
echo "status ${PIPESTATUS[0]}"
heddle explore -o bank.std ./bank 5 -- --check | grep -v "checks  "
echo "status ${PIPESTATUS[0]}"
heddle replay -q ./bank bank.std 5 -- --check
echo "status $?"
heddle replay -q ./bank bank.std 5
echo "status $?"
heddle replay -q ./bank bank.std 6 -- --check
echo "status $?"
heddle cc -O1 -DORDERED -o bank bank.c
heddle replay -q ./bank bank.std 5 -- --check 2>&1 | sed 's/([^)]*)/(...)/'
heddle replay -q --any-build ./bank bank.std 5 -- --check
echo "status $?"
heddle explore -q --json ./bank 5 -- --check | jq -c '[.complete, .result.executions, .findings]'
heddle explore --random=20 -q ./bank 5 | head -1
heddle explore --bound=preemptions=1 -q ./bank 5 | head -1
heddle explore -D N=3 ./bank
echo "status $?"
gcc -o plain bank.c -pthread
heddle explore ./plain
echo "status $?"
heddle explore --find=race bank.c 5 | head -2
heddle explore --find=luck ./bank
echo "status $?"
heddle explore --inputs=1,,2 ./bank
echo "status $?"
echo 'int main( {' >broken.c
heddle explore broken.c 2>&1 | tail -1
heddle explore missing.c
echo "status $?"
