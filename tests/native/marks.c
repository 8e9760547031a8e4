/* Marks, notes and blocks are events. */
//@ free
//@ output ok
//@ lines mark(start)  1
//@ lines mark(floor=3)  1
//@ lines mark(floor=-1)  1
//@ lines begin(update)  1
//@ lines end(update)  1
#include <stdio.h>

#include <heddle/mark.h>

int main(void) {
    HEDDLE_MARK("start");
    heddle_begin("update");
    heddle_note("floor", 3);
    heddle_note("floor", -1);
    heddle_end("update");
    puts("ok");
    return 0;
}
