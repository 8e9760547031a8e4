# What is known is not told again.
cp "$ROOT/examples/race/hidden.std" .
heddle check --baseline=known.json --update-baseline hidden.std >/dev/null
echo "status $?"
jq -c '.findings[] | [.rule, .message]' known.json
heddle check --ci --baseline=known.json hidden.std | sed 's/([0-9.]* s)/(TIME)/'
echo "status ${PIPESTATUS[0]}"
echo '{"findings": []}' >known.json
heddle check --ci --baseline=known.json hidden.std | head -1
echo "status ${PIPESTATUS[0]}"
