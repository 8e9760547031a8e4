# Witnesses of recordings, on the program that was recorded.
cat >p.c <<'END'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *one(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    x = 1;
    return unused;
}
static void *other(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return x ? &x : unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
END
heddle cc -g -O0 -o p p.c
heddle record -q -o p.htr ./p
for question in nondet race deadlock; do
    heddle $question -q -o $question.std p.htr >/dev/null
    echo "$question $?"
    heddle replay -q ./p $question.std
    echo "status $?"
done
heddle states -q --model=loset --reach=main=3 -o state.std p.htr >/dev/null
heddle replay -q ./p state.std
echo "status $?"
heddle replay --json ./p race.std | jq -c '[.result.verdict, .findings[].rule]'
# Another build; no recording; one that is gone.
heddle cc -g -O0 -Dx=y -o p p.c
heddle replay ./p race.std 2>&1 | sed 's/([0-9a-f]*, this is [0-9a-f]*)/(A, this is B)/'
heddle convert -q p.htr p.std
sed 's/p.htr/p.std/' race.std >text.std
heddle replay ./p text.std
echo "status $?"
sed '/^# trace/d' race.std >none.std
heddle replay ./p none.std
echo "status $?"
