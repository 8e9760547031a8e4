# A rule that names one variable does not hide the race on another at the same two places.
cat > two.std << 'END'
M|fork(A)|
M|fork(B)|
A|w(hits)|two.c:3
B|w(hits)|two.c:5
A|w(misses)|two.c:3
B|w(misses)|two.c:5
M|join(A)|
M|join(B)|
END
echo 'variable:hits' > rules
for method in predictive hb shb lockset; do
    heddle race --method=$method --suppressions=rules two.std > out
    echo "$method: status $?"
    grep -e '^race' -e '^  suppressed' out
done
printf 'variable:hits\nvariable:misses\n' > rules
heddle race --suppressions=rules two.std | head -1
# Of a program, too.
cat > two.c << 'END'
#include <pthread.h>
int hits, misses;
static void *count(void *unused) {
    hits = 1, misses = 1;
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
END
heddle cc -g -O1 -o two two.c
echo 'variable:hits' > rules
for way in "" --no-predict; do
    heddle race $way --suppressions=rules ./two > out
    echo "program $way: status $?"
    grep -e '^race' -e '^  suppressed' out
done
printf 'variable:hits\nvariable:misses\n' > rules
heddle race --suppressions=rules ./two | head -1
