// std::atomic::wait and notify.
//@ flags -std=c++20
//@ outcomes 0:1
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> flag;

int main() {
    std::thread thread([] {
        flag = 1;
        flag.notify_one();
    });
    flag.wait(0);
    std::printf("%d", flag.load());
    thread.join();
}
