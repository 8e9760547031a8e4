# Counts of any size are exact.
heddle generate grid 200 1 -o a.std
heddle states a.std
heddle states --json a.std | grep -o '"states":[ 0-9]*'
heddle generate forkjoin 40 2 -o b.std
heddle states b.std
heddle generate product 9 12 -o c.std
heddle states c.std
echo '55^12' | bc
