# A long schedule shows what is around its switches of threads; other threads have no column.
{
    for i in 1 2 3 4 5 6 7 8 9; do echo "m|w(y=$i)|$i"; done
    echo 'm|fork(a)|'
    echo 'm|fork(b)|'
    echo 'a|acq(l)|a.c:1'
    echo 'a|w(x=1)|a.c:2'
    echo 'a|rel(l)|a.c:3'
    for i in 1 2 3 4 5 6 7 8 9; do echo "b|w(z=$i)|b.c:$i"; done
    echo 'b|rmw(x=2)|b.c:10'
} >t.std
heddle race t.std
echo "status $?"
