# A witness that cannot be read: status 2, file and line.
printf 'm|fork(a)|\na|w(x=1)|7\nm|r(x=1)|\n' >t.std
check() { printf "$1" >w.std; heddle validate t.std w.std; echo "status $?"; }
check 'm|fork(a)|\na|w(x=2)|7\n'
check 'm|fork(a)|\na|w(x=1)|8\n'
check 'z|w(x)|\n'
check 'm|fork(a)|\nm|r(x=1)|\nm|r(x=1)|\n'
check '# claim: race 2 3\nm|fork(a)|\n'
check '# heddle witness 1\nm|fork(a)|\n'
check '# heddle witness 2\n# claim: race 2 3\nm|fork(a)|\n'
check '# heddle witness 1\n# claim: race 2 3\n# claim: race 2 3\n'
check 'm|fork(a)|\n# heddle witness 1\n# claim: race 2 3\n'
check '# heddle witness 1\n# claim: nonsense\n'
check '# heddle witness 1\n# claim: race 2\n'
check '# heddle witness 1\n# claim: race 2 18446744073709551618\n'
check '# heddle witness 1\n# claim: state a=1 a=1, reads kept\n'
check '# heddle witness 1\n# claim: race 2 \033[31m\n'
check 'm|frok(a)|\n'
heddle validate t.std none.std
echo "status $?"
heddle validate t.std .
echo "status $?"
