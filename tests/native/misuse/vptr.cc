// The destructor of a base class puts its own table of virtual functions in place while a thread
// calls one.
#include <pthread.h>
struct base {
    virtual void run() {
    }
    virtual ~base() {
#ifdef CLEAN
        done();
#endif
    }
    pthread_t thread{};
    void start() {
        pthread_create(&thread, nullptr, &base::enter, this);
    }
    void done() {
        if (thread)
            pthread_join(thread, nullptr);
        thread = 0;
    }
    static void *enter(void *self) {
        static_cast<base *>(self)->run();
        return nullptr;
    }
};
struct derived : base {
    void run() override {
    }
    ~derived() override {
#ifdef CLEAN
        done();
#endif
    }
};
int main() {
    derived *object = new derived;
    object->start();
    pthread_t thread = object->thread;
    (void)thread;
#ifdef CLEAN
    delete object;
#else
    object->~derived();
    pthread_join(thread, nullptr);
#endif
    return 0;
}
