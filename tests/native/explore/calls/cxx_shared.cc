// std::shared_mutex and shared_timed_mutex: two readers together, a writer alone.
//@ flags -std=c++17
//@ outcomes 0:0,1 0:1,1 0:0,0 0:1,0
#include <chrono>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex lock;
std::shared_timed_mutex timed;
int value;

int main() {
    std::thread writer([] {
        {
            std::unique_lock hold(lock);
            value = 1;
        }
        std::unique_lock hold(timed);
    });
    int seen;
    {
        std::shared_lock hold(lock);
        seen = value;
    }
    bool had = timed.try_lock_shared_for(std::chrono::seconds(1));
    if (had)
        timed.unlock_shared();
    writer.join();
    std::printf("%d,%d", seen, had);
}
