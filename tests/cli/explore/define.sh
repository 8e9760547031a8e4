# -D: the last one counts; what does not fit is one line.
cp "$ROOT/examples/models/ring.hdm" .
check() { heddle explore "$@" | grep -e checked -e executions; echo "status ${PIPESTATUS[0]}"; }
check -D N=3 ring.hdm
check --define N=9 -DN=3 ring.hdm
check -D M=3 ring.hdm
check -D N ring.hdm
check -D N= ring.hdm
check -D =3 ring.hdm
check -D N=three ring.hdm
check -D N=99999999999999999999 ring.hdm
check -D N=-1 ring.hdm
check -D N=7000 ring.hdm
