# A limit on the size of files, reached early or late: no half file is left.
heddle generate grid 5 100000 -o a.std
heddle convert a.std a.htr
(
    ulimit -f 1000
    heddle convert a.std b.std
    echo "status $?"
    heddle convert a.htr b.std
    echo "status $?"
    heddle generate grid 5 100000 -o b.std
    echo "status $?"
    ulimit -f 1
    heddle convert -t binary a.std b.htr
    echo "status $?"
)
ls
