# A schedule of another program.
cat >prog.c <<END
#include <pthread.h>
int x;
void *add(void *unused) { x++; return unused; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, add, 0);
    pthread_join(a, 0);
    return 0;
}
END
heddle cc -O1 -o prog prog.c
heddle record --save-schedule=schedule -o a.std ./prog
heddle record --schedule=schedule -o b.std ./prog && cmp a.std b.std && echo same
printf 'seed 1\n0 1\n7 1\n' >schedule
heddle record --schedule=schedule -o c.std ./prog; echo $?
