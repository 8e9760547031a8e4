// std::thread, std::mutex, lock_guard; the lost update is not there, the order is.
//@ outcomes 0:12 0:21
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex lock;
int order[2], count;

static void enter(int number) {
    std::lock_guard<std::mutex> guard(lock);
    order[count++] = number;
}

int main() {
    std::thread a(enter, 1), b(enter, 2);
    a.join();
    b.join();
    std::printf("%d%d", order[0], order[1]);
}
