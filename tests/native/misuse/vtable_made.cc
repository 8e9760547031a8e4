// A constructor of a base class starts a thread that calls a virtual function.
#include <memory>
#include <thread>

struct base {
    std::unique_ptr<std::thread> worker;
    base() {
#ifndef CLEAN
        start();
#endif
    }
    void start() {
        worker.reset(new std::thread([this] { work(); }));
    }
    virtual void work() {}
    virtual ~base() {}
};

struct derived : base {
    void work() override {}
};

static derived *make() {
    return new derived;
}

int main() {
    derived *object = make();
#ifdef CLEAN
    object->start();
#endif
    object->worker->join();
    delete object;
}
