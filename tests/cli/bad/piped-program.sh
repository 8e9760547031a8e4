# A program, a source or a predicate that is a pipe is refused: whoever opens it would wait.
printf 'a|w(x)|a.c:1\n' >a.std
mkfifo pipe pipe.c pipe.so
for command in 'record -o a.htr pipe' 'explore pipe.c' 'race pipe.c' 'check pipe.c' \
    'detect --predicate=pipe.c a.std' 'detect --predicate=pipe.so a.std' 'detect --predicate=pipe a.std'; do
    timeout 20 heddle $command
    echo "status $?"
done
ls
