# A run that is killed, by heddle at a failure or by a signal, has not come to its end; that of a
# recording is judged the same.
cat >over.c <<'EOF'
#include <pthread.h>
#include <stdlib.h>
static char *block;
static void *work(void *unused) {
    block[8] = 1;
    return unused;
}
int main(void) {
    pthread_t thread;
    block = malloc(8);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    free(block);
}
EOF
printf '#include <signal.h>\nint x;\nint main(void) { x = 1; raise(SIGKILL); }\n' >killed.c
printf 'int x;\nint main(void) { x = 1; return 7; }\n' >fails.c
for name in over killed fails; do
    heddle cc -g -o $name $name.c
    heddle detect --online -e 'race(all)' ./$name 2>/dev/null
    echo "$name: status $?"
    heddle detect --online --json -e 'race(all)' ./$name 2>/dev/null >answers
    rm -f run.htr
    heddle record -q -o run.htr ./$name >/dev/null 2>&1
    heddle detect --json -e 'race(all)' run.htr >>answers
    jq -c '[.complete, .verdict.why_not[].code]' answers
done
