// std::async, now and later; packaged_task; a promise that is broken.
//@ outcomes 0:12,3,b 0:21,3,b
#include <atomic>
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>

std::mutex lock;
int order;

static void note(int number) {
    std::lock_guard<std::mutex> hold(lock);
    order = order * 10 + number;
}

int main() {
    auto later = std::async(std::launch::deferred, [] { return 3; });
    auto now = std::async(std::launch::async, [] { note(1); });
    std::packaged_task<void()> task([] { note(2); });
    auto done = task.get_future();
    task();
    now.get();
    done.get();
    std::future<int> never;
    {
        std::promise<int> promise;
        never = promise.get_future();
    }
    char broken = '-';
    try {
        never.get();
    } catch (const std::future_error &error) {
        broken = error.code() == std::future_errc::broken_promise ? 'b' : '?';
    }
    std::printf("%d,%d,%c", order, later.get(), broken);
}
