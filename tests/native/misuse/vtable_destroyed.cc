// An object is destroyed while another thread calls a virtual function of it.
#include <atomic>
#include <thread>

struct base {
    std::atomic<bool> done{false};
    virtual void work() { done = true; }
    virtual ~base() {
        while (!done)
            std::this_thread::yield();
    }
};

struct derived : base {
    void work() override { done = true; }
    ~derived() override {}
};

int main() {
    base *object = new derived;
    std::thread worker([object] { object->work(); });
#ifdef CLEAN
    worker.join();
    delete object;
#else
    delete object;
    worker.join();
#endif
}
