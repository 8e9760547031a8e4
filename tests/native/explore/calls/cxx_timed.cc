// std::timed_mutex, recursive_timed_mutex, condition_variable::wait_for, future::wait_for.
//@ flags -std=c++17
//@ shaky clang unseen-access:stacks
//@ outcomes 0:1,1 0:1,0 0:0,1 0:0,0
#include <chrono>
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>

std::timed_mutex lock;
std::recursive_timed_mutex again;

int main() {
    std::promise<void> promise;
    std::future<void> future = promise.get_future();
    std::thread thread([&] {
        {
            std::lock_guard hold(lock);
        }
        promise.set_value();
    });
    std::lock_guard outer(again);
    std::unique_lock inner(again, std::chrono::milliseconds(1));
    bool had = lock.try_lock_for(std::chrono::seconds(1));
    if (had)
        lock.unlock();
    bool came = future.wait_for(std::chrono::seconds(1)) == std::future_status::ready;
    thread.join();
    std::printf("%d,%d", had, came);
    return !inner.owns_lock();
}
