# What an answer rests on if the program asks for inputs.
rests() {
    command heddle "$@" | grep -e 'complete' -e '\[inputs:'
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
    if (argc == 4)
        return __VERIFIER_nondet_int() == 7;
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
heddle explore --inputs=any:5..2 ./ask
heddle race --inputs=any:0..64 ./ask
heddle record --inputs=any: ./ask
heddle check --inputs=1.. ./ask
