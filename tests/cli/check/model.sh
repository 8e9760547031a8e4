# A model: its one failure, and how to see it again.
cp "$ROOT/examples/models/philosophers.hdm" .
heddle check philosophers.hdm | sed 's/([0-9.]* s)/(TIME)/'
echo "status ${PIPESTATUS[0]}"
ls philosophers.hdm.heddle
heddle replay -q philosophers.hdm philosophers.hdm.heddle/explore.std
