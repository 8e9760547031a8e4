/* A thread that changes a stream, or a text, and a call of the C++ library that reads it.  Each of
 * the two may be first. */
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

static std::string s = "5", r;
static std::ostringstream o;

int main() {
#if defined HEX
#define A std::cout << std::hex
#define B std::cout << 10
#elif defined WIDTH /* the text is written before the width is put back */
#define A std::cout.width(3)
#define B std::cout << "ab" << "c"
#elif defined WIDTH_USED
    std::cout.width(3);
#define A std::cout << 1
#define B std::cout << 2
#elif defined FILL
    std::cout.width(3);
#define A std::cout.fill('-')
#define B std::cout << 1
#elif defined PRECISION
#define A o.precision(2)
#define B o << 1.2345; r = o.str()
#elif defined FILL_OWN
    o.width(3);
#define A o.fill('-')
#define B o << 1; r = o.str()
#elif defined READ
#define A s = "7"
#define B std::istringstream in(s); in >> r
#elif defined LONG
    s.assign(40, '5');
#define A s[0] = '7'
#define B std::istringstream in(s); in >> r
#elif defined WRITTEN
#define A s = "7"
#define B std::ostringstream out; out << s; r = out.str()
#elif defined BUFFER
#define A s = "7"
#define B std::stringbuf buffer; buffer.str(s); r = buffer.str()
#elif defined SETW
    r = ".";
#define A std::cout << std::setw(3)
#define B std::cout << 1
#elif defined EXCEPTION
#define A s = "7"
#define B std::runtime_error e(s); r = e.what()
#elif defined NAME
    s = "/";
#define A s = "/dev/null"
#define B std::ifstream in(s); char c = 'x'; r = in.get(c) ? "x" : in.bad() ? "folder" : "none"
#endif
    std::thread a([] { A; });
    std::thread b([] { B; });
    a.join();
    b.join();
    std::cout << r << std::endl;
}
