// The first number that is printed with a locale is prepared under a lock of the library's, after
// the call was a step.  No schedule fails.
#include <cassert>
#include <locale>
#include <sstream>
#include <string>
#include <thread>

struct punctuation : std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

static std::ostringstream streams[2];

static void print(int which) {
    streams[which] << 10000;
}

int main() {
#ifdef SWAP
    enum { SECOND = 0 };
#else
    enum { SECOND = 1 };
#endif
    std::locale locale(std::locale(), new punctuation);
    streams[0].imbue(locale);
    streams[1].imbue(locale);
    std::thread other(print, 1 - SECOND);
    print(SECOND);
    other.join();
    assert(streams[0].str() == "10.000" && streams[1].str() == "10.000");
}
