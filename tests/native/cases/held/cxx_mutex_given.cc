/* An object with a lock is made while a thread runs, and given to it. */
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

struct box {
    std::mutex lock;
    int value = 0;
};
std::atomic<box *> given{nullptr};
int main() {
    std::thread a([] {
        box *b = given.load();
        if (b) {
            std::lock_guard<std::mutex> hold(b->lock);
            b->value++;
        }
    });
    auto mine = std::make_unique<box>();
    given = mine.get();
    {
        std::lock_guard<std::mutex> hold(mine->lock);
        mine->value++;
    }
    a.join();
    assert(mine->value == 1 || mine->value == 2);
}
