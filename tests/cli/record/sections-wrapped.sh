# Functions that are atomic sections by their names, of a program that another one starts.
heddle cc -g -O1 -o sections "$ROOT/tests/native/sections.c" -pthread
for by in "" "env X=1" "nice"; do
    heddle record -q -o run.htr -- $by ./sections
    heddle convert -q run.htr - --to=text | grep -c 'acq(atomic sections)'
    heddle race -q run.htr >/dev/null; echo "race $?"
done
