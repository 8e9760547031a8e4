// A pool that locks what it uses.  truth: clean.
#include <memory_resource>
#include <thread>

static std::pmr::synchronized_pool_resource pool;

static void use() {
    pool.deallocate(pool.allocate(8), 8);
}

int main() {
    std::thread other(use);
    use();
    other.join();
}
