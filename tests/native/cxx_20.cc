// Threads of C++20: jthread and stop_token, latch, barrier, semaphore, async, shared_mutex,
// and a coroutine that is resumed by another thread than the one that made it.
//@ rare
//@ output 2 2
//@ cflags -std=c++20
//@ only gcc
//@ no-values the library writes too
//@ free
//@ no-race
#include <barrier>
#include <coroutine>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <vector>

struct task {
    struct promise_type {
        task get_return_object() {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept {
            return {};
        }
        std::suspend_always final_suspend() noexcept {
            return {};
        }
        void return_void() {
        }
        void unhandled_exception() {
        }
    };
    std::coroutine_handle<promise_type> handle;
};

static int counter;

static task count() {
    counter++;
    co_await std::suspend_always{};
    counter++;
}

int main() {
    std::latch latch(2);
    std::barrier barrier(2);
    std::counting_semaphore<4> semaphore(0);
    int seen = 0;
    {
        std::jthread thread([&](std::stop_token stop) {
            seen = 1;
            latch.count_down();
            barrier.arrive_and_wait();
            semaphore.release();
            while (!stop.stop_requested())
                std::this_thread::yield();
        });
        latch.arrive_and_wait();
        if (seen != 1)
            return 1;
        barrier.arrive_and_wait();
        semaphore.acquire();
    }
    task counting = count();
    auto result = std::async(std::launch::async, [&] {
        counting.handle.resume();
        counting.handle.resume();
        return counting.handle.done() ? counter : -1;
    });
    std::shared_mutex mutex;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&, i] {
            if (i) {
                std::shared_lock hold(mutex);
            } else {
                std::unique_lock hold(mutex);
                seen++;
            }
        });
    threads.clear();
    std::printf("%d %d\n", result.get(), seen);
    counting.handle.destroy();
    return 0;
}
