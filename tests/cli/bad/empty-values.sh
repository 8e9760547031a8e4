# An option that is given nothing, and names of nothing: one line and status 2.
echo 'a|w(x)|' > a.std
echo 'shared x = 0; thread worker[2] { x = x + 1; }' > m.hdm
echo 'int main(void) { return 0; }' > p.c
heddle cc -o p p.c
while read -r words; do
    eval "heddle $words"
    echo "status $?"
done << 'END'
race --suppressions= a.std
race -o '' a.std
race --html '' a.std
check --flag= p.c
check --dot= ./p
nondet --thread= a.std
nondet --thread=b a.std
explore --symmetry= m.hdm
explore --symmetry=worker,other m.hdm
explore --symmetry=worker ./p
explore --find= ./p
cc --compiler= p.c
record ''
END
ls
