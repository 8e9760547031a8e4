# Control characters in the name of a source do not reach the terminal.
name="$(printf 'ra\033[31mce.c')"
cat >"$name" <<'EOF'
#include <pthread.h>
#include <stdlib.h>
static int shared;
static void *work(void *block) {
    shared = 1;
    ((char *)block)[8] = 1;
    return block;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, malloc(8));
    shared = 2;
    pthread_join(thread, NULL);
}
EOF
heddle cc -g -o race "$name"
heddle explore --stop=never ./race >out
echo "status $?"
heddle race ./race >>out 2>/dev/null
echo "status $?"
grep -c '\\x1b' out | sed 's/[1-9][0-9]*/some/'
grep "$(printf '\033')" out || echo "none raw"
