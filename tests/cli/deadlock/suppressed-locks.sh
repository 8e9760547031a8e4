# A rule that names one lock does not hide the deadlock on others at the same places.
cat > both.c << 'END'
#include <pthread.h>
static pthread_mutex_t lock[] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                 PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static void both(int one, int other) {
    pthread_mutex_lock(&lock[one]);
    pthread_mutex_lock(&lock[other]);
    pthread_mutex_unlock(&lock[other]);
    pthread_mutex_unlock(&lock[one]);
}
static void *forth(void *none) {
    both(0, 1), both(2, 3);
    return none;
}
static void *back(void *none) {
    both(1, 0), both(3, 2);
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
heddle cc -g -o both both.c
heddle record -q -o both.htr ./both
for rules in 0 2 "0 2"; do
    printf 'variable:lock\\[%s\\]\n' $rules > rules
    for of in both.htr ./both; do
        heddle deadlock -q --suppressions=rules $of > out
        echo "without $rules: $of: status $?"
        grep -e '^deadlock' out || true
    done
done
