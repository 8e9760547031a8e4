# A program that writes over its own record: that is noticed, and what comes before it is kept.
cat >prog.c <<END
#include <heddle/wire.h>
#include <stdio.h>
#include <string.h>
volatile unsigned long x;
static heddle_wire *find_wire(void) {
    char line[512];
    void *start = NULL;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (!start && fgets(line, sizeof line, maps))
        if (strstr(line, "heddle-wire"))
            sscanf(line, "%p", &start);
    fclose(maps);
    return start;
}
int main(void) {
    heddle_wire *wire = find_wire();
    for (unsigned long i = 0; i < 1000; i++)
        x = i * i * 0x9e3779b97f4a7c15;
    memset(heddle_wire_chunk_at(wire, 0)->bytes + 4000, 0xff, 500);
    for (unsigned long i = 0; i < 1000; i++)
        x = i * i * 0x9e3779b97f4a7c15;
    return 0;
}
END
heddle cc -O1 -I"$ROOT/include" -o prog prog.c
for mode in '' --free; do
    heddle record $mode -o prog.htr ./prog 2>said
    echo "status $?"
    grep -c 'incomplete' said
    heddle info --json prog.htr | jq -c '[.result.events > 100, .result.events < 1900]'
    heddle validate prog.htr 2>/dev/null | head -1 | sed 's/[0-9]* events/N events/'
done
