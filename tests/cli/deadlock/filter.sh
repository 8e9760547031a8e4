# Suppressions and a baseline, of a trace: one of two deadlocks is known.
cat >two.std <<END
a|acq(k)|a.c:1
a|acq(l)|a.c:2
a|rel(l)|a.c:3
a|rel(k)|a.c:4
b|acq(l)|b.c:1
b|acq(k)|b.c:2
b|rel(k)|b.c:3
b|rel(l)|b.c:4
a|acq(m)|a.c:5
a|acq(n)|a.c:6
a|rel(n)|a.c:7
a|rel(m)|a.c:8
b|acq(n)|c.c:5
b|acq(m)|c.c:6
b|rel(m)|c.c:7
b|rel(n)|c.c:8
END
head -8 two.std >one.std
heddle deadlock --json one.std >before.json
try() {
    heddle deadlock "$@" two.std | grep -E '^[^ ]|suppressed|not new'
    heddle deadlock --json "$@" two.std >>answers
}
try
try --baseline=before.json
echo 'variable:n' >rules
try --suppressions=rules
echo 'file:b.c:2' >rules
try --suppressions=rules
echo 'file:a.c' >rules
try --suppressions=rules --summary
jq -c '[.result.deadlocks, .result.suppressed, .result.not_new, [.findings[].locks]]' answers
heddle deadlock --suppressions=rules two.std
echo "status $?"
