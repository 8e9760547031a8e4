# A program that fails before it does anything that is recorded: how it ended is found.
# In make test-long only.
echo '#include <stdlib.h>
int main(void) { abort(); }' >aborts.c
echo 'int main(void) { return 3; }' >fails.c
for program in aborts fails; do
    heddle check -o kept-$program $program.c >said
    echo "$program $?"
    grep '^1\.\|found by\|#0' said
    heddle cc -o $program $program.c
    heddle record -o $program.htr ./$program
    echo "record $?"
    heddle record -n 3 -q -o $program.htr ./$program
    echo "record $?"
    heddle record --json -q -o $program.htr ./$program | grep -o '"found": [a-z]*\|"output"\|"ending": "[^"]*"'
done
ls *.htr 2>/dev/null || echo 'no trace'
# Without debugging information of the system's code: nothing but the program is on the stack of a
# crash, and what NULL points to has a name.
cat >null.c <<'C'
struct pair { long first, second; };
static struct pair *pair;
int main(int count, char **words) {
    (void)words;
    if (count > 1)
        pair->second = 1;
    pair->first = 1;
    return 0;
}
C
heddle cc -o null null.c
heddle check -o kept-null null.c >said
echo "null $?"
sed -n '/^   at/,/^   found/p' said
for words in '' more; do
    heddle record -q -o null.std ./null $words
    echo "record $?"
    grep -o 'w.*NULL.*' null.std
done
# The thread that crashes is named, even if the last step was another's.
cat >thread.c <<'C'
#include <pthread.h>
static int *pointer;
static void *work(void *unused) {
    *pointer = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return pthread_join(thread, NULL);
}
C
heddle check -o kept-thread thread.c | sed -n '/^   at/,/^   found/p'
heddle explore kept-thread/program | sed -n '/^  stack/,/^  to/p' | head -2
