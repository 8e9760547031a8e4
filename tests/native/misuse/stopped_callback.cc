// A callback of a stop changes what its thread changes; the stop may end the thread meanwhile.
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex lock;
static std::condition_variable_any changed;
static bool ready;
static int count;
int main() {
    std::jthread thread([](std::stop_token token) {
        std::unique_lock guard(lock);
        changed.wait(guard, token, [] { return ready; });
#ifndef CLEAN
        guard.unlock();
#endif
        count++;
    });
    std::unique_lock guard(lock);
    ready = true;
    guard.unlock();
    changed.notify_all();
    thread.request_stop();
#ifdef CLEAN
    guard.lock();
#endif
    count++;
}
