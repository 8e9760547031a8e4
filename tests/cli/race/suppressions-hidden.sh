# Control characters of a file of suppressions, or of TSAN_OPTIONS, do not reach the terminal.
cat >one.std <<'EOF'
T1|w(x)|1
T2|w(x)|2
EOF
printf 'race:\033[31mred\033]0;title\a\nvariable:\xe2\x80\xaey\n' >rules
heddle race --suppressions=rules one.std >out
echo "status $?"
grep suppression-unused out
grep -A1 suppression-unused out | grep -q "$(printf '[\033\a]')" && echo "raw"
TSAN_OPTIONS="$(printf 'a\033[31mb=1')" heddle race -v one.std 2>&1 >/dev/null | grep obey
