# Names of blocks in C++: a count before the elements, members in the padding of a base class.
cat >cookie.cc <<END
#include <thread>
struct N { int a, b; ~N() {} };
struct Base { virtual ~Base() {} int x; };
struct Base2 { virtual ~Base2() {} int y; };
struct D : Base, Base2 { int dx; };
static N *v;
int main() {
    v = new N[2]();
    D *d = new D;
    auto f = [&] { v[1].b++; };
    auto g = [&] { d->dx++; };
    std::thread t1(f), t2(f), t3(g), t4(g);
    t1.join(); t2.join(); t3.join(); t4.join();
}
END
heddle c++ -g -O1 -o cookie cookie.cc
heddle race ./cookie | grep 'race on'
