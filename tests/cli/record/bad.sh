# What cannot be recorded has a clear word.
heddle record ./missing; echo $?
heddle record /bin/true; echo $?
printf 'int main(void) { return 0; }' >main.c
gcc -static -o static main.c && heddle record ./static; echo $?
heddle record --tsan /bin/true; echo $?
heddle record; echo $?
heddle record -o - /bin/true; echo $?
heddle record --free --schedule=x /bin/true; echo $?
heddle record --schedule=missing /bin/true; echo $?
printf 'nothing\n' >schedule; heddle record --schedule=schedule /bin/true; echo $?
heddle record --seed=x /bin/true; echo $?
heddle cc -o none main.c && heddle record ./none; echo $?
ls *.htr *.std 2>/dev/null || true

# The head of a program for another machine is enough.
cp none other
machine=$(od -An -tx1 -j18 -N1 other | tr -d ' ')
if [ "$machine" = 3e ]; then printf '\xb7'; else printf '\x3e'; fi | dd of=other bs=1 seek=18 conv=notrunc 2>/dev/null
heddle record ./other 2>&1 | sed 's/for aarch64; this heddle runs those for x86_64/for another machine/; s/for x86_64; this heddle runs those for aarch64/for another machine/'

# Memory that is not there: the program sees it as always, and is recorded.
printf '#include <stdlib.h>\nint seen; int main(void) { seen = malloc((size_t)1 << 60) == NULL; return seen; }' >memory.c
heddle cc -O0 -o memory memory.c && heddle record -o memory.std ./memory; echo $?
grep -c '(seen=1)' memory.std
heddle record --free -q -o memory.std ./memory; echo $?
grep -c '(seen=1)' memory.std

# A loop that reads what it waits for only once.
cat >loop.c <<END
#include <pthread.h>
int flag;
static void *set(void *unused) { flag = 1; return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!flag) ;
    return 0;
}
END
heddle cc -O2 -o loop loop.c && heddle record --seed=0 --hang=1 --timeout=2 -o loop.std ./loop; echo $?
grep -c fork loop.std
