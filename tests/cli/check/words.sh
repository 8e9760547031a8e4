# Options of heddle may follow the program or the sources; what follows -- is the program's.
cat >words.c <<END
#include <stdio.h>
int more(void);
int main(int count, char **words) {
    for (int i = 1; i < count; i++)
        printf("[%s]", words[i]);
    return count - 1 + more();
}
END
echo 'int more(void) { return 0; }' >more.c
show() { heddle check -o out --seeds=1 --ask=explore "$@" | sed -n '/see again/,/^$/p' | tr -s ' \n' ' '; echo "status ${PIPESTATUS[0]}"; }
show words.c more.c a --time=20
show words.c more.c a --time=20 -- --time=1
show words.c more.c -- more.c
show -- words.c more.c -- more.c -x
show words.c more.c -x
heddle cc -o words words.c more.c
show ./words --time=20 a -- -x
show -- ./words a -x
show ./words -x
# The line that shows a finding again can be run, whatever the source is called.
cp words.c -- -words.c
echo 'int seen; int more(void) { return ++seen; }' >>./-words.c
COLUMNS=200 heddle check --seeds=1 --ask=explore -- -words.c >said
sed -n 's/ *see again *//p' said
eval "$(sed -n 's/ *see again *//p' said)" | tail -1
heddle explore -o -w.std -- -words.c | sed -n 's/ *to replay: //p' >line
cat line
eval "$(cat line)" | tail -1
