# One state a line, threads by first event; as --order says; in the order of the algorithm.
data=$ROOT/tests/data/examples
heddle states --list "$data/fig3.1.std"
echo
heddle states --list --order=p1,p2,p3 "$data/fig4.1.std" >lex
cat lex
heddle states --list --order=p1 "$data/fig4.1.std" | cmp lex # p2 is before p3 in the trace
for algorithm in auto lex quicklex bounds diagram; do
    heddle states --list --order=p1 --algorithm=$algorithm --threads=3 "$data/fig4.1.std" | cmp lex
done
for algorithm in bfs dfs tree; do
    heddle states --list --order=p1 --algorithm=$algorithm "$data/fig4.1.std" >other
    cmp -s lex other && echo "$algorithm is lexical?"
    sort other | cmp lex
done
echo
heddle states --list --model=loset "$data/fig5.2.std"
