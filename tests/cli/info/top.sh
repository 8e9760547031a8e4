# --top cuts the lists; without it they have eight lines.
heddle generate grid 10 2 -o a.std
heddle info --top 2 a.std
heddle info -n 3 a.std | tail -n 5
heddle info a.std | grep more
