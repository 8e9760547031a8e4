# File, line, column, the source line and a caret; status 2.
check() { printf "$1" >m.hdm; heddle explore m.hdm; echo "status $?"; }
check 'shared x;\nthread t { x = ; }\n'
check 'thread t { y = 1; }\n'
check 'shared x\nthread t { x = 1; }\n'
check ''
check '\0\377\033[31m'
heddle explore none.hdm
echo "status $?"
heddle explore .
echo "status $?"
printf 'shared x; thread t { x = 1 }' | heddle explore -
echo "status $?"
