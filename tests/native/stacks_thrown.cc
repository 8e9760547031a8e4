/* Stacks of events where exceptions end functions, in several threads. */
//@ output caught 12
//@ seeds 4
//@ depth depth\[\d\]  thrower
//@ stack w4(caught.*)  catcher thrower ...
#include <cstdio>
#include <thread>

#define APART __attribute__((noinline))

static volatile int depth[3];
static int caught[3];

struct guard { /* its destructor runs while the stack is unwound */
    int who, deep;
    APART ~guard() { depth[who] = deep + 1; }
};

APART static void dive(int who, int deep) {
    guard behind{who, deep};
    depth[who] = deep;
    if (deep == 7)
        throw deep;
    dive(who, deep + 1);
    depth[who] = deep;
}

APART static void catcher(int who) {
    depth[who] = 2;
    try {
        dive(who, 3);
    } catch (int) {
        caught[who]++;
        depth[who] = 2;
    }
    depth[who] = 2;
}

APART static void thrower(int who) {
    for (int i = 0; i < 4; i++) {
        depth[who] = 1;
        catcher(who);
        depth[who] = 1;
    }
}

int main() {
    std::thread one([] { thrower(0); }), two([] { thrower(1); });
    thrower(2);
    one.join();
    two.join();
    std::printf("caught %d\n", caught[0] + caught[1] + caught[2]);
    return 0;
}
