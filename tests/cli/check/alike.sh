# Races on one variable are shown as one, with the other pairs of places; JSON has them all.
cat >alike.c <<END
#include <pthread.h>
static int total, slots[2];
static void *a(void *x) {
    total++;
    slots[0]++;
    slots[1]++;
    return x;
}
static void *b(void *x) {
    total += 2;
    slots[0]++;
    slots[1]++;
    return x;
}
int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, a, 0);
    pthread_create(&t[1], 0, b, 0);
    total = 5;
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
END
heddle check --json -o out alike.c >answer.json
jq -c '[.result.errors, (.findings | map(select(.rule == "race")) | length)]' answer.json
heddle report answer.json | sed 's/ (explore.*//; s/ (race.*//' |
    grep -A3 '^alike\|^[0-9]*\. \|   also' | grep -v '^ *$\|found by\|schedule\|^--\|record \|race  \|deadlock  '
