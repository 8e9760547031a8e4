# A line that is too long, with and without an end, and a name that is.
head -c 17000000 /dev/zero | tr '\0' 'a' >a.std
heddle info a.std
echo "status $?"
{ printf 'a|w(x)|\n#'; head -c 17000000 /dev/zero | tr '\0' '#'; printf '\na|w(x)|\n'; } >b.std
heddle convert b.std c.htr
echo "status $?"
heddle info - <b.std
echo "status $?"
{ printf 'a|w('; head -c 5000000 /dev/zero | tr '\0' 'x'; printf ')|\n'; } >d.std
heddle info d.std
echo "status $?"
ls
