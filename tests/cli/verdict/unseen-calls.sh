# functions whose accesses a trace does not have: the answer is shaky, in both formats
cat > a.std <<'END'
T1|fork(T2)|1
T1|w(x)|2
T2|w(y)|3
# heddle: unseen wprintf libc.so.6
# heddle: unseen deflate libz.so.1
# heddle: unseen inflate libz.so.1
# heddle: unseen none
# heddle: unseen  blank
# heddle: ended exit 0
END
heddle race a.std
echo "status $?"
heddle convert a.std b.htr && heddle convert b.htr c.std && grep unseen c.std
heddle race --accept=library:libz.so.1 b.htr | grep -E 'unseen|^b'
heddle race --accept=unseen-code b.htr >/dev/null
echo "accepted: status $?"
heddle race --json b.htr | grep -c libz.so.1
