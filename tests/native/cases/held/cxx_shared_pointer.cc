// The atomic functions of std::shared_ptr take locks of the library's, which are steps like others.
#include <cassert>
#include <memory>
#include <thread>

static std::shared_ptr<int> shared;

static void store() {
    std::atomic_store(&shared, std::make_shared<int>(3));
}

static void load() {
    std::shared_ptr<int> found = std::atomic_load(&shared);
    assert(!found || *found == 3);
}

int main() {
#ifdef SWAP
    std::thread other(load);
    store();
#else
    std::thread other(store);
    load();
#endif
    other.join();
}
