// A static object of a function is made once, by whoever comes first.
//@ outcomes 0:1,1 0:1,2
#include <cstdio>
#include <thread>

int made;

struct thing {
    int by;
    explicit thing(int number) : by(number) {
        made++;
    }
};

static int get(int number) {
    static thing it(number);
    return it.by;
}

int main() {
    std::thread a(get, 1), b(get, 2);
    a.join();
    b.join();
    std::printf("%d,%d", made, get(3));
}
