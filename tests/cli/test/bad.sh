try() {
    heddle test "$@"
    echo "status $?"
}
echo 'int main(void) { return 0; }' >plain.c
echo 'int main(void) { return 1 }' >broken.c
printf '#include <heddle/test.h>\nHEDDLE_TEST(a, "nonsense") { }\n' >option.c
printf '#include <heddle/test.h>\nHEDDLE_TEST(a, "with=race") { }\n' >with.c
printf '#include <heddle/test.h>\nHEDDLE_TEST(a) { }\nHEDDLE_INVARIANT(b, 1);\n' >none.c
printf '#include <heddle/test.h>\n' >empty.c
printf '#include <heddle/test.h>\nHEDDLE_TEST(a) { }\n' >good.c
try
try nowhere
try plain.c
try broken.c 2>&1 | sed 's/compile:.*; /compile: REASON; /'
try option.c
try with.c
printf '#include <heddle/test.h>\nHEDDLE_TEST_FAILS(a, "with=banana") { }\n' >banana.c
try banana.c
try none.c
try empty.c
try good.c --filter=b
try good.c --gtest --catch2
try good.c --junit=-
try good.c --update-baseline
try good.c --baseline=none
try good.c --time=never
try good.c -j 0
try good.c --junit=none/out.xml >/dev/null
try good.c argument
try --gtest good.c 2>/dev/null
gcc -I"$ROOT/include" good.c -o plain -pthread
try ./plain
rm plain
ls
# A program that does not end when it is asked for its tests.
printf '#include <unistd.h>\nint main(void) { for (;;) pause(); }\n' >endless.c
timeout 20 heddle test --time=1 endless.c; echo "status $?"
