# Nothing to see: nothing stays behind, but what was asked for.
printf 'a|w(x)|1\na|r(x)|2\n' >one.std
heddle check one.std | sed 's/([0-9.]* s)/(TIME)/'
echo "status ${PIPESTATUS[0]}"
heddle check -o kept one.std >/dev/null
ls
ls kept
