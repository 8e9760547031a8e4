# A rule that names a function which leads to a deadlock does not hide the same one by way of others.
cat > callers.c << 'END'
#include <pthread.h>
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static void __attribute__((noinline)) both(pthread_mutex_t *one, pthread_mutex_t *other) {
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}
static void __attribute__((noinline)) old(int back) {
    both(back ? &right : &left, back ? &left : &right);
}
static void __attribute__((noinline)) young(int back) {
    both(back ? &right : &left, back ? &left : &right);
}
static void *forth(void *none) {
    old(0);
    young(0);
    return none;
}
static void *back(void *none) {
    old(1);
    young(1);
    return none;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, forth, 0);
    pthread_create(&b, 0, back, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
END
heddle cc -O0 -o callers callers.c
heddle record -q -o callers.htr ./callers
for rules in deadlock:old 'deadlock:old deadlock:young'; do
    printf '%s\n' $rules > rules
    heddle deadlock -q --suppressions=rules callers.htr > out
    echo "$rules: status $?"
    grep -o -e '^deadlock.*' -e 'at [oy][a-z]* ' out
done
true
