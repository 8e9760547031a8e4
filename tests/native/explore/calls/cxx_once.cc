// std::call_once whose first try throws: the other thread does it.
//@ outcomes 0:2,1 0:2,2
#include <cstdio>
#include <mutex>
#include <thread>

std::once_flag once;
int tries, by;

static void use(int number) {
    try {
        std::call_once(once, [number] {
            if (++tries == 1)
                throw number;
            by = number;
        });
    } catch (int) {
    }
}

int main() {
    std::thread a(use, 1), b(use, 2);
    a.join();
    b.join();
    std::printf("%d,%d", tries, by);
}
