# Messages are printable, whatever is in the file or on the command line.
try() {
    printf "$1" >a.std
    heddle validate a.std
    echo "status $?"
}
try 'a|\033[2J(x)|\n'
try 'a\033]0;x\007|rel(\233l\n)|\n'
try 'a\033|rel(l\377)|\n'
try 'a|w(\000)|\n'
try 'a\000|w(x)|\n'
try 'a|w\000(x)|\n'
try '\000\000\000\000'
try 'a|w(x\ry)|\n'
try '\303\251|rel(\302\205)|\n'
heddle validate "$(printf 'no\033such\nfile')"
echo "status $?"
heddle "$(printf 'no\033such\ncommand')"
echo "status $?"
heddle info "$(printf -- '--no\033such')" a.std
echo "status $?"
heddle info --top "$(printf '1\033')" a.std
echo "status $?"
printf 'a|w(x)|\n' >"$(printf 'odd\033name')"
heddle info odd* | head -n 1
