// Two threads give one promise its value, and nothing catches what the second throws.
#include <future>
#include <mutex>
#include <thread>
static std::promise<int> result;
static std::once_flag once;
static void give() {
#ifdef CLEAN
    std::call_once(once, [] { result.set_value(1); });
#else
    (void)once;
    result.set_value(1);
#endif
}
int main() {
    auto future = result.get_future();
    std::thread thread(give);
    give();
    thread.join();
    return future.get() != 1;
}
