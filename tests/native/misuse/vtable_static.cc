// A static object is destroyed at the end of main while a thread may still use it.
// Alone: the object is there whatever main does.
#include <thread>

struct base {
    virtual int work() { return 1; }
    virtual ~base() { std::this_thread::yield(); }
};

struct derived : base {
    int work() override { return 2; }
    ~derived() override {}
};

static derived object;
static base *volatile used = &object;

int main() {
    std::thread worker([] { return used->work(); });
#ifdef CLEAN
    worker.join();
#else
    worker.detach();
#endif
}
