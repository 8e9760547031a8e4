# A record that does not fit: the trace is incomplete, and says so.
cat >prog.c <<END
volatile int x;
int main(void) {
    for (int i = 0; i < 100000; i++)
        x = i;
    return 0;
}
END
heddle cc -O1 -o prog prog.c
heddle record --limit=1 -o prog.std ./prog; echo $?
tail -1 prog.std
heddle validate prog.std
