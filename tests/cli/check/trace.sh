# A trace: a race and the read that is part of it are one finding; notes are listed when asked for.
cp "$ROOT/examples/race/hidden.std" .
heddle check hidden.std | sed 's/([0-9.]* s)/(TIME)/'
echo "status ${PIPESTATUS[0]}"
heddle check --notes hidden.std | sed -n '/^2/,$p'
heddle validate hidden.std hidden.std.heddle/race.1.std
