# Files of losets that are refused: one line, status 2.
try() {
    printf "$1" > bad.loset
    heddle states bad.loset
    echo "status $?"
}
try ''
try 'process p\n'
try 'loset\n'
try 'loset now\n'
try 'loset\nmark(x)\n'
try 'loset\nprocess\n'
try 'loset\nprocess a|b\nmark(x)\n'
try 'loset\nprocess p\nfly(x)\n'
try 'loset\nprocess p\nsend(c)\n'
try 'loset\nprocess p\nrel(l)\n'
try 'loset\nprocess p\n@a\n'
try 'loset\nprocess p\n@a mark(x)\n@a mark(y)\n'
try 'loset\nprocess p\n@a mark(x)\nbefore a\n'
try 'loset\nprocess p\n@a mark(x)\nbefore a b\n'
try 'loset\nprocess p\n@a mark(x)\nbefore a a\n'
try 'loset\nprocess p\n@a mark(x)\ntogether a\n'
try 'loset\nprocess p\n@a mark(x)\nalways\n'
try 'loset\nprocess p\n@a mark(x)\n@b mark(x)\nbefore b a\n'
try 'loset\nprocess p\n@a req(x)\nmark(x)\n'
heddle states missing.loset
echo "status $?"
printf 'loset\nprocess p\nmark(x)\n' > good.loset
for command in race nondet deadlock info validate; do heddle $command good.loset; done
heddle states --model=poset good.loset
heddle states --reach p=1 -o w good.loset
heddle states --posets --class=feasible good.loset
heddle detect --online good.loset 'at(p, x)'
heddle detect --keep-reads good.loset 'at(p, x)'
heddle generate tableaux -o t.std
echo "status $?"
