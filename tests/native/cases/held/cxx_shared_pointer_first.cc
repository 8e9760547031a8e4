// Of two threads that set a shared pointer if it is empty, either can be the first.
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> shared;

static void set(int value) {
    std::shared_ptr<int> none, mine = std::make_shared<int>(value);
    std::atomic_compare_exchange_strong(&shared, &none, mine);
}

int main() {
#ifdef SWAP
    enum { MINE = 3, OTHER = 4 };
#else
    enum { MINE = 4, OTHER = 3 };
#endif
    std::thread other(set, OTHER);
    set(MINE);
    other.join();
    assert(*shared == 3);
}
