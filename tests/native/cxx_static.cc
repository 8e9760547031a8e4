/* Static objects of functions, thread-local objects with destructors, exceptions that cross
 * switches. */
//@ free
//@ output 1 3 3 30 ok
//@ cflags -std=c++17
#include <atomic>
#include <cassert>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::atomic<int> made, local_made, local_gone, thrown;
static std::mutex lock;

struct Single {
    Single() {
        std::this_thread::yield();
        made++;
    }
};

struct Local {
    int value;
    Local() : value(5) { local_made++; }
    ~Local() { local_gone++; }
};

static thread_local Local local;

static Single &single() {
    static Single object;
    return object;
}

static void thrower(int depth) {
    if (depth == 0)
        throw std::runtime_error("deep");
    std::lock_guard<std::mutex> guard(lock);
    throw depth;
}

static void work() {
    single();
    assert(local.value == 5);
    for (int i = 0; i < 10; i++) {
        try {
            std::this_thread::yield();
            thrower(i % 2);
        } catch (const std::exception &) {
            std::this_thread::yield();
            thrown++;
        } catch (int) {
            thrown++;
        }
    }
}

int main() {
    std::thread a(work), b(work), c(work);
    a.join();
    b.join();
    c.join();
    std::printf("%d %d %d %d ok\n", made.load(), local_made.load(), local_gone.load(),
                thrown.load());
}
