# A program that writes over its own record: that is noticed, and what comes before it is kept.
# In make test-long only.
cat >find_wire.h <<END
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
END
cat >prog.c <<END
#include "find_wire.h"
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

# One byte of a long record, somewhere in the middle: the sums of its blocks notice that.
cat >long.c <<END
#include "find_wire.h"
static void change_byte(heddle_wire *wire) {
    for (unsigned long i = 0; i < wire->chunks; i++) {
        heddle_wire_chunk *chunk = heddle_wire_chunk_at(wire, i);
        unsigned long used = HEDDLE_WIRE_TAIL_BYTES(chunk->tail);
        if (chunk->lane && !chunk->whole && used > 4096)
            chunk->bytes[used - 2000] ^= 1;
    }
}
int main(void) {
    heddle_wire *wire = find_wire();
    for (unsigned long i = 0; i < 2400000; i++) {
        x = i % 4096 ? i : i * i * 0x9e3779b97f4a7c15;
        if (i == 2000000)
            change_byte(wire);
    }
    return 0;
}
END
heddle cc -O1 -I"$ROOT/include" -o long long.c
for mode in '' --free; do
    heddle record $mode -o long.htr ./long 2>said
    echo "status $?"
    grep -c 'incomplete' said
    heddle info --json long.htr | jq -c '[.result.events > 1000000, .result.events < 2000001]'
done
