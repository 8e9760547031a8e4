# Which unit of a semaphore a take gets is open: only their number binds.
write() { printf '%s\n' "$@" >trace.std; }

echo '-- a semaphore as a lock: either section may be first'
write 'A|take(s)|1' 'A|w(x)|2' 'A|post(s)|3' 'B|take(s)|4' 'B|r(x)|5' 'B|post(s)|6'
heddle nondet --all trace.std | head -1
heddle race --summary trace.std | head -1

echo '-- a semaphore as a signal: the read is behind the write'
write 'A|w(x)|1' 'A|post(s)|2' 'B|take(s)|3' 'B|r(x)|4'
heddle nondet trace.std | head -1
heddle race --summary trace.std | head -1

echo '-- two signals: one of them is enough'
write 'A|w(x)|1' 'A|post(s)|2' 'C|post(s)|3' 'B|take(s)|4' 'B|r(x)|5'
heddle nondet -o witness.std trace.std | head -1
heddle race --summary trace.std | head -1
heddle validate trace.std witness.std
echo "status $?"

echo '-- messages stay in order'
sed 's/post/send/; s/take/recv/' trace.std >messages.std
heddle nondet messages.std | head -1

echo '-- no unit is left'
printf '%s\n' '# heddle witness 1' '# claim: reordering' 'B|take(s)|4' >witness.std
heddle validate trace.std witness.std
echo "status $?"

echo '-- a program'
cat >units.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
sem_t s;
int x;
void *set(void *to) {
    sem_wait(&s);
    x = *(int *)to;
    sem_post(&s);
    return to;
}
int main(void) {
    pthread_t a, b;
    int one = 1, two = 2;
    sem_init(&s, 0, 1);
    pthread_create(&a, 0, set, &one);
    pthread_create(&b, 0, set, &two);
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d\n", x);
}
END
heddle cc -O1 -w -o units units.c
heddle record -q -o units.htr ./units >output
heddle nondet --variable=x units.htr | head -1
heddle info units.htr | sed -nE 's/^  (post|take) +([0-9]+).*/\1 \2/p'
