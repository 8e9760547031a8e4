# An output that is a link stays one: also if it leads to a file that is still to be made.
printf 'a|w(x)|\n' >in.std
ln -s target.std one
ln -s one two
heddle convert in.std two
cat target.std
test -h one && test -h two && echo 'links are links'
ln -s nowhere/at/all dangling
heddle convert in.std dangling
echo "status $?"
ln -s right left
ln -s left right
heddle convert in.std left
echo "status $?"
ls
