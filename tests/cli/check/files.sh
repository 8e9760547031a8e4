# Which files of a program and of its libraries are not instrumented.
mkdir -p lib
cat >main.c <<END
#include <pthread.h>
int plain(int), shared(int), second(int);
int kept;
static void *work(void *unused) {
    plain(1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    shared(second(2));
    pthread_join(thread, 0);
    return 0;
}
END
echo 'static int sum; int plain(int x) { return sum += x; }' >lib/plain.c
echo 'int shared(int x) { return x + 1; }' >lib/shared.c
echo 'int second(int x) { return x + 2; }' >second.c
echo 'int unused(void) { return 0; }' >lib/unused.c
gcc -g -c lib/plain.c
gcc -g -shared -fPIC -o libshared.so lib/shared.c
build() { heddle cc -g -o prog "$@" -L. -lshared -Wl,-rpath,"$PWD"; }
build main.c second.c plain.o
files() {
    heddle check "$@" | sed -n '/^   files/,/^   rests/p' | grep -v rests
    echo "status ${PIPESTATUS[0]}"
}
cat >db.json <<END
[
    {"directory": "$PWD", "command": "cc -c main.c", "file": "main.c"},
    {"directory": "$PWD/lib", "arguments": ["cc"], "file": "../lib/./plain.c"},
    {"directory": "$PWD", "command": "cc", "file": "lib/unused.c"},
    {"directory": "$PWD", "command": "cc -DTWICE", "file": "lib/unused.c"},
    {"directory": "$PWD", "command": "cc", "file": "$PWD/second.c"}
]
END
files ./prog
files --compile-commands=db.json ./prog
heddle check --json --compile-commands=db.json ./prog | jq -c .result.files
heddle check --json ./prog | jq -c .result.files

# Without names of its sources, a library is named itself.
gcc -shared -fPIC -o libshared.so lib/shared.c
files ./prog

# All of it built by heddle.
heddle cc -g -shared -fPIC -o libshared.so lib/shared.c
build main.c second.c lib/plain.c
files ./prog
files --compile-commands=db.json ./prog

echo '{"file": "main.c"}' >object.json
heddle check --compile-commands=object.json ./prog
heddle check --compile-commands=missing.json ./prog
heddle check --compile-commands=main.c ./prog
printf 'a|w(x)|\n' >good.std
heddle check --compile-commands=db.json good.std
echo "status $?"
