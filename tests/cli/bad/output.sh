# Places where nothing can be written.
printf 'a|w(x)|\n' >a.std
mkdir folder
: >file
for output in none/b.std folder file/b.std ''; do
    heddle convert a.std "$output"
    echo "status $?"
    heddle generate grid 2 2 -o "$output"
    echo "status $?"
done
ls folder file
ls
