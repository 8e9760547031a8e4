# fork(10) is T10 of the deadlock tools, also when the stream has gone on.
{
    echo 'T0|fork(10)|'
    for ((i = 0; i < 40000; i++)); do echo 'T0|w(x)|'; done
    echo 'T10|w(x)|'
    echo 'T0|join(10)|'
} >a.std
heddle convert a.std a.htr
heddle convert a.htr - | sed -n '1p; $p'
heddle convert a.std - | sed -n '1p; $p'
