# What cannot be recorded has a clear word.
heddle record ./missing; echo $?
heddle record /bin/true; echo $?
printf 'int main(void) { return 0; }' >main.c
gcc -static -o static main.c && heddle record ./static; echo $?
heddle record --tsan /bin/true; echo $?
heddle record; echo $?
heddle record -o - /bin/true; echo $?
heddle record --free --schedule=x /bin/true; echo $?
heddle record --schedule=missing /bin/true; echo $?
printf 'nothing\n' >schedule; heddle record --schedule=schedule /bin/true; echo $?
heddle record --seed=x /bin/true; echo $?
heddle cc -o none main.c && heddle record ./none; echo $?
ls *.htr *.std 2>/dev/null || true
