# An exception that nobody catches is told with its type, and with what() of a std::exception; an
# abort in a handler of one that was caught is not.
# In make test-long only.
cat >uncaught.cc <<'EOF'
#include <cstdlib>
#include <heddle/test.h>
#include <stdexcept>
#include <string>
#include <thread>
struct plain {
    int x;
};
struct other {
    virtual ~other() {}
    long x = 3;
};
struct mine : other, std::exception {
    std::string text = "what mine says";
    const char *what() const noexcept override {
        return text.c_str();
    }
};
static int x;
template <typename T> static void run(T body) {
    std::thread thread([&] {
        x++;
        body();
    });
    thread.join();
}
HEDDLE_TEST_FAILS(runtime, "with=abort") {
    run([] { throw std::runtime_error("no luck"); });
}
HEDDLE_TEST_FAILS(derived, "with=abort") {
    run([] { throw mine(); });
}
HEDDLE_TEST(number) {
    run([] { throw 5; });
}
HEDDLE_TEST(structure) {
    throw plain{1};
}
HEDDLE_TEST(again) {
    run([] {
        try {
            throw mine();
        } catch (...) {
            throw;
        }
    });
}
HEDDLE_TEST(handled) {
    try {
        throw mine();
    } catch (...) {
        abort();
    }
}
EOF
heddle c++ -g -I$ROOT/include -o uncaught uncaught.cc
heddle test -q ./uncaught 2>/dev/null | grep -E 'failed:|fails as|in [0-9.]* s$' | sed 's/, in .*//; s/ *[0-9.]* s$//'
for test in runtime derived handled; do
    heddle explore -q -o $test.std --json -- ./uncaught --run $test 2>/dev/null | jq -c '.findings[] | [.rule, .message]'
    heddle replay -q ./uncaught $test.std -- --run $test 2>/dev/null | tail -1
    heddle record -o $test.htr -- ./uncaught --run $test 2>&1 | grep '^heddle:'
done
