# What is run, and what is left alone.
heddle cc --heddle-show -c a.c | tr ' ' '\n' | grep -E '^(gcc|-fsanitize|-c|a.c|-l.*)$'
heddle cc --compiler=clang --heddle-show a.o -o a | tr ' ' '\n' | grep -E '^(clang|-fsanitize.*|-fno-sanitize.*|a.o|-lheddle-rt)$'
HEDDLE_CXX=clang++-14 heddle c++ --heddle-show -O2 x.cc | cut -d' ' -f1
heddle cc --heddle-show --version
heddle cc --compiler=no-such-compiler a.c; echo $?
# heddle c++ links the C++ library whichever name of a make the compiler is given.
for compiler in gcc /usr/bin/gcc g++ clang-99 clang++ mygcc; do
    heddle c++ --compiler=$compiler --heddle-show -c x.cc | cut -d' ' -f1
done
