// C++20: a latch orders; a counting_semaphore is tried before or behind the release.
//@ flags -std=c++20
// Brute force takes too long.
//@ slow
//@ only dpor sdpor odpor epor
//@ shaky clang unseen-access:stacks
//@ outcomes 0:1,1 0:1,0
#include <cstdio>
#include <latch>
#include <semaphore>
#include <thread>

int seen;

int main() {
    std::latch latch(1);
    std::counting_semaphore<2> units(0);
    std::jthread thread([&] {
        seen = 1;
        latch.count_down();
        units.release();
    });
    latch.wait();
    int saw = seen;
    bool had = units.try_acquire();
    thread.join();
    std::printf("%d,%d", saw, had);
}
