// Destructors of static and thread-local objects run while other threads go on.  Alone: global is one of
// every program that it is in.
//@ outcomes 0:pka 0:pkb 0:plb 0:qlb
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> x;

struct object {
    char name;
    ~object() {
        std::putchar(x ? name + 1 : name);
        std::fflush(stdout);
    }
};

object global{'a'};
thread_local object local{'p'};

int main() {
    static object inner{'k'};
    local.name = 'p';
    std::thread([] { x = 1; }).detach();
    return 0;
}
