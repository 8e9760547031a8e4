# A recording names each function that it did not see, by its library, and says when there were more
# than it names: to accept the library of those that are named does not accept the others.
# In make test-long only.
functions() {
    local i
    for ((i = 0; i < $2; i++)); do
        echo "int $1$i(int *p)$3"
    done
}
ask() {
    functions one $1 '{return *p;}' >one.c
    functions two 1 '{return *p;}' >two.c
    {
        echo '#include <pthread.h>'
        functions one $1 ';'
        functions two 1 ';'
        echo 'static int shared; static void *run(void *unused) {'
        for ((i = 0; i < $1; i++)); do echo "one$i(&shared);"; done
        echo 'two0(&shared); return unused; }'
        echo 'int main(void) { pthread_t thread; pthread_create(&thread, 0, run, 0);'
        echo 'return pthread_join(thread, 0); }'
    } >calls.c
    cc -shared -fPIC -o libone.so one.c
    cc -shared -fPIC -o libtwo.so two.c
    heddle cc -w -o calls calls.c -L. -lone -ltwo -Wl,-rpath,"$PWD"
    heddle record -q -o calls.htr ./calls
    heddle convert calls.htr - 2>/dev/null | grep -c 'heddle: unseen'
    heddle race --accept=library:libone.so calls.htr | sed -n 's/.*shaky: //p'
    echo "status ${PIPESTATUS[0]}"
    heddle race --accept=library:libone.so,library:libtwo.so calls.htr >answer
    echo "status $?"
}
ask 40
ask 300
