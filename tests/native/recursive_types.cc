/* Names of members: bases, arrays of structs, pointers, two dimensions. */
//@ free
//@ output ok
//@ lines w4(grid\[1\]\[2\]=5)  1
//@ lines w8(account\[3\].balance=7)  1
//@ lines w4(derived.inner.deep\[1\]=9)  1
//@ lines w4(derived.base=3)  1
//@ lines w4(space::inside=2)  1
//@ lines w4(inside=2)  0
//@ lines w4(main::kept=4)  1
//@ cflags -std=c++11
#include <cstdio>

struct Base {
    int base;
};
struct Derived : Base {
    struct {
        int deep[2];
    } inner;
};
struct Account {
    int id;
    long balance;
};
namespace space {
static volatile int inside;
}
static volatile int grid[3][4];
static volatile Account account[5];
static volatile Derived derived;

int main() {
    static volatile int kept;
    grid[1][2] = 5;
    account[3].balance = 7;
    derived.inner.deep[1] = 9;
    derived.base = 3;
    space::inside = 2;
    kept = 4;
    std::printf(space::inside + kept + grid[1][2] + derived.base == 14 ? "ok\n" : "no\n");
}
