# Suppressed races and deadlocks: left out, counted, and listed; failures never are.
cat > bad.c << 'END'
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int hits, safe;
static void count(void) {
    hits++;
}
static void both(pthread_mutex_t *one, pthread_mutex_t *other) {
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    safe++;
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}
static void *forth(void *none) {
    count();
    both(&left, &right);
    return none;
}
static void *back(void *none) {
    count();
    both(&right, &left);
    return none;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, forth, 0);
    pthread_create(&b, 0, back, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef FAILS
    assert(hits == 2);
#endif
    return 0;
}
END
heddle cc -O0 -g -o bad bad.c
heddle cc -O0 -g -DFAILS -o fails bad.c
printf 'race:count\ndeadlock:both\n' > all
printf 'race:^hits$\n' > races
printf 'deadlock:bad.c\n' > deadlocks
say() {
    echo "$1: status $2, $(grep -c '^bad.c:[0-9]*: ' out) found"
    grep -e '\[suppress' -e '^  suppressed' out
}
for file in all races deadlocks; do
    heddle explore -q --stop=never --suppressions=$file ./bad > out
    say $file $?
done
heddle explore -q --suppressions=all ./fails > out
say fails $?
TSAN_OPTIONS=exitcode=7:suppressions=all heddle explore ./bad > out
say environment $?
TSAN_OPTIONS=exitcode=7:suppressions=all heddle explore -q --suppressions=races ./bad > out
say 'option first' $?
heddle explore -q --json --suppressions=all ./bad | grep -o '"suppressed": [0-9]*' | sort -u
heddle check -q --time=30 --suppressions=all ./bad > out
echo "check: status $?, $(head -1 out)"
heddle explore --suppressions=none ./bad
echo "status $?"
echo nonsense > rules
heddle check --suppressions=rules ./bad
echo "status $?"
