/* Names of functions on stacks: in namespaces, classes, unions, templates, functions, and in
 * classes that are local to a function. */
//@ output 28
//@ seeds 4
//@ stack w4(a=1)  outer::inner::deep::set main
//@ stack w4(b=2)  hidden main
//@ stack w4(c=3)  box<int>::set main
//@ stack w4(d=4)  either::set main
//@ stack w4(e=5)  local_user::local::set local_user main
//@ stack w4(f=6)  outer::plain::operator() main
//@ stack w4(g=7)  outer::plain::nested::set main
#include <cstdio>

#define APART __attribute__((noinline))

static volatile int a, b, c, d, e, f, g;

namespace outer {
namespace inner {
struct deep {
    APART void set();
};
void deep::set() {
    a = 1;
}
} // namespace inner
class plain {
  public:
    APART void operator()() { f = 6; }
    struct nested {
        APART static void set() { g = 7; }
    };
};
} // namespace outer

namespace {
APART void hidden() {
    b = 2;
}
} // namespace

template <typename T> struct box {
    APART void set(T value) { c = value; }
};

union either {
    int number;
    APART void set() { d = number; }
};

APART static void local_user(int value) {
    struct local {
        APART static void set(int to) { e = to; }
    };
    local::set(value);
    __asm__ volatile("");
}

int main() {
    outer::inner::deep().set();
    hidden();
    box<int>().set(3);
    either it = {4};
    it.set();
    local_user(5);
    outer::plain()();
    outer::plain::nested::set();
    std::printf("%d\n", a + b + c + d + e + f + g);
    return 0;
}
