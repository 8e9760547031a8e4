# Names that are longer than a column make it wider.
cat >long.std <<EOF
main|w(jobs[12].result.balance of main in start_everything()=1)|1
main|fork(a)|2
main|fork(b)|3
a|acq(jobs[12].result.lock of main in start_everything())|4
a|w(jobs[12].result.balance of main in start_everything()=2)|5
a|rel(jobs[12].result.lock of main in start_everything())|6
b|acq(jobs[12].result.lock of main in start_everything())|7
b|r(jobs[12].result.balance of main in start_everything()=2)|8
b|r(x=0)|9
b|rel(jobs[12].result.lock of main in start_everything())|10
main|join(a)|11
main|w(x=3)|12
EOF
heddle nondet long.std | sed -n '/variable/,/^$/p; /leaves/,/^$/p'
