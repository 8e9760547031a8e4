# Every algorithm, alone and on several threads, says the same.
heddle generate poset 6 60 --seed 4 -o a.std
heddle generate bank 4 2 --accounts 3 -o b.std
for algorithm in auto bfs dfs tree lex quicklex bounds diagram; do
    for threads in 1 3; do
        heddle states --algorithm=$algorithm --threads=$threads --json a.std
    done
done | jq -c '[.result.states, .result.algorithm, .complete]'
for class in feasible viable lock-free; do
    for algorithm in auto bounds diagram lex1 lex2; do
        heddle states --model=loset --class=$class --algorithm=$algorithm b.std
    done
done
for algorithm in auto sweep lex1 lex2; do
    heddle states -m loset -c strongly-feasible -a $algorithm b.std
done
for algorithm in auto sweep lex1 lex2 bfs dfs; do
    heddle states -m loset -a $algorithm b.std
done
