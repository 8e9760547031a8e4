heddle race --html=- "$TESTDIR/hidden.std"; echo $?
heddle race --html=no/such/folder/page.html "$TESTDIR/hidden.std"; echo $?
heddle view --html=- "$TESTDIR/hidden.std"; echo $?
heddle view --port=8000 "$TESTDIR/hidden.std"; echo $?
heddle view missing.std; echo $?
# A page that cannot be has no file left behind.
printf 'a|nonsense(x)\n' >bad.std
heddle view --html=page.html bad.std; echo $?
printf '# heddle witness 1\n# claim: race 1 8\nb|acq(l)|b.c:1\n' >wrong.std
heddle view --html=page.html "$TESTDIR/hidden.std" wrong.std; echo $?
heddle view --html=page.html wrong.std; echo $?
printf '<!doctype html>\n' >there.html
heddle view --html=page.html there.html; echo $?
ls
heddle view --json --html=page.html "$TESTDIR/hidden.std" | jq -c '[.command, .result]'
