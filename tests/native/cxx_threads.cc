/* std::thread, mutexes, condition_variable, shared_mutex, call_once, future. */
//@ output 12 42 7 caught 1 ok
//@ cflags -std=c++17
//@ few-cflags -O1
//@ no-values the library writes too
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex lock;
static std::condition_variable ready;
static std::shared_mutex shared;
static std::once_flag once;
static int count, initialised;

static void work() {
    std::call_once(once, [] { initialised++; });
    for (int i = 0; i < 3; i++) {
        std::lock_guard<std::mutex> guard(lock);
        count++;
        ready.notify_one();
    }
    std::shared_lock<std::shared_mutex> reading(shared);
}

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
        threads.emplace_back(work);
    {
        std::unique_lock<std::mutex> guard(lock);
        ready.wait(guard, [] { return count == 12; });
        assert(ready.wait_for(guard, std::chrono::seconds(10), [] { return count == 99; }) == false);
    }
    for (auto &thread : threads)
        thread.join();
    {
        std::unique_lock<std::shared_mutex> writing(shared);
    }
    auto answer = std::async(std::launch::async, [] { return 42; });
    std::promise<int> promise;
    std::thread giver([&] { promise.set_value(7); });
    int seven = promise.get_future().get();
    giver.join();
    auto failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
    const char *word = "missed";
    try {
        failing.get();
    } catch (const std::runtime_error &) {
        word = "caught";
    }
    std::this_thread::sleep_for(std::chrono::hours(1));
    std::printf("%d %d %d %s %d ok\n", count, answer.get(), seven, word, initialised);
}
