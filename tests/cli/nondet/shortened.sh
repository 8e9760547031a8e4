# A long schedule shows what is around its switches of threads.
{
    for i in 1 2 3 4 5 6 7 8 9; do echo "m|w(y=$i)|$i"; done
    echo 'a|r(x=0)|a.c:1'
    for i in 1 2 3 4 5 6 7 8 9; do echo "b|w(z=$i)|$i"; done
    echo 'b|w(x=1)|b.c:1'
} >t.std
heddle nondet --variable=x t.std
echo "status $?"
