#include <thread>

int *p = new int(1);
int main() {
    std::thread a([] { delete p; }), b([] { delete p; });
    a.join();
    b.join();
}
