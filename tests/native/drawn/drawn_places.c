/* The memory of drawn programs: see drawn.h. */
#include "drawn.h"

#include <assert.h>
#include <string.h>

#define PACKED(size, at)                                                                           \
    { "((struct packed" #size " *)(U.b + " #at "))->x", at, size, PLACE_PACKED, 0, 0 }

const place drawn_places[] = {
    {"x0", 16, 4, PLACE_SCALAR, 0, 0},
    {"x1", 20, 4, PLACE_SCALAR, 0, 0},
    {"x2", 24, 8, PLACE_SCALAR, 0, 0},
    {"x3", 32, 1, PLACE_SCALAR, 0, 0},
    {"x4", 34, 2, PLACE_SCALAR, 0, 0},
    {"U.q[0]", 0, 8, PLACE_UNION, 0, 0},
    {"U.w[0]", 0, 4, PLACE_UNION, 0, 0},
    {"U.w[1]", 4, 4, PLACE_UNION, 0, 0},
    {"U.h[1]", 2, 2, PLACE_UNION, 0, 0},
    {"U.b[3]", 3, 1, PLACE_UNION, 0, 0},
    {"U.b[5]", 5, 1, PLACE_UNION, 0, 0},
    {"U.q[1]", 8, 8, PLACE_UNION, 0, 0},
    PACKED(4, 2),
    PACKED(2, 3),
    PACKED(8, 3),
    PACKED(4, 6),
    {"F.a", 36, 1, PLACE_FIELD, 0, 3},
    {"F.b", 36, 1, PLACE_FIELD, 3, 5},
    {"F.c", 37, 1, PLACE_FIELD, 0, 4},
    {"F.d", 37, 1, PLACE_FIELD, 4, 4},
    {"P[0]", 104, 4, PLACE_HEAP, 0, 0},
    {"P[1]", 108, 4, PLACE_HEAP, 0, 0},
    {"S0", 40, 16, PLACE_STRING, 0, 0},
    {"S1", 56, 16, PLACE_STRING, 0, 0},
    {"d0", 72, 12, PLACE_STRUCT, 0, 0},
    {"d1", 84, 12, PLACE_STRUCT, 0, 0},
    {"e0", 96, 4, PLACE_STRUCT, 0, 0},
    {"e1", 100, 4, PLACE_STRUCT, 0, 0},
    /* parts, which the last line reads */
    {"S0.q[0]", 40, 8, PLACE_SLOT, 0, 0},
    {"S0.q[1]", 48, 8, PLACE_SLOT, 0, 0},
    {"S1.q[0]", 56, 8, PLACE_SLOT, 0, 0},
    {"S1.q[1]", 64, 8, PLACE_SLOT, 0, 0},
    {"d0.a", 72, 4, PLACE_SLOT, 0, 0},
    {"d0.b", 76, 4, PLACE_SLOT, 0, 0},
    {"d0.c", 80, 4, PLACE_SLOT, 0, 0},
    {"d1.a", 84, 4, PLACE_SLOT, 0, 0},
    {"d1.b", 88, 4, PLACE_SLOT, 0, 0},
    {"d1.c", 92, 4, PLACE_SLOT, 0, 0},
    {"e0.a", 96, 4, PLACE_SLOT, 0, 0},
    {"e1.a", 100, 4, PLACE_SLOT, 0, 0},
    {"n", DRAWN_STATIC, 4, PLACE_STATIC, 0, 0},
    {"Q", DRAWN_POINTER, 8, PLACE_POINTER, 0, 0},
    {"q[0]", DRAWN_BLOCKS, 4, PLACE_BLOCK, 0, 0},
    {"q[1]", DRAWN_BLOCKS + 4, 4, PLACE_BLOCK, 0, 0},
};

const int drawn_place_count = sizeof drawn_places / sizeof *drawn_places;

int drawn_slot(int thread, int r) {
    return drawn_place_count + thread * DRAWN_REGISTERS + r;
}

place drawn_place(int number) {
    static char text[16];
    if (number < drawn_place_count)
        return drawn_places[number];
    int slot = number - drawn_place_count;
    snprintf(text, sizeof text, "O[%d][%d]", slot / DRAWN_REGISTERS, slot % DRAWN_REGISTERS);
    return (place){text, DRAWN_SLOTS + 4 * slot, 4, PLACE_SLOT, 0, 0};
}

int drawn_find(const char *text) {
    for (int i = 0; i < drawn_place_count; i++)
        if (!strcmp(drawn_places[i].text, text))
            return i;
    assert(false);
    return 0;
}
