# What is no program, or none that can be run, recorded, explored or replayed: for each command one
# clear line, with a way out, and status 2.
# In make test-long only.
cat >small.c <<EOF
int x;
int main(void) { x = 1; return 0; }
EOF
cat >two.c <<EOF
#include <assert.h>
#include <pthread.h>
static int n;
static void *add(void *unused) { int v = n; n = v + 1; return unused; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n == 2);
    return 0;
}
EOF
printf 'shared x;\nthread a { assert (x == 1); }\n' >model.hdm
gcc -o plain small.c
gcc -static -o static small.c
cp plain other
machine=$(od -An -tx1 -j18 -N1 other | tr -d ' ')
if [ "$machine" = 3e ]; then printf '\xb7'; else printf '\x3e'; fi | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
printf '#!/bin/sh\n:\n' >script
heddle cc -O1 -o two two.c
cp two locked
head -c 300 two >cut
: >empty
chmod +x script cut empty
chmod -x locked
mkdir folder
heddle explore -q --find=failure -o two.std ./two >two.out
heddle explore -q -o model.std model.hdm >model.out
heddle record -q --seed=0 -o two.htr ./two
heddle record -q --seed=0 -o text.std ./two

say() {
    printf '%s: ' "$*"
    timeout 20 heddle "$@" </dev/null >out 2>&1
    status=$?
    head -1 out | sed 's/for aarch64; this heddle runs those for x86_64/for another machine/
        s/for x86_64; this heddle runs those for aarch64/for another machine/
        s/([0-9a-f]*, this is [0-9a-fsum-]*)/(ONE, this is ANOTHER)/'
    [ "$status" = 2 ] && [ "$(wc -l <out)" = 1 ] || echo "status $status, $(wc -l <out) lines"
}

for what in missing plain static other script locked folder empty cut; do
    say record ./$what
    say explore ./$what
    say race ./$what
    say deadlock ./$what
    say check ./$what
    say detect --online -e race ./$what
    case $what in
    folder | empty) again= ;;
    *) again='-q --any-build' ;;
    esac
    say replay $again ./$what two.std
    say replay $again ./$what two.htr
done

echo
echo "what is to be followed:"
for what in missing.std folder empty model.std text.std model.hdm two; do
    say replay ./two $what
done
head -c 20 two.htr >short.htr
head -c 150 two.htr >shorter.htr
heddle generate grid 2 3 --to=binary >grid.htr
say replay ./two short.htr
say replay ./two shorter.htr
say replay ./two grid.htr
say replay model.hdm two.std
say replay model.hdm two.htr
say replay two.htr ./two
say explore two.htr
say explore two.std
heddle cc -O0 -o two two.c
say replay ./two two.std
say replay ./two two.htr

echo
echo "options of the program:"
for command in explore race deadlock 'detect --online -e race'; do
    say $command ./two -f
    say $command ./two --json --file=x
done
say replay ./two two.std -xf
say explore --file=x ./two
heddle explore --find=failure -- ./two -f >out
echo "explore -- ./two -f: status $?"

echo
echo "a loop without a scheduling point:"
cat >loop.c <<EOF
#include <pthread.h>
static int flag;
static void *set(void *unused) { flag = 1; return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    while (!flag)
        ;
    return 0;
}
EOF
heddle cc -O2 -o loop loop.c
for command in race deadlock; do
    HEDDLE_PATIENCE=0.3 heddle $command ./loop >out 2>&1
    echo "$command: status $?"
    grep -A1 'no verdict\|cut off' out
done
