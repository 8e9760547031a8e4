# A read whose value is not used races, too: sources are compiled so that it is there.
# In make test-long only.
cat > dead.c << 'END'
#include <pthread.h>
static struct pair { int first, second; } structure;
static int local, overwritten, compared, condition, branches, smaller, pointer, call, argument, sum;
static inline int get(void) { return call; }
static inline void take(int value) { (void)value; }
static void *writer(void *none) {
    local = overwritten = compared = condition = branches = 1;
    smaller = pointer = call = argument = sum = structure.second = 1;
    return none;
}
static void read_all(void) {
    { int a = local; (void)a; }
    { int a = overwritten; a = 3; (void)a; }
    { int a = compared == 1; (void)a; }
    if (condition) {}
    { int a; if (branches) a = 1; else a = 1; (void)a; }
    { int a = smaller < 5 ? smaller : 5; (void)a; }
    { int *p = &pointer, a = *p; (void)a; }
    get();
    take(argument);
    { int a = 0; for (int i = 0; i < 3; i++) a += sum; (void)a; }
    { struct pair a = structure; (void)a; }
}
static void *reader(void *none) {
    read_all();
    return none;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
END
races() {
    sed -n 's/^[0-9]*\. data race: two accesses of \(.*\) can collide$/\1/p' "$1" | sort | tr '\n' ' '
}
heddle check --ask=race --seeds=1 dead.c > out; echo "status $?"
races out > gcc.txt; cat gcc.txt; echo
if command -v clang > /dev/null; then
    HEDDLE_CC=clang heddle check --ask=race --seeds=1 dead.c > out
    races out > clang.txt; cmp gcc.txt clang.txt
fi
for compiler in gcc clang; do
    command -v $compiler > /dev/null || continue
    HEDDLE_CC=$compiler heddle explore -q dead.c > out
    grep -q 'data race: ' out || echo "explore, $compiler: none"
done
# With optimisation they are gone.
heddle check --ask=race --seeds=1 --flag=-O1 dead.c > out; echo "-O1: status $?"; races out
