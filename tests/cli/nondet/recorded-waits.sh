# In a recording, a read from a pipe comes after a write, and a later pthread_once after the body.
cat >pipe.c <<'C'
#include <pthread.h>
#include <unistd.h>
static int ends[2], data;
static void *give(void *text) {
    data = 42;
    write(ends[1], text, 2);
    return text;
}
static void *get(void *unused) {
    char text[2] = "";
    read(ends[0], text, PART);
    if (data != 42)
        _exit(3);
    read(ends[0], text + 1, 2 - PART);
    return unused;
}
int main(void) {
    pthread_t a, b;
    pipe(ends);
    pthread_create(&b, NULL, get, NULL);
    pthread_create(&a, NULL, give, "ab");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
cat >two.c <<'C'
#include <pthread.h>
#include <unistd.h>
static int ends[2];
static void *give(void *text) {
    write(ends[1], text, 1);
    return text;
}
static void *get(void *unused) {
    char byte;
    read(ends[0], &byte, 1);
    return unused;
}
int main(void) {
    pthread_t threads[4];
    pipe(ends);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i % 2 ? get : give, "ab" + i / 2);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
C
cat >once.c <<'C'
#include <pthread.h>
#include <unistd.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int data;
static void init(void) {
    data = 42;
}
static void *get(void *unused) {
    pthread_once(&once, init);
    if (data != 42)
        _exit(3);
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, get, NULL);
    pthread_create(&b, NULL, get, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
ask() {
    heddle cc -O1 -w $2 -o $1 $1.c
    heddle record -q --seed=4 -o $1.htr ./$1
    heddle nondet $1.htr | grep -E '^[a-z]*.htr|^  file|^  once'
    heddle race $1.htr | head -1
    heddle replay ./$1 $1.htr 2>&1 | grep -E 'followed|diverges'
}
ask pipe -DPART=2
ask pipe -DPART=1
# Who writes and who reads first is open.
ask two
ask once
heddle convert once.htr once.std 2>/dev/null
grep 'ar4' once.std
heddle convert once.std again.htr && heddle convert again.htr again.std && cmp once.std again.std
# A kept read is not asked; another of the same write is.
printf '%s\n' 'a|aw(x)|1' 'b|ar.kept(x)|2' 'c|ar(x)|3' >kept.std
heddle nondet kept.std | grep -E '^  read  '
printf '%s\n' 'a|aw.kept(x)|1' >bad.std
heddle nondet bad.std
echo "status $?"
