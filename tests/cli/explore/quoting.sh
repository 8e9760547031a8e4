# The line to type is one that a shell takes.
printf 'thread t { assert (false); }\n' >"it's a model.hdm"
heddle explore -o 'a witness' "it's a model.hdm" >out
line=$(sed -n 's/^  to replay: //p' out)
echo "$line"
eval "$line -q"
echo "status $?"
