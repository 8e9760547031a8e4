# To a file, in the format of its name or of --to.
heddle generate grid 2 2 -o a.std
heddle generate grid 2 2 --output a.htr
heddle generate grid 2 2 --to binary | cmp - a.htr
heddle generate grid 2 2 -t text -o b.htr
cmp a.std b.htr
heddle convert a.htr - | cmp - a.std
ls
