/* Names of variables in C++: namespaces, classes, static members, members of members, arrays,
 * statics in functions, thread-local ones. */
//@ seeds 4
//@ output 5050
//@ lines w4(bank::total=.*)  1
//@ lines w4(bank::inner::total=.*)  1
//@ lines w4(bank::account::count=.*)  1
//@ lines w4(bank::accounts\[1\].owner.age=41)  1
//@ lines w4(bank::accounts\[2\].history\[1\]\[2\]=6)  1
//@ lines w4(next_number::last=.*)  1
//@ lines w4(mine of main=3)  1
//@ lines w4(bank::mine of main.1=4)  1
#include <cstdio>
#include <thread>

thread_local volatile int mine;

namespace bank {
volatile int total;
thread_local volatile int mine;
namespace inner {
volatile int total;
}
struct person {
    volatile int age;
};
class account {
  public:
    static volatile int count;
    person owner;
    volatile int history[2][3];
};
volatile int account::count;
account accounts[3];
} // namespace bank

__attribute__((noinline)) static int next_number() {
    static volatile int last;
    last = 7;
    return last;
}

int main() {
    bank::total = 5000;
    bank::inner::total = 50;
    bank::account::count = 1;
    bank::accounts[1].owner.age = 41;
    bank::accounts[2].history[1][2] = 6;
    if (next_number() != 7)
        return 1;
    mine = 3;
    std::thread one([] { bank::mine = 4; });
    one.join();
    std::printf("%d\n", bank::total + bank::inner::total);
    return 0;
}
