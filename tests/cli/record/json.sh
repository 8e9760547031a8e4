# One object; the program's own output goes to standard error.
cat >prog.c <<END
#include <stdio.h>
volatile int x;
int main(void) {
    x = 3;
    puts("said");
    return x;
}
END
heddle cc -O1 -o prog prog.c
heddle record --json -o prog.std ./prog | jq -c '[.command, .complete, .result.events, .result.exit_status, .result.ending]'
heddle record --json --runs=3 -o prog.std ./prog 2>/dev/null | jq -c '[.result.runs, .result.different, .result.failed]'
ls *.std
