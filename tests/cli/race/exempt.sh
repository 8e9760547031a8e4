# Accesses that annotations exempt are told by the verdict however the file is read: with a limit on
# time it is in memory as a whole, without one it is not.
cat >t.std <<'END'
T1|fork(T2)|a:1
T1|w.exempt(x)|a:2
T1|w.exempt(x)|a:2
T2|w(x)|b:1
T1|w.exempt(z)|a:2
T2|w(y)|b:2
T1|w(y)|a:3
END
for method in hb shb; do
    heddle race --method=$method --json t.std | jq -c .verdict.rests_on >out
    heddle race --method=$method --json --time=600 t.std | jq -c .verdict.rests_on | cmp out -
    jq -c '.[1] | .figures, .names' out
done
