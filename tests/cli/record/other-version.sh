# A program that loads the runtime of another version of heddle: one line, status 2, and never a
# wait without end.
cat >prog.c <<END
#include <unistd.h>
int x;
int main(void) {
    x = 1;
    for (;;)
        pause();
}
END
# One that knows of versions.
heddle cc -o prog prog.c
runtime=$(ldd ./prog | sed -n 's/.*=> \(.*libheddle-rt.so\) .*/\1/p')
mkdir other
sed 's/hdewire[0-9a-z]/hdewire1/g' "$runtime" >other/libheddle-rt.so
LD_LIBRARY_PATH=$PWD/other heddle record ./prog; echo $?
LD_LIBRARY_PATH=$PWD/other heddle explore ./prog; echo $?
LD_LIBRARY_PATH=$PWD/other heddle race ./prog; echo $?
# One that does not: it goes on without heddle.
mkdir old
cat >old.c <<END
void __tsan_init(void) {}
END
gcc -shared -fPIC -Wl,-soname,libheddle-rt.so -o old/libheddle-rt.so old.c
gcc -o stays prog.c -Wl,--no-as-needed -Lold -lheddle-rt -Wl,-rpath,"$PWD/old"
heddle record ./stays; echo $?
heddle explore ./stays; echo $?
