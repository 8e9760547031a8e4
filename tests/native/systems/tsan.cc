// The same in C++, with what its library synchronises with.
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<int> numbers;

int main() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([i] {
            std::lock_guard<std::mutex> hold(mutex);
            numbers.push_back(i);
        });
    for (std::thread &thread : threads)
        thread.join();
    auto size = std::async(std::launch::async, [] { return numbers.size(); });
    std::printf("%zu\n", size.get());
    return 0;
}
