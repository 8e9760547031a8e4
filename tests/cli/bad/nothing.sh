# Files without an event, and what is no file.
: >empty
printf '# only a comment\n\n' >comment
mkdir folder
: >file
for input in empty comment folder none file/below ''; do
    heddle info "$input"
    echo "status $?"
    heddle validate "$input"
    echo "status $?"
    heddle convert "$input" out.htr
    echo "status $?"
done
heddle info - </dev/null
echo "status $?"
heddle info - <&-
echo "status $?"
ls
