# Every algorithm, model and class finds the same least state, or says why not.
heddle generate bank 3 1 --accounts 2 --seed 3 -o b.std
for algorithm in auto bfs dfs tree lex quicklex bounds; do
    heddle detect --algorithm=$algorithm b.std 'pos(T1) + pos(T2) > 4 && pos(T3) > 1' | sed -n 2p
    heddle detect --algorithm=$algorithm --threads=2 --count b.std 'pos(T1) + pos(T2) > 4'
done
for class in consistent feasible strongly-feasible reachable viable lock-free; do
    heddle detect --model=loset --class=$class b.std 'pos(T1) > 1 && pos(T2) > 1' | sed -n '1,2p;/schedule/p'
done
heddle detect --definitely b.std 'pos(T1) > 1 && pos(T2) > 1'
heddle detect --definitely --model=loset b.std 'held(T1, lock1)'
heddle detect --all --max=3 b.std 'any(held(lock1))'
