// A thread_local object has its destructor at the end of its thread.
//@ outcomes 0:12 0:21
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> order;

struct last_word {
    int number = 0;
    ~last_word() {
        if (number)
            for (int seen = order; !order.compare_exchange_weak(seen, seen * 10 + number);)
                ;
    }
};

thread_local last_word word;

int main() {
    auto work = [](int number) { word.number = number; };
    std::thread a(work, 1), b(work, 2);
    a.join();
    b.join();
    std::printf("%d", order.load());
}
