# A rule that names a function which leads to a race does not hide the same race by way of others.
cat > callers.c << 'END'
#include <pthread.h>
static int hits;
static void __attribute__((noinline)) count(void) {
    hits += 1;
}
static void __attribute__((noinline)) old(void) {
    count();
}
static void __attribute__((noinline)) young(void) {
    count();
}
static void *one(void *none) {
    old();
    return none;
}
static void *other(void *none) {
    young();
    return none;
}
int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, i < 2 ? one : other, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
}
END
heddle cc -o callers callers.c
heddle record -q -o callers.htr ./callers
for rules in race:old 'race:old race:young'; do
    printf '%s\n' $rules > rules
    for method in predictive hb; do
        heddle race -q --method=$method --suppressions=rules callers.htr > out
        echo "$rules, $method: status $?"
        grep -o -e '^race.*' -e 'at [oy][a-z]* ' out
    done
done
true
