# What is doubtful in a run is printed, kept in its record however it is saved, and said by the
# commands that read it.
cat > notes.c << 'END'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *work(void *none) {
    pthread_mutex_lock(&m);
    x = 1;
    return none;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, work, 0);
    return 0;
}
END
heddle cc -O1 -g -o notes notes.c
heddle record -s 0 -o run.htr ./notes; echo "status $?"
heddle record -q -s 0 -o run.std ./notes; echo "quiet, status $?"
heddle record -q -s 0 --json -o run.htr ./notes | tr '[' '\n' | grep -A1 '"notes"' | sed 's|, "seconds.*||'
heddle record -q -s 0 -n 2 -o runs.htr ./notes
for file in run.htr run.std runs.1.htr; do
    heddle convert -q $file - --to=text | grep '# heddle: ' > $file.end
    cmp $file.end run.htr.end
done
cat run.htr.end
heddle info run.htr | grep -A1 '^  notes'
heddle info run.std --json | tr '[' '\n' | grep -A1 '"notes"' | sed 's/}].*//'
heddle race run.std | grep -A1 '^  notes'
# A note that has another form is a comment; nothing escapes.
printf 'T|w(x)|\n# heddle: note\n# heddle: note  a\n# heddle: note A b\n# heddle: note a\033b c\n# heddle: note ab c\033\n# heddle: note a-b c d\n# heddle: ended exit 0\n' > odd.std
heddle info odd.std | grep -A1 '^  notes'
heddle convert odd.std odd.htr && heddle convert odd.htr - --to=text
