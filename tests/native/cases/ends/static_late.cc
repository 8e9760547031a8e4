// truth: fails.  The thread makes the object of a static variable after main has read `made`, and
// before main looks for what to destroy.
#include <atomic>
#include <cstdlib>
#include <thread>
#include <unistd.h>

static std::atomic<int> made;
static int seen;

struct object {
    ~object() {
        if (!seen && made)
            _exit(7);
    }
};

static void make() {
    static object it;
    made = 1;
}

int main() {
    std::thread thread(make);
    thread.detach();
    seen = made;
    return 0;
}
