# Code that is instrumented, but has no debugging information, is not called uninstrumented.
cat > main.c << 'END'
#include <pthread.h>
extern int add(int *);
static int n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *none) {
    pthread_mutex_lock(&lock);
    add(&n);
    pthread_mutex_unlock(&lock);
    return none;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, run, 0);
    run(0);
    pthread_join(a, 0);
    return n != 2;
}
END
echo 'int add(int *to) { return ++*to; }' > add.c
heddle cc -g0 -o bare main.c add.c
gcc -c -o plain.o add.c
heddle cc -o plain main.c plain.o
for program in bare plain; do
    heddle check -q ./$program | grep -e '^   files' -e 'without instr'
    heddle check -q --json ./$program | jq -c .result.files
done
