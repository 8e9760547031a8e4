# The reader of the output goes away: the end comes soon and without noise.
heddle generate grid 5 200000 | head -n 1
heddle generate grid 5 200000 -o a.std
heddle convert a.std - | head -n 1
