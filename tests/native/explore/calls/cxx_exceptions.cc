// Exceptions that are thrown and caught while other threads run in between.
//@ shaky clang unseen-access:stacks
//@ outcomes 0:0 0:1
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x;

static int thrower() {
    try {
        throw x.load();
    } catch (int seen) {
        x = 2;
        return seen;
    }
}

int main() {
    int seen = 0;
    std::thread thread([&] { seen = thrower(); });
    try {
        x = 1;
        throw 1;
    } catch (int) {
    }
    thread.join();
    std::printf("%d", seen);
}
