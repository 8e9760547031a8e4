# What a failing schedule looks like is said, with the steps that matter marked, where it is one of
# the patterns that are known; of a race, what is missing by the locks that are held.
cat >head.h <<END
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;
END
cat >tail.h <<END
int main(void) {
    pthread_t t[3];
    (void)c, (void)l, (void)x, (void)y, (void)m, (void)n;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, i ? second : first, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    AFTER
    return 0;
}
END
# try NAME THREADS FIRST SECOND AFTER
try() {
    printf '#include "head.h"\n#define THREADS %s\n#define AFTER %s\n' "$2" "$5" >$1.c
    printf 'static void *first(void *a) {\n%b\n    return a;\n}\n' "$3" >>$1.c
    printf 'static void *second(void *a) {\n%b\n    return a;\n}\n' "$4" >>$1.c
    echo '#include "tail.h"' >>$1.c
    heddle cc -g -O1 -o $1 $1.c
    echo "$1"
    heddle explore --find=failure,deadlock ./$1 | grep -A3 '^ \* \|^  \* ' | grep -v '^--\|replay:\|stack of'
}
lock='    pthread_mutex_lock(&m);\n'
unlock='    pthread_mutex_unlock(&m);'
wait='pthread_cond_wait(&c, &m);\n'
take="    assert(x > 0);\n    x--;\n"
try if 3 "$lock    x++;\n    pthread_cond_signal(&c);\n$unlock\n" \
    "$lock    if (!x)\n        $wait$take$unlock" ''
try while 2 "$lock    x++;\n    pthread_cond_signal(&c);\n$unlock\n" \
    "$lock    while (!x)\n        $wait$take$unlock" ''
try lost-signal 2 '    pthread_cond_signal(&c);' "$lock    $wait$unlock" ''
try lost-between 2 '    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);\n    pthread_cond_signal(&c);' \
    "$lock    while (!__atomic_load_n(&x, __ATOMIC_SEQ_CST))\n        $wait$unlock" ''
try no-signal 2 '    x = 1;' "$lock    $wait$unlock" ''
try lost-update 2 '    int old = __atomic_load_n(&x, __ATOMIC_SEQ_CST);\n    __atomic_store_n(&x, old + 1, __ATOMIC_SEQ_CST);' \
    '    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);' 'assert(x == 2);'
try old-value 2 "$lock    x = 1;\n    y = 1;\n$unlock" "$lock    int old = x;\n$unlock\n$lock    assert(old == y);\n$unlock" ''
try aba 2 '    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);\n    __atomic_store_n(&y, 1, __ATOMIC_SEQ_CST);\n    __atomic_store_n(&x, 0, __ATOMIC_SEQ_CST);' \
    '    int old = __atomic_load_n(&x, __ATOMIC_SEQ_CST), seen = __atomic_load_n(&y, __ATOMIC_SEQ_CST);\n    if (!old && __atomic_compare_exchange_n(&x, &old, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))\n        assert(seen == __atomic_load_n(&y, __ATOMIC_SEQ_CST));' ''

# race NAME FIRST SECOND
race() {
    printf '#include "head.h"\n#define THREADS 2\n#define AFTER\n' >$1.c
    printf 'static void *first(void *a) {\n%b\n    return a;\n}\n' "$2" >>$1.c
    printf 'static void *second(void *a) {\n%b\n    return a;\n}\n' "$3" >>$1.c
    echo '#include "tail.h"' >>$1.c
    echo "$1"
    heddle check $1.c | grep -A3 'what helps' | sed '/^$/,$d'
}
race one-lock "$lock    x++;\n$unlock" '    x++;'
race two-locks "$lock    x++;\n$unlock" '    pthread_mutex_lock(&n);\n    x++;\n    pthread_mutex_unlock(&n);'
race half-atomic '    x = 1;' '    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);'
race for-reading '    pthread_rwlock_rdlock(&l);\n    x++;\n    pthread_rwlock_unlock(&l);' \
    '    pthread_rwlock_rdlock(&l);\n    x++;\n    pthread_rwlock_unlock(&l);'
race no-lock '    x++;' '    x++;'
race weak '    x = 1;\n    __atomic_store_n(&y, 1, __ATOMIC_RELAXED);' \
    '    if (__atomic_load_n(&y, __ATOMIC_RELAXED))\n        y = x;'
