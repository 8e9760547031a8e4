#include <cassert>
#include <thread>
#include <vector>

struct s {
    std::vector<int> v{1, 2, 3};
    bool gone = false;
    ~s() {
        gone = true;
    }
} o;
int main() {
    std::thread a([] { assert(!o.gone); });
    a.detach();
}
