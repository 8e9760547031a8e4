# An output that is also an input, by its name, a link or another path, is refused and not replaced.
heddle generate -q -o a.std bank 3 20
cp a.std same
ln -s a.std link.std
ln a.std hard.std
mkdir kept
cp a.std kept/run.htr
tell() {
    echo "$*"
    heddle "$@" 2>&1 >out.text
    echo "status $?"
}
tell convert a.std a.std
tell convert --recover a.std link.std
tell convert a.std ./hard.std
tell convert --to=perfetto a.std kept/../a.std
tell slice -o link.std a.std race
tell race --html=a.std a.std
tell race --witness=hard.std a.std
tell deadlock -o a.std a.std
tell nondet -o a.std a.std
tell detect -o a.std a.std 'count(x) > 99'
tell detect --predicate=a.std -o a.std kept/run.htr
tell states --checkpoint=a.std a.std
tell view --html=link.std a.std
tell check --sarif=a.std a.std
tell check -o out --suppressions=a.std --junit=./a.std kept/run.htr
tell check -o out --baseline=a.std --dot=a.std kept/run.htr
tell check -o a.std a.std
# What an answer is about is read, too.
heddle race -q --json a.std >answer.json
tell report --html=answer.json answer.json
tell report --html=a.std answer.json
# Two outputs.
tell race --html=page --witness=page a.std
heddle convert -q a.std page
tell check -o out --sarif=page --junit=./page a.std
# A source, and a program.
echo 'int main(void) { return 0; }' >prog.c
heddle cc -o prog prog.c
tell check -o out --html=prog.c prog.c
tell record -o prog ./prog
tell explore --html=prog ./prog
./prog; echo "it runs: $?"
# What is read and written by design, what is no file, and what is another file.
heddle race -q --json a.std >answer.json
tell report --baseline=known.json --update-baseline answer.json
tell report --baseline=known.json --update-baseline answer.json
tell convert a.std /dev/null
tell convert a.std b.std
tell convert a.std b.std
cmp a.std same && cmp kept/run.htr same && cmp hard.std same && readlink link.std
