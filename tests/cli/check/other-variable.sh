# explore tells one of several variables that race at the same two places, and the race that a run
# showed may be of another one: that is no contradiction.
cat > two.c << 'END'
#include <pthread.h>
static int first, second, third;
static void up(int *to) {
    *to += 1;
}
static void *one(void *none) {
    up(&third), up(&first), up(&second);
    return none;
}
static void *two(void *none) {
    up(&second), up(&first), up(&third);
    return none;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
END
heddle check -q two.c > out
echo "status $?"
grep -e '^   explore' -e 'error in heddle' -e '^[0-9]' out | sed 's/ ([0-9.]* s)//'
