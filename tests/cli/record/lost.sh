# A record that does not fit: the trace is incomplete, and says so.
cat >prog.c <<END
volatile unsigned long x;
int main(void) {
    for (unsigned long i = 0; i < 200000; i++)
        x = i * i * 0x9e3779b97f4a7c15;
    return 0;
}
END
heddle cc -O1 -o prog prog.c
heddle record --limit=1 -o prog.std ./prog; echo $?
tail -1 prog.std
heddle validate prog.std
heddle record --free --limit=1 -o free.std ./prog 2>/dev/null; echo $?
grep -c '^# heddle: incomplete lost=[1-9]' free.std
heddle validate free.std 2>/dev/null | grep -c well-formed
