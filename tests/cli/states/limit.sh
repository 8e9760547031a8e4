# A published algorithm that needs more memory stops with status 3; ours turn to another.
heddle generate grid 8 6 -o a.std
for algorithm in bfs dfs; do
    heddle states --memory=1 --algorithm=$algorithm --json a.std | jq -c '[.complete, .result.states > 0 and .result.states < 5764801]'
    echo "${PIPESTATUS[0]}"
done
heddle states --memory=1 a.std
