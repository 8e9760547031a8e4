// Two threads print to one stream of text; its text is taken as C++20 does.
#include <sstream>
#include <thread>
static std::ostringstream one, two;
int main() {
#ifdef CLEAN
    std::ostringstream &other = two;
#else
    std::ostringstream &other = one;
    (void)two;
#endif
    std::thread thread([] { one << "a"; });
    other << "b";
    thread.join();
    return one.str().size() + other.str().size() > 4;
}
