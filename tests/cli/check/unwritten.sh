# What was found is told, and the other files are written, where one cannot be.
cat >racy.c <<END
#include <pthread.h>
int x;
void *other(void *none) { x = 1; return none; }
int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); x = 2; pthread_join(t, 0); return 0; }
END
for form in sarif junit dot html; do
    rm -f out.*
    heddle check -o out --$form=/dev/full --$([ $form = sarif ] && echo junit || echo sarif)=out.file racy.c 2>&1 |
        sed -n '/^heddle/p;/^1\./p'
    echo "status ${PIPESTATUS[0]}"
    ls out.*
done
heddle check --json -o out racy.c >racy.json
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
