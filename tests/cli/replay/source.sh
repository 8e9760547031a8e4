# A witness of a source is shown again on the source, whichever compiler made the program; not on
# another source.
cat > late.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int late;
static void *set(void *unused) {
    atomic_store(&late, 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    assert(!atomic_load(&late));
    pthread_join(thread, 0);
    return 0;
}
C
for compiler in gcc clang; do
    command -v $compiler >/dev/null || compiler=gcc
    export HEDDLE_CC=$compiler
    for how in '' --sv-comp; do
        heddle explore -q $how -o witness late.c >/dev/null
        heddle replay -q late.c witness
        sed 's/late, 1/late, 2/' late.c > other.c
        cp late.c kept.c
        cp other.c late.c
        heddle replay -q late.c witness >/dev/null 2>&1
        echo "status $?"
        cp kept.c late.c
    done
done
