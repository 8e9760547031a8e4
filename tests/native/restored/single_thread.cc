// Whether there was ever a second thread is what the C++ library asks before it counts references:
// threads that heddle makes beforehand do not show, so runs have the steps of a fresh process.
//@ outcomes 0:1,0,x 0:1,0,3
//@ options --find=failure,outcome
//@ stays
#include <atomic>
#include <cstdio>
#include <future>
#include <stdexcept>
#include <sys/single_threaded.h>
#include <thread>

static std::atomic<int> late;

int main() {
    int before = __libc_single_threaded;
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread thread([&] {
        try {
            if (late)
                throw std::runtime_error("late");
            promise.set_value(3);
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    });
    std::printf("%d,%d,", before, __libc_single_threaded);
    late = 1;
    try {
        std::printf("%d\n", future.get());
    } catch (std::exception &) {
        std::puts("x");
    }
    thread.join();
}
