// A promise and its future, with an exception in place of a value in one order.
//@ shaky clang unseen-access:stacks
//@ outcomes 0:7 0:x
#include <atomic>
#include <cstdio>
#include <future>
#include <stdexcept>
#include <thread>

std::atomic<int> turn;

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&] {
        if (turn)
            promise.set_exception(std::make_exception_ptr(std::runtime_error("turn")));
        else
            promise.set_value(7);
    });
    turn = 1;
    try {
        std::printf("%d", future.get());
    } catch (const std::runtime_error &) {
        std::printf("x");
    }
    thread.join();
}
