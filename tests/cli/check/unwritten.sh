# What was found is told, and the other files are written, where one cannot be.
cat >racy.c <<END
#include <pthread.h>
int x;
void *other(void *none) { x = 1; return none; }
int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); x = 2; pthread_join(t, 0); return 0; }
END
heddle cc -g -o racy racy.c
for form in sarif junit dot html; do
    rm -f out.*
    heddle check -o out --$form=/dev/full --$([ $form = sarif ] && echo junit || echo sarif)=out.file ./racy 2>&1 |
        sed -n '/^heddle/p;/^1\./p'
    echo "status ${PIPESTATUS[0]}"
    ls out.*
done
heddle check --json -o out ./racy >racy.json
heddle report --junit=/dev/full --sarif=out.sarif racy.json 2>&1 | sed -n '/^heddle/p;/^1\./p'
echo "status ${PIPESTATUS[0]}"
ls out.*
# The files of the folder: no file can have more than so many blocks of 1024 bytes.
cat >two.std <<END
main|fork(a)|m.c:1
main|w(x)|m.c:2
a|w(x)|a.c:1
END
(ulimit -f 1; trap '' XFSZ; heddle check -o folder two.std 2>&1; echo "status $?") | sed -n '/^heddle/p;/^1\./p;/^status/p'
# A folder in which nothing can be written: the program is explored without its recordings, and what
# is found is found.
cat >right.c <<END
#include <pthread.h>
void *other(void *none) { return none; }
int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); pthread_join(t, 0); return 0; }
END
heddle cc -g -o right right.c
(ulimit -f 0; trap '' XFSZ; heddle check -o folder two.std 2>&1; echo "status $?") | cat |
    sed -n '/^heddle/p;/^1\./p;/^status/p;/^   race/s/([0-9.]* s)//p'
mkdir -p full/{run.1.htr,race.std,explore.std,explore.json,result.json,probe}
for what in ./racy ./right; do
    heddle check -o full $what 2>&1 | sed -n '/^heddle/p;/^1\./p;/^   [a-z]/s/([0-9.]* s)//p'
    echo "status ${PIPESTATUS[0]}"
done
