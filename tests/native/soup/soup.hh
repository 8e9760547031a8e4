/* What the drawn programs in C++ have in common: ./run.  Statements are in statements-cxx. */
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <future>
#include <iostream>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

constexpr int THREADS = 3, STATEMENTS = 3;
static long results[THREADS][STATEMENTS];

static int x, y;
static volatile int vx;
static std::atomic<int> ax, ay;
static std::atomic<bool> ready;
static std::atomic_flag set = ATOMIC_FLAG_INIT;
static std::mutex m, m2;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::shared_mutex shared;
static std::shared_timed_mutex shared_timed;
static std::condition_variable changed;
static std::condition_variable_any changed_any;
static std::once_flag once;
static std::latch latch(2);
static std::binary_semaphore one(1);
static std::counting_semaphore<4> none(0);
static std::stop_source source;
static std::promise<int> promised;
static std::shared_future<int> future;
static std::shared_ptr<int> pointer;
static std::atomic<std::shared_ptr<int>> shared_pointer;
static std::exception_ptr thrown;
static int *heap;

constexpr std::chrono::nanoseconds soon(1000);

/* A destructor of each thread that touches it. */
struct Farewell {
    int value = 1;
    ~Farewell() {
        ay += value;
    }
};
static thread_local Farewell farewell;

/* Initialised by the first thread that asks. */
static int first_value() {
    static int value = ++x;
    return value;
}

static int thrown_value() {
    static int value = ax.load() ? ax.load() : throw std::runtime_error("not yet");
    return value;
}

static void completed() noexcept {
    x += 1;
}
static std::barrier phases(2, [] noexcept { completed(); });

static void show(int count) {
    for (int i = 0; i < count; i++)
        std::printf("%ld %ld %ld;", results[i][0], results[i][1], results[i][2]);
    std::printf("%d %d %d %d\n", x, y, ax.load(), ay.load());
}
