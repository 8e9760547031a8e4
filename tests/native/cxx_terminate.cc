/* An exception that nobody catches, in a thread. */
//@ exit 1
//@ stderr uncaught exception of type std::runtime_error: nobody
#include <stdexcept>
#include <thread>

static int before;

int main() {
    std::thread thread([] {
        before = 1;
        throw std::runtime_error("nobody");
    });
    thread.join();
}
