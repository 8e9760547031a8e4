// std::condition_variable with a predicate, and with a time limit.
//@ outcomes 0:1 0:0
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable condition;
bool ready;

int main() {
    std::thread thread([] {
        std::lock_guard<std::mutex> guard(lock);
        ready = true;
        condition.notify_one();
    });
    std::unique_lock<std::mutex> guard(lock);
    bool came = condition.wait_for(guard, std::chrono::seconds(1), [] { return ready; });
    guard.unlock();
    thread.join();
    std::printf("%d", came);
}
